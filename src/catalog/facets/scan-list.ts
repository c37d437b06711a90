import type { FacetLayer, FacetLayers } from "./facet-layers.ts";
import { FacetScan } from "./facet-scan.ts";
import { emptySelection, type FilterSelection, hasSelection } from "./filter-selection.ts";

/** A product list before filtering, with data that does not depend on stock. */
export interface UnfilteredList {
  /** Document numbers of the products, without removed products. */
  readonly numbers: Uint32Array;
  /** Number of the list's products with each facet value, by id of the value. */
  readonly counts: Uint32Array;
  /** Highest variant price, in minor units. */
  readonly highestPrice: number;
}

export function createUnfilteredList(layers: FacetLayers, listNumbers: Uint32Array): UnfilteredList {
  const { matchingNumbers: numbers, counts } = scanProducts(layers, listNumbers, emptySelection);
  let highestPrice = 0;
  forEachProduct(layers, numbers, ({ rows: { prices, variantStarts } }, position) => {
    const end = variantStarts[position + 1] as number;
    for (let variant = variantStarts[position] as number; variant < end; variant += 1)
      if ((prices[variant] as number) > highestPrice) highestPrice = prices[variant] as number;
  });
  return { numbers, counts, highestPrice };
}

/** The products of a list that match a selection. */
export interface ListScanResult {
  /** For each facet value: the number of products that would match if it were the only selected value of its facet. */
  readonly counts: Uint32Array;
  /** Matching products, in the order of the list. */
  readonly matchingNumbers: Uint32Array;
  readonly inStockCount: number;
  readonly soldOutCount: number;
}

export function scanList(layers: FacetLayers, list: UnfilteredList, selection: FilterSelection): ListScanResult {
  const { numbers, counts } = list;
  if (hasSelection(selection)) return scanProducts(layers, numbers, selection);
  // Fast path for most pages: the facet values are counted already, and only stock may have changed.
  let inStockCount = 0;
  forEachProduct(layers, numbers, ({ availability }, position) => {
    inStockCount += availability.products[position] as number;
  });
  return { counts, matchingNumbers: numbers, inStockCount, soldOutCount: numbers.length - inStockCount };
}

function scanProducts(layers: FacetLayers, numbers: Uint32Array, selection: FilterSelection): ListScanResult {
  const facetScan = new FacetScan(layers, selection);
  const matchingNumbers = new Uint32Array(numbers.length);
  let count = 0;
  forEachProduct(layers, numbers, (layer, position, number) => {
    if (!facetScan.add(layer, position)) return;
    matchingNumbers[count] = number;
    count += 1;
  });
  const { counts, inStockCount, soldOutCount } = facetScan;
  const areAllMatching = count === numbers.length;
  return {
    counts,
    matchingNumbers: areAllMatching ? numbers : matchingNumbers.slice(0, count),
    inStockCount,
    soldOutCount,
  };
}

/** Calls `visit` for each product of a list, with its location; omits removed products. */
function forEachProduct(
  layers: FacetLayers,
  numbers: Uint32Array,
  visit: (layer: FacetLayer, position: number, number: number) => void,
): void {
  for (const number of numbers) {
    // Fast path: most products are in the base catalog, where the number is the position.
    if (layers.isInBaseLayer(number)) visit(layers.base, number, number);
    else {
      const location = layers.locate(number);
      if (location !== undefined) visit(location.layer, location.position, number);
    }
  }
}
