import { localize } from "../../catalog/localize.ts";
import { Problem } from "../../problem.ts";
import type { Shop } from "../../shop.ts";
import { cacheable, conditional } from "../answer-cache.ts";
import { fullProductJson } from "../json/product-json.ts";
import { json, type Reply } from "../wire/reply.ts";
import { localePrefix, type StoreRequest } from "../wire/request.ts";

/** `GET /products/<handle>.js` (the product) and `.json` (the product in `product`).
 *  @returns undefined where the name is all of it a product's handle ("three.js"), and so its page's */
export function productFile(shop: Pick<Shop, "config" | "snapshot">, request: StoreRequest): Reply | undefined {
  const { file = "" } = request.params;
  const { catalog } = shop.snapshot();
  const match = /^(.+)\.(js|json)$/.exec(file);
  const product = catalog.product(match?.[1] ?? "");
  if (product === undefined && catalog.product(file) !== undefined) return undefined;
  if (product === undefined) throw new Problem("not_found", "There is no such product.");
  const shown = fullProductJson({
    product: localize(product, request.locale),
    prefix: localePrefix(request.locale, shop.config.locales),
  });
  return conditional(request, cacheable(json(200, match?.[2] === "json" ? { product: shown } : shown)));
}
