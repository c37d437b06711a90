import { type LiveStock, mayHaveChangedStock } from "../live/live-stock.ts";
import type { Product } from "../product.ts";
import { countUnitsInStock } from "../stock.ts";
import type { FacetLayers } from "./facet-layers.ts";
import { unlimitedUnits } from "./facet-rows.ts";
import type { RankingValues } from "./facets.ts";

/**
 * Returns the ranking values of a catalog, from its packed columns.
 * @param readProduct reads a product with its current stock
 */
export function openRankingValues(
  layers: FacetLayers,
  stock: LiveStock,
  readProduct: (number: number) => Product | undefined,
): RankingValues {
  return {
    marginOf(number) {
      const location = layers.locate(number);
      return location?.layer.rows.margins[location.position] ?? 0;
    },
    unitsOf(number) {
      const location = layers.locate(number);
      if (location === undefined) return 0;
      const { layer, position } = location;
      const product = mayHaveChangedStock(stock, layer.packedRows, position) ? readProduct(number) : undefined;
      return product === undefined ? (layer.rows.stockUnits[position] ?? unlimitedUnits) : countUnits(product);
    },
    createdAt(number) {
      const location = layers.locate(number);
      return (location?.layer.rows.creationTimes[location.position] ?? 0) * 1_000;
    },
  };
}

/** Returns the margin of a product's variants with a known cost, in percent of their prices, from 0 to 100. */
export function computeMargin({ variants }: Product): number {
  let [price, profit] = [0, 0];
  for (const variant of variants)
    if (variant.cost !== undefined) {
      price += variant.price;
      profit += variant.price - variant.cost;
    }
  return price > 0 ? Math.round(Math.max(0, Math.min(1, profit / price)) * 100) : 0;
}

/** Returns the units of a product that can be sold, at most `unlimitedUnits`. */
export function countUnits({ variants }: Product): number {
  return variants.reduce((sum, variant) => Math.min(unlimitedUnits, sum + countUnitsInStock(variant)), 0);
}
