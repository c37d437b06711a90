import { loadEntries } from "../../../predictive-search/predictive-search.ts";
import { parseSuggestParams } from "../../../predictive-search/suggest-params.ts";
import { Problem } from "../../../problem.ts";
import type { Shop } from "../../../shop.ts";
import { createRenderSources } from "../../cart/load-cart.ts";
import { toSingleUseReply, watchTheme } from "../../response-cache.ts";
import { readRequestingPage } from "../../sections/bundled-sections.ts";
import { readCustomer } from "../../sessions/customer-session.ts";
import { getTestedRules } from "../../tested-rules.ts";
import { trackSearch } from "../../track.ts";
import { createHtmlReply, type Reply } from "../../wire/reply.ts";
import type { StoreRequest } from "../../wire/request.ts";
import { createSearchContext, getCachedSuggestions, suggest } from "./search-suggest-json.ts";

/**
 * Handles `GET /search/suggest`: renders a theme section with search suggestions. All visitors get the same response,
 * unless the section shows the cart or the customer, or a draft of the search rules is tested.
 * @see spec 4.1
 */
export async function showSuggestions(
  shop: Pick<Shop, "config" | "snapshot" | "theme" | "carts" | "checkouts" | "process" | "keys" | "hooks" | "signals">,
  request: StoreRequest,
): Promise<Reply> {
  const params = parseSuggestParams(request.query);
  const id = request.query.get("section_id");
  if (!id) throw new Problem("invalid_parameter", "Missing section_id param");
  const snapshot = shop.snapshot();
  const { locale } = request;
  const { catalog } = snapshot;
  const isCurrent = watchTheme(shop);
  const { isFound, ...results } = suggest(
    shop,
    params,
    { ...createSearchContext(shop, snapshot, request), ...getTestedRules(snapshot, request, request.now) },
    "section",
  );
  const customer = await readCustomer(shop, request, catalog);
  const section = await shop.theme.renderSection(id, {
    ...createRenderSources(shop, request, snapshot, customer),
    ...readRequestingPage(shop, request),
    target: `/search?q=${encodeURIComponent(params.q.toWellFormed())}`,
    predictiveSearch: loadEntries(results, { catalog, locale }),
  });
  const reply = createHtmlReply(200, section.html);
  if (section.isPersonal) {
    trackSearch(shop, request, { kind: "typed", q: params.q, isFound });
    return reply;
  }
  return getCachedSuggestions(shop, request, toSingleUseReply(reply, section.html), {
    q: params.q,
    isFound,
    snapshot,
    isCurrent,
  });
}
