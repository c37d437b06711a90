import type { LeafReader, Partition } from "../index/leaf.ts";
import { createScorer, type RelaxationStep } from "../query/relaxation-step.ts";
import type { TermQuery } from "../query/term-query.ts";
import type { Collector } from "../scoring/collector.ts";
import { bodyOnlyScore } from "../scoring/score.ts";
import { Scorer } from "../scoring/scorer.ts";
import type { BitSet } from "./bit-set.ts";
import { findConjunctionFilters } from "./filter-cache.ts";
import { findPrimaryConjunction, hasNoMatch, rememberNoMatch } from "./intersection-cache.ts";
import { forEachDocId } from "./iterator.ts";

/** The documents that contain all words of a query. */
export class ConjunctionDocSet {
  readonly #relaxationStep: RelaxationStep;
  readonly #scorers: Scorer[] = [];
  /**
   * Bit sets whose intersection contains all matches. Entry 2n covers the primary fields (all fields except the body)
   * of leaf n, which has the documents of one language in a segment. Entry 2n + 1 covers all fields of that leaf. An
   * empty entry means that no document contains all words.
   */
  readonly #sets: (readonly BitSet[])[] = [];

  constructor(step: RelaxationStep) {
    this.#relaxationStep = step;
  }

  /**
   * Scores the matching documents of a partition (the documents of one type that are all available or all unavailable)
   * in ascending order of document id. Passes each document id to `hasEnoughHits` until it returns true.
   * @param readerIndex index in `step.readers`
   * @param searchesBody true for documents that have a word only in the body field; false for documents that have all words
   * in primary fields
   * @param expectedCount estimated number of documents needed
   */
  visit(
    readerIndex: number,
    partition: Partition,
    searchesBody: boolean,
    expectedCount: number,
    hasEnoughHits: (docId: number) => boolean,
  ): void {
    const { context, fieldScores, termQueries, readers } = this.#relaxationStep;
    if (searchesBody && fieldScores.body === 0) return;
    const reader = readers[readerIndex] as LeafReader;
    const { leaf } = reader;
    const readerQueries = termQueries[readerIndex] as readonly TermQuery[];
    if (searchesBody && hasNoMatch(context, reader, partition, readerQueries)) return;
    const bitSetIndex = readerIndex * 2 + (searchesBody ? 1 : 0);
    this.#sets[bitSetIndex] ??= searchesBody
      ? findConjunctionFilters(context, leaf, readerQueries)
      : findPrimaryConjunction(context, reader, readerQueries);
    const sets = this.#sets[bitSetIndex];
    if (sets.length === 0) return;
    this.#scorers[readerIndex] ??= createScorer(this.#relaxationStep, readerIndex);
    const scorer = this.#scorers[readerIndex];
    const hasRequiredWords = createExactWordCheck(this.#relaxationStep, readerIndex);
    let hasMatch = false;
    forEachDocId(context, sets, reader, partition, expectedCount, (docId) => {
      if (hasRequiredWords?.(docId) === false) return false;
      let matchCount = scorer.scorePrimaryFields(leaf, docId, fieldScores);
      const isPrimaryMatch = matchCount === readerQueries.length;
      if (searchesBody && !isPrimaryMatch) matchCount += scorer.scoreBody(leaf, docId, fieldScores);
      if (matchCount < readerQueries.length) return false;
      hasMatch = true;
      return isPrimaryMatch !== searchesBody && hasEnoughHits(docId);
    });
    if (searchesBody && !hasMatch && fieldScores.includesAllFields && readerQueries.length > 1)
      rememberNoMatch(context, reader, partition, readerQueries);
  }

  /** Adds the best matching documents of a partition to `collector`. The parameters are those of `DocSet.collect`. */
  collect(
    readerIndex: number,
    partition: Partition,
    searchesBody: boolean,
    maxReadDocuments: number,
    _neededHits: number,
    collector: Collector,
  ): void {
    let remainingCount = maxReadDocuments;
    this.visit(readerIndex, partition, searchesBody, maxReadDocuments, (docId) => {
      collector.collectScoredDoc(docId, searchesBody ? bodyOnlyScore : 0);
      remainingCount -= 1;
      return remainingCount <= 0 && collector.isFull;
    });
  }
}

/**
 * Returns a function that reports whether a document of a leaf contains enough words exactly as they were typed;
 * undefined if no words are required. The function overwrites the scores of the previous document.
 */
export function createExactWordCheck(
  { exactWordRequirement, context, fieldScores, readers }: RelaxationStep,
  readerIndex: number,
): ((docId: number) => boolean) | undefined {
  if (exactWordRequirement === undefined) return undefined;
  const { leaf } = readers[readerIndex] as LeafReader;
  const scorer = new Scorer(context.scores, exactWordRequirement.termQueries[readerIndex] as readonly TermQuery[]);
  return (docId) => scorer.scorePrimaryFields(leaf, docId, fieldScores) >= exactWordRequirement.count;
}
