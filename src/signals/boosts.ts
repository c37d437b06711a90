import type { Boosts } from "@vitrine/search";
import type { Catalog } from "../catalog/catalog.ts";
import { documentTypes } from "../predictive-search/documents.ts";
import { packClicks } from "./click-boosts.ts";
import type { ClickedProduct, SignalTotals, SoldProduct } from "./signals.ts";

/**
 * The best-selling product gets the full sales boost only if it has at least this many buyers. In a shop with few
 * sales, all boosts are therefore lower.
 */
const FULL_BOOST_BUYERS = 50;

/** Maximum number of points that sales add to a product's score. Clicks after the same search can add more. */
const MAX_SALES_BOOST = 1;

/**
 * Returns a function that converts totals of clicks and sales to search boosts. Product ids become document numbers,
 * and unpublished products are omitted. The click boosts are prepared only once for the same totals.
 */
export function createBoosts(): (totals: SignalTotals, catalog: Catalog) => Boosts {
  let clicks: readonly ClickedProduct[] = [];
  let packedClicks = packClicks(clicks);
  return (totals, catalog) => {
    if (totals.clicks !== clicks) packedClicks = packClicks(totals.clicks);
    clicks = totals.clicks;
    const { sales } = totals;
    return {
      forQuery: (text, locale) =>
        packedClicks.find(text, locale).flatMap(({ id, points }) => {
          const externalId = catalog.productNumberById(id);
          return externalId === undefined ? [] : [{ externalId, points, reason: "clicked after this search" }];
        }),
      ...(sales.length === 0 ? {} : { documents: computeSalesBoosts(sales, catalog) }),
    };
  };
}

/** Boosts products by the logarithm of their number of buyers, because few products sell much and most sell little. */
function computeSalesBoosts(
  soldProducts: readonly SoldProduct[],
  catalog: Pick<Catalog, "productNumberById">,
): NonNullable<Boosts["documents"]> {
  let boostFactors: ReadonlyMap<number, number> | undefined;
  const maxStrength = Math.log1p(Math.max(FULL_BOOST_BUYERS, soldProducts[0]?.weight ?? 0));
  // Resolve product ids only at the first search. Doing so after each change of the catalog would be too slow.
  const computeBoostFactors = (): ReadonlyMap<number, number> =>
    new Map(
      soldProducts.flatMap(({ id, weight }) => {
        const number = catalog.productNumberById(id);
        return number === undefined ? [] : [[number, Math.log1p(weight) / maxStrength] as const];
      }),
    );
  return {
    type: documentTypes.product,
    reason: "often bought",
    pointsOf(externalId) {
      boostFactors ??= computeBoostFactors();
      return (boostFactors.get(externalId) ?? 0) * MAX_SALES_BOOST;
    },
  };
}
