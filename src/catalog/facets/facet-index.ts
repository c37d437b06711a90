import { memoizePerObject } from "../../runtime/cache.ts";
import { numberAt } from "../packed/rows.ts";
import type { FacetLayer, FacetLayers } from "./facet-layers.ts";
import { type FacetRows, termCount, termsOfFacet } from "./facet-rows.ts";
import type { FacetValue } from "./facets.ts";

/**
 * Index of facet values over all products, independent of stock. Data about a base is cached with the base, so a later
 * catalog over the same base computes only the changes.
 */
export class FacetIndex {
  readonly #layers: FacetLayers;
  #counts: Uint32Array | undefined;

  constructor(layers: FacetLayers) {
    this.#layers = layers;
  }

  /** Returns the values of a facet among all products. */
  values(facet: string): readonly FacetValue[] {
    const layers = this.#layers;
    this.#counts ??= countsOf(layers);
    const counts = this.#counts;
    const values: FacetValue[] = [];
    layers.eachOf(facet, (id) => {
      const count = counts[id] as number;
      if (count > 0) values.push({ value: layers.term(id).value, count, example: layers.exampleOf(id) });
    });
    return values;
  }

  /** Returns the document numbers of the products that have one of the values, in static order. */
  holding(facet: string, values: ReadonlySet<string>): Uint32Array {
    const layers = this.#layers;
    const valueIds = new Set([...values].map((value) => layers.idOf({ facet, value })));
    const { base } = layers;
    const lists = baseListsOf(base.rows, facet);
    const found = new Set<number>();
    for (const id of valueIds) {
      if (id === undefined || id >= layers.baseTerms) continue;
      for (const place of lists.of(id)) if (layers.isInBase(place)) found.add(place);
    }
    const inBase = Uint32Array.from(found);
    const related: number[] = [];
    eachOverBase(layers, (number, ids) => {
      if (ids.some((id) => valueIds.has(id))) related.push(number);
    });
    // Fast path: the products of a single value are already sorted if no delta adds products.
    if (valueIds.size === 1 && related.length === 0) return inBase;
    const all = new Uint32Array(inBase.length + related.length);
    all.set(inBase);
    all.set(related, inBase.length);
    return all.sort();
  }
}

/** Returns the number of products with each term, indexed by term id. */
function countsOf(layers: FacetLayers): Uint32Array {
  const { base, replaced } = layers;
  const counts = new Uint32Array(layers.termCount);
  counts.set(factsOf(base.rows).counts);
  const { termStarts, terms } = base.rows;
  for (let byte = 0; byte < (replaced?.length ?? 0); byte += 1)
    for (let left = replaced?.[byte] as number; left !== 0; left &= left - 1) {
      const place = byte * 8 + 31 - Math.clz32(left & -left);
      if (place + 1 >= termStarts.length) continue;
      const end = termStarts[place + 1] as number;
      for (let at = termStarts[place] as number; at < end; at += 1) {
        const id = terms[at] as number;
        counts[id] = (counts[id] as number) - 1;
      }
    }
  eachOverBase(layers, (_, ids) => {
    for (const id of ids) counts[id] = (counts[id] as number) + 1;
  });
  return counts;
}

/** Calls `take` with the number and the terms of each current row of the deltas. */
function eachOverBase(layers: FacetLayers, take: (number: number, ids: readonly number[]) => void): void {
  for (const layer of layers.deltas)
    for (let place = 0; place + 1 < layer.rows.termStarts.length; place += 1) {
      const number = numberAt(layer.packed, place);
      if (layers.locate(number)?.layer === layer) take(number, termsAt(layers, layer, place));
    }
}

/** Returns the terms of a row as term ids of the catalog. */
export function termsAt(
  { baseTerms }: FacetLayers,
  { rows, layerIds: ownIds }: FacetLayer,
  place: number,
): readonly number[] {
  const ids: number[] = [];
  for (let at = rows.termStarts[place] as number; at < (rows.termStarts[place + 1] as number); at += 1) {
    const id = rows.terms[at] as number;
    ids.push(id < baseTerms ? id : (ownIds[id - baseTerms] as number));
  }
  return ids;
}

/** Cached data about a base. */
interface BaseFacts {
  /** Number of the base's products that have a term, by term id. */
  readonly counts: Uint32Array;
  readonly lists: Map<string, BaseLists>;
}

/** Lists of the products that have each value of a facet. */
interface BaseLists {
  of(id: number): Uint32Array;
}

/** Returns the number of a base's products that have each term, indexed by term id. */
export function baseCountsOf(base: FacetRows): Uint32Array {
  return factsOf(base).counts;
}

/** Returns the positions in a base of the products that have a value. */
export function basePlacesOf(base: FacetRows, facet: string, id: number): Uint32Array {
  return baseListsOf(base, facet).of(id);
}

const factsOf = memoizePerObject((base: FacetRows): BaseFacts => {
  const counts = new Uint32Array(termCount(base.vocabulary));
  for (const id of base.terms) counts[id] = (counts[id] as number) + 1;
  return { counts, lists: new Map() };
});

/** Builds the lists of a facet by counting sort, since the terms of a facet have consecutive ids. */
function baseListsOf(base: FacetRows, facet: string): BaseLists {
  const { counts, lists } = factsOf(base);
  const known = lists.get(facet);
  if (known !== undefined) return known;
  const { from, to } = termsOfFacet(base.vocabulary, facet);
  const starts = new Uint32Array(to - from + 1);
  for (let id = from; id < to; id += 1) starts[id - from + 1] = (starts[id - from] as number) + (counts[id] as number);
  const places = new Uint32Array(starts[to - from] as number);
  const next = starts.slice();
  const { termStarts, terms } = base;
  for (let place = 0; place + 1 < termStarts.length; place += 1)
    for (let at = termStarts[place] as number; at < (termStarts[place + 1] as number); at += 1) {
      const index = (terms[at] as number) - from;
      if (index < 0 || index >= to - from) continue;
      const end = next[index] as number;
      places[end] = place;
      next[index] = end + 1;
    }
  const made: BaseLists = { of: (id) => places.subarray(starts[id - from], starts[id - from + 1]) };
  lists.set(facet, made);
  return made;
}
