import { createRandom, type Random } from "../../../bench/random.ts";
import { lists } from "./completions/query-lists.ts";
import { canEdit, edit, editKinds } from "./relevance/edits.ts";

/** Returns queries that shoppers typed in two shops, split randomly into measured queries and warm-up queries. */
export function realQueries(count: number): {
  readonly measuredQueries: readonly string[];
  readonly warmUpQueries: readonly string[];
} {
  const allQueries = new Set([...lists.wands.readQueries(), ...lists.esci.readQueries()]);
  allQueries.delete("");
  const shuffledQueries = createRandom(5).sample([...allQueries], allQueries.size);
  return { measuredQueries: shuffledQueries.slice(0, count), warmUpQueries: shuffledQueries.slice(count) };
}

/**
 * Tasks in which queries are typed letter by letter. `exact` has no typo tolerance. `shop` has typo tolerance, as in
 * the shop. `typo` has typo tolerance and one mistake per query.
 */
export const tasks = ["exact", "shop", "typo"] as const;
export type Task = (typeof tasks)[number];

/** Returns the text after each keystroke of the queries, by task. */
export function typedByTask(queries: readonly string[]): Readonly<Record<Task, readonly string[]>> {
  const prefixes = queries.flatMap(prefixesOf);
  return { exact: prefixes, shop: prefixes, typo: misspell(queries).flatMap(prefixesOf) };
}

/** Returns all prefixes of a text, one for each typed letter. */
export function prefixesOf(text: string): string[] {
  const letters = [...text];
  return letters.map((_, at) => letters.slice(0, at + 1).join(""));
}

/**
 * Adds one typing mistake to a word of each query. Queries without a long word that consists only of letters are not
 * changed.
 */
export function misspell(queries: readonly string[]): string[] {
  const random = createRandom(7);
  return queries.map((query) => misspellQuery(query, random));
}

function misspellQuery(query: string, random: Random): string {
  const words = query.split(" ");
  const editableIndexes = [...words.keys()].filter((wordIndex) => canEdit(words[wordIndex] ?? ""));
  if (editableIndexes.length === 0) return query;
  const wordIndex = random.pick(editableIndexes);
  return words.with(wordIndex, edit(words[wordIndex] ?? "", random.pick(editKinds), random)).join(" ");
}

/** Returns at most `count` evenly spaced items. */
export function takeEvenly<T>(items: readonly T[], count: number): T[] {
  const step = Math.max(1, items.length / count);
  return Array.from({ length: Math.min(count, items.length) }, (_, at) => items[Math.floor(at * step)] as T);
}
