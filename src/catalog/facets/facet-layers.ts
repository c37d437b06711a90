import { containsNumber, type PackedRows, positionOf } from "../packed/rows.ts";
import { getText } from "../packed/texts.ts";
import { type Availability, catalogAvailability } from "./availability.ts";
import { type Bitmap, createBitmap, hasBit, setBit } from "./bitmap.ts";
import {
  type FacetRows,
  findFacetTerms,
  findTerm,
  findTermRange,
  formatTerm,
  getTermCount,
  parseTerm,
  type Term,
} from "./facet-rows.ts";
import type { FacetValue } from "./facets.ts";
import { isOptionFacet, optionPrefix } from "./filter-selection.ts";

/** Facet data of a base catalog, which is the result of a full build. */
export interface BaseFacets {
  readonly rows: PackedRows;
  readonly facets: FacetRows;
  /** Array with one entry for each document number of the base catalog. Only its length is used. */
  readonly positions: { readonly length: number };
}

/** Facet data of a delta, which contains the rows that changed after the base catalog was built. */
export interface DeltaFacets {
  readonly rows: PackedRows;
  readonly facets: FacetRows;
  /** Document numbers of all changed, removed and new rows, ascending. */
  readonly replacedNumbers: Uint32Array;
}

/** Facet data of one layer of the catalog: the last full build (base), or later changes (delta). */
export interface FacetLayer {
  readonly packedRows: PackedRows;
  readonly rows: FacetRows;
  /**
   * Maps the ids of facet values that a delta adds to ids that are valid in the entire catalog. Entry n is for the
   * value with the id `baseTerms + n` in the delta.
   */
  readonly layerIds: Uint32Array;
  /** Current availability. Must be updated before each read, because stock changes do not create a new layer. */
  availability: Availability;
}

/** Location of a product: the base catalog or delta that contains it, and its row position there. */
export interface ProductLocation {
  readonly layer: FacetLayer;
  readonly position: number;
}

/**
 * Combines the facets of a base catalog (the last full build) and of its deltas (the changes since then). Each facet
 * value (term) has one id for all layers. The ids of the base catalog are lowest, followed by those of the values that
 * deltas add.
 */
export class FacetLayers {
  readonly base: FacetLayer;
  /** Facet data of the changes after the base catalog was built (deltas), newest first. */
  readonly deltas: readonly FacetLayer[];
  /** Bitmap of the base catalog's rows that later changes replaced; undefined without changes. */
  readonly replacedRows: Bitmap | undefined;
  /** Number of facet values (terms) in the base catalog. Their ids are lower than this number. */
  readonly baseTerms: number;
  /** Facet values that are new since the last full build of the catalog. */
  readonly #addedTerms: { readonly text: string; readonly example: number }[] = [];
  readonly #addedTermIds = new Map<string, number>();
  readonly #isReplaced: (deltaIndex: number, number: number) => boolean;

  /** @param facetDeltas changes after the base catalog was built, oldest first */
  constructor(baseFacets: BaseFacets, facetDeltas: readonly DeltaFacets[]) {
    this.base = createFacetLayer(baseFacets.rows, baseFacets.facets, new Uint32Array(0));
    this.baseTerms = getTermCount(baseFacets.facets.vocabulary);
    const newestFirstDeltas = facetDeltas.toReversed();
    this.deltas = newestFirstDeltas.map(({ rows, facets }) => createFacetLayer(rows, facets, this.#assignIds(facets)));
    this.#isReplaced = (deltaIndex, number) =>
      containsNumber((newestFirstDeltas[deltaIndex] as DeltaFacets).replacedNumbers, number);
    if (facetDeltas.length > 0) {
      const baseCount = baseFacets.positions.length;
      this.replacedRows = createBitmap(baseCount);
      for (const { replacedNumbers } of facetDeltas)
        for (const number of replacedNumbers) if (number < baseCount) setBit(this.replacedRows, number);
    }
  }

  get allLayers(): readonly FacetLayer[] {
    return [this.base, ...this.deltas];
  }

  /** Number of facet values in the base catalog and its deltas. */
  get termCount(): number {
    return this.baseTerms + this.#addedTerms.length;
  }

  /** Returns whether a catalog row is unchanged since the last full build.  @param number document number of the row */
  isInBaseLayer(number: number): boolean {
    const { replacedRows } = this;
    if (number + 1 >= this.base.rows.termStarts.length) return false;
    return replacedRows === undefined || !hasBit(replacedRows, number);
  }

  /** Finds the current row with a document number. Returns undefined if the row was removed or never existed. */
  locate(number: number): ProductLocation | undefined {
    for (const [index, layer] of this.deltas.entries()) {
      const position = positionOf(layer.packedRows, number);
      if (position !== undefined) return { layer, position };
      if (this.#isReplaced(index, number)) return undefined;
    }
    return this.isInBaseLayer(number) ? { layer: this.base, position: number } : undefined;
  }

  /** Returns the id of a facet value (term); undefined if no product has the value. */
  idOf({ facet, value }: Term): number | undefined {
    const text = formatTerm(facet, value);
    return this.#addedTermIds.get(text) ?? findTerm(this.base.rows.vocabulary, text);
  }

  getTerm(id: number): Term {
    const addedText = this.#addedTerms[id - this.baseTerms]?.text;
    return parseTerm(addedText ?? getText(this.base.rows.vocabulary.texts, id));
  }

  /** Returns the document number of an example product for a facet value. It may no longer have the value. */
  findExample(id: number): number | undefined {
    return this.#addedTerms[id - this.baseTerms]?.example ?? this.base.rows.vocabulary.examples[id];
  }

  /** Returns the names of all facets. */
  facets(): readonly string[] {
    const { vocabulary } = this.base.rows;
    const names = new Set<string>();
    for (let id = 0; id < this.baseTerms; ) {
      const { facet } = this.getTerm(id);
      names.add(facet);
      id = findTermRange(vocabulary, facet).to;
    }
    for (const { text } of this.#addedTerms) names.add(parseTerm(text).facet);
    return [...names];
  }

  /** Calls `visit` with the id of each value of a facet. */
  forEachTerm(facet: string, visit: (id: number) => void): void {
    this.#forEachTermId(findTermRange(this.base.rows.vocabulary, facet), (name) => name === facet, visit);
  }

  /** Adds the value with an id to a list, unless no product has it.  @param counts numbers of products, by id */
  addValue(values: FacetValue[], id: number, counts: Uint32Array): void {
    const count = counts[id] as number;
    if (count > 0) values.push({ value: this.getTerm(id).value, count, example: this.findExample(id) });
  }

  /** Calls `visit` with the id of each option value. */
  forEachOption(visit: (id: number) => void): void {
    this.#forEachTermId(findFacetTerms(this.base.rows.vocabulary, optionPrefix), isOptionFacet, visit);
  }

  #forEachTermId(
    { from, to }: ReturnType<typeof findTermRange>,
    isIncluded: (facet: string) => boolean,
    visit: (id: number) => void,
  ): void {
    for (let id = from; id < to; id += 1) visit(id);
    this.#addedTerms.forEach(({ text }, index) => {
      if (isIncluded(parseTerm(text).facet)) visit(this.baseTerms + index);
    });
  }

  #assignIds({ vocabulary }: FacetRows): Uint32Array {
    const ids = new Uint32Array(getTermCount(vocabulary));
    for (let index = 0; index < ids.length; index += 1) {
      const text = getText(vocabulary.texts, index);
      let id = this.#addedTermIds.get(text);
      if (id === undefined) {
        id = this.baseTerms + this.#addedTerms.length;
        this.#addedTerms.push({ text, example: vocabulary.examples[index] as number });
        this.#addedTermIds.set(text, id);
      }
      ids[index] = id;
    }
    return ids;
  }
}

function createFacetLayer(packedRows: PackedRows, rows: FacetRows, layerIds: Uint32Array): FacetLayer {
  return { packedRows, rows, layerIds, availability: catalogAvailability(rows) };
}
