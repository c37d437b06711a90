import { metafieldTexts } from "../html-text.ts";
import { createTextPacker } from "../packed/texts.ts";
import type { Product } from "../product.ts";
import { isAvailable } from "../stock.ts";
import type { BaseTitles } from "./base-titles.ts";
import { type FacetRows, findTerm, termCount, termText, type Vocabulary } from "./facet-rows.ts";
import { facetParams, metafieldFacet, optionFacet } from "./filter-selection.ts";
import { NumberColumn, sharedFloats, sharedIds } from "./number-column.ts";
import { TitleRanker, type TitleRanks } from "./title-ranks.ts";

/** Settings that affect facets. */
export interface FacetSettings {
  /** Locales of the shop, the default locale first. */
  readonly locales: readonly string[];
  /** Metafields whose values are facets, as "namespace.key". */
  readonly metafields: readonly string[];
}

/** @param under terms and titles of the layers below a delta; undefined for a base */
export function createFacetPacker(
  { locales, metafields }: FacetSettings,
  under?: { readonly vocabulary: Vocabulary; readonly titles: BaseTitles },
) {
  const terms = new TermNumbers(under?.vocabulary);
  const names = metafields.map((name) => [name, metafieldFacet(name)] as const);
  const termStarts = new NumberColumn();
  const termIds = new NumberColumn();
  const variantStarts = new NumberColumn();
  const prices = new NumberColumn();
  const available = new NumberColumn();
  const optionStarts = new NumberColumn();
  const optionTerms = new NumberColumn();
  const popularity: [place: number, value: number][] = [];
  const created: [place: number, second: number][] = [];
  const ranks = under === undefined ? new TitleRanker(locales) : new DeltaRanks(locales, under.titles);
  const startPlaces = (upTo: number): void => {
    while (termStarts.length < upTo) {
      termStarts.push(termIds.length);
      variantStarts.push(prices.length);
      optionStarts.push(optionTerms.length);
    }
  };
  const add = (product: Product, place: number, number: number): void => {
    startPlaces(place + 1);
    const newTerms = new Set<number>();
    const note = (facet: string, value: string): number => {
      const id = terms.idOf(termText(facet, value), number);
      newTerms.add(id);
      return id;
    };
    if (product.vendor !== "") note(facetParams.vendor, product.vendor);
    if (product.productType !== "") note(facetParams.productType, product.productType);
    for (const tag of product.tags) note(facetParams.tag, tag);
    for (const [name, facet] of names) for (const text of metafieldTexts(product.metafields, name)) note(facet, text);
    const facets = product.options.map(optionFacet);
    for (const variant of product.variants) {
      prices.push(variant.price);
      available.push(isAvailable(variant) ? 1 : 0);
      facets.forEach((facet, index) => {
        optionTerms.push(note(facet, variant.options[index] ?? ""));
      });
    }
    for (const id of newTerms) termIds.push(id);
    popularity.push([place, product.popularity]);
    const since = product.createdAt ?? product.publishedAt;
    if (since !== undefined) created.push([place, Math.max(0, Math.floor(Date.parse(since) / 1_000)) || 0]);
    ranks.add(product, place, number);
  };
  return {
    /** Adds a product. Calls must be in order of ascending positions. */
    add,
    /** Returns the packed data.  @param rows number of positions */
    finish(rows: number): FacetRows {
      startPlaces(rows + 1);
      const { vocabulary, newIds } = terms.finish();
      const settle = (ids: NumberColumn): Uint32Array => sharedIds(ids.finish().map((id) => newIds[id] ?? id));
      const starts = sharedIds(variantStarts.finish());
      const popular = sharedFloats(rows);
      for (const [place, value] of popularity) popular[place] = value;
      const seconds = new Uint32Array(new SharedArrayBuffer(created.length > 0 ? rows * 4 : 0));
      for (const [place, second] of created) seconds[place] = second;
      const ofVariants = new Uint8Array(new SharedArrayBuffer(available.length));
      ofVariants.set(available.finish());
      return {
        termStarts: sharedIds(termStarts.finish()),
        terms: settle(termIds),
        variantStarts: starts,
        prices: prices.finish(),
        availableVariants: ofVariants,
        availableProducts: availableProducts(starts, ofVariants),
        optionStarts: sharedIds(optionStarts.finish()),
        optionTerms: settle(optionTerms),
        popularity: popular,
        created: seconds,
        titleRanks: ranks.finish(rows),
        vocabulary,
      };
    },
  };
}

function availableProducts(starts: Uint32Array, ofVariants: Uint8Array): Uint8Array {
  const products = new Uint8Array(new SharedArrayBuffer(Math.max(0, starts.length - 1)));
  for (let place = 0; place < products.length; place += 1)
    for (let variant = starts[place] as number; variant < (starts[place + 1] as number); variant += 1)
      products[place] = (products[place] as number) | (ofVariants[variant] as number);
  return products;
}

/** Assigns ids to terms in order of appearance. */
class TermNumbers {
  readonly #below: Vocabulary | undefined;
  readonly #ids = new Map<string, number>();
  readonly #own: { readonly text: string; readonly example: number }[] = [];

  /** @param below terms of the base, if the new layer is a delta */
  constructor(below: Vocabulary | undefined) {
    this.#below = below;
  }

  idOf(text: string, example: number): number {
    const known = this.#ids.get(text);
    if (known !== undefined) return known;
    const inBase = this.#below && findTerm(this.#below, text);
    const id = inBase ?? this.#firstId() + this.#own.length;
    if (inBase === undefined) this.#own.push({ text, example });
    this.#ids.set(text, id);
    return id;
  }

  /** Returns the terms. For a base, `newIds` maps temporary ids to the ids in sorted order. */
  finish(): { readonly vocabulary: Vocabulary; readonly newIds: Uint32Array } {
    const isBase = this.#below === undefined;
    const newTerms = this.#own.map((term, id) => ({ ...term, id }));
    if (isBase) newTerms.sort((one, other) => (one.text < other.text ? -1 : 1));
    const newIds = new Uint32Array(isBase ? newTerms.length : 0);
    if (isBase)
      newTerms.forEach(({ id }, index) => {
        newIds[id] = index;
      });
    const bytes = newTerms.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
    const texts = createTextPacker(newTerms.length, bytes);
    for (const { text } of newTerms) texts.add(text);
    const examples = sharedIds(newTerms.map(({ example }) => example));
    return { vocabulary: { firstId: this.#firstId(), texts: texts.finish(), examples }, newIds };
  }

  #firstId(): number {
    return this.#below === undefined ? 0 : termCount(this.#below);
  }
}

/** Collects the title ranks of a delta. */
class DeltaRanks {
  readonly #locales: readonly string[];
  readonly #titles: BaseTitles;
  readonly #ranks: [place: number, byLocale: readonly number[]][] = [];

  constructor(locales: readonly string[], titles: BaseTitles) {
    this.#locales = locales;
    this.#titles = titles;
  }

  add(product: Product, place: number, number: number): void {
    this.#ranks.push([place, this.#locales.map((locale) => this.#titles.rankOf(product, number, locale))]);
  }

  finish(rows: number): TitleRanks {
    return Object.fromEntries(
      this.#locales.map((locale, index) => {
        const ranks = new Uint32Array(new SharedArrayBuffer(rows * 4));
        for (const [place, byLocale] of this.#ranks) ranks[place] = byLocale[index] as number;
        return [locale, ranks];
      }),
    );
  }
}
