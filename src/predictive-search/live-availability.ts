import type { Catalog } from "../catalog/catalog.ts";
import type { Hit, Query } from "../search/search-index.ts";
import { documentTypes } from "./documents.ts";

/** A search that hides what is sold out by now rather than when the index was built. */
export function hidingSoldOut(query: Query, catalog: Catalog): Query {
  if (query.unavailable !== "hide" || catalog.stock.epoch() === 0) return query;
  return {
    ...query,
    // What came in since is among those that the index takes for sold out.
    unavailable: "last",
    accept: (number, type, wasAvailable) =>
      query.accept?.(number, type, wasAvailable) !== false &&
      (type !== documentTypes.product || (catalog.availableNow(number) ?? wasAvailable)),
  };
}

/** Hits with products at the end that were sold out since the index was built, where what is sold out comes last. */
export function soldOutLast(
  found: ReadonlyMap<number, readonly Hit[]>,
  { unavailable }: Pick<Query, "unavailable">,
  catalog: Catalog,
): ReadonlyMap<number, readonly Hit[]> {
  const products = found.get(documentTypes.product);
  if (unavailable !== "last" || products === undefined || catalog.stock.epoch() === 0) return found;
  const [soldOut, others] = partition(products, ({ externalId }) => catalog.availableNow(externalId) === false);
  return soldOut.length === 0 ? found : new Map([...found, [documentTypes.product, [...others, ...soldOut]]]);
}

/** Those of which it is true, and the others, in their order. */
export function partition<T>(list: readonly T[], isTrue: (one: T) => boolean): readonly [readonly T[], readonly T[]] {
  const { true: yes = [], false: no = [] } = Object.groupBy(list, (one) => `${isTrue(one)}`);
  return [yes, no];
}
