import type { PricedCart } from "../../../cart/priced-cart.ts";
import type { Comments } from "../../../catalog/content.ts";
import { formatVariantPath } from "../../../catalog/presenters/variant.ts";
import { parseFieldQuery } from "../../../predictive-search/field-query.ts";
import { hasExactMatch } from "../../../predictive-search/search-page.ts";
import { readSearchTerms } from "../../../predictive-search/suggest-params.ts";
import type { Shop } from "../../../shop.ts";
import type { Snapshot } from "../../../snapshot/snapshot.ts";
import type { RenderRequest } from "../../../theme/theme.ts";
import { createRenderSources } from "../../cart/load-cart.ts";
import { awaitWithDeadline } from "../../deadline.ts";
import { readRequestingPage, renderSections } from "../../sections/bundled-sections.ts";
import {
  isSectionParameter,
  parseSectionIds,
  requestsSectionMap,
  requestsSections,
} from "../../sections/section-ids.ts";
import { getVisitorToken, readVisitorToken } from "../../sessions/csrf-session.ts";
import { isAnonymous, readCustomer } from "../../sessions/customer-session.ts";
import { getTestedRules } from "../../tested-rules.ts";
import { trackProductView, trackSearch } from "../../track.ts";
import { createHtmlReply, createJsonReply, type Reply, redirect } from "../../wire/reply.ts";
import { localizePath, type StoreRequest, toCanonicalPath } from "../../wire/request.ts";
import { createCspHeader } from "../../wire/security-headers.ts";
import { showVariant } from "../catalog/catalog-json.ts";
import { showCdnPage, showSharedPage } from "./shared-page.ts";

export type PageServices = Pick<
  Shop,
  "config" | "hooks" | "snapshot" | "inbox" | "carts" | "checkouts" | "process" | "theme" | "keys" | "signals"
>;

/**
 * Handles requests for any page. With `?section_id=`, the response is one theme section as HTML. With `?sections=`, it
 * is several sections as JSON.
 */
export function servePage(shop: PageServices, request: StoreRequest): Promise<Reply> {
  return renderPage(shop, request, {});
}

/**
 * Like {@link servePage}, but the response to a URL without a query may be compressed. Another site could choose the
 * text in a query, and the compressed length of a page with this text could reveal the visitor's CSRF token.
 */
export async function showCatalogPage(shop: PageServices, request: StoreRequest): Promise<Reply> {
  const reply = await servePage(shop, request);
  const isCanonical = request.search === "" && request.path === toCanonicalPath(request.path);
  return reply.status === 200 && isCanonical ? { ...reply, compress: "fast" } : reply;
}

/** Renders the 404 page. Templates get its path instead of the one of the request, which may contain a token. */
export function renderNotFound(shop: PageServices, request: StoreRequest): Promise<Reply> {
  return renderPage(shop, request, { target: "/404" });
}

/** Renders a page.  @param pageFields data for the templates, and values that are used instead of the request's */
export async function renderPage(
  shop: PageServices,
  request: StoreRequest,
  pageFields: Pick<RenderRequest, "invalidForm" | "giftCard" | "orderForm" | "order"> & {
    readonly target?: string;
    readonly checkout?: PricedCart;
    readonly snapshot?: Snapshot;
  },
): Promise<Reply> {
  const { query, locale, now } = request;
  const {
    target = request.path + formatPageSearch(query),
    checkout,
    invalidForm,
    giftCard,
    orderForm,
    order,
    snapshot = shop.snapshot(),
  } = pageFields;
  const { catalog } = snapshot;
  const customer = await readCustomer(shop, request, catalog);
  const baseRequest: RenderRequest = {
    ...createRenderSources(shop, request, { ...snapshot, rules: shop.snapshot().rules }, customer),
    target,
    ...(request.path === "/search" ? getTestedRules(shop.snapshot(), request, now) : {}),
    comments: await readComments(shop, target),
    ...{ checkout, giftCard, invalidForm, orderForm, order },
  };
  const id = query.get("section_id");
  if (id || requestsSectionMap(query)) {
    const existingToken = readVisitorToken(shop, request);
    const visitor = existingToken === undefined ? baseRequest : { ...baseRequest, csrfToken: existingToken };
    const status = shop.theme.hasPage(baseRequest) ? 200 : 404;
    if (!id)
      return createJsonReply(
        status,
        await renderSections(shop, { ids: parseSectionIds(query), locale, target }, visitor),
      );
    const section = await shop.theme.renderSection(id, { ...visitor, ...readRequestingPage(shop, request) });
    const hasSecret = section.isPersonal || (existingToken !== undefined && section.html.includes(existingToken));
    return { ...createHtmlReply(status, section.html), ...(hasSecret ? {} : { compress: "fast" }) };
  }
  // Pages for one visitor are not cached. Neither are the cart, whose URL may also have JSON, and the search page,
  // because each search must be tracked.
  const isPrivatePage =
    ["/cart", "/search"].includes(request.path) ||
    [checkout, order, invalidForm, giftCard].some((value) => value !== undefined);
  if (isAnonymous(shop, request) && !isPrivatePage)
    return shop.config.cdn !== undefined
      ? showCdnPage(shop, request, { source: snapshot, cdn: shop.config.cdn, catalog }, (taggedCatalog) =>
          shop.theme.renderPage({ ...baseRequest, catalog: taggedCatalog }),
        )
      : showSharedPage(shop, request, snapshot, (csrfToken) => shop.theme.renderPage({ ...baseRequest, csrfToken }));
  const { token, visitorId, cookies } = getVisitorToken(shop, request);
  const renderedPage = await shop.theme.renderPage({ ...baseRequest, csrfToken: token });
  if (renderedPage.fullMatchCount !== undefined)
    shop.process.metrics?.recordSearch("page", renderedPage.fullMatchCount);
  // Themes search by field to show recently viewed products. These searches are not tracked, because no shopper typed
  // them.
  if (renderedPage.fullMatchCount !== undefined && parseFieldQuery(query.get("q") ?? "") === undefined) {
    const isFound = renderedPage.fullMatchCount > 0;
    // An empty list on a later page or with filters does not mean that the query itself has no results.
    const isFullResult = !query.has("page") && !query.keys().some((name) => name.startsWith("filter."));
    if (isFound || isFullResult) {
      const isExact = isFound && isExactSearch(shop, request, snapshot);
      trackSearch(shop, request, { kind: "searched", q: query.get("q") ?? "", isFound, isExact }, visitorId);
    }
  }
  return createHtmlReply(renderedPage.status, renderedPage.html, {
    "set-cookie": cookies,
    "content-security-policy": createCspHeader(
      shop,
      shop.theme.getInlineCode(),
      request.isSecure,
      renderedPage.content,
    ),
  });
}

/**
 * Reports whether a search found every word as typed. Such a query may be suggested to other shoppers. Later result
 * pages do not count.
 */
function isExactSearch(shop: PageServices, request: StoreRequest, { catalog, index }: Snapshot): boolean {
  const { query, locale, isHead, now } = request;
  if (isHead || (query.get("page") ?? "1") !== "1") return false;
  const q = (query.get("q") ?? "").trim();
  const { typoTolerance } = shop.config.search;
  return hasExactMatch(q, { catalog, index, locale, now, typoTolerance, rules: shop.snapshot().rules });
}

/** Returns the comments of an article. The page is shown without them if the database is unavailable. */
async function readComments(
  { config, inbox: { comments } }: PageServices,
  target: string,
): Promise<Comments | undefined> {
  if (!config.comments) return undefined;
  const counts = comments.getCounts();
  const path = parseArticlePath(target) ?? "";
  const pageComments = path === "" ? [] : await awaitWithDeadline(comments.listComments(path)).catch(() => []);
  return { counts, articleComments: { path, comments: pageComments } };
}

/** Returns the path of an article, with the percent-encoding that links use; undefined for other pages. */
function parseArticlePath(target: string): string | undefined {
  const path = target.split("?", 1)[0] ?? "";
  try {
    return /^\/blogs\/[^/]+\/[^/]+$/.test(path) ? toCanonicalPath(path) : undefined;
  } catch {
    // The path has invalid percent-encoding, so no page exists.
    return undefined;
  }
}

/** Returns the query string without the parameters that request theme sections. */
function formatPageSearch(query: URLSearchParams): string {
  const pageQuery = new URLSearchParams(query);
  for (const name of new Set(pageQuery.keys())) if (isSectionParameter(name)) pageQuery.delete(name);
  return pageQuery.size === 0 ? "" : `?${pageQuery}`;
}

/**
 * Handles `GET /search`: shows the search results, or redirects to the URL that the merchant chose for this query.
 * Requests for theme sections are not redirected.
 */
export async function showSearch(shop: PageServices, request: StoreRequest): Promise<Reply> {
  const redirectReply = requestsSections(request.query) ? undefined : findRedirect(shop, request);
  return redirectReply === undefined ? servePage(shop, request) : redirect(302, redirectReply);
}

function findRedirect(
  { config, snapshot }: Pick<Shop, "config" | "snapshot">,
  { query, locale }: StoreRequest,
): string | undefined {
  const path = snapshot().rules.getRulesForQuery(readSearchTerms(query.get("q")), locale).redirect;
  return path === undefined ? undefined : localizePath(path, locale, config.locales);
}

/** Handles `GET /products/<handle>`, also within a collection. */
export async function showProduct(shop: PageServices, request: StoreRequest): Promise<Reply> {
  const reply = await showCatalogPage(shop, request);
  if (reply.status !== 200 || requestsSections(request.query)) return reply;
  trackProductView(shop, request);
  const { cachePolicy } = reply;
  if (cachePolicy === undefined) return reply;
  const reuseReply = (newRequest: StoreRequest): Reply | undefined => {
    const reusedReply = cachePolicy.tryReuse(newRequest);
    if (reusedReply !== undefined) trackProductView(shop, newRequest);
    return reusedReply;
  };
  return { ...reply, cachePolicy: { ...cachePolicy, tryReuse: reuseReply } };
}

/**
 * Handles `GET /variants/<id>?section_id=<id>`: renders a theme section of the product page with the variant selected.
 * Without `section_id`, it equals {@link showVariant}.
 */
export async function showVariantSection(shop: PageServices, request: StoreRequest): Promise<Reply> {
  const offer = shop.snapshot().catalog.variant(request.params.id ?? "");
  if (offer === undefined || !requestsSections(request.query)) return showVariant(shop, request);
  return renderPage(shop, request, { target: formatVariantPath({ ...offer, prefix: "" }) });
}
