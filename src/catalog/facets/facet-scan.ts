import type { FacetLayer, FacetLayers } from "./facet-layers.ts";
import { type FilterSelection, isOptionFacet } from "./filter-selection.ts";
import { isByVariant, stockSelection } from "./scan-base.ts";

/**
 * Tests products one by one against a filter selection, and counts the products with each facet value.
 *
 * A product matches if it has a selected value of each filtered facet, and variants within the price range that have
 * the selected options. A matching product is in stock if one of these variants is available, and sold out otherwise. A
 * product that fails exactly one facet counts only for the values of that facet.
 */
export class FacetScan {
  /** Number of products by term id. */
  readonly counts: Uint32Array;
  inStock = 0;
  soldOut = 0;
  readonly #layers: FacetLayers;
  /** For each term: the bit of its facet among the filtered facets. Empty if only prices and stock are filtered. */
  readonly #facetBits: Uint32Array;
  /** For each term: the bit of its facet if the value is selected, else 0. */
  readonly #chosenBits: Uint32Array;
  /** For each term: 1 if the term is an option value. */
  readonly #isOption: Uint8Array;
  readonly #productBits: number;
  readonly #optionBits: number;
  readonly #isByVariant: boolean;
  readonly #wantsInStock: boolean;
  readonly #wantsSoldOut: boolean;
  readonly #from: number;
  readonly #to: number;
  /**
   * Two numbers for each option term: the stamp of the last product with a matching variant, and whether such a variant
   * is available.
   */
  readonly #seen: Int32Array;
  readonly #touched: number[] = [];
  #stamp = 0;

  /** @param counts number of products by term id, incremented by this scan */
  constructor(layers: FacetLayers, choice: FilterSelection, counts: Uint32Array) {
    this.#layers = layers;
    this.counts = counts;
    const { priceFrom, priceTo, values } = choice;
    const { wantsInStock: includesInStock, wantsSoldOut: includesSoldOut } = stockSelection(choice);
    this.#wantsInStock = includesInStock;
    this.#wantsSoldOut = includesSoldOut;
    this.#from = priceFrom ?? 0;
    this.#to = priceTo ?? Number.POSITIVE_INFINITY;
    const facets = [...values.keys()];
    const size = facets.length === 0 ? 0 : layers.termCount;
    this.#facetBits = new Uint32Array(size);
    this.#chosenBits = new Uint32Array(size);
    let [productBits, optionBits] = [0, 0];
    facets.forEach((facet, index) => {
      const bit = 1 << index;
      if (isOptionFacet(facet)) optionBits |= bit;
      else productBits |= bit;
      layers.eachOf(facet, (id) => {
        this.#facetBits[id] = bit;
      });
      for (const value of values.get(facet) ?? []) {
        const id = layers.idOf({ facet, value });
        if (id !== undefined) this.#chosenBits[id] = bit;
      }
    });
    this.#productBits = productBits;
    this.#optionBits = optionBits;
    this.#isByVariant = optionBits !== 0 || isByVariant(choice);
    this.#isOption = new Uint8Array(this.#isByVariant ? layers.termCount : 0);
    this.#seen = new Int32Array(this.#isByVariant ? layers.termCount * 2 : 0);
    if (this.#isByVariant)
      layers.eachOption((id) => {
        this.#isOption[id] = 1;
      });
  }

  /** Tests and counts a product.  @returns whether the product matches */
  add(layer: FacetLayer, place: number): boolean {
    return this.#isByVariant ? this.#countByVariant(layer, place) : this.#countByProduct(layer, place);
  }

  /** Tests and counts a product by its product-level facets only.  @returns whether the product matches */
  #countByProduct(layer: FacetLayer, place: number): boolean {
    const lacking = this.#productBits & ~this.#held(layer, place);
    // A product that fails two facets counts for neither, because each facet ignores only its own selection.
    if ((lacking & (lacking - 1)) !== 0) return false;
    this.#countTerms(layer, place, lacking, 0);
    if (lacking !== 0) return false;
    this.#countStock(layer.availability.products[place] === 1);
    return true;
  }

  #countStock(isInStock: boolean): void {
    if (isInStock) this.inStock += 1;
    else this.soldOut += 1;
  }

  /** Returns the bits of the facets from which a product has a selected value. */
  #held({ rows: { termStarts, terms }, layerIds }: FacetLayer, place: number): number {
    return this.#facetsChosen(terms, layerIds, termStarts[place] as number, termStarts[place + 1] as number);
  }

  /** Returns the bits of the facets that have a selected value in a range of `terms`. */
  #facetsChosen(terms: Uint32Array, layerIds: Uint32Array, from: number, end: number): number {
    const chosen = this.#chosenBits;
    if (chosen.length === 0) return 0;
    const baseTerms = this.#layers.baseTerms;
    let matched = 0;
    for (let at = from; at < end; at += 1) {
      const id = terms[at] as number;
      matched |= chosen[id < baseTerms ? id : (layerIds[id - baseTerms] as number)] as number;
    }
    return matched;
  }

  /**
   * Increments the counts of a product's terms.
   * @param ofFacet bit of the only facet whose terms count; 0 for all facets
   * @param withoutOptions 1 to skip option terms, which are counted by variant
   */
  #countTerms({ rows, layerIds: ownIds }: FacetLayer, place: number, ofFacet: number, withoutOptions: number): void {
    const { counts } = this;
    const facetBits = this.#facetBits;
    const isOption = this.#isOption;
    const baseTerms = this.#layers.baseTerms;
    const { termStarts, terms } = rows;
    for (let at = termStarts[place] as number, end = termStarts[place + 1] as number; at < end; at += 1) {
      let id = terms[at] as number;
      if (id >= baseTerms) id = ownIds[id - baseTerms] as number;
      if (ofFacet !== 0 && facetBits[id] !== ofFacet) continue;
      if (withoutOptions === 1 && isOption[id] === 1) continue;
      counts[id] = (counts[id] as number) + 1;
    }
  }

  /** Tests and counts a product by its variants.  @returns whether the product matches */
  #countByVariant(layer: FacetLayer, place: number): boolean {
    const lacking = this.#productBits & ~this.#held(layer, place);
    if ((lacking & (lacking - 1)) !== 0) return false;
    const { prices, variantStarts, optionStarts } = layer.rows;
    const { variants } = layer.availability;
    const first = variantStarts[place] as number;
    const end = variantStarts[place + 1] as number;
    const firstOption = optionStarts[place] as number;
    const width = end === first ? 0 : ((optionStarts[place + 1] as number) - firstOption) / (end - first);
    this.#stamp += 1;
    this.#touched.length = 0;
    let hasFitting = false;
    let isInStock = false;
    for (let variant = first; variant < end; variant += 1) {
      const price = prices[variant] as number;
      if (price < this.#from || price > this.#to) continue;
      const options = firstOption + (variant - first) * width;
      const chosenFacets = this.#facetsChosen(layer.rows.optionTerms, layer.layerIds, options, options + width);
      const lacks = this.#optionBits & ~chosenFacets;
      if ((lacks & (lacks - 1)) !== 0) continue;
      const isAvailable = variants[variant] === 1;
      if (lacks === 0) {
        hasFitting = true;
        isInStock ||= isAvailable;
      }
      if (lacking === 0) this.#touchOptions(layer, options, width, lacks, isAvailable);
    }
    if (lacking === 0) this.#countOptions();
    if (!hasFitting) return false;
    const fitsStock = isInStock ? this.#wantsInStock : this.#wantsSoldOut;
    if (lacking === 0) this.#countStock(isInStock);
    if (fitsStock) this.#countTerms(layer, place, lacking, 1);
    return fitsStock && lacking === 0;
  }

  /**
   * Records the option values of a variant. For a variant that fails a single option, only the values of that option
   * are recorded.
   * @param ofFacet bit of the failed option; 0 if the variant matches
   */
  #touchOptions(
    { rows, layerIds: ownIds }: FacetLayer,
    from: number,
    width: number,
    ofFacet: number,
    isAvailable: boolean,
  ): void {
    const seen = this.#seen;
    const baseTerms = this.#layers.baseTerms;
    for (let at = from; at < from + width; at += 1) {
      let id = rows.optionTerms[at] as number;
      if (id >= baseTerms) id = ownIds[id - baseTerms] as number;
      if (ofFacet !== 0 && this.#facetBits[id] !== ofFacet) continue;
      if (seen[id * 2] !== this.#stamp) {
        seen[id * 2] = this.#stamp;
        seen[id * 2 + 1] = 0;
        this.#touched.push(id);
      }
      if (isAvailable) seen[id * 2 + 1] = 1;
    }
  }

  #countOptions(): void {
    for (const id of this.#touched) {
      const isInStock = this.#seen[id * 2 + 1] === 1;
      if (isInStock ? this.#wantsInStock : this.#wantsSoldOut) this.counts[id] = (this.counts[id] as number) + 1;
    }
  }
}
