import { getLocaleValue } from "../localize.ts";
import type { Product } from "../product.ts";

/**
 * Alphabetical ranks of titles by locale, the default locale first.
 *
 * In a base catalog, the title at index n of the sorted titles has rank 2n + 1, and equal titles share the rank of the
 * first one. The title of a changed product has the same rank as an equal title of the base catalog. If no title is
 * equal, it has the even rank between its two neighbors. All titles between these neighbors share this rank, and are
 * compared by text.
 */
export type TitleRanks = Readonly<Record<string, Uint32Array>>;

export function getTitle({ title, translations }: Pick<Product, "title" | "translations">, locale: string): string {
  const translatedTitle = getLocaleValue(translations, locale)?.title;
  return typeof translatedTitle === "string" && translatedTitle.trim() !== "" ? translatedTitle : title;
}

export function createTitleComparator(locale: string): (left: string, right: string) => number {
  return new Intl.Collator(locale, { numeric: true }).compare;
}

/** Computes the title ranks of a base catalog. */
export class TitleRanker {
  readonly #locales: readonly string[];
  readonly #positions: number[] = [];
  readonly #titles: string[] = [];
  /** Translated titles by index of the product, for each locale except the default. */
  readonly #translatedTitles: readonly Map<number, string>[];

  /** @param locales locales of the shop, the default locale first */
  constructor(locales: readonly string[]) {
    this.#locales = locales;
    this.#translatedTitles = locales.slice(1).map(() => new Map());
  }

  add(product: Product, position: number): void {
    this.#translatedTitles.forEach((titles, index) => {
      const title = getTitle(product, this.#locales[index + 1] as string);
      if (title !== product.title) titles.set(this.#positions.length, title);
    });
    this.#positions.push(position);
    this.#titles.push(product.title);
  }

  /** Returns the ranks.  @param rows number of row positions */
  finish(rows: number): TitleRanks {
    const ranks: Record<string, Uint32Array> = {};
    const order = this.#titles.map((_, index) => index);
    this.#locales.forEach((locale, localeIndex) => {
      const titles = localeIndex === 0 ? undefined : this.#translatedTitles[localeIndex - 1];
      const lookUpTitle = (index: number): string => titles?.get(index) ?? (this.#titles[index] as string);
      const compareTitles = createTitleComparator(locale);
      // From the second locale on, the list is nearly sorted, because most titles are not translated and alphabets
      // differ little.
      order.sort((a, b) => compareTitles(lookUpTitle(a), lookUpTitle(b)));
      const ranksByPosition = new Uint32Array(new SharedArrayBuffer(rows * 4));
      order.forEach((index, position) => {
        const previousIndex = order[position - 1];
        const isEqual =
          previousIndex !== undefined && compareTitles(lookUpTitle(previousIndex), lookUpTitle(index)) === 0;
        const rank = isEqual ? ranksByPosition[this.#positions[previousIndex] as number] : 2 * position + 1;
        ranksByPosition[this.#positions[index] as number] = rank as number;
      });
      const defaultRanks = ranks[this.#locales[0] as string];
      if (defaultRanks === undefined || !defaultRanks.every((rank, position) => rank === ranksByPosition[position]))
        ranks[locale] = ranksByPosition;
    });
    return ranks;
  }
}

export function getTitleRanks(ranks: TitleRanks, locale: string): Uint32Array | undefined {
  return getLocaleValue(ranks, locale) ?? Object.values(ranks)[0];
}
