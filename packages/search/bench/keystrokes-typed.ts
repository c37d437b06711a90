import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createRandom, type Random } from "../../../bench/random.ts";
import { dataFolder } from "../../../bench/store.ts";
import { canEdit, edit, editKinds } from "./relevance/edits.ts";

/** Returns queries that shoppers typed in two shops, split randomly into measured queries and warm-up queries. */
export function realQueries(count: number): {
  readonly measured: readonly string[];
  readonly others: readonly string[];
} {
  const read = (file: string, column: number): string[] =>
    readFileSync(join(dataFolder(), "queries", file), "utf8")
      .trim()
      .split("\n")
      .slice(1)
      .map((line) => line.split("\t")[column]?.trim() ?? "");
  const all = new Set([...read("wands-480-queries.tsv", 1), ...read("esci-us-queries.tsv", 0)]);
  all.delete("");
  const sampled = createRandom(5).sample([...all], all.size);
  return { measured: sampled.slice(0, count), others: sampled.slice(count) };
}

/**
 * Tasks, typed letter by letter: `exact` without typo tolerance; `shop` with typo tolerance, as in the shop; `typo`
 * with typo tolerance and one mistake per query.
 */
export const tasks = ["exact", "shop", "typo"] as const;
export type Task = (typeof tasks)[number];

/** Returns the keystrokes of queries, by task. */
export function typedByTask(queries: readonly string[]): Readonly<Record<Task, readonly string[]>> {
  const asTyped = keystrokes(queries);
  return { exact: asTyped, shop: asTyped, typo: keystrokes(misspell(queries)) };
}

/** Returns all prefixes of each query. */
export function keystrokes(queries: readonly string[]): string[] {
  return queries.flatMap((query) => {
    const letters = [...query];
    return letters.map((_, at) => letters.slice(0, at + 1).join(""));
  });
}

/** Adds one mistake to each query, in a long enough word of letters. Queries without such a word stay unchanged. */
export function misspell(queries: readonly string[]): string[] {
  const random = createRandom(7);
  return queries.map((query) => misspellOne(query, random));
}

function misspellOne(query: string, random: Random): string {
  const words = query.split(" ");
  const places = [...words.keys()].filter((place) => canEdit(words[place] ?? ""));
  if (places.length === 0) return query;
  const place = random.pick(places);
  return words.with(place, edit(words[place] ?? "", random.pick(editKinds), random)).join(" ");
}

/** Returns at most `count` evenly spaced items. */
export function thin<T>(all: readonly T[], count: number): T[] {
  const step = Math.max(1, all.length / count);
  return Array.from({ length: Math.min(count, all.length) }, (_, at) => all[Math.floor(at * step)] as T);
}
