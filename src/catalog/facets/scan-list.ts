import { type Bitmap, countBits, createBitmap, forEachBit, setBit } from "./bitmap.ts";
import type { FacetLayers } from "./facet-layers.ts";
import { FacetScan } from "./facet-scan.ts";
import { type FilterSelection, isOptionFacet } from "./filter-selection.ts";
import { type CatalogScanResult, scanBaseLayer } from "./scan-base.ts";
import type { UnfilteredList } from "./unfiltered-list.ts";

/** The products of a list that match a selection. */
export interface ListScanResult {
  /** For each facet value: the number of products that would match if it were the only selected value of its facet. */
  readonly counts: Uint32Array;
  /** Matching products, in the order of the unfiltered list. */
  readonly matchingNumbers: Uint32Array;
  readonly inStockCount: number;
  readonly soldOutCount: number;
}

export function scanList(
  layers: FacetLayers,
  unfilteredList: UnfilteredList,
  selection: FilterSelection,
): ListScanResult {
  const hasOptionFacet = [...selection.values.keys()].some(isOptionFacet);
  const scanResult = hasOptionFacet
    ? scanBaseVariants(layers, unfilteredList, selection)
    : scanBaseLayer(layers, unfilteredList, selection);
  const { matches: baseMatches } = scanResult;
  if (unfilteredList.deltaProductLocations.length === 0)
    return { ...scanResult, matchingNumbers: collectMatches(unfilteredList, baseMatches, new Set()) };
  const counts = scanResult.counts.slice();
  const facetScan = new FacetScan(layers, selection, counts);
  const deltaMatches = unfilteredList.deltaProductLocations.filter(({ layer, position }) =>
    facetScan.add(layer, position),
  );
  return {
    counts,
    matchingNumbers: collectMatches(unfilteredList, baseMatches, new Set(deltaMatches.map(({ number }) => number))),
    inStockCount: scanResult.inStockCount + facetScan.inStockCount,
    soldOutCount: scanResult.soldOutCount + facetScan.soldOutCount,
  };
}

/**
 * Filters the part of a list that is in the base catalog by a selection with option values. A product matches only if
 * one of its variants has a selected value of every filtered option, so all variants are tested.
 */
function scanBaseVariants(
  layers: FacetLayers,
  { baseTermCounts }: UnfilteredList,
  selection: FilterSelection,
): CatalogScanResult {
  const facetScan = new FacetScan(layers, selection, new Uint32Array(layers.termCount));
  const baseMatches = createBitmap(layers.base.rows.termStarts.length - 1);
  forEachBit(baseTermCounts.positions, (position) => {
    if (facetScan.add(layers.base, position)) setBit(baseMatches, position);
  });
  return {
    matches: baseMatches,
    counts: facetScan.counts,
    inStockCount: facetScan.inStockCount,
    soldOutCount: facetScan.soldOutCount,
  };
}

/**
 * Returns the matching document numbers in the list's order.
 * @param baseMatches bitmap of matching products of the base catalog
 * @param deltaMatches document numbers of other matching products
 */
function collectMatches(
  { numbers, isInRowOrder }: UnfilteredList,
  baseMatches: Bitmap,
  deltaMatches: ReadonlySet<number>,
): Uint32Array {
  const count = countBits(baseMatches) + deltaMatches.size;
  if (count === numbers.length) return numbers;
  if (isInRowOrder) return listBitPositions(baseMatches, count);
  const hasNoChanges = deltaMatches.size === 0;
  // Avoid a branch, which would be mispredicted half of the time: write each number, and let the next number overwrite
  // it if it does not match.
  const matchingNumbers = new Uint32Array(count + 1);
  let length = 0;
  for (let index = 0; index < numbers.length; index += 1) {
    const number = numbers[index] as number;
    matchingNumbers[length] = number;
    const isMatchingBit = ((baseMatches[number >>> 5] ?? 0) >>> (number & 31)) & 1;
    length += hasNoChanges ? isMatchingBit : isMatchingBit | (deltaMatches.has(number) ? 1 : 0);
  }
  return matchingNumbers.subarray(0, count);
}

function listBitPositions(bitmap: Bitmap, count: number): Uint32Array {
  const positions = new Uint32Array(count);
  let length = 0;
  for (let word = 0; word < bitmap.length; word += 1)
    for (let remainingBits = bitmap[word] as number; remainingBits !== 0; remainingBits &= remainingBits - 1) {
      positions[length] = word * 32 + 31 - Math.clz32(remainingBits & -remainingBits);
      length += 1;
    }
  return positions;
}
