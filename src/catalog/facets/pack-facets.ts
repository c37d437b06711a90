import { listMetafieldTexts } from "../html-text.ts";
import { createPackedTextBuilder } from "../packed/texts.ts";
import type { Product } from "../product.ts";
import { isAvailable } from "../stock.ts";
import type { SortedTitles } from "./base-titles.ts";
import { type FacetRows, findTerm, formatTerm, getTermCount, unlimitedUnits, type Vocabulary } from "./facet-rows.ts";
import { facetParams, formatMetafieldFacet, formatOptionFacet } from "./filter-selection.ts";
import { packGroups } from "./product-groups.ts";
import { computeMargin, countUnits } from "./ranking-values.ts";
import { createSharedFloats, createSharedIds, createSharedIntegers, createSharedUint32s } from "./shared-numbers.ts";
import { TitleRanker, type TitleRanks } from "./title-ranks.ts";

export interface FacetSettings {
  /** Locales of the shop, the default locale first. */
  readonly locales: readonly string[];
  /** Metafields whose values are facets, as "namespace.key". */
  readonly metafields: readonly string[];
  /**
   * Returns the key of a product's group, an integer up to 2^53; 0 for a product without a group. Default: products
   * are not grouped.
   */
  readonly groupKeyOf?: (product: Product) => number;
}

/**
 * Creates a packer for the facet data of a base catalog, or of a delta with changed rows.
 * @param olderLayers terms and titles of the base catalog and earlier deltas; undefined for a base catalog
 */
export function createFacetBuilder(
  { locales, metafields, groupKeyOf = () => 0 }: FacetSettings,
  olderLayers?: { readonly vocabulary: Vocabulary; readonly titles: SortedTitles },
) {
  const terms = new TermIdAssigner(olderLayers?.vocabulary);
  const metafieldFacets = metafields.map((name) => [name, formatMetafieldFacet(name)] as const);
  const termStarts: number[] = [];
  const termIds: number[] = [];
  const variantStarts: number[] = [];
  const prices: number[] = [];
  const availabilityFlags: number[] = [];
  const optionStarts: number[] = [];
  const optionTerms: number[] = [];
  const popularity: [position: number, value: number][] = [];
  const creationTimes: [position: number, second: number][] = [];
  const margins: [position: number, percent: number][] = [];
  const stockUnits: [position: number, units: number][] = [];
  const groupKeys: [position: number, key: number][] = [];
  const ranks = olderLayers === undefined ? new TitleRanker(locales) : new DeltaFacetRanks(locales, olderLayers.titles);
  const addStartPositions = (endPosition: number): void => {
    while (termStarts.length < endPosition) {
      termStarts.push(termIds.length);
      variantStarts.push(prices.length);
      optionStarts.push(optionTerms.length);
    }
  };
  const addProduct = (product: Product, position: number, number: number): void => {
    addStartPositions(position + 1);
    const newTerms = new Set<number>();
    const addTerm = (facet: string, value: string): number => {
      const id = terms.idOf(formatTerm(facet, value), number);
      newTerms.add(id);
      return id;
    };
    if (product.vendor !== "") addTerm(facetParams.vendor, product.vendor);
    if (product.productType !== "") addTerm(facetParams.productType, product.productType);
    for (const tag of product.tags) addTerm(facetParams.tag, tag);
    for (const [name, facet] of metafieldFacets)
      for (const text of listMetafieldTexts(product.metafields, name)) addTerm(facet, text);
    const facets = product.options.map(formatOptionFacet);
    for (const variant of product.variants) {
      prices.push(variant.price);
      availabilityFlags.push(isAvailable(variant) ? 1 : 0);
      facets.forEach((facet, index) => {
        optionTerms.push(addTerm(facet, variant.options[index] ?? ""));
      });
    }
    for (const id of newTerms) termIds.push(id);
    popularity.push([position, product.popularity]);
    const creationDate = product.createdAt ?? product.publishedAt;
    if (creationDate !== undefined)
      creationTimes.push([position, Math.max(0, Math.floor(Date.parse(creationDate) / 1_000)) || 0]);
    if (product.variants.some(({ cost }) => cost !== undefined)) margins.push([position, computeMargin(product)]);
    const units = countUnits(product);
    if (units < unlimitedUnits) stockUnits.push([position, units]);
    const groupKey = groupKeyOf(product);
    if (groupKey > 0) groupKeys.push([position, groupKey]);
    ranks.add(product, position, number);
  };
  return {
    /** Adds a product. Calls must be in order of ascending positions. */
    add: addProduct,
    /** Returns the packed data.  @param rows number of row positions */
    finish(rows: number): FacetRows {
      addStartPositions(rows + 1);
      const { vocabulary, newIds } = terms.finish();
      const mapToNewIds = (ids: readonly number[]): Uint32Array => {
        const mappedIds = createSharedIds(ids);
        mappedIds.forEach((id, index) => {
          mappedIds[index] = newIds[id] ?? id;
        });
        return mappedIds;
      };
      const variantStartColumn = createSharedIds(variantStarts);
      const creationColumn = createSharedUint32s(creationTimes.length > 0 ? rows : 0);
      const marginColumn = new Uint8Array(new SharedArrayBuffer(margins.length > 0 ? rows : 0));
      const unitsColumn = createSharedUint32s(stockUnits.length > 0 ? rows : 0);
      unitsColumn.fill(unlimitedUnits);
      const variantAvailability = new Uint8Array(new SharedArrayBuffer(availabilityFlags.length));
      variantAvailability.set(availabilityFlags);
      return {
        termStarts: createSharedIds(termStarts),
        terms: mapToNewIds(termIds),
        variantStarts: variantStartColumn,
        prices: createSharedIntegers(prices),
        availableVariants: variantAvailability,
        availableProducts: computeAvailableProducts(variantStartColumn, variantAvailability),
        optionStarts: createSharedIds(optionStarts),
        optionTerms: mapToNewIds(optionTerms),
        popularity: setValues(createSharedFloats(rows), popularity),
        creationTimes: setValues(creationColumn, creationTimes),
        margins: setValues(marginColumn, margins),
        stockUnits: setValues(unitsColumn, stockUnits),
        titleRanks: ranks.finish(rows),
        vocabulary,
        groups: packGroups(groupKeys, rows),
      };
    },
  };
}

function setValues<Column extends { [position: number]: number }>(
  column: Column,
  values: readonly (readonly [position: number, value: number])[],
): Column {
  for (const [position, value] of values) column[position] = value;
  return column;
}

function computeAvailableProducts(variantStartColumn: Uint32Array, variantAvailability: Uint8Array): Uint8Array {
  const products = new Uint8Array(new SharedArrayBuffer(Math.max(0, variantStartColumn.length - 1)));
  for (let position = 0; position < products.length; position += 1)
    for (
      let variant = variantStartColumn[position] as number;
      variant < (variantStartColumn[position + 1] as number);
      variant += 1
    )
      products[position] = (products[position] as number) | (variantAvailability[variant] as number);
  return products;
}

/** Assigns ids to facet values in order of appearance. */
class TermIdAssigner {
  readonly #baseVocabulary: Vocabulary | undefined;
  readonly #idsByText = new Map<string, number>();
  readonly #newTerms: { readonly text: string; readonly example: number }[] = [];

  /** @param baseVocabulary terms of the base catalog; undefined when packing a base catalog */
  constructor(baseVocabulary: Vocabulary | undefined) {
    this.#baseVocabulary = baseVocabulary;
  }

  idOf(text: string, example: number): number {
    const existingId = this.#idsByText.get(text);
    if (existingId !== undefined) return existingId;
    const baseTermId = this.#baseVocabulary && findTerm(this.#baseVocabulary, text);
    const id = baseTermId ?? this.#getFirstNewId() + this.#newTerms.length;
    if (baseTermId === undefined) this.#newTerms.push({ text, example });
    this.#idsByText.set(text, id);
    return id;
  }

  /** Returns the facet values, sorted in a base catalog. `newIds` maps the ids before sorting to the final ids. */
  finish(): { readonly vocabulary: Vocabulary; readonly newIds: Uint32Array } {
    const isBaseLayer = this.#baseVocabulary === undefined;
    const newTerms = this.#newTerms.map((term, id) => ({ ...term, id }));
    if (isBaseLayer) newTerms.sort((a, b) => (a.text < b.text ? -1 : 1));
    const newIds = new Uint32Array(isBaseLayer ? newTerms.length : 0);
    if (isBaseLayer)
      newTerms.forEach(({ id }, index) => {
        newIds[id] = index;
      });
    const bytes = newTerms.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
    const texts = createPackedTextBuilder(newTerms.length, bytes);
    for (const { text } of newTerms) texts.add(text);
    const examples = createSharedIds(newTerms.map(({ example }) => example));
    return { vocabulary: { firstId: this.#getFirstNewId(), texts: texts.finish(), examples }, newIds };
  }

  #getFirstNewId(): number {
    return this.#baseVocabulary === undefined ? 0 : getTermCount(this.#baseVocabulary);
  }
}

/** Collects the title ranks of products that changed after the base catalog was built. */
class DeltaFacetRanks {
  readonly #locales: readonly string[];
  readonly #titles: SortedTitles;
  readonly #ranks: [position: number, byLocale: readonly number[]][] = [];

  constructor(locales: readonly string[], titles: SortedTitles) {
    this.#locales = locales;
    this.#titles = titles;
  }

  add(product: Product, position: number, number: number): void {
    this.#ranks.push([position, this.#locales.map((locale) => this.#titles.findRank(product, number, locale))]);
  }

  finish(rows: number): TitleRanks {
    return Object.fromEntries(
      this.#locales.map((locale, index) => {
        const ranks = new Uint32Array(new SharedArrayBuffer(rows * 4));
        for (const [position, ranksByLocale] of this.#ranks) ranks[position] = ranksByLocale[index] as number;
        return [locale, ranks];
      }),
    );
  }
}
