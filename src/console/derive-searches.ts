import { type Catalog, readEntries } from "../catalog/catalog.ts";
import { localize } from "../catalog/localize.ts";
import type { ReplayedSearch } from "./replay.ts";

/**
 * Yields likely searches for a shop with few recorded searches. They are derived from the catalog: product types,
 * vendors, tags, titles, words and word pairs of titles, and combinations and prefixes of these. Yields each search
 * once, always in the same order.
 * @param excludedSearches searches to skip
 */
export function* deriveSearches(
  catalog: Catalog,
  locales: readonly string[],
  maxCount: number,
  excludedSearches: readonly Pick<ReplayedSearch, "q" | "locale">[],
): Generator<ReplayedSearch> {
  let remainingCount = maxCount;
  for (const locale of locales) {
    const usedQueries = new Set(excludedSearches.filter((search) => search.locale === locale).map(({ q }) => q));
    for (const q of listSearches(catalog, locale)) {
      if (remainingCount === 0) return;
      if (q.length < 2 || usedQueries.has(q)) continue;
      usedQueries.add(q);
      remainingCount -= 1;
      yield { q, locale, searchCount: 0 };
    }
  }
}

function* listSearches(catalog: Catalog, locale: string): Generator<string> {
  for (const generateSearches of searchGenerators) {
    for (const product of readEntries(catalog, "product", catalog.numbers("product"))) {
      const { title, productType, vendor, tags } = localize(product, locale);
      for (const text of generateSearches({ words: splitWords(title), productType, vendor, tags }))
        yield text.toLowerCase().trim();
    }
  }
}

interface ProductTexts {
  readonly words: readonly string[];
  readonly productType: string;
  readonly vendor: string;
  readonly tags: readonly string[];
}

/** Functions that derive searches from a product. The most common kinds of searches are first. */
const searchGenerators: readonly ((product: ProductTexts) => readonly string[])[] = [
  ({ productType, vendor, tags }) => [productType, vendor, ...tags],
  ({ words }) => words,
  ({ words }) => [words.join(" "), ...listWordPairs(words)],
  ({ words }) => words.flatMap(listPrefixes),
  ({ words, productType, vendor }) => words.flatMap((word) => [`${word} ${productType}`, `${vendor} ${word}`]),
  ({ words }) => listWordPairs(words).flatMap(listPrefixes),
  ({ words, vendor }) => words.flatMap((word) => listPrefixes(`${vendor} ${word}`)),
  ({ words, productType }) => words.flatMap((word) => listPrefixes(`${word} ${productType}`)),
  ({ words, tags }) => words.flatMap((word) => tags.flatMap((tag) => listPrefixes(`${tag} ${word}`))),
];

function splitWords(title: string): readonly string[] {
  return title.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 1);
}

function listWordPairs(words: readonly string[]): readonly string[] {
  return words.slice(1).map((word, index) => `${words[index]} ${word}`);
}

/** Returns the prefixes of a text that have at least three letters. */
function listPrefixes(text: string): readonly string[] {
  return Array.from({ length: Math.max(0, text.length - 3) }, (_, index) => text.slice(0, index + 3));
}
