import type { LearnedChoices } from "@vitrine/search";
import type { Catalog } from "../catalog/catalog.ts";

/** What was learned of products, for a search in a snapshot: ids of products, which stay from import to import, become external ids of its documents.
 *  Products that are gone or not published are left out. */
export function learnedProducts(
  learned: LearnedChoices<string>,
  catalog: Pick<Catalog, "productById" | "productNumber">,
): LearnedChoices<number> {
  return {
    find: (text, locale) =>
      learned.find(text, locale).flatMap(({ id, strength }) => {
        const number = numberOfProduct(id, catalog);
        return number === undefined ? [] : [{ id: number, strength }];
      }),
  };
}

/** Document number of a published product. */
export function numberOfProduct(
  id: string,
  catalog: Pick<Catalog, "productById" | "productNumber">,
): number | undefined {
  const product = catalog.productById(id);
  return product === undefined ? undefined : catalog.productNumber(product.handle);
}
