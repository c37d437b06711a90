import { addPlace, type Bitmap, eachPlace, emptySet, sizeOf } from "./bitmap.ts";
import type { FacetLayers } from "./facet-layers.ts";
import { FacetScan } from "./facet-scan.ts";
import { type FilterSelection, isOptionFacet } from "./filter-selection.ts";
import { type ScannedBase, scanBase } from "./scan-base.ts";
import type { UnfilteredList } from "./unfiltered-list.ts";

/** Part of a list that matches a selection. */
export interface ScannedList {
  /** By term: number of products if only it were selected in its facet and the other facets stayed. */
  readonly counts: Uint32Array;
  /** Matching products, in the list's order. */
  readonly matched: Uint32Array;
  readonly inStock: number;
  readonly soldOut: number;
}

export function scanList(layers: FacetLayers, whole: UnfilteredList, choice: FilterSelection): ScannedList {
  const takesOption = [...choice.values.keys()].some(isOptionFacet);
  const base = takesOption ? walkBase(layers, whole, choice) : scanBase(layers, whole, choice);
  const { fitting } = base;
  if (whole.deltaPlaces.length === 0) return { ...base, matched: collect(whole, fitting, new Set()) };
  const counts = base.counts.slice();
  const scan = new FacetScan(layers, choice, counts);
  const deltaPlaces = whole.deltaPlaces.filter(({ layer, place }) => scan.add(layer, place));
  return {
    counts,
    matched: collect(whole, fitting, new Set(deltaPlaces.map(({ number }) => number))),
    inStock: base.inStock + scan.inStock,
    soldOut: base.soldOut + scan.soldOut,
  };
}

/**
 * For a selection with variant options: a product matches if one variant has all of them, so the variants of each
 * product are tested.
 */
function walkBase(layers: FacetLayers, { inBase }: UnfilteredList, choice: FilterSelection): ScannedBase {
  const scan = new FacetScan(layers, choice, new Uint32Array(layers.termCount));
  const fitting = emptySet(layers.base.rows.termStarts.length - 1);
  eachPlace(inBase.places, (place) => {
    if (scan.add(layers.base, place)) addPlace(fitting, place);
  });
  return { fitting, counts: scan.counts, inStock: scan.inStock, soldOut: scan.soldOut };
}

/** @param fitting matching positions in the base  @param deltaPlaces matching numbers outside the base */
function collect(
  { numbers, isInPlace }: UnfilteredList,
  fitting: Bitmap,
  deltaPlaces: ReadonlySet<number>,
): Uint32Array {
  const count = sizeOf(fitting) + deltaPlaces.size;
  if (count === numbers.length) return numbers;
  if (isInPlace) return placesIn(fitting, count);
  const isInBase = deltaPlaces.size === 0;
  // Branch-free, since a branch would be mispredicted half of the time: each number is written, and the next one
  // overwrites it if it does not match.
  const matched = new Uint32Array(count + 1);
  let length = 0;
  for (let index = 0; index < numbers.length; index += 1) {
    const number = numbers[index] as number;
    matched[length] = number;
    const bit = ((fitting[number >>> 5] ?? 0) >>> (number & 31)) & 1;
    length += isInBase ? bit : bit | (deltaPlaces.has(number) ? 1 : 0);
  }
  return matched.subarray(0, count);
}

function placesIn(set: Bitmap, count: number): Uint32Array {
  const places = new Uint32Array(count);
  let length = 0;
  for (let word = 0; word < set.length; word += 1)
    for (let left = set[word] as number; left !== 0; left &= left - 1) {
      places[length] = word * 32 + 31 - Math.clz32(left & -left);
      length += 1;
    }
  return places;
}
