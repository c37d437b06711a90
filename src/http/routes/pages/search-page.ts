import { readTerms } from "../../../predictive-search/suggest-params.ts";
import type { Shop } from "../../../shop.ts";
import { namesSections } from "../../sections/section-ids.ts";
import { type Reply, redirect } from "../../wire/reply.ts";
import { localizedPath, type StoreRequest } from "../../wire/request.ts";
import { type PageShop, page } from "./page.ts";

/**
 * `GET /search`: the full results page, or a redirect that the merchant set for the query. Requests for sections are
 * not redirected.
 */
export async function searchPage(shop: PageShop, request: StoreRequest): Promise<Reply> {
  const elsewhere = namesSections(request.query) ? undefined : redirectOf(shop, request);
  return elsewhere === undefined ? page(shop, request) : redirect(302, elsewhere);
}

function redirectOf(
  { config, snapshot }: Pick<Shop, "config" | "snapshot">,
  { query, locale }: StoreRequest,
): string | undefined {
  const path = snapshot().rules.forQuery(readTerms(query.get("q")), locale).redirect;
  return path === undefined ? undefined : localizedPath(path, locale, config.locales);
}
