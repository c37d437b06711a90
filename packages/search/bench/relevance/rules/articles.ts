import type { Random } from "../../../../../bench/random.ts";
import { wordsOf } from "../edits.ts";
import type { JudgedQuery } from "../judged.ts";
import { drawQueries, type Item, isOneIn, joinWords, type RuledQuery } from "./draw.ts";

/** An everyday product: its kind, brand and variety. */
export interface Article extends Item {
  /** Brand, or "" if unknown. */
  readonly brand: string;
  readonly category: string;
  /**
   * Kinds of products in the category name: "interdentalbürsten" and "zahnseide" for "Interdentalbürsten & Zahnseide".
   */
  readonly kinds: readonly string[];
  /** Words of the title, in lower case without accents. One of them may be the variety in a query. */
  readonly words: ReadonlySet<string>;
}

/**
 * Creates queries of kind, brand and variety, in the orders that people type. If a category has only one kind, all its
 * products match that kind. Otherwise, a product matches a kind if its title contains it, and counts as similar if not.
 */
export function articleQueries(
  articles: readonly Article[],
  { seed, fillers }: { readonly seed: number; readonly fillers: readonly string[] },
): JudgedQuery[] {
  const frequencies = frequenciesByCategory(articles);
  return drawQueries(
    articles,
    { count: 300, seed, maxPerKind: 4 },
    ({ category }) => category,
    (target, random) => ask(target, random, frequencies.get(target.category) ?? new Map(), fillers),
  );
}

function ask(
  target: Article,
  random: Random,
  frequencies: ReadonlyMap<string, number>,
  fillers: readonly string[],
): RuledQuery<Article> | undefined {
  if (target.kinds.length === 0) return undefined;
  const kind = random.pick(target.kinds);
  const brand = target.brand === "" || isOneIn(random, 3) ? undefined : target.brand;
  const variety = isOneIn(random, 2) ? pickVariety(target, kind, random, frequencies) : undefined;
  if (brand === undefined && variety === undefined && !isOneIn(random, 3)) return undefined;
  const filler = isOneIn(random, 15) ? random.pick(fillers) : undefined;
  const text = isOneIn(random, 2) ? joinWords(filler, brand, kind, variety) : joinWords(filler, kind, variety, brand);
  return {
    text,
    grade(item) {
      if (item.category !== target.category) return 0;
      const isKind = target.kinds.length === 1 || hasKind(item, kind);
      const isBrand = brand === undefined || item.brand === brand;
      const isVariety = variety === undefined || item.words.has(variety);
      if (!isKind) return isBrand && isVariety ? 1 : 0;
      // A product of another brand is less relevant than another variety of the requested brand.
      return isBrand ? (isVariety ? 3 : 2) : 1;
    },
  };
}

/** Returns whether the title contains the kind, in singular or plural or as part of a compound. */
function hasKind(item: Article, kind: string): boolean {
  const stems = wordsOf(kind).map((word) => word.slice(0, Math.max(4, word.length - 2)));
  return stems.every((stem) => [...item.words].some((word) => word.includes(stem)));
}

/** Returns a word of the title that some, but not most, products of the category contain. */
function pickVariety(
  target: Article,
  kind: string,
  random: Random,
  frequencies: ReadonlyMap<string, number>,
): string | undefined {
  const queryWords = new Set(wordsOf(`${kind} ${target.brand} ${target.category}`));
  const maxFrequency = Math.max(2, (frequencies.get(ALL_PRODUCTS) ?? 0) / 3);
  const varieties = [...target.words].filter((word) => {
    const frequency = frequencies.get(word) ?? 0;
    return (
      /^\p{L}{4,}$/u.test(word) &&
      !particles.has(word) &&
      !queryWords.has(word) &&
      frequency >= 2 &&
      frequency <= maxFrequency
    );
  });
  return varieties.length === 0 ? undefined : random.pick(varieties);
}

const particles: ReadonlySet<string> = new Set([
  "para",
  "como",
  "ohne",
  "oder",
  "with",
  "und",
  "aus",
  "vom",
  "auch",
  "sehr",
  "nach",
]);

/** Key for the number of products in a category. It is never a word, because words are not empty. */
const ALL_PRODUCTS = "";

function frequenciesByCategory(articles: readonly Article[]): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const byCategory = new Map<string, Map<string, number>>();
  for (const { category, words } of articles) {
    const counts = byCategory.get(category) ?? new Map<string, number>();
    for (const word of [...words, ALL_PRODUCTS]) counts.set(word, (counts.get(word) ?? 0) + 1);
    byCategory.set(category, counts);
  }
  return byCategory;
}
