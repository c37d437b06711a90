import { searchPage as findAll } from "../../predictive-search/search-page.ts";
import type { Shop } from "../../shop.ts";
import type { Reply } from "../reply.ts";
import { headerOf, type StoreRequest } from "../request.ts";
import { type PageShop, page } from "./page.ts";

/** `GET /search`: the full results page. A search that found something counts towards what others are offered while typing. */
export async function searchPage(shop: PageShop & Pick<Shop, "searches">, request: StoreRequest): Promise<Reply> {
  const reply = await page(shop, request);
  const term = (request.query.get("q") ?? "").trim();
  const isFullPage = !request.query.has("section_id") && !request.query.has("sections");
  if (term !== "" && isFullPage && reply.status === 200 && (request.query.get("page") ?? "1") === "1") {
    const { catalog, index } = shop.snapshot();
    const { locale, now, client } = request;
    const typoTolerance = shop.config.search.typoTolerance;
    const found = findAll({ q: term, page: 1, perPage: 1 }, { catalog, index, locale, now, typoTolerance });
    const visitor = `${client.address} ${headerOf(request, "user-agent") ?? ""}`;
    if (found.total > 0) shop.searches.record(term, locale, visitor, now);
  }
  return reply;
}
