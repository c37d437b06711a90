import type { Catalog, Offer } from "../catalog/catalog.ts";
import type { SearchIndex } from "../search/search-index.ts";
import { documentTypes, fieldNumbers } from "./documents.ts";

/** Products whose SKU is like one that is looked for, at most. */
const MAX_LIKE = 100;

/** Variants that have an SKU, letter by letter; two at most, which is enough to know that it is not unique. */
export function findSku(
  sku: string,
  { catalog, index, locale }: { readonly catalog: Catalog; readonly index: SearchIndex; readonly locale: string },
): readonly Offer[] {
  const limits = new Map([[documentTypes.product, MAX_LIKE]]);
  const fields = 1 << (fieldNumbers.get("variants.sku") ?? 0);
  const hits = index.search({ text: sku, locale, limits, fields, typos: false, unavailable: "show" });
  const found: Offer[] = [];
  for (const { externalId } of hits.get(documentTypes.product) ?? []) {
    const product = catalog.entry(externalId);
    if (product?.kind !== "product") continue;
    for (const variant of product.variants) if (variant.sku === sku) found.push({ product, variant });
    if (found.length > 1) break;
  }
  return found.slice(0, 2);
}
