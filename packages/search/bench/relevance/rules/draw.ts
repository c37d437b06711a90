import { createRandom, type Random } from "../../../../../bench/random.ts";
import type { JudgedQuery } from "../judged.ts";

/** A product with its attributes. */
export interface Item {
  /** Product id in the catalog. */
  readonly id: string;
  readonly title: string;
}

/** A query with a rule that grades any product of the catalog. */
export interface RuledQuery<T> {
  readonly text: string;
  /**
   * Returns the grade of a product: 3 for exactly the intended product, 2 if a minor attribute is missing, 1 for the
   * same kind, 0 for any other product.
   */
  grade(item: T): number;
}

/**
 * Creates queries from the attributes of random products. Frequent kinds of products get more queries, but at most
 * `maxPerKind`. Each query is judged against all products.
 * @param items products to choose from
 * @param ask creates a query from a product; returns undefined if it has too few attributes
 * @param kindOf returns the kind of a product
 * @param all products to judge. Default: `items`
 */
export function drawQueries<T extends Item>(
  items: readonly T[],
  { count, seed, maxPerKind }: { readonly count: number; readonly seed: number; readonly maxPerKind: number },
  kindOf: (item: T) => string,
  ask: (item: T, random: Random) => RuledQuery<T> | undefined,
  all: readonly T[] = items,
): JudgedQuery[] {
  const random = createRandom(seed);
  const sampledQueries = new Map<string, JudgedQuery>();
  const countsByKind = new Map<string, number>();
  for (const item of random.sample(items, items.length)) {
    if (sampledQueries.size === count) break;
    const kind = kindOf(item);
    const drawnCount = countsByKind.get(kind) ?? 0;
    if (drawnCount >= maxPerKind) continue;
    const query = ask(item, random);
    if (query === undefined || sampledQueries.has(query.text) || query.grade(item) < 3) continue;
    countsByKind.set(kind, drawnCount + 1);
    sampledQueries.set(query.text, { query: query.text, grades: gradesOf(query, all) });
  }
  return [...sampledQueries.values()];
}

function gradesOf<T extends Item>(query: RuledQuery<T>, items: readonly T[]): ReadonlyMap<string, number> {
  const grades = new Map<string, number>();
  for (const item of items) {
    const grade = query.grade(item);
    if (grade > 0) grades.set(item.id, grade);
  }
  return grades;
}

/** Joins the non-empty words with spaces. */
export function joinWords(...words: readonly (string | undefined)[]): string {
  return words
    .filter((word) => word !== undefined && word !== "")
    .join(" ")
    .toLowerCase()
    .replace(/\s+/g, " ")
    .trim();
}

/** Returns true once in `times` calls on average. */
export function isOneIn(random: Random, times: number): boolean {
  return random.below(times) === 0;
}

/** Returns the singular of an English plural. Other words stay unchanged. */
export function singular(word: string): string {
  if (/(ss|us|is)$/.test(word)) return word;
  if (/(sh|ch|x|ss)es$/.test(word)) return word.slice(0, -2);
  if (/ies$/.test(word)) return `${word.slice(0, -3)}y`;
  return word.replace(/s$/, "");
}
