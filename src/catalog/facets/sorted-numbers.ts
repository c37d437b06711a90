import type { FacetLayer, FacetLayers } from "./facet-layers.ts";
import type { SortKey } from "./filter-selection.ts";
import { titleComparison, titleRanksIn } from "./title-ranks.ts";

/**
 * Sorts a list of document numbers. The sort is stable, and removed products are omitted.
 * @param titleOf returns the title of a product in a locale
 */
export function sortedNumbers(
  layers: FacetLayers,
  numbers: Uint32Array,
  sortKey: SortKey,
  locale: string,
  titleOf: (number: number, locale: string) => string,
): Uint32Array {
  const here = numbers.filter((number) => layers.isInBase(number) || layers.locate(number) !== undefined);
  const isByTitle = sortKey === "title-ascending" || sortKey === "title-descending";
  const isDescending = sortKey === "best-selling" || sortKey.endsWith("-descending");
  const keys = new Float64Array(here.length);
  const ranksOf = new Map(layers.all.map((layer) => [layer, titleRanksIn(layer.rows.titleRanks, locale)]));
  const keyOf = (layer: FacetLayer, place: number): number => {
    if (isByTitle) return ranksOf.get(layer)?.[place] ?? 0;
    if (sortKey === "best-selling") return layer.rows.popularity[place] as number;
    return sortKey.startsWith("price") ? lowestPrice(layer, place) : (layer.rows.created[place] ?? 0);
  };
  let highest = 0;
  here.forEach((number, index) => {
    const found = layers.isInBase(number) ? undefined : layers.locate(number);
    const key = keyOf(found?.layer ?? layers.base, found?.place ?? number);
    keys[index] = key;
    if (key > highest) highest = key;
  });
  const sortKeys = isDescending ? keys.map((key) => highest - key) : keys;
  const order = stableOrder(sortKeys);
  if (isByTitle && layers.deltas.length > 0) {
    const compare = titleComparison(locale);
    const byTitle = (one: number, other: number): number => {
      const compared = compare(titleOf(here[one] as number, locale), titleOf(here[other] as number, locale));
      return (isDescending ? -compared : compared) || one - other;
    };
    sortNewcomers(order, keys, byTitle);
  }
  return order.map((index) => here[index] as number);
}

/**
 * Sorts runs of delta products with equal ranks by their titles. Such titles lie between the same two titles of the
 * base (see `TitleRanks`).
 */
function sortNewcomers(order: Uint32Array, keys: Float64Array, byTitle: (one: number, other: number) => number): void {
  for (let from = 0; from < order.length; ) {
    const key = keys[order[from] as number] as number;
    let to = from + 1;
    while (to < order.length && keys[order[to] as number] === key) to += 1;
    if (to - from > 1 && key % 2 === 0) order.subarray(from, to).sort(byTitle);
    from = to;
  }
}

function lowestPrice({ rows }: FacetLayer, place: number): number {
  const { prices, variantStarts } = rows;
  const end = variantStarts[place + 1] as number;
  let lowest = Number.POSITIVE_INFINITY;
  for (let variant = variantStarts[place] as number; variant < end; variant += 1)
    lowest = Math.min(lowest, prices[variant] as number);
  return lowest === Number.POSITIVE_INFINITY ? 0 : lowest;
}

/**
 * Returns the indices of `keys` in ascending order of the keys. A stable radix sort by 11 bits, which skips digits that
 * are equal in all keys.
 * @param keys finite numbers of at least 0
 */
export function stableOrder(keys: Float64Array): Uint32Array {
  const count = keys.length;
  // The bits of non-negative floats have the same order as the floats.
  const words = new Uint32Array(keys.buffer, keys.byteOffset, count * 2);
  let order = new Uint32Array(count);
  for (let index = 0; index < count; index += 1) order[index] = index;
  let other = new Uint32Array(count);
  for (const half of [lowHalf, 1 - lowHalf])
    for (let shift = 0; shift < 32; shift += digitBits) {
      const starts = countDigits(words, half, shift);
      if (starts === undefined) continue;
      for (let at = 0; at < count; at += 1) {
        const index = order[at] as number;
        const digit = ((words[index * 2 + half] as number) >>> shift) & digitMask;
        const to = starts[digit] as number;
        other[to] = index;
        starts[digit] = to + 1;
      }
      [order, other] = [other, order];
    }
  return order;
}

const digitBits = 11;
const digitMask = (1 << digitBits) - 1;
/** Index of the low 32-bit half of a float in this machine's memory. */
const lowHalf = new Uint32Array(new Float64Array([1]).buffer)[0] === 0 ? 0 : 1;

/** Returns the first index of each digit in the sorted order; undefined if all keys have the same digit. */
function countDigits(words: Uint32Array, half: number, shift: number): Uint32Array | undefined {
  const starts = new Uint32Array(1 << digitBits);
  const count = words.length / 2;
  for (let index = 0; index < count; index += 1) {
    const digit = ((words[index * 2 + half] as number) >>> shift) & digitMask;
    starts[digit] = (starts[digit] as number) + 1;
  }
  if (starts.includes(count)) return undefined;
  let sum = 0;
  for (let digit = 0; digit < starts.length; digit += 1) {
    const here = starts[digit] as number;
    starts[digit] = sum;
    sum += here;
  }
  return starts;
}
