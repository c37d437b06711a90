import {
  type Bitmap,
  countBits,
  createBitmap,
  hasBit,
  intersectBitmaps,
  setBit,
  subtractBitmap,
  uniteBitmaps,
} from "./bitmap.ts";
import { getValuePositions } from "./facet-index.ts";
import type { FacetLayer, FacetLayers } from "./facet-layers.ts";
import { countTerms, findFacetTerms, findTermRange } from "./facet-rows.ts";
import { type FilterSelection, optionPrefix } from "./filter-selection.ts";
import type { UnfilteredList } from "./unfiltered-list.ts";

/** The products of the base catalog (the last full build) that are in a list and match a selection. */
export interface CatalogScanResult {
  readonly matches: Bitmap;
  /** Number of products with each facet value, by id of the value. */
  readonly counts: Uint32Array;
  readonly inStockCount: number;
  readonly soldOutCount: number;
}

/**
 * Filters the part of a list that is in the base catalog by a selection without option values. Each filtered facet then
 * selects a set of products. The result is the intersection of these sets; the counts of a facet are computed from the
 * intersection of the other sets.
 */
export function scanBaseLayer(
  layers: FacetLayers,
  { baseTermCounts }: UnfilteredList,
  selection: FilterSelection,
): CatalogScanResult {
  const { rows } = layers.base;
  const stockBitmaps = splitByStock(layers.base, baseTermCounts.positions, selection);
  const { acceptsInStock, acceptsSoldOut } = parseStockSelection(selection);
  const emptyMatches = createBitmap(rows.termStarts.length - 1);
  const stockMatches = uniteBitmaps(
    acceptsInStock ? stockBitmaps.inStockBitmap : emptyMatches,
    acceptsSoldOut ? stockBitmaps.soldOutBitmap : emptyMatches,
  );
  const facetMatches = [...selection.values].map(([facet, values]) => ({
    facet,
    positions: findPositionsWithValue(layers, facet, values),
  }));
  const valueMatches = facetMatches.map(({ positions }) => positions);
  const matches = intersectBitmaps([stockMatches, ...valueMatches]);
  const termCounts = countTerms(rows, matches, baseTermCounts);
  const mustCopyCounts = facetMatches.length > 0 || dependsOnVariants(selection);
  const counts = mustCopyCounts && termCounts === baseTermCounts.counts ? termCounts.slice() : termCounts;
  facetMatches.forEach(({ facet, positions }) => {
    const otherMatches = intersectBitmaps([stockMatches, ...valueMatches.filter((bitmap) => bitmap !== positions)]);
    const { from, to } = findTermRange(rows.vocabulary, facet);
    counts.set(countTerms(rows, otherMatches, baseTermCounts).subarray(from, to), from);
  });
  const [inStockMatches, soldOutMatches] = [stockBitmaps.inStockBitmap, stockBitmaps.soldOutBitmap].map((bitmap) =>
    intersectBitmaps([bitmap, ...valueMatches]),
  ) as [Bitmap, Bitmap];
  if (dependsOnVariants(selection))
    countOptions(layers.base, uniteBitmaps(inStockMatches, soldOutMatches), selection, counts);
  return { matches, counts, inStockCount: countBits(inStockMatches), soldOutCount: countBits(soldOutMatches) };
}

/** Returns whether variants must be tested for a selection without options, because of price limits or availability. */
export function dependsOnVariants(selection: FilterSelection): boolean {
  const { acceptsInStock, acceptsSoldOut } = parseStockSelection(selection);
  return hasPriceLimit(selection) || !acceptsInStock || !acceptsSoldOut;
}

function hasPriceLimit({ priceFrom, priceTo }: FilterSelection): boolean {
  return priceFrom !== undefined || priceTo !== undefined;
}

export function parseStockSelection({ availability }: FilterSelection): {
  acceptsInStock: boolean;
  acceptsSoldOut: boolean;
} {
  return {
    acceptsInStock: availability.size === 0 || availability.has("1"),
    acceptsSoldOut: availability.size === 0 || availability.has("0"),
  };
}

/** Products with variants in the price range. A product is in stock if one of these variants is available. */
interface ProductsByStock {
  readonly inStockBitmap: Bitmap;
  readonly soldOutBitmap: Bitmap;
}

function splitByStock(layer: FacetLayer, positions: Bitmap, selection: FilterSelection): ProductsByStock {
  if (hasPriceLimit(selection)) return splitByVariants(layer, positions, selection);
  const availableBitmap = layer.availability.inStockBitmap();
  return {
    inStockBitmap: intersectBitmaps([positions, availableBitmap]),
    soldOutBitmap: subtractBitmap(positions, availableBitmap),
  };
}

function splitByVariants(
  { rows, availability }: FacetLayer,
  positions: Bitmap,
  selection: FilterSelection,
): ProductsByStock {
  const { prices, variantStarts } = rows;
  const { variants } = availability;
  const { priceFrom = 0, priceTo = Number.POSITIVE_INFINITY } = selection;
  const inStockBitmap = new Uint32Array(positions.length);
  const soldOutBitmap = new Uint32Array(positions.length);
  for (let word = 0; word < positions.length; word += 1) {
    let [priceRangeBits, inStockBits] = [0, 0];
    for (let remainingBits = positions[word] as number; remainingBits !== 0; remainingBits &= remainingBits - 1) {
      const positionBit = remainingBits & -remainingBits;
      const position = word * 32 + 31 - Math.clz32(positionBit);
      const end = variantStarts[position + 1] as number;
      for (let variant = variantStarts[position] as number; variant < end; variant += 1) {
        const price = prices[variant] as number;
        // The mask has all bits set if the price matches. A branch would be mispredicted half of the time.
        const priceMask = -((price >= priceFrom ? 1 : 0) & (price <= priceTo ? 1 : 0));
        priceRangeBits |= positionBit & priceMask;
        inStockBits |= positionBit & priceMask & -(variants[variant] as number);
      }
    }
    inStockBitmap[word] = inStockBits;
    soldOutBitmap[word] = priceRangeBits & ~inStockBits;
  }
  return { inStockBitmap, soldOutBitmap };
}

/** Returns a bitmap of the base catalog's products that have one of a facet's values. */
function findPositionsWithValue(layers: FacetLayers, facet: string, values: ReadonlySet<string>): Bitmap {
  const { base, baseTerms } = layers;
  const bitmap = createBitmap(base.rows.termStarts.length - 1);
  for (const value of values) {
    const id = layers.idOf({ facet, value });
    if (id === undefined || id >= baseTerms) continue;
    for (const position of getValuePositions(base.rows, facet, id)) setBit(bitmap, position);
  }
  return bitmap;
}

/**
 * Counts the products with each option value. A product counts for a value if a matching variant has the value. It
 * counts as in stock if one of these variants is available, and otherwise as sold out.
 */
function countOptions(
  { rows, availability }: FacetLayer,
  positions: Bitmap,
  selection: FilterSelection,
  counts: Uint32Array,
): void {
  const { from, to } = findFacetTerms(rows.vocabulary, optionPrefix);
  if (from === to) return;
  counts.fill(0, from, to);
  const { prices, variantStarts, optionStarts, optionTerms } = rows;
  const { priceFrom = 0, priceTo = Number.POSITIVE_INFINITY } = selection;
  const { acceptsInStock, acceptsSoldOut } = parseStockSelection(selection);
  /** For each option value: 1 plus the row position of the last counted product that has the value. */
  const lastPositions = new Uint32Array(to - from);
  const availabilityFlags = new Uint8Array(to - from);
  const countedValues: number[] = [];
  for (let position = 0; position + 1 < optionStarts.length; position += 1) {
    const optionStart = optionStarts[position] as number;
    const optionCount = (optionStarts[position + 1] as number) - optionStart;
    if (optionCount === 0 || !hasBit(positions, position)) continue;
    const variantStart = variantStarts[position] as number;
    const end = variantStarts[position + 1] as number;
    const optionsPerVariant = optionCount / (end - variantStart);
    for (let variant = variantStart; variant < end; variant += 1) {
      const price = prices[variant] as number;
      if (price < priceFrom || price > priceTo) continue;
      const isAvailable = availability.variants[variant] === 1;
      const options = optionStart + (variant - variantStart) * optionsPerVariant;
      for (let optionIndex = options; optionIndex < options + optionsPerVariant; optionIndex += 1) {
        const value = (optionTerms[optionIndex] as number) - from;
        if (lastPositions[value] !== position + 1) {
          lastPositions[value] = position + 1;
          availabilityFlags[value] = 0;
          countedValues.push(value);
        }
        if (isAvailable) availabilityFlags[value] = 1;
      }
    }
    for (const value of countedValues)
      if (availabilityFlags[value] === 1 ? acceptsInStock : acceptsSoldOut)
        counts[from + value] = (counts[from + value] as number) + 1;
    countedValues.length = 0;
  }
}
