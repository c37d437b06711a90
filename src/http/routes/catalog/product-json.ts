import { localize } from "../../../catalog/localize.ts";
import { Problem } from "../../../problem.ts";
import type { Shop } from "../../../shop.ts";
import { formatDecimalProduct } from "../../json/decimal-product-json.ts";
import { toFullProductJson } from "../../json/product-json.ts";
import { createCacheableJson } from "../../response-cache.ts";
import type { Reply } from "../../wire/reply.ts";
import { formatLocalePrefix, type StoreRequest } from "../../wire/request.ts";

/**
 * Handles `GET /products/<handle>.js`, which returns the product as templates see it, and `.json`, which has decimal
 * prices. Both also work within a collection.
 * @returns undefined if a product has such a handle, for example "three.js": the URL is then the page of this product
 */
export function readProductFile(shop: Pick<Shop, "config" | "snapshot">, request: StoreRequest): Reply | undefined {
  const { file = "", collection = "all" } = request.params;
  const { config } = shop;
  const snapshot = shop.snapshot();
  const { catalog } = snapshot;
  const match = /^(.+)\.(js|json)$/.exec(file);
  const product = catalog.product(match?.[1] ?? "");
  if (product === undefined && catalog.product(file) !== undefined) return undefined;
  if (product === undefined || (collection !== "all" && catalog.collection(collection) === undefined))
    throw new Problem("not_found", "There is no such product.");
  const view = {
    product: localize(product, request.locale),
    prefix: formatLocalePrefix(request.locale, config.locales),
  };
  const { currency } = config;
  const body =
    match?.[2] === "js"
      ? toFullProductJson(view)
      : { product: formatDecimalProduct({ ...view, currency, origin: request.origin }) };
  return createCacheableJson(request, body, snapshot);
}
