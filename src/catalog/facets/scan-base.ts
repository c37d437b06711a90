import { addPlace, type Bitmap, difference, emptySet, hasPlace, intersection, sizeOf, union } from "./bitmap.ts";
import { basePlacesOf } from "./facet-index.ts";
import type { FacetLayer, FacetLayers } from "./facet-layers.ts";
import { countTerms, termsOfFacet, termsOfFacets } from "./facet-rows.ts";
import { type FilterSelection, optionPrefix } from "./filter-selection.ts";
import type { UnfilteredList } from "./unfiltered-list.ts";

/** The matching part of a list, restricted to the base. */
export interface ScannedBase {
  readonly fitting: Bitmap;
  /** Number of products by term id. */
  readonly counts: Uint32Array;
  readonly inStock: number;
  readonly soldOut: number;
}

/**
 * Returns the matching products of a list in the base, for a selection without variant options. Each facet is then an
 * independent set of positions, and the counts of its values use the intersection of the other sets.
 */
export function scanBase(layers: FacetLayers, { inBase }: UnfilteredList, choice: FilterSelection): ScannedBase {
  const { rows } = layers.base;
  const byStock = splitByStock(layers.base, inBase.places, choice);
  const { wantsInStock, wantsSoldOut } = stockSelection(choice);
  const empty = emptySet(rows.termStarts.length - 1);
  const selected = union(wantsInStock ? byStock.inStock : empty, wantsSoldOut ? byStock.soldOut : empty);
  const chosen = [...choice.values].map(([facet, values]) => ({ facet, places: placesWith(layers, facet, values) }));
  const sets = chosen.map(({ places }) => places);
  const fitting = intersection([selected, ...sets]);
  const counted = countTerms(rows, fitting, inBase);
  const isWritten = chosen.length > 0 || isByVariant(choice);
  const counts = isWritten && counted === inBase.counts ? counted.slice() : counted;
  chosen.forEach(({ facet, places }) => {
    const remaining = intersection([selected, ...sets.filter((set) => set !== places)]);
    const { from, to } = termsOfFacet(rows.vocabulary, facet);
    counts.set(countTerms(rows, remaining, inBase).subarray(from, to), from);
  });
  const [inStock, soldOut] = [byStock.inStock, byStock.soldOut].map((set) => intersection([set, ...sets])) as [
    Bitmap,
    Bitmap,
  ];
  if (isByVariant(choice)) countOptions(layers.base, union(inStock, soldOut), choice, counts);
  return { fitting, counts, inStock: sizeOf(inStock), soldOut: sizeOf(soldOut) };
}

/** Returns whether a selection without options depends on single variants. */
export function isByVariant(choice: FilterSelection): boolean {
  const { wantsInStock, wantsSoldOut } = stockSelection(choice);
  return isByPrice(choice) || !wantsInStock || !wantsSoldOut;
}

function isByPrice({ priceFrom, priceTo }: FilterSelection): boolean {
  return priceFrom !== undefined || priceTo !== undefined;
}

export function stockSelection({ availability }: FilterSelection): { wantsInStock: boolean; wantsSoldOut: boolean } {
  return {
    wantsInStock: availability.size === 0 || availability.has("1"),
    wantsSoldOut: availability.size === 0 || availability.has("0"),
  };
}

/** Products with variants in the price range, divided by whether one of these variants is available. */
interface ByStock {
  readonly inStock: Bitmap;
  readonly soldOut: Bitmap;
}

function splitByStock(layer: FacetLayer, places: Bitmap, choice: FilterSelection): ByStock {
  if (isByPrice(choice)) return splitByVariants(layer, places, choice);
  const available = layer.availability.inStock();
  return { inStock: intersection([places, available]), soldOut: difference(places, available) };
}

function splitByVariants({ rows, availability }: FacetLayer, places: Bitmap, choice: FilterSelection): ByStock {
  const { prices, variantStarts } = rows;
  const { variants } = availability;
  const { priceFrom = 0, priceTo = Number.POSITIVE_INFINITY } = choice;
  const inStock = new Uint32Array(places.length);
  const soldOut = new Uint32Array(places.length);
  for (let word = 0; word < places.length; word += 1) {
    let [inside, available] = [0, 0];
    for (let left = places[word] as number; left !== 0; left &= left - 1) {
      const bit = left & -left;
      const place = word * 32 + 31 - Math.clz32(bit);
      const end = variantStarts[place + 1] as number;
      for (let variant = variantStarts[place] as number; variant < end; variant += 1) {
        const price = prices[variant] as number;
        // The mask has all bits set if the price matches. A branch would be mispredicted half of the time.
        const fits = -((price >= priceFrom ? 1 : 0) & (price <= priceTo ? 1 : 0));
        inside |= bit & fits;
        available |= bit & fits & -(variants[variant] as number);
      }
    }
    inStock[word] = available;
    soldOut[word] = inside & ~available;
  }
  return { inStock, soldOut };
}

/** Returns the positions in the base of the products that have one of a facet's values. */
function placesWith(layers: FacetLayers, facet: string, values: ReadonlySet<string>): Bitmap {
  const { base, baseTerms } = layers;
  const set = emptySet(base.rows.termStarts.length - 1);
  for (const value of values) {
    const id = layers.idOf({ facet, value });
    if (id === undefined || id >= baseTerms) continue;
    for (const place of basePlacesOf(base.rows, facet, id)) addPlace(set, place);
  }
  return set;
}

/**
 * Counts the option values of products. A value counts if a matching variant has it, and is in stock if such a variant
 * is available.
 */
function countOptions(
  { rows, availability }: FacetLayer,
  places: Bitmap,
  choice: FilterSelection,
  counts: Uint32Array,
): void {
  const { from, to } = termsOfFacets(rows.vocabulary, optionPrefix);
  if (from === to) return;
  counts.fill(0, from, to);
  const { prices, variantStarts, optionStarts, optionTerms } = rows;
  const { priceFrom = 0, priceTo = Number.POSITIVE_INFINITY } = choice;
  const { wantsInStock, wantsSoldOut } = stockSelection(choice);
  /** For each option value: 1 plus the position of the last product that has the value. */
  const seen = new Uint32Array(to - from);
  const buyable = new Uint8Array(to - from);
  const touched: number[] = [];
  for (let place = 0; place + 1 < optionStarts.length; place += 1) {
    const firstOption = optionStarts[place] as number;
    const all = (optionStarts[place + 1] as number) - firstOption;
    if (all === 0 || !hasPlace(places, place)) continue;
    const first = variantStarts[place] as number;
    const end = variantStarts[place + 1] as number;
    const width = all / (end - first);
    for (let variant = first; variant < end; variant += 1) {
      const price = prices[variant] as number;
      if (price < priceFrom || price > priceTo) continue;
      const isAvailable = availability.variants[variant] === 1;
      const options = firstOption + (variant - first) * width;
      for (let at = options; at < options + width; at += 1) {
        const value = (optionTerms[at] as number) - from;
        if (seen[value] !== place + 1) {
          seen[value] = place + 1;
          buyable[value] = 0;
          touched.push(value);
        }
        if (isAvailable) buyable[value] = 1;
      }
    }
    for (const value of touched)
      if (buyable[value] === 1 ? wantsInStock : wantsSoldOut)
        counts[from + value] = (counts[from + value] as number) + 1;
    touched.length = 0;
  }
}
