import type { FacetLayer, FacetLayers } from "./facet-layers.ts";
import { type FilterSelection, isOptionFacet } from "./filter-selection.ts";
import { dependsOnVariants, parseStockSelection } from "./scan-base.ts";

/**
 * Tests products one by one against a filter selection, and counts the products with each facet value.
 *
 * A product matches if it has a selected value of each filtered facet, and variants within the price range that have
 * the selected options. A matching product is in stock if one of these variants is available, and sold out otherwise. A
 * product that fails exactly one facet counts only for the values of that facet.
 */
export class FacetScan {
  /** Number of products with each facet value, by id of the value. */
  readonly counts: Uint32Array;
  inStockCount = 0;
  soldOutCount = 0;
  readonly #layers: FacetLayers;
  /**
   * For each id of a facet value, a bit that identifies its facet among the filtered facets. Empty if only prices and
   * stock are filtered.
   */
  readonly #facetBits: Uint32Array;
  /** For each id of a facet value, the bit of its facet if the shopper selected this value, else 0. */
  readonly #selectedBits: Uint32Array;
  /** For each id of a facet value, 1 if it is an option value, such as a size. */
  readonly #optionFlags: Uint8Array;
  readonly #productFacetBits: number;
  readonly #optionFacetBits: number;
  readonly #isVariantScan: boolean;
  readonly #includesInStock: boolean;
  readonly #includesSoldOut: boolean;
  readonly #minPrice: number;
  readonly #maxPrice: number;
  /**
   * Two numbers for each option value, such as "red". The first identifies the last counted product with a matching
   * variant that has the value. The second is 1 if such a variant is available.
   */
  readonly #optionStates: Int32Array;
  readonly #markedOptionIds: number[] = [];
  #countedProductCount = 0;

  /** @param counts number of products by id of the facet value, incremented by this scan */
  constructor(layers: FacetLayers, selection: FilterSelection, counts: Uint32Array) {
    this.#layers = layers;
    this.counts = counts;
    const { priceFrom, priceTo, values } = selection;
    const { acceptsInStock, acceptsSoldOut } = parseStockSelection(selection);
    this.#includesInStock = acceptsInStock;
    this.#includesSoldOut = acceptsSoldOut;
    this.#minPrice = priceFrom ?? 0;
    this.#maxPrice = priceTo ?? Number.POSITIVE_INFINITY;
    const facets = [...values.keys()];
    const size = facets.length === 0 ? 0 : layers.termCount;
    this.#facetBits = new Uint32Array(size);
    this.#selectedBits = new Uint32Array(size);
    let [productFacetBits, optionFacetBits] = [0, 0];
    facets.forEach((facet, index) => {
      const facetBit = 1 << index;
      if (isOptionFacet(facet)) optionFacetBits |= facetBit;
      else productFacetBits |= facetBit;
      layers.forEachTerm(facet, (id) => {
        this.#facetBits[id] = facetBit;
      });
      for (const value of values.get(facet) ?? []) {
        const id = layers.idOf({ facet, value });
        if (id !== undefined) this.#selectedBits[id] = facetBit;
      }
    });
    this.#productFacetBits = productFacetBits;
    this.#optionFacetBits = optionFacetBits;
    this.#isVariantScan = optionFacetBits !== 0 || dependsOnVariants(selection);
    this.#optionFlags = new Uint8Array(this.#isVariantScan ? layers.termCount : 0);
    this.#optionStates = new Int32Array(this.#isVariantScan ? layers.termCount * 2 : 0);
    if (this.#isVariantScan)
      layers.forEachOption((id) => {
        this.#optionFlags[id] = 1;
      });
  }

  /** Tests and counts a product.  @returns whether the product matches */
  add(layer: FacetLayer, position: number): boolean {
    return this.#isVariantScan
      ? this.#matchAndCountVariants(layer, position)
      : this.#matchAndCountProduct(layer, position);
  }

  /**
   * Tests and counts a product by the facets of the product, such as vendor, but not by those of its variants, such as
   * size.
   * @returns whether the product matches
   */
  #matchAndCountProduct(layer: FacetLayer, position: number): boolean {
    const failedFacetBits = this.#productFacetBits & ~this.#findSelectedFacets(layer, position);
    // The counts of a facet ignore only the selection of this facet. A product that fails the selections of two facets
    // therefore counts for neither.
    if ((failedFacetBits & (failedFacetBits - 1)) !== 0) return false;
    this.#countTerms(layer, position, failedFacetBits, 0);
    if (failedFacetBits !== 0) return false;
    this.#countStock(layer.availability.products[position] === 1);
    return true;
  }

  #countStock(isInStock: boolean): void {
    if (isInStock) this.inStockCount += 1;
    else this.soldOutCount += 1;
  }

  /** Returns a bit mask of the facets for which the product has a value that the shopper selected. */
  #findSelectedFacets({ rows: { termStarts, terms }, layerIds }: FacetLayer, position: number): number {
    return this.#collectFacetBits(terms, layerIds, termStarts[position] as number, termStarts[position + 1] as number);
  }

  /** Returns a bit mask of the facets of all selected values among `terms[from]` to `terms[termEnd - 1]`. */
  #collectFacetBits(terms: Uint32Array, layerIds: Uint32Array, from: number, termEnd: number): number {
    const selectedBits = this.#selectedBits;
    if (selectedBits.length === 0) return 0;
    const baseTermCount = this.#layers.baseTerms;
    let matchedFacetBits = 0;
    for (let termIndex = from; termIndex < termEnd; termIndex += 1) {
      const id = terms[termIndex] as number;
      matchedFacetBits |= selectedBits[id < baseTermCount ? id : (layerIds[id - baseTermCount] as number)] as number;
    }
    return matchedFacetBits;
  }

  /**
   * Increments the counts of a product's facet values.
   * @param countedFacetBit bit of a facet, to count only the values of this facet; 0 to count the values of all facets
   * @param skipsOptions 1 to skip option values, which are counted by variant
   */
  #countTerms({ rows, layerIds }: FacetLayer, position: number, countedFacetBit: number, skipsOptions: number): void {
    const { counts } = this;
    const facetBitByTerm = this.#facetBits;
    const optionFlags = this.#optionFlags;
    const baseTermCount = this.#layers.baseTerms;
    const { termStarts, terms } = rows;
    for (
      let termIndex = termStarts[position] as number, termEnd = termStarts[position + 1] as number;
      termIndex < termEnd;
      termIndex += 1
    ) {
      let id = terms[termIndex] as number;
      if (id >= baseTermCount) id = layerIds[id - baseTermCount] as number;
      if (countedFacetBit !== 0 && facetBitByTerm[id] !== countedFacetBit) continue;
      if (skipsOptions === 1 && optionFlags[id] === 1) continue;
      counts[id] = (counts[id] as number) + 1;
    }
  }

  /**
   * Tests and counts a product by the facets of the product, such as vendor, and those of its variants, such as size.
   * @returns whether the product matches
   */
  #matchAndCountVariants(layer: FacetLayer, position: number): boolean {
    const failedFacetBits = this.#productFacetBits & ~this.#findSelectedFacets(layer, position);
    if ((failedFacetBits & (failedFacetBits - 1)) !== 0) return false;
    const { prices, variantStarts, optionStarts } = layer.rows;
    const { variants } = layer.availability;
    const variantStart = variantStarts[position] as number;
    const variantEnd = variantStarts[position + 1] as number;
    const optionStart = optionStarts[position] as number;
    const optionCount =
      variantEnd === variantStart
        ? 0
        : ((optionStarts[position + 1] as number) - optionStart) / (variantEnd - variantStart);
    this.#countedProductCount += 1;
    this.#markedOptionIds.length = 0;
    let hasMatch = false;
    let isInStock = false;
    for (let variant = variantStart; variant < variantEnd; variant += 1) {
      const price = prices[variant] as number;
      if (price < this.#minPrice || price > this.#maxPrice) continue;
      const options = optionStart + (variant - variantStart) * optionCount;
      const selectedFacets = this.#collectFacetBits(
        layer.rows.optionTerms,
        layer.layerIds,
        options,
        options + optionCount,
      );
      const failedOptionBits = this.#optionFacetBits & ~selectedFacets;
      if ((failedOptionBits & (failedOptionBits - 1)) !== 0) continue;
      const isAvailable = variants[variant] === 1;
      if (failedOptionBits === 0) {
        hasMatch = true;
        isInStock ||= isAvailable;
      }
      if (failedFacetBits === 0) this.#markOptionValues(layer, options, optionCount, failedOptionBits, isAvailable);
    }
    if (failedFacetBits === 0) this.#countOptions();
    if (!hasMatch) return false;
    const isStockSelected = isInStock ? this.#includesInStock : this.#includesSoldOut;
    if (failedFacetBits === 0) this.#countStock(isInStock);
    if (isStockSelected) this.#countTerms(layer, position, failedFacetBits, 1);
    return isStockSelected && failedFacetBits === 0;
  }

  /**
   * Marks the option values of a variant, to be counted once for its product. If the variant lacks a selected value of
   * one option, only its value of this option is marked.
   * @param countedFacetBit facet bit of this option; 0 if the variant matches
   */
  #markOptionValues(
    { rows, layerIds }: FacetLayer,
    from: number,
    optionCount: number,
    countedFacetBit: number,
    isAvailable: boolean,
  ): void {
    const optionStates = this.#optionStates;
    const baseTermCount = this.#layers.baseTerms;
    for (let termIndex = from; termIndex < from + optionCount; termIndex += 1) {
      let id = rows.optionTerms[termIndex] as number;
      if (id >= baseTermCount) id = layerIds[id - baseTermCount] as number;
      if (countedFacetBit !== 0 && this.#facetBits[id] !== countedFacetBit) continue;
      if (optionStates[id * 2] !== this.#countedProductCount) {
        optionStates[id * 2] = this.#countedProductCount;
        optionStates[id * 2 + 1] = 0;
        this.#markedOptionIds.push(id);
      }
      if (isAvailable) optionStates[id * 2 + 1] = 1;
    }
  }

  #countOptions(): void {
    for (const id of this.#markedOptionIds) {
      const isInStock = this.#optionStates[id * 2 + 1] === 1;
      if (isInStock ? this.#includesInStock : this.#includesSoldOut) this.counts[id] = (this.counts[id] as number) + 1;
    }
  }
}
