import type { Catalog } from "../../../catalog/catalog.ts";
import { createTaggedCatalog } from "../../../catalog/tagged-catalog.ts";
import { formatTagHeader } from "../../../cdn/purge-requests.ts";
import type { Config } from "../../../config/settings.ts";
import type { Shop } from "../../../shop.ts";
import type { RenderedPage } from "../../../theme/theme.ts";
import { addCachePolicy, toCacheableReply, watchTheme } from "../../response-cache.ts";
import { getVisitorToken } from "../../sessions/csrf-session.ts";
import { isAnonymous } from "../../sessions/customer-session.ts";
import { SharedBody, VisitorReplyBody } from "../../wire/filled-body.ts";
import { createHtmlReply, type Reply } from "../../wire/reply.ts";
import type { StoreRequest } from "../../wire/request.ts";
import { createCspHeader } from "../../wire/security-headers.ts";

/**
 * Renders a page that is cached for all anonymous visitors. Only the CSRF token in it differs. During rendering, a
 * random placeholder takes the place of the token, so the cached page contains no token.
 * @param source object from which the page is rendered; a change invalidates the cached page
 * @param render renders the page with the placeholder as token
 */
export async function showSharedPage(
  shop: Pick<Shop, "config" | "hooks" | "keys" | "process" | "theme" | "snapshot">,
  request: StoreRequest,
  source: object,
  render: (csrfToken: string) => Promise<RenderedPage>,
): Promise<Reply> {
  const isCurrent = watchTheme(shop);
  const placeholder = shop.process.newId() + shop.process.newId();
  const { status, html: page, content } = await render(placeholder);
  const sharedBody = new SharedBody(page, placeholder);
  const policy = createCspHeader(shop, shop.theme.getInlineCode(), request.isSecure, content);
  const createReply = (newRequest: StoreRequest): Reply => {
    const { token, cookies } = getVisitorToken(shop, newRequest);
    const headers = { "set-cookie": cookies, "content-security-policy": policy };
    // The token is not compressed, because the compressed length could reveal it.
    return { ...createHtmlReply(status, "", headers), body: new VisitorReplyBody(sharedBody, token), compress: "fast" };
  };
  const reuseReply = (newRequest: StoreRequest): Reply | undefined =>
    isAnonymous(shop, newRequest) && isCurrent() ? createReply(newRequest) : undefined;
  const reply = createReply(request);
  return status === 200 ? { ...reply, cachePolicy: { source, bytes: sharedBody.size, tryReuse: reuseReply } } : reply;
}

export interface CdnPage {
  /** Object from which the page is rendered, as in {@link showSharedPage}. */
  readonly source: object;
  readonly cdn: NonNullable<Config["cdn"]>;
  readonly catalog: Catalog;
}

/**
 * Renders a page that a CDN may store and send to anonymous visitors. It has no CSRF token and sets no cookies: scripts
 * fetch the token before the first write.
 * @param render renders the page from the given catalog, which records the cache tags of the entries that are read
 */
export async function showCdnPage(
  shop: Pick<Shop, "config" | "hooks" | "theme">,
  request: StoreRequest,
  { source, cdn, catalog }: CdnPage,
  render: (catalog: Catalog) => Promise<RenderedPage>,
): Promise<Reply> {
  const isCurrent = watchTheme(shop);
  const tags = new Set<string>();
  const hasTags = cdn.purge !== undefined;
  const { status, html, content } = await render(
    hasTags ? createTaggedCatalog(catalog, (tag) => tags.add(tag)) : catalog,
  );
  const policy = createCspHeader(shop, shop.theme.getInlineCode(), request.isSecure, content);
  const tagHeader = cdn.purge === undefined ? {} : formatTagHeader(cdn.purge, tags);
  const reply = createHtmlReply(status, html, { "content-security-policy": policy, ...tagHeader });
  if (status !== 200) return { ...reply, compress: "fast" };
  const { headers, ...otherFields } = toCacheableReply(reply);
  // Browsers revalidate the page at each use, because it changes with the first item in the cart.
  const cacheControl = `public, max-age=0, s-maxage=${cdn.maxAge}, stale-while-revalidate=${cdn.staleWhileRevalidate}`;
  const cacheableReply = { ...otherFields, headers: { ...headers, "cache-control": cacheControl } };
  const firstReply = addCachePolicy(request, cacheableReply, source, { isCurrent });
  const { cachePolicy } = firstReply;
  if (cachePolicy === undefined) return firstReply;
  const reuseReply = (newRequest: StoreRequest): Reply | undefined =>
    isAnonymous(shop, newRequest) ? cachePolicy.tryReuse(newRequest) : undefined;
  return { ...firstReply, cachePolicy: { ...cachePolicy, tryReuse: reuseReply } };
}
