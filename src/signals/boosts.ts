import { type LearnedChoices, type Purchases, packLearned } from "@vitrine/search";
import type { Catalog } from "../catalog/catalog.ts";
import { documentTypes } from "../predictive-search/documents.ts";
import type { ChosenProduct, SignalTotals, SoldProduct } from "./signals.ts";

/** Buyers of a best seller in a shop that sells little. */
const bestSellerBuyers = 50;

/** What signals add to the ranking of a snapshot. */
export interface Boosts {
  readonly learned: LearnedChoices<number>;
  readonly bought?: Purchases;
}

/** Converts totals to the search's input: product ids, which stay the same between imports, become document numbers. Unpublished products are
 *  omitted. @returns a function that prepares the same totals once */
export function createBoosts(): (totals: SignalTotals, catalog: Catalog) => Boosts {
  let clicks: readonly ChosenProduct[] = [];
  let packed = packLearned(clicks);
  return (totals, catalog) => {
    if (totals.clicks !== clicks) packed = packLearned(totals.clicks);
    clicks = totals.clicks;
    const { sales } = totals;
    return {
      learned: {
        find: (text, locale) =>
          packed.find(text, locale).flatMap(({ id, strength }) => {
            const number = numberOfProduct(id, catalog);
            return number === undefined ? [] : [{ id: number, strength }];
          }),
      },
      ...(sales.length === 0 ? {} : { bought: salesBoosts(sales, catalog) }),
    };
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

/** Twice as many buyers are one step everywhere, as a few products sell much and most sell little. */
function salesBoosts(sales: readonly SoldProduct[], catalog: Pick<Catalog, "productNumberById">): Purchases {
  let strengths: ReadonlyMap<number, number> | undefined;
  const most = Math.log1p(Math.max(bestSellerBuyers, sales[0]?.weight ?? 0));
  // Product ids are resolved by the first search, not by each snapshot.
  const resolve = (): ReadonlyMap<number, number> =>
    new Map(
      sales.flatMap(({ id, weight }) => {
        const number = catalog.productNumberById(id);
        return number === undefined ? [] : [[number, Math.log1p(weight) / most] as const];
      }),
    );
  return {
    type: documentTypes.product,
    strengthOf(externalId) {
      strengths ??= resolve();
      return strengths.get(externalId) ?? 0;
    },
  };
}
