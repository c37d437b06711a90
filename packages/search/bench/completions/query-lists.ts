import type { CatalogueName } from "../../../../bench/catalogs.ts";
import { readTitles } from "../../../../bench/flat-documents.ts";
import { createRandom } from "../../../../bench/random.ts";
import { collectWords } from "../../src/analysis/languages/registry.ts";
import { readJudgments, readQueryTable } from "../relevance/judged.ts";

/** A list of queries, and the catalog for which they are typed. */
export interface QueryList {
  readonly catalogue: CatalogueName;
  /** Returns the queries.  @param documents path of the file with the catalog's documents */
  readonly readQueries: (documents: string) => readonly string[];
}

/** Number of queries generated from a catalog's titles. */
const titleQueryCount = 200;
/** Minimum number of words of a generated query. */
const minWords = 2;
const maxWords = 5;
/** Maximum number of words that are used from the start of a title. */
const maxTitleWords = 8;

export const lists = {
  wands: { catalogue: "products-100k", readQueries: () => readQueryTable("wands").map(([, query = ""]) => query) },
  esci: { catalogue: "products-100k", readQueries: () => readQueryTable("esci").map(([query = ""]) => query) },
  "icecat-judged": {
    catalogue: "icecat-19k",
    readQueries: () => readJudgments().map(({ query }) => query),
  },
  "dm-de-titles": { catalogue: "dm-de-18k", readQueries: (documents) => wordsOfTitles(documents, titleQueryCount) },
  "bestbuy-titles": { catalogue: "bestbuy-3k", readQueries: (documents) => wordsOfTitles(documents, titleQueryCount) },
  "fashion-titles": {
    catalogue: "fashion-styles-44k",
    readQueries: (documents) => wordsOfTitles(documents, titleQueryCount),
  },
} as const satisfies Readonly<Record<string, QueryList>>;
export type ListName = keyof typeof lists;

export function isListName(name: string): name is ListName {
  return Object.hasOwn(lists, name);
}

/** Returns the queries of a list, without duplicates. */
export function readList(name: ListName, documents: string): readonly string[] {
  return [...new Set(lists[name].readQueries(documents).map((query) => query.trim()))].filter((query) => query !== "");
}

/**
 * Generates queries from random titles. Each query has some words of a title in their order, as a shopper who knows the
 * product would type them. The words are in lower case, consist of letters and do not repeat. The last one is not a
 * function word.
 * @param documents path of the documents file
 * @param count number of queries; fewer if there are not enough titles
 */
export function wordsOfTitles(documents: string, count: number): string[] {
  const random = createRandom(11);
  const { titles } = readTitles(documents);
  const queries: string[] = [];
  for (const title of random.sample(titles, titles.length)) {
    if (queries.length === count) break;
    const words = title.toLowerCase().match(/(?<!\S)\p{L}[\p{L}\p{M}'’-]{2,}(?=[,;:)]*(?:\s|$))/gu) ?? [];
    const sampledWords = [...new Set(words)].slice(0, maxTitleWords).filter(() => random.below(3) > 0);
    const query = sampledWords.slice(0, maxWords);
    while (functionWords.has(query.at(-1) ?? "")) query.pop();
    if (query.length >= minWords) queries.push(query.join(" "));
  }
  return queries;
}

const functionWords = collectWords((language) => language.fillers);
