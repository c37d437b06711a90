import { memoizePerObject } from "../../runtime/cache.ts";
import { readNumber } from "../packed/rows.ts";
import type { FacetLayer, FacetLayers } from "./facet-layers.ts";
import { addTermCounts, type FacetRows, findTermRange, getTermCount } from "./facet-rows.ts";
import type { FacetValue } from "./facets.ts";

/**
 * Index of facet values over all products, independent of stock. Data about the base catalog (the last full build) is
 * cached, so a later revision with the same base catalog processes only the changes.
 */
export class FacetIndex {
  readonly #layers: FacetLayers;
  #counts: Uint32Array | undefined;

  constructor(layers: FacetLayers) {
    this.#layers = layers;
  }

  /**
   * Returns the values of a facet among all products: the same list as in the previous revision with the same base
   * catalog, if it is unchanged.
   */
  values(facet: string): readonly FacetValue[] {
    const layers = this.#layers;
    this.#counts ??= countFacetValues(layers);
    const counts = this.#counts;
    const { lastValues } = getFacetData(layers.base.rows);
    const previous = lastValues.get(facet);
    let hasEqualCounts = true;
    const addedValues: FacetValue[] = [];
    layers.forEachTerm(facet, (id) => {
      if (id >= layers.baseTerms) layers.addValue(addedValues, id, counts);
      else hasEqualCounts &&= counts[id] === previous?.counts[id];
    });
    const addedText = JSON.stringify(addedValues);
    if (hasEqualCounts && addedText === previous?.addedText) return previous.values;
    const values: FacetValue[] = [];
    layers.forEachTerm(facet, (id) => layers.addValue(values, id, counts));
    lastValues.set(facet, { counts, addedText, values });
    return values;
  }

  /** Returns the document numbers of the products that have one of the values, in catalog order. */
  findProductsWithValue(facet: string, values: ReadonlySet<string>): Uint32Array {
    const layers = this.#layers;
    const valueIds = new Set([...values].map((value) => layers.idOf({ facet, value })));
    const { base } = layers;
    const lists = getValueLists(base.rows, facet);
    const positions = new Set<number>();
    for (const id of valueIds) {
      if (id === undefined || id >= layers.baseTerms) continue;
      for (const position of lists.numbersOf(id)) if (layers.isInBaseLayer(position)) positions.add(position);
    }
    const baseDocNumbers = Uint32Array.from(positions);
    const changedNumbers: number[] = [];
    forEachChangedRow(layers, (number, ids) => {
      if (ids.some((id) => valueIds.has(id))) changedNumbers.push(number);
    });
    // Fast path: the list of a single value is already sorted, unless changes after the build of the base catalog add
    // products.
    if (valueIds.size === 1 && changedNumbers.length === 0) return baseDocNumbers;
    const result = new Uint32Array(baseDocNumbers.length + changedNumbers.length);
    result.set(baseDocNumbers);
    result.set(changedNumbers, baseDocNumbers.length);
    return result.sort();
  }
}

/** Returns the number of products with each facet value, indexed by the id of the value. */
function countFacetValues(layers: FacetLayers): Uint32Array {
  const { base, replacedRows } = layers;
  const counts = new Uint32Array(layers.termCount);
  counts.set(getFacetData(base.rows).counts);
  if (replacedRows !== undefined) addTermCounts(base.rows, replacedRows, counts, -1);
  forEachChangedRow(layers, (_, ids) => {
    for (const id of ids) counts[id] = (counts[id] as number) + 1;
  });
  return counts;
}

/**
 * Calls `visit` for each product that changed after the base catalog was built, with its document number and the ids of
 * its facet values.
 */
function forEachChangedRow(layers: FacetLayers, visit: (number: number, ids: readonly number[]) => void): void {
  for (const layer of layers.deltas)
    for (let position = 0; position + 1 < layer.rows.termStarts.length; position += 1) {
      const number = readNumber(layer.packedRows, position);
      if (layers.locate(number)?.layer === layer) visit(number, getTerms(layers, layer, position));
    }
}

/**
 * Returns the ids of a row's facet values. A delta (changed rows) has separate ids for the values that it adds, which
 * are converted to the ids that are valid in the entire catalog.
 */
export function getTerms(
  { baseTerms }: FacetLayers,
  { rows, layerIds }: FacetLayer,
  position: number,
): readonly number[] {
  const ids: number[] = [];
  for (
    let termIndex = rows.termStarts[position] as number;
    termIndex < (rows.termStarts[position + 1] as number);
    termIndex += 1
  ) {
    const id = rows.terms[termIndex] as number;
    ids.push(id < baseTerms ? id : (layerIds[id - baseTerms] as number));
  }
  return ids;
}

/** Cached facet data of a base catalog, which is the result of a full build. */
interface CachedFacetData {
  /** Number of products with each facet value, indexed by the id of the value. */
  readonly counts: Uint32Array;
  readonly lists: Map<string, ValueLists>;
  /** The last result of `FacetIndex.values`, by facet. */
  readonly lastValues: Map<string, CountedValues>;
}

/** Values of a facet in a revision of the catalog. */
interface CountedValues {
  readonly counts: Uint32Array;
  /** JSON of the values that the base catalog does not have. */
  readonly addedText: string;
  readonly values: readonly FacetValue[];
}

/** For each value of a facet, the list of products that have it. */
interface ValueLists {
  numbersOf(id: number): Uint32Array;
}

/** Returns how many products of a base catalog have each facet value, indexed by the id of the value. */
export function getValueCounts(baseFacets: FacetRows): Uint32Array {
  return getFacetData(baseFacets).counts;
}

/** Returns the products of a base catalog that have a facet value, as positions of their rows. */
export function getValuePositions(baseFacets: FacetRows, facet: string, id: number): Uint32Array {
  return getValueLists(baseFacets, facet).numbersOf(id);
}

const getFacetData = memoizePerObject((baseFacets: FacetRows): CachedFacetData => {
  const counts = new Uint32Array(getTermCount(baseFacets.vocabulary));
  for (const id of baseFacets.terms) counts[id] = (counts[id] as number) + 1;
  return { counts, lists: new Map(), lastValues: new Map() };
});

/**
 * Builds the product lists of a facet by counting sort. This is possible because the facet's values have consecutive
 * ids.
 */
function getValueLists(baseFacets: FacetRows, facet: string): ValueLists {
  const { counts, lists } = getFacetData(baseFacets);
  const cachedLists = lists.get(facet);
  if (cachedLists !== undefined) return cachedLists;
  const { from, to } = findTermRange(baseFacets.vocabulary, facet);
  const starts = new Uint32Array(to - from + 1);
  for (let id = from; id < to; id += 1) starts[id - from + 1] = (starts[id - from] as number) + (counts[id] as number);
  const positions = new Uint32Array(starts[to - from] as number);
  const insertionIndices = starts.slice();
  const { termStarts, terms } = baseFacets;
  for (let position = 0; position + 1 < termStarts.length; position += 1)
    for (
      let termIndex = termStarts[position] as number;
      termIndex < (termStarts[position + 1] as number);
      termIndex += 1
    ) {
      const index = (terms[termIndex] as number) - from;
      if (index < 0 || index >= to - from) continue;
      const end = insertionIndices[index] as number;
      positions[end] = position;
      insertionIndices[index] = end + 1;
    }
  const valueLists: ValueLists = { numbersOf: (id) => positions.subarray(starts[id - from], starts[id - from + 1]) };
  lists.set(facet, valueLists);
  return valueLists;
}
