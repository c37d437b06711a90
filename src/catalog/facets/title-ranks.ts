import { inLocale } from "../localize.ts";
import type { Product } from "../product.ts";

/**
 * Alphabetical ranks of titles by locale, the default locale first.
 *
 * In a base, the title at index n of the sorted titles has rank 2n + 1, and equal titles share the rank of the first
 * one. A title of a delta has the same rank as an equal title of the base. Otherwise it has the even rank between its
 * two neighbors in the base. All titles between these neighbors share this rank, and are compared by text.
 */
export type TitleRanks = Readonly<Record<string, Uint32Array>>;

/** Returns the title of a product in a locale. */
export function titleIn({ title, translations }: Pick<Product, "title" | "translations">, locale: string): string {
  const translated = inLocale(translations, locale)?.title;
  return typeof translated === "string" && translated.trim() !== "" ? translated : title;
}

export function titleComparison(locale: string): (left: string, right: string) => number {
  return new Intl.Collator(locale, { numeric: true }).compare;
}

/** Ranks the titles of a base. */
export class TitleRanker {
  readonly #locales: readonly string[];
  readonly #places: number[] = [];
  readonly #titles: string[] = [];
  /** Translated titles for each locale except the default, by index of the product. */
  readonly #translated: readonly Map<number, string>[];

  /** @param locales locales of the shop, the default locale first */
  constructor(locales: readonly string[]) {
    this.#locales = locales;
    this.#translated = locales.slice(1).map(() => new Map());
  }

  add(product: Product, place: number): void {
    this.#translated.forEach((titles, index) => {
      const title = titleIn(product, this.#locales[index + 1] as string);
      if (title !== product.title) titles.set(this.#places.length, title);
    });
    this.#places.push(place);
    this.#titles.push(product.title);
  }

  /** Returns the ranks.  @param rows number of positions */
  finish(rows: number): TitleRanks {
    const ranks: Record<string, Uint32Array> = {};
    const order = this.#titles.map((_, index) => index);
    this.#locales.forEach((locale, at) => {
      const translated = at === 0 ? undefined : this.#translated[at - 1];
      const titleOf = (index: number): string => translated?.get(index) ?? (this.#titles[index] as string);
      const compare = titleComparison(locale);
      // The order is nearly sorted from the second locale on: most titles are equal, and alphabets differ little.
      order.sort((one, other) => compare(titleOf(one), titleOf(other)));
      const ofLocale = new Uint32Array(new SharedArrayBuffer(rows * 4));
      order.forEach((index, position) => {
        const before = order[position - 1];
        const isEqual = before !== undefined && compare(titleOf(before), titleOf(index)) === 0;
        const rank = isEqual ? ofLocale[this.#places[before] as number] : 2 * position + 1;
        ofLocale[this.#places[index] as number] = rank as number;
      });
      const known = ranks[this.#locales[0] as string];
      if (known === undefined || !areEqual(known, ofLocale)) ranks[locale] = ofLocale;
    });
    return ranks;
  }
}

/** Returns the ranks for a locale; undefined without ranks. */
export function titleRanksIn(ranks: TitleRanks, locale: string): Uint32Array | undefined {
  return inLocale(ranks, locale) ?? Object.values(ranks)[0];
}

function areEqual(one: Uint32Array, other: Uint32Array): boolean {
  return one.every((value, index) => value === other[index]);
}
