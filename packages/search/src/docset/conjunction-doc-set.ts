import type { LeafReader, Partition } from "../index/leaf.ts";
import type { RelaxationStep } from "../query/relaxation-step.ts";
import type { TermQuery } from "../query/term-query.ts";
import type { Collector } from "../scoring/collector.ts";
import { describedPoints } from "../scoring/score.ts";
import { Scorer } from "../scoring/scorer.ts";
import type { BitSet } from "./bit-set.ts";
import { conjunctionFilters } from "./filter-cache.ts";
import { isLacking, noteLacking, primaryConjunction } from "./intersection-cache.ts";
import { eachDocId } from "./iterator.ts";

/** The documents that contain all words of a query. */
export class ConjunctionDocSet {
  readonly #step: RelaxationStep;
  readonly #scorers: Scorer[] = [];
  /**
   * Filters of each reader: even entries for primary fields, odd entries for all fields. An empty list means that no
   * document contains all words.
   */
  readonly #sets: (readonly BitSet[])[] = [];

  constructor(step: RelaxationStep) {
    this.#step = step;
  }

  /**
   * Calls `isEnough` with doc ids of a partition in ascending order until it returns true. Each document is scored
   * before the call (see `SearchContext.scores`).
   * @param readerIndex index in `step.readers`
   * @param withBody whether to find documents with a word only in the body, instead of documents with all words in
   * primary fields
   * @param expected probable number of doc ids needed
   */
  each(
    readerIndex: number,
    partition: Partition,
    withBody: boolean,
    expected: number,
    isEnough: (docId: number) => boolean,
  ): void {
    const { context, counted, termQueries, readers, rarities } = this.#step;
    if (withBody && counted.body === 0) return;
    const reader = readers[readerIndex] as LeafReader;
    const { leaf } = reader;
    const ofReader = termQueries[readerIndex] as readonly TermQuery[];
    if (withBody && isLacking(context, reader, partition, ofReader)) return;
    const at = readerIndex * 2 + (withBody ? 1 : 0);
    this.#sets[at] ??= withBody
      ? conjunctionFilters(context, leaf, ofReader)
      : primaryConjunction(context, reader, ofReader);
    const sets = this.#sets[at];
    if (sets.length === 0) return;
    this.#scorers[readerIndex] ??= new Scorer(context.scores, ofReader, rarities);
    const scorer = this.#scorers[readerIndex];
    let isStopped = false;
    eachDocId(context, sets, reader, partition, expected, (docId) => {
      if (!holdsTyped(this.#step, readerIndex, docId)) return false;
      let matchCount = scorer.scorePrimary(leaf, docId, counted);
      const isNamed = matchCount === ofReader.length;
      if (withBody && !isNamed) matchCount += scorer.scoreBody(leaf, docId, counted);
      if (matchCount < ofReader.length) return false;
      isStopped = true;
      return isNamed !== withBody && isEnough(docId);
    });
    if (withBody && !isStopped && counted.isAll && ofReader.length > 1)
      noteLacking(context, reader, partition, ofReader);
  }

  /** Collects the best documents of a partition (see `DocSet`). */
  collect(
    readerIndex: number,
    partition: Partition,
    withBody: boolean,
    most: number,
    _wanted: number,
    collector: Collector,
  ): void {
    let left = most;
    this.each(readerIndex, partition, withBody, most, (docId) => {
      collector.collect(docId, withBody ? describedPoints : 0);
      left -= 1;
      return left <= 0 && collector.isFull;
    });
  }
}

/**
 * Returns whether a document contains as many exact words as the step requires. Overwrites the scores of the previous
 * document.
 */
export function holdsTyped(
  { typedSome, context, counted, readers }: RelaxationStep,
  readerIndex: number,
  docId: number,
): boolean {
  if (typedSome === undefined) return true;
  const termQueries = typedSome.termQueries[readerIndex] as readonly TermQuery[];
  const { leaf } = readers[readerIndex] as LeafReader;
  return new Scorer(context.scores, termQueries).scorePrimary(leaf, docId, counted) >= typedSome.count;
}
