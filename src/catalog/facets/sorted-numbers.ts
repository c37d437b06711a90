import type { FacetLayer, FacetLayers } from "./facet-layers.ts";
import type { SortKey } from "./filter-selection.ts";
import { createTitleComparator, getTitleRanks } from "./title-ranks.ts";

/**
 * Sorts a list of document numbers. The sort is stable, and removed products are omitted.
 * @param lookUpTitle returns the title of a product in a locale
 */
export function sortNumbers(
  layers: FacetLayers,
  numbers: Uint32Array,
  sortKey: SortKey,
  locale: string,
  lookUpTitle: (number: number, locale: string) => string,
): Uint32Array {
  const existingNumbers = numbers.filter(
    (number) => layers.isInBaseLayer(number) || layers.locate(number) !== undefined,
  );
  const sortsByTitle = sortKey === "title-ascending" || sortKey === "title-descending";
  const isDescending = sortKey === "best-selling" || sortKey.endsWith("-descending");
  const keys = new Float64Array(existingNumbers.length);
  const ranksByLayer = new Map(layers.allLayers.map((layer) => [layer, getTitleRanks(layer.rows.titleRanks, locale)]));
  const sortKeyOf = (layer: FacetLayer, position: number): number => {
    if (sortsByTitle) return ranksByLayer.get(layer)?.[position] ?? 0;
    if (sortKey === "best-selling") return layer.rows.popularity[position] as number;
    return sortKey.startsWith("price") ? findLowestPrice(layer, position) : (layer.rows.creationTimes[position] ?? 0);
  };
  let maxKey = 0;
  existingNumbers.forEach((number, index) => {
    const location = layers.isInBaseLayer(number) ? undefined : layers.locate(number);
    const key = sortKeyOf(location?.layer ?? layers.base, location?.position ?? number);
    keys[index] = key;
    if (key > maxKey) maxKey = key;
  });
  const sortKeys = isDescending ? keys.map((key) => maxKey - key) : keys;
  const indices = computeSortOrder(sortKeys);
  if (sortsByTitle && layers.deltas.length > 0) {
    const compareTitleTexts = createTitleComparator(locale);
    const compareTitles = (a: number, b: number): number => {
      const comparison = compareTitleTexts(
        lookUpTitle(existingNumbers[a] as number, locale),
        lookUpTitle(existingNumbers[b] as number, locale),
      );
      return (isDescending ? -comparison : comparison) || a - b;
    };
    sortEqualRanks(indices, keys, compareTitles);
  }
  return indices.map((index) => existingNumbers[index] as number);
}

/**
 * Sorts changed products with equal title ranks by their titles. Different titles share a rank if they lie between the
 * same two titles of the base catalog (see `TitleRanks`).
 */
function sortEqualRanks(
  order: Uint32Array,
  keys: Float64Array,
  compareTitles: (a: number, otherIndex: number) => number,
): void {
  for (let from = 0; from < order.length; ) {
    const key = keys[order[from] as number] as number;
    let target = from + 1;
    while (target < order.length && keys[order[target] as number] === key) target += 1;
    if (target - from > 1 && key % 2 === 0) order.subarray(from, target).sort(compareTitles);
    from = target;
  }
}

function findLowestPrice({ rows }: FacetLayer, position: number): number {
  const { prices, variantStarts } = rows;
  const end = variantStarts[position + 1] as number;
  let minPrice = Number.POSITIVE_INFINITY;
  for (let variant = variantStarts[position] as number; variant < end; variant += 1)
    minPrice = Math.min(minPrice, prices[variant] as number);
  return minPrice === Number.POSITIVE_INFINITY ? 0 : minPrice;
}

/**
 * Returns the indices of `keys` in ascending order of the keys. Uses a stable radix sort with 11 bits per digit, and
 * skips digits that are equal in all keys.
 * @param keys finite numbers of at least 0
 */
function computeSortOrder(keys: Float64Array): Uint32Array {
  const count = keys.length;
  // The bits of non-negative floats have the same order as the floats.
  const keyHalves = new Uint32Array(keys.buffer, keys.byteOffset, count * 2);
  let order = new Uint32Array(count);
  for (let index = 0; index < count; index += 1) order[index] = index;
  let sortedIndices = new Uint32Array(count);
  for (const wordIndex of [LOW_WORD_INDEX, 1 - LOW_WORD_INDEX])
    for (let shift = 0; shift < 32; shift += RADIX_DIGIT_BITS) {
      const starts = countDigits(keyHalves, wordIndex, shift);
      if (starts === undefined) continue;
      for (let rank = 0; rank < count; rank += 1) {
        const index = order[rank] as number;
        const digit = ((keyHalves[index * 2 + wordIndex] as number) >>> shift) & RADIX_DIGIT_MASK;
        const target = starts[digit] as number;
        sortedIndices[target] = index;
        starts[digit] = target + 1;
      }
      [order, sortedIndices] = [sortedIndices, order];
    }
  return order;
}

const RADIX_DIGIT_BITS = 11;
const RADIX_DIGIT_MASK = (1 << RADIX_DIGIT_BITS) - 1;
/** Index of the low 32-bit half of a float in this machine's memory. */
const LOW_WORD_INDEX = new Uint32Array(new Float64Array([1]).buffer)[0] === 0 ? 0 : 1;

/** Returns where the keys with each digit start in the sorted order; undefined if all keys have the same digit. */
function countDigits(keyHalves: Uint32Array, wordIndex: number, bitOffset: number): Uint32Array | undefined {
  const starts = new Uint32Array(1 << RADIX_DIGIT_BITS);
  const count = keyHalves.length / 2;
  for (let index = 0; index < count; index += 1) {
    const digit = ((keyHalves[index * 2 + wordIndex] as number) >>> bitOffset) & RADIX_DIGIT_MASK;
    starts[digit] = (starts[digit] as number) + 1;
  }
  if (starts.includes(count)) return undefined;
  let sum = 0;
  for (let digit = 0; digit < starts.length; digit += 1) {
    const existingNumbers = starts[digit] as number;
    starts[digit] = sum;
    sum += existingNumbers;
  }
  return starts;
}
