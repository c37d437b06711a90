import type { Hit, Query } from "@vitrine/search";
import type { Catalog } from "../catalog/catalog.ts";
import { documentTypes } from "./documents.ts";

/**
 * Returns a query that hides sold-out products by their current stock. The index knows only the stock at build time.
 */
export function addStockFilter(query: Query, catalog: Catalog): Query {
  if (query.unavailable !== "hide" || catalog.stock.epoch() === 0) return query;
  return {
    ...query,
    // The index alone must not hide sold-out products, because some may be in stock again. `accept` checks the current
    // stock.
    unavailable: "last",
    accept: (number, type, wasAvailable) =>
      query.accept?.(number, type, wasAvailable) !== false &&
      (type !== documentTypes.product || (catalog.isAvailableNow(number) ?? wasAvailable)),
  };
}

/**
 * Moves products that sold out after the index was built to the end of the complete or partial matches, if the query
 * puts sold-out products last.
 */
export function moveSoldOutLast(
  hitsByType: ReadonlyMap<number, readonly Hit[]>,
  { unavailable }: Pick<Query, "unavailable">,
  catalog: Catalog,
): ReadonlyMap<number, readonly Hit[]> {
  const products = hitsByType.get(documentTypes.product);
  if (unavailable !== "last" || products === undefined || catalog.stock.epoch() === 0) return hitsByType;
  const computeRank = ({ externalId, missing }: Hit): number =>
    (missing > 0 ? 2 : 0) + (catalog.isAvailableNow(externalId) === false ? 1 : 0);
  return new Map([
    ...hitsByType,
    [documentTypes.product, products.toSorted((a, b) => computeRank(a) - computeRank(b))],
  ]);
}

/** Moves sold-out products to the end of a list of entries, in place, by their current stock.  @returns the list */
export function sortSoldOutLast(numbers: number[], catalog: Catalog): number[] {
  const isSoldOut = (number: number): number => (catalog.isAvailableNow(number) === false ? 1 : 0);
  return numbers.sort((a, b) => isSoldOut(a) - isSoldOut(b));
}
