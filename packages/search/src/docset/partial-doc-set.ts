import type { LeafReader, Partition } from "../index/leaf.ts";
import { createScorer, type PartialMatching, type RelaxationStep } from "../query/relaxation-step.ts";
import { costOf, type TermQuery } from "../query/term-query.ts";
import { type Candidates, maxCandidates } from "../scoring/candidates.ts";
import type { Collector } from "../scoring/collector.ts";
import { bodyOnlyScore, matchBoosts } from "../scoring/score.ts";
import type { Scorer, TermScores } from "../scoring/scorer.ts";
import { type BitSet, type BitSets, batchLength } from "./bit-set.ts";
import { type WeightedWord, type WordCombination, WordCombinations } from "./evidence-levels.ts";
import { findDeletedDocuments, getFilterSet } from "./filter-cache.ts";
import { forEachDocId, prefetch } from "./iterator.ts";

/**
 * The documents that contain some words of a query. Documents whose words have the greatest total weight come first.
 * Documents with the same words are in order of static rank.
 */
export class PartialDocSet {
  readonly #relaxationStep: RelaxationStep;
  readonly #partialMatching: PartialMatching;
  readonly #scorers: Scorer[] = [];
  /**
   * Combinations of query words, with the documents that contain them. Entry 2n covers the primary fields (all fields
   * except the body) of leaf n, which has the documents of one language in a segment. Entry 2n + 1 covers all fields of
   * that leaf.
   */
  readonly #wordCombinations: WordCombinations[] = [];
  // State of the current call of `collect`: how many documents it may still read, and whether it has found enough.
  #remainingReads = 0;
  #hasEnoughHits = false;

  constructor(step: RelaxationStep, matchRules: PartialMatching) {
    this.#relaxationStep = step;
    this.#partialMatching = matchRules;
  }

  /**
   * Adds the best matching documents of a partition to `collector`. The parameters are those of `DocSet.collect`.
   * @param searchesBody true for documents that match only because of words in the body field, false for the other
   * documents
   */
  collect(
    readerIndex: number,
    partition: Partition,
    searchesBody: boolean,
    maxReadDocuments: number,
    neededHitCount: number,
    collector: Collector,
  ): void {
    const { context, fieldScores, readers } = this.#relaxationStep;
    if (searchesBody && fieldScores.body === 0) return;
    const reader = readers[readerIndex] as LeafReader;
    const wordCombinations = this.#getCombinations(readerIndex, reader, searchesBody);
    this.#scorers[readerIndex] ??= createScorer(this.#relaxationStep, readerIndex);
    const scorer = this.#scorers[readerIndex];
    const visitedDocIds = wordCombinations.isDisjoint ? undefined : new Set<number>();
    // If all fields are searched, every document in the sets of the primary fields (all except the body) matches.
    const isMatchCertain = fieldScores.includesAllFields && !searchesBody;
    this.#remainingReads = maxReadDocuments;
    this.#hasEnoughHits = false;
    for (let index = 0; !this.#hasEnoughHits; index += 1) {
      const wordCombination = wordCombinations.level(index);
      if (wordCombination === undefined) return;
      let remainingPartition = partition;
      if (
        isMatchCertain &&
        visitedDocIds === undefined &&
        this.#remainingReads > neededHitCount &&
        this.#remainingReads <= maxCandidates
      ) {
        const end = this.#gatherCandidates(
          context.candidates,
          wordCombination,
          reader,
          partition,
          this.#remainingReads,
        );
        this.#remainingReads -= context.candidates.length;
        if (context.candidates.length > 0) this.#collectCandidates(readerIndex, wordCombination, scorer, collector);
        if (end === partition.to) continue;
        if (collector.isFull) return;
        remainingPartition = { ...partition, from: end };
      }
      this.#collectOneByOne(readerIndex, wordCombination, remainingPartition, {
        includesBody: searchesBody,
        isMatchCertain,
        visitedDocIds,
        scorer,
        collector,
      });
    }
  }

  /** Scores the documents that contain a combination of query words one by one, until enough are collected. */
  #collectOneByOne(
    readerIndex: number,
    { sets, excludedSets, excludedWordMask }: WordCombination,
    partition: Partition,
    { includesBody: searchesBody, isMatchCertain, visitedDocIds, scorer, collector }: DocumentScanOptions,
  ): void {
    const { context, fieldScores, readers } = this.#relaxationStep;
    const reader = readers[readerIndex] as LeafReader;
    forEachDocId(context, sets, reader, partition, Math.max(1, this.#remainingReads), (docId) => {
      if (isInAnySet(context.bitSets, excludedSets, docId) || visitedDocIds?.has(docId)) return false;
      visitedDocIds?.add(docId);
      scorer.scorePrimaryFields(reader.leaf, docId, fieldScores, ~excludedWordMask);
      const isPrimaryMatch = isMatchCertain || this.#hasSufficientWords();
      if (isPrimaryMatch === searchesBody) return false;
      scorer.scoreBody(reader.leaf, docId, fieldScores);
      // If only some fields are searched, the words may be in fields that are not searched.
      if (!isPrimaryMatch && !this.#hasSufficientWords()) return false;
      collector.collectScoredDoc(docId, searchesBody ? bodyOnlyScore : 0);
      this.#remainingReads -= 1;
      this.#hasEnoughHits = this.#remainingReads <= 0 && collector.isFull;
      return this.#hasEnoughHits;
    });
  }

  /**
   * Replaces the contents of `candidates` with the first documents that contain a combination of query words.
   * @param maxCount maximum number of candidates
   * @returns first document id that was not examined
   */
  #gatherCandidates(
    candidates: Candidates,
    { sets, excludedSets }: WordCombination,
    reader: LeafReader,
    { from, to }: Partition,
    maxCount: number,
  ): number {
    const { bitSets, batch } = this.#relaxationStep.context;
    const deletedDocuments = findDeletedDocuments(this.#relaxationStep.context, reader);
    candidates.clear();
    let nextDocId = from;
    while (candidates.length < maxCount && nextDocId < to) {
      const batchSize = Math.min(batchLength, maxCount - candidates.length);
      const count = bitSets.findDocIds(sets, deletedDocuments, nextDocId, to, batch, batchSize);
      for (let entry = 0; entry < count; entry += 1) {
        const docId = bitSets.docIdAt(batch, entry);
        nextDocId = docId + 1;
        if (!isInAnySet(bitSets, excludedSets, docId)) candidates.push(docId);
      }
      if (count < batchSize) return to;
    }
    return nextDocId;
  }

  /** Scores the candidates that may be among the best documents. */
  #collectCandidates(
    readerIndex: number,
    { excludedWordMask }: WordCombination,
    scorer: Scorer,
    collector: Collector,
  ): void {
    const { context, fieldScores, readers, words } = this.#relaxationStep;
    const { candidates, scores, prefetchChecksum } = context;
    const { docIds } = candidates;
    const { leaf } = readers[readerIndex] as LeafReader;
    const termQueries = this.#relaxationStep.termQueries[readerIndex] as readonly TermQuery[];
    if (!candidates.computeBounds(this.#relaxationStep, leaf, termQueries, ~excludedWordMask)) {
      prefetch(leaf, docIds, 0, candidates.length, prefetchChecksum);
      for (let candidate = 0; candidate < candidates.length; candidate += 1) {
        const docId = docIds[candidate] as number;
        scorer.scorePrimaryFields(leaf, docId, fieldScores, ~excludedWordMask);
        scorer.scoreBody(leaf, docId, fieldScores);
        collector.collectScoredDoc(docId, 0);
      }
      return;
    }
    for (let candidate = 0; candidate < candidates.length; candidate += 1) {
      if (candidates.getScoreBound(candidate) < collector.floor()) continue;
      const docId = docIds[candidate] as number;
      candidates.copyTermScores(candidate, scores, words.length);
      scorer.scoreBody(leaf, docId, fieldScores);
      collector.collectScoredDoc(docId, 0);
    }
  }

  #getCombinations(readerIndex: number, reader: LeafReader, searchesBody: boolean): WordCombinations {
    const indexInCache = readerIndex * 2 + (searchesBody ? 1 : 0);
    const cachedCombinations = this.#wordCombinations[indexInCache];
    if (cachedCombinations !== undefined) return cachedCombinations;
    const { context, termQueries, rarities, words: queryWords } = this.#relaxationStep;
    const { sufficientMasks, isFunctionWord } = this.#partialMatching;
    const words: WeightedWord[] = [];
    (termQueries[readerIndex] as readonly TermQuery[]).forEach((termQuery, word) => {
      if (isFunctionWord[word] || costOf(termQuery, searchesBody) === 0) return;
      const set = getFilterSet(context, reader.leaf, termQuery, searchesBody);
      // The number and the unit of a quantity match one term, so each counts in part, as in the score.
      const share = queryWords[word]?.isQuantityPart ? matchBoosts.quantity / 100 : 1;
      words.push({ set, weight: (rarities[word] as number) * share, wordBit: 1 << word });
    });
    const wordCombinations = new WordCombinations(
      context.bitSets,
      words,
      sufficientMasks,
      findDeletedDocuments(context, reader),
    );
    this.#wordCombinations[indexInCache] = wordCombinations;
    return wordCombinations;
  }

  #hasSufficientWords(): boolean {
    return hasEnoughWords(this.#partialMatching, this.#relaxationStep.context.scores);
  }
}

/** Parameters for reading the documents that contain a combination of query words. */
interface DocumentScanOptions {
  readonly includesBody: boolean;
  /** Whether all documents that contain the combination are known to match the query. */
  readonly isMatchCertain: boolean;
  /** Ids of the documents that were already read. Undefined if no document belongs to two combinations of words. */
  readonly visitedDocIds: Set<number> | undefined;
  readonly scorer: Scorer;
  readonly collector: Collector;
}

function isInAnySet(bitSets: BitSets, sets: readonly BitSet[], docId: number): boolean {
  for (let index = 0; index < sets.length; index += 1) if (bitSets.has(sets[index] as BitSet, docId)) return true;
  return false;
}

/** Returns whether the last scored document contains enough words to be a result. */
export function hasEnoughWords({ sufficientMasks, isFunctionWord }: PartialMatching, { points }: TermScores): boolean {
  let matchedWords = 0;
  for (let word = 0; word < isFunctionWord.length; word += 1)
    if ((points[word] as number) > 0) matchedWords |= 1 << word;
  for (const sufficientWordMask of sufficientMasks)
    if ((matchedWords & sufficientWordMask) === sufficientWordMask) return true;
  return false;
}
