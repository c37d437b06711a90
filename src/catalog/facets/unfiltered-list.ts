import { type Bitmap, createBitmap, createFullBitmap, setBit } from "./bitmap.ts";
import { getTerms, getValueCounts } from "./facet-index.ts";
import type { FacetLayers, ProductLocation } from "./facet-layers.ts";
import { countTerms, type TermCounts } from "./facet-rows.ts";

/** A product list before filtering, with data that does not depend on stock. */
export interface UnfilteredList {
  readonly numbers: Uint32Array;
  /** Whether the document numbers ascend and all products are in the base catalog. */
  readonly isInRowOrder: boolean;
  /** Products of the list that are in the base catalog, because they did not change after the last full build. */
  readonly baseTermCounts: TermCounts;
  /** Products of the list that are in deltas, because they changed after the base catalog was built. */
  readonly deltaProductLocations: readonly NumberedProductLocation[];
  /** Number of the list's products with each facet value, by id of the value. */
  readonly counts: Uint32Array;
  /** Highest variant price, in minor units. */
  readonly highestPrice: number;
}

export interface NumberedProductLocation extends ProductLocation {
  readonly number: number;
}

export function createUnfilteredList(layers: FacetLayers, numbers: Uint32Array): UnfilteredList {
  const { base } = layers;
  const size = base.rows.termStarts.length - 1;
  const positions = createBitmap(size);
  const deltaProductLocations: NumberedProductLocation[] = [];
  let isAscending = true;
  let previousNumber = -1;
  for (let index = 0; index < numbers.length; index += 1) {
    const number = numbers[index] as number;
    if (number <= previousNumber) isAscending = false;
    previousNumber = number;
    if (layers.isInBaseLayer(number)) setBit(positions, number);
    else {
      const location = layers.locate(number);
      if (location !== undefined) deltaProductLocations.push({ number, ...location });
      isAscending = false;
    }
  }
  const baseCounts = new Uint32Array(layers.termCount);
  baseCounts.set(getValueCounts(base.rows));
  const baseTermCounts = {
    positions,
    counts: countTerms(base.rows, positions, { positions: createFullBitmap(size), counts: baseCounts }),
  };
  const counts = deltaProductLocations.length === 0 ? baseTermCounts.counts : baseTermCounts.counts.slice();
  let highestPrice = findHighestPrice(layers, positions);
  for (const { layer, position } of deltaProductLocations) {
    for (const id of getTerms(layers, layer, position)) counts[id] = (counts[id] as number) + 1;
    const { prices, variantStarts } = layer.rows;
    const end = variantStarts[position + 1] as number;
    for (let variant = variantStarts[position] as number; variant < end; variant += 1)
      highestPrice = Math.max(highestPrice, prices[variant] as number);
  }
  return { numbers, isInRowOrder: isAscending, baseTermCounts, deltaProductLocations, counts, highestPrice };
}

function findHighestPrice({ base }: FacetLayers, positions: Bitmap): number {
  const { prices, variantStarts } = base.rows;
  let maxPrice = 0;
  for (let word = 0; word < positions.length; word += 1)
    for (let remainingBits = positions[word] as number; remainingBits !== 0; remainingBits &= remainingBits - 1) {
      const position = word * 32 + 31 - Math.clz32(remainingBits & -remainingBits);
      const end = variantStarts[position + 1] as number;
      for (let variant = variantStarts[position] as number; variant < end; variant += 1)
        if ((prices[variant] as number) > maxPrice) maxPrice = prices[variant] as number;
    }
  return maxPrice;
}
