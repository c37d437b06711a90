import { readTitles } from "../../../../bench/flat-documents.ts";
import { createRandom } from "../../../../bench/random.ts";
import { prefixesOf } from "../keystrokes-typed.ts";
import type { Answer, EngineName, EngineQuery } from "../run-engine.ts";
import { contentWords, WordIndex } from "./content-words.ts";
import type { JudgedQuery } from "./judged.ts";
import { bpref, condensedNdcg10, countForbiddenAbove, ndcg10, recall } from "./metrics.ts";
import { answersOf } from "./peer-answers.ts";
import { documentsOf, type JudgedSet, localeOf } from "./sets.ts";

/** Number of requested results for metrics that use more than the first ten. */
const maxResults = 100;
/** Maximum number of queries per query set that are typed letter by letter. */
const typedQueryCount = 200;
/** Number of suggestions visible without scrolling. */
const visibleCount = 4;

/** Metrics of an engine's results for one query. */
export interface Figures {
  readonly ndcg: number;
  readonly condensed: number;
  readonly bpref: number;
  readonly recall: number;
  /** 1 if fewer than ten products are returned although ten documents contain a word of the query, otherwise 0. */
  readonly short: number;
  /** Number of forbidden products (grade below 0) among the first ten that rank above a relevant product. */
  readonly forbidden: number;
  /**
   * Number of typed letters until a relevant product is visible, or the length of the query + 1 if none becomes
   * visible. Undefined if the query was not typed letter by letter.
   */
  readonly letters?: number;
  /** Share of the query's letters that need not be typed until a relevant product is visible, from 0 to 1. */
  readonly saved?: number;
}

/** A judged query set whose documents and judgments are loaded, so that any engine can run it. */
export interface PreparedSet {
  readonly set: JudgedSet;
  readonly queries: readonly JudgedQuery[];
  readonly documents: string;
  /** Product ids by document number. */
  readonly keys: readonly string[];
  readonly titles: readonly string[];
  readonly wordIndex: WordIndex;
  /** Indices in `queries` of the queries that are typed letter by letter. */
  readonly typedIndexes: readonly number[];
}

/**
 * Reads the documents and judgments of a query set.  @param isTyped whether some queries are also typed letter by
 * letter
 */
export async function prepareJudgedSet(set: JudgedSet, isTyped: boolean): Promise<PreparedSet> {
  const documents = await documentsOf(set);
  const { keys, titles } = readTitles(documents);
  const queries = set.queries();
  const words = new WordIndex(documents, new Set(queries.flatMap(({ query }) => contentWords(query))));
  const typed = isTyped ? createRandom(14).sample([...queries.keys()], typedQueryCount) : [];
  return { set, queries, documents, keys, titles, wordIndex: words, typedIndexes: typed };
}

/**
 * Runs an engine on all queries of a set.
 * @returns metrics of each query
 */
export function runJudgedSet(prepared: PreparedSet, name: EngineName): readonly Figures[] {
  const { set, queries, documents, typedIndexes: typed } = prepared;
  const ask = (text: string, limit: number, task: EngineQuery["task"] = "whole"): EngineQuery => ({
    task,
    text,
    limit,
  });
  const prefixesByQuery = typed.map((at) => prefixesOf(queries[at]?.query ?? ""));
  // The first ten results of Vitrine may depend on the number of requested results, so it is also asked for ten.
  const needsFirstTen = name === "vitrine";
  const asks = [
    ...queries.map(({ query }) => ask(query, maxResults)),
    ...(needsFirstTen ? queries.map(({ query }) => ask(query, 10)) : []),
    ...prefixesByQuery.flat().map((text) => ask(text, visibleCount, "typo")),
  ];
  const answers = answersOf(name, { documents, locale: localeOf(set), engineQueries: asks });
  const deepAnswers = answers.slice(0, queries.length);
  const firstTen = needsFirstTen ? answers.slice(queries.length, 2 * queries.length) : deepAnswers;
  let from = answers.length - prefixesByQuery.flat().length;
  const figures = queries.map((query, at) => computeMetrics(prepared, query, firstTen[at], deepAnswers[at]));
  typed.forEach((at, turn) => {
    const prefixAnswers = answers.slice(from, from + (prefixesByQuery[turn]?.length ?? 0));
    from += prefixAnswers.length;
    const query = queries[at];
    const queryFigures = figures[at];
    if (query !== undefined && queryFigures !== undefined)
      figures[at] = { ...queryFigures, ...typedFigures(prepared, query, prefixAnswers) };
  });
  return figures;
}

function computeMetrics(
  { set, keys, wordIndex: words }: PreparedSet,
  { query, grades }: JudgedQuery,
  firstTen: Answer | undefined,
  deepAnswers: Answer | undefined,
): Figures {
  const firstTenHits = (firstTen?.hits ?? []).slice(0, 10);
  const ids = firstTenHits.map((number) => keys[number] ?? "");
  const deepIds = (deepAnswers?.hits ?? []).map((number) => keys[number] ?? "");
  const isShort = firstTenHits.length < 10 && words.documentsWithAny(contentWords(query)).size >= 10;
  return {
    ndcg: ndcg10(ids, grades),
    condensed: set.isComplete ? ndcg10(ids, grades) : condensedNdcg10(deepIds, grades),
    bpref: bpref(deepIds, grades, set.relevantFrom, set.isComplete, keys.length),
    recall: recall(deepIds, grades, maxResults, set.relevantFrom),
    short: isShort ? 1 : 0,
    forbidden: countForbiddenAbove(ids, grades),
  };
}

function typedFigures(
  { set, keys }: PreparedSet,
  { query, grades }: JudgedQuery,
  answers: readonly Answer[],
): Required<Pick<Figures, "letters" | "saved">> {
  const isRelevant = (number: number): boolean => (grades.get(keys[number] ?? "") ?? 0) >= set.relevantFrom;
  const foundIndex = answers.findIndex(({ hits }) => hits.slice(0, visibleCount).some(isRelevant));
  const length = [...query].length;
  return foundIndex < 0
    ? { letters: length + 1, saved: 0 }
    : { letters: foundIndex + 1, saved: 1 - (foundIndex + 1) / length };
}
