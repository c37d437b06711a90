import { getOrCreate } from "../runtime/cache.ts";
import type { SignalTotals } from "./signals.ts";

/** Maximum number of products in the list of one product. */
const MAX_PRODUCTS = 10;

/**
 * Returns a function that returns the ids of the products that customers most often bought together with a product,
 * best first. Of two products with the same number of common buyers, the one that sells less otherwise is first. The
 * lists are prepared once for the same totals.
 */
export function createCoPurchaseFinder(): (totals: SignalTotals) => (productId: string) => readonly string[] {
  let pairs: SignalTotals["pairs"] = [];
  let lists: ReadonlyMap<string, readonly string[]> = new Map();
  return (totals) => {
    if (totals.pairs !== pairs) {
      pairs = totals.pairs;
      lists = rankPairedProducts(totals);
    }
    const listsByProduct = lists;
    return (productId) => listsByProduct.get(productId) ?? [];
  };
}

function rankPairedProducts({ pairs, sales }: SignalTotals): ReadonlyMap<string, readonly string[]> {
  const salesById = new Map(sales.map(({ id, weight }) => [id, weight]));
  const scoredProducts = new Map<string, { readonly id: string; readonly score: number }[]>();
  for (const {
    ids: [firstId, secondId],
    weight,
  } of pairs)
    for (const [id, otherId] of [
      [firstId, secondId],
      [secondId, firstId],
    ] as const) {
      const score = weight / Math.sqrt(Math.max(weight, salesById.get(otherId) ?? 0));
      getOrCreate(scoredProducts, id, () => []).push({ id: otherId, score });
    }
  return new Map(
    Array.from(scoredProducts, ([id, list]) => [
      id,
      list
        .sort((left, right) => right.score - left.score)
        .slice(0, MAX_PRODUCTS)
        .map((otherProduct) => otherProduct.id),
    ]),
  );
}
