import { localize } from "../../../catalog/localize.ts";
import type { Product } from "../../../catalog/product.ts";
import { type Intent, recommend } from "../../../predictive-search/recommendations.ts";
import { Problem } from "../../../problem.ts";
import type { Shop } from "../../../shop.ts";
import type { Snapshot } from "../../../snapshot/snapshot.ts";
import { createRenderSources } from "../../cart/load-cart.ts";
import { toFullProductJson } from "../../json/product-json.ts";
import { addCachePolicy, createCacheableJson, toCacheableReply, watchTheme } from "../../response-cache.ts";
import { readRequestingPage } from "../../sections/bundled-sections.ts";
import { readCustomer } from "../../sessions/customer-session.ts";
import { createHtmlReply, type Reply } from "../../wire/reply.ts";
import { formatLocalePrefix, type StoreRequest } from "../../wire/request.ts";

/**
 * Handles `GET /recommendations/products`: returns products related to `product_id`, as JSON or, with `section_id`, as
 * HTML of a theme section. All visitors get the same response, unless the section shows the cart or the customer.
 */
export async function showRecommendations(
  shop: Pick<Shop, "config" | "snapshot" | "theme" | "carts" | "checkouts" | "process" | "hooks" | "keys">,
  request: StoreRequest,
): Promise<Reply> {
  const { query, locale, now } = request;
  const params = parseParams(query);
  const snapshot = shop.snapshot();
  const sectionId = request.path.endsWith(".json") ? null : query.get("section_id");
  const isCurrent = watchTheme(shop);
  const { intent } = params;
  const products = findProducts(snapshot, params, locale, now);
  if (!sectionId) {
    const prefix = formatLocalePrefix(locale, shop.config.locales);
    const productRecords = products.map((product) => toFullProductJson({ product, prefix }));
    return createCacheableJson(request, { intent, products: productRecords }, snapshot);
  }
  const target = `/recommendations/products?${new URLSearchParams({ ...params, limit: String(params.limit) })}`;
  const customer = await readCustomer(shop, request, snapshot.catalog);
  const section = await shop.theme.renderSection(sectionId, {
    ...createRenderSources(shop, request, snapshot, customer),
    ...readRequestingPage(shop, request),
    target,
    recommendations: { intent, products },
  });
  const productRecords = createHtmlReply(200, section.html);
  return section.isPersonal
    ? productRecords
    : addCachePolicy(request, toCacheableReply(productRecords), snapshot, { isCurrent });
}

interface RecommendationParams {
  readonly product_id: string;
  readonly limit: number;
  readonly intent: Intent;
}

/** Maximum number of recommendations. Themes may ask for more, and get this number. */
const MAX_LIMIT = 10;

/** Parses the query parameters.  @throws Problem `invalid_parameter` */
function parseParams(query: URLSearchParams): RecommendationParams {
  const id = query.get("product_id") ?? "";
  const limit = query.get("limit") ?? String(MAX_LIMIT);
  const intent = query.get("intent") ?? "related";
  if (id === "") throw new Problem("invalid_parameter", "Missing product_id param");
  if (!/^0*[1-9]\d*$/.test(limit)) throw new Problem("invalid_parameter", "The limit needs to be between 1 and 10");
  if (intent !== "related" && intent !== "complementary")
    throw new Problem("invalid_parameter", "The intent needs to be related or complementary");
  return { product_id: id, limit: Math.min(Number(limit), MAX_LIMIT), intent };
}

/** Finds the recommended products.  @throws Problem `not_found` */
function findProducts(
  { catalog, index, boughtTogether }: Snapshot,
  params: RecommendationParams,
  locale: string,
  now: number,
): readonly Product[] {
  const product = catalog.productById(params.product_id);
  if (product === undefined) throw new Problem("not_found", "There is no such product.");
  return recommend(product, params, { catalog, index, boughtTogether, locale, now }).map((candidate) =>
    localize(candidate, locale),
  );
}
