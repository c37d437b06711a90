import { addPlace, type Bitmap, emptySet, fullSet } from "./bitmap.ts";
import { baseCountsOf, termsAt } from "./facet-index.ts";
import type { FacetLayers, FacetPlace } from "./facet-layers.ts";
import { type Counted, countTerms } from "./facet-rows.ts";

/** A product list before filtering, with data that does not depend on stock. */
export interface UnfilteredList {
  readonly numbers: Uint32Array;
  /** Whether the document numbers ascend and all products are in the base. */
  readonly isInPlace: boolean;
  /** Products of the list that are in the base. */
  readonly inBase: Counted;
  /** Products of the list that are in deltas. */
  readonly deltaPlaces: readonly NumberedPlace[];
  /** For each term: number of the list's products that have it. */
  readonly counts: Uint32Array;
  /** Highest variant price, in minor units. */
  readonly highestPrice: number;
}

export interface NumberedPlace extends FacetPlace {
  readonly number: number;
}

export function unfilteredList(layers: FacetLayers, numbers: Uint32Array): UnfilteredList {
  const { base } = layers;
  const size = base.rows.termStarts.length - 1;
  const places = emptySet(size);
  const deltaPlaces: NumberedPlace[] = [];
  let ascends = true;
  let before = -1;
  for (let index = 0; index < numbers.length; index += 1) {
    const number = numbers[index] as number;
    if (number <= before) ascends = false;
    before = number;
    if (layers.isInBase(number)) addPlace(places, number);
    else {
      const found = layers.locate(number);
      if (found !== undefined) deltaPlaces.push({ number, ...found });
      ascends = false;
    }
  }
  const all = new Uint32Array(layers.termCount);
  all.set(baseCountsOf(base.rows));
  const inBase = { places, counts: countTerms(base.rows, places, { places: fullSet(size), counts: all }) };
  const counts = deltaPlaces.length === 0 ? inBase.counts : inBase.counts.slice();
  let highestPrice = dearestIn(layers, places);
  for (const { layer, place } of deltaPlaces) {
    for (const id of termsAt(layers, layer, place)) counts[id] = (counts[id] as number) + 1;
    const { prices, variantStarts } = layer.rows;
    const end = variantStarts[place + 1] as number;
    for (let variant = variantStarts[place] as number; variant < end; variant += 1)
      highestPrice = Math.max(highestPrice, prices[variant] as number);
  }
  return { numbers, isInPlace: ascends, inBase, deltaPlaces, counts, highestPrice };
}

function dearestIn({ base }: FacetLayers, places: Bitmap): number {
  const { prices, variantStarts } = base.rows;
  let highest = 0;
  for (let word = 0; word < places.length; word += 1)
    for (let left = places[word] as number; left !== 0; left &= left - 1) {
      const place = word * 32 + 31 - Math.clz32(left & -left);
      const end = variantStarts[place + 1] as number;
      for (let variant = variantStarts[place] as number; variant < end; variant += 1)
        if ((prices[variant] as number) > highest) highest = prices[variant] as number;
    }
  return highest;
}
