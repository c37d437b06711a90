import { firstNotBelow, type PackedRows, placeOf } from "../packed/rows.ts";
import { textAt } from "../packed/texts.ts";
import { type Availability, catalogAvailability } from "./availability.ts";
import {
  type FacetRows,
  findTerm,
  type Term,
  termCount,
  termOf,
  termsOfFacet,
  termsOfFacets,
  termText,
} from "./facet-rows.ts";
import { isOptionFacet, optionPrefix } from "./filter-selection.ts";

/** Facet data of a packed base. */
export interface FacetBase {
  readonly rows: PackedRows;
  readonly facets: FacetRows;
  /** Positions of the base, one per document number. Only the length is used. */
  readonly positions: { readonly length: number };
}

/** Facet data of a packed delta. */
export interface FacetDelta {
  readonly rows: PackedRows;
  readonly facets: FacetRows;
  /** Document numbers of all changed, removed and new rows, ascending. */
  readonly replaced: Uint32Array;
}

/** Facet data of one layer of the catalog: a base or a delta. */
export interface FacetLayer {
  readonly packed: PackedRows;
  readonly rows: FacetRows;
  /** Maps the ids of a delta's terms to ids in this catalog. */
  readonly layerIds: Uint32Array;
  /**
   * Current availability. It must be updated before each read of the layer, since stock changes without a new layer.
   */
  availability: Availability;
}

/** Location of a product: its layer, and its position in the layer. */
export interface FacetPlace {
  readonly layer: FacetLayer;
  readonly place: number;
}

/**
 * Combines the facets of a base and its deltas. Term ids are unique in the catalog: terms of the base come first,
 * followed by the terms that deltas add.
 */
export class FacetLayers {
  readonly base: FacetLayer;
  /** Layers of the deltas, newest first. */
  readonly deltas: readonly FacetLayer[];
  /** Bitmap of the base's rows that a delta replaced; undefined without deltas. */
  readonly replaced: Uint8Array | undefined;
  /** Number of terms in the base; all ids of its terms are lower. */
  readonly baseTerms: number;
  /** Terms that occur only in deltas. */
  readonly #added: { readonly text: string; readonly example: number }[] = [];
  readonly #addedIds = new Map<string, number>();
  readonly #isReplaced: (delta: number, number: number) => boolean;

  /** @param deltas oldest first */
  constructor(base: FacetBase, deltas: readonly FacetDelta[]) {
    this.base = layerOf(base.rows, base.facets, new Uint32Array(0));
    this.baseTerms = termCount(base.facets.vocabulary);
    const newestFirst = deltas.toReversed();
    this.deltas = newestFirst.map(({ rows, facets }) => layerOf(rows, facets, this.#idsOf(facets)));
    this.#isReplaced = (delta, number) => isAmong((newestFirst[delta] as FacetDelta).replaced, number);
    if (deltas.length > 0) {
      const bits = new Uint8Array(Math.ceil(base.positions.length / 8));
      for (const { replaced } of deltas)
        for (const number of replaced)
          if (number >>> 3 < bits.length) bits[number >>> 3] = (bits[number >>> 3] as number) | (1 << (number & 7));
      this.replaced = bits;
    }
  }

  get all(): readonly FacetLayer[] {
    return [this.base, ...this.deltas];
  }

  /** Number of terms. */
  get termCount(): number {
    return this.baseTerms + this.#added.length;
  }

  /** Returns whether the current row of a document number is in the base. Its position there equals the number. */
  isInBase(number: number): boolean {
    const { replaced } = this;
    if (number + 1 >= this.base.rows.termStarts.length) return false;
    return replaced === undefined || ((replaced[number >>> 3] as number) & (1 << (number & 7))) === 0;
  }

  /** Returns the location of a document number's row; undefined if the row was removed. */
  locate(number: number): FacetPlace | undefined {
    for (const [index, layer] of this.deltas.entries()) {
      const place = placeOf(layer.packed, number);
      if (place !== undefined) return { layer, place };
      if (this.#isReplaced(index, number)) return undefined;
    }
    return this.isInBase(number) ? { layer: this.base, place: number } : undefined;
  }

  /** Returns the id of a term; undefined if no product has the term. */
  idOf({ facet, value }: Term): number | undefined {
    const text = termText(facet, value);
    return this.#addedIds.get(text) ?? findTerm(this.base.rows.vocabulary, text);
  }

  term(id: number): Term {
    const added = this.#added[id - this.baseTerms]?.text;
    return termOf(added ?? textAt(this.base.rows.vocabulary.texts, id));
  }

  /** Returns the document number of a product that had the term when its layer was built. */
  exampleOf(id: number): number | undefined {
    return this.#added[id - this.baseTerms]?.example ?? this.base.rows.vocabulary.examples[id];
  }

  /** Returns the names of all facets. */
  facets(): readonly string[] {
    const { vocabulary } = this.base.rows;
    const found = new Set<string>();
    for (let id = 0; id < this.baseTerms; ) {
      const { facet } = this.term(id);
      found.add(facet);
      id = termsOfFacet(vocabulary, facet).to;
    }
    for (const { text } of this.#added) found.add(termOf(text).facet);
    return [...found];
  }

  /** Calls `take` with the id of each term of a facet. */
  eachOf(facet: string, take: (id: number) => void): void {
    this.#each(termsOfFacet(this.base.rows.vocabulary, facet), (one) => one === facet, take);
  }

  /** Calls `take` with the id of each option value. */
  eachOption(take: (id: number) => void): void {
    this.#each(termsOfFacets(this.base.rows.vocabulary, optionPrefix), isOptionFacet, take);
  }

  #each(
    { from, to }: ReturnType<typeof termsOfFacet>,
    isWanted: (facet: string) => boolean,
    take: (id: number) => void,
  ): void {
    for (let id = from; id < to; id += 1) take(id);
    this.#added.forEach(({ text }, index) => {
      if (isWanted(termOf(text).facet)) take(this.baseTerms + index);
    });
  }

  #idsOf({ vocabulary }: FacetRows): Uint32Array {
    const ids = new Uint32Array(termCount(vocabulary));
    for (let index = 0; index < ids.length; index += 1) {
      const text = textAt(vocabulary.texts, index);
      let id = this.#addedIds.get(text);
      if (id === undefined) {
        id = this.baseTerms + this.#added.length;
        this.#added.push({ text, example: vocabulary.examples[index] as number });
        this.#addedIds.set(text, id);
      }
      ids[index] = id;
    }
    return ids;
  }
}

function layerOf(packed: PackedRows, rows: FacetRows, layerIds: Uint32Array): FacetLayer {
  return { packed, rows, layerIds, availability: catalogAvailability(rows) };
}

function isAmong(ascending: Uint32Array, number: number): boolean {
  return ascending[firstNotBelow(ascending, number)] === number;
}
