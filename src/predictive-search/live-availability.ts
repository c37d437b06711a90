import type { Hit, Query } from "@vitrine/search";
import type { Catalog } from "../catalog/catalog.ts";
import { documentTypes } from "./documents.ts";

/** Returns a search that hides products by their current stock instead of the stock at the time of the index. */
export function hidingSoldOut(query: Query, catalog: Catalog): Query {
  if (query.unavailable !== "hide" || catalog.stock.epoch() === 0) return query;
  return {
    ...query,
    // Products that came into stock since are sold out in the index.
    unavailable: "last",
    accept: (number, type, wasAvailable) =>
      query.accept?.(number, type, wasAvailable) !== false &&
      (type !== documentTypes.product || (catalog.availableNow(number) ?? wasAvailable)),
  };
}

/**
 * Moves products that were sold out since the index was built to the end of the complete or the partial matches, if
 * sold-out products come last.
 */
export function soldOutLast(
  found: ReadonlyMap<number, readonly Hit[]>,
  { unavailable }: Pick<Query, "unavailable">,
  catalog: Catalog,
): ReadonlyMap<number, readonly Hit[]> {
  const products = found.get(documentTypes.product);
  if (unavailable !== "last" || products === undefined || catalog.stock.epoch() === 0) return found;
  const rank = ({ externalId, missing }: Hit): number =>
    (missing > 0 ? 2 : 0) + (catalog.availableNow(externalId) === false ? 1 : 0);
  return new Map([...found, [documentTypes.product, products.toSorted((one, other) => rank(one) - rank(other))]]);
}
