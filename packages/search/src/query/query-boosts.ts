import type { DocumentBoosts, QueryBoost } from "../boosts.ts";
import { type Leaf, type LeafReader, partitionOf } from "../index/leaf.ts";
import { fieldMaskOf } from "../index/postings.ts";
import type { Schema } from "../schema.ts";
import { Collector } from "../scoring/collector.ts";
import { locateDocument } from "../scoring/compare-words.ts";
import { bodyOnlyScore, computeRarity, singleWordRarity, unitsPerPoint } from "../scoring/score.ts";
import type { Scorer } from "../scoring/scorer.ts";
import { TopK } from "../scoring/top-k.ts";
import type { SearchContext } from "../search-context.ts";
import type { Hit } from "../search-index.ts";
import { maxSampledPostings } from "./category-space.ts";
import { createScorer, type RelaxationStep } from "./relaxation-step.ts";
import { costOf, type TermQuery } from "./term-query.ts";

interface CollectedHits {
  readonly type: number;
  /** Number of hits needed from this search attempt. */
  readonly neededHitCount: number;
  /** External ids of the hits of earlier search attempts. */
  readonly foundIds: ReadonlySet<number> | undefined;
}

/**
 * Adds boost points to the scores of documents that contain all words, including documents that are not among the hits.
 * @param hits best text matches, best first
 */
export function addQueryBoosts(
  step: RelaxationStep,
  boosts: readonly QueryBoost[],
  collectedHits: CollectedHits,
  hits: readonly Hit[],
): readonly Hit[] {
  if (boosts.length === 0 || step.matchRules !== undefined) return hits;
  const { type, neededHitCount } = collectedHits;
  const scoresById = new Map<number, number>();
  for (const boost of boosts)
    scoresById.set(boost.externalId, (scoresById.get(boost.externalId) ?? 0) + toScoreUnits(boost.points));
  const boostedHits = new Map<number, Hit>();
  const scorers: Scorer[] = [];
  for (const [externalId, extraScore] of scoresById) {
    const score = scoreDocument(step, scorers, collectedHits, externalId, extraScore);
    if (score !== undefined) boostedHits.set(externalId, { externalId, type, score, missing: 0 });
  }
  if (boostedHits.size === 0) return hits;
  return [...hits.filter(({ externalId }) => !boostedHits.has(externalId)), ...boostedHits.values()]
    .sort((a, b) => b.score - a.score || a.externalId - b.externalId)
    .slice(0, neededHitCount);
}

/**
 * Returns the score of a document, or undefined if the search attempt does not find it.
 * @param scorers scorers by reader, created on first use
 * @param extraScore boost points of the document
 */
function scoreDocument(
  step: RelaxationStep,
  scorers: Scorer[],
  { type, foundIds }: CollectedHits,
  externalId: number,
  extraScore: number,
): number | undefined {
  const { fieldScores, words, query } = step;
  const location = locateDocument(step.readers, externalId);
  if (location === undefined) return undefined;
  const { readerIndex, reader, docId } = location;
  const { leaf } = reader;
  const partition = partitionOf(leaf.documents, docId);
  if (partition.type !== type || (query.unavailable === "hide" && !partition.isAvailable)) return undefined;
  scorers[readerIndex] ??= createScorer(step, readerIndex);
  const scorer = scorers[readerIndex];
  const primaryWordCount = scorer.scorePrimaryFields(leaf, docId, fieldScores);
  const isPrimaryMatch = primaryWordCount === words.length;
  if (!isPrimaryMatch && primaryWordCount + scorer.scoreBody(leaf, docId, fieldScores) < words.length) return undefined;
  const bestHit = new TopK(1);
  new Collector(step, reader, partition, bestHit, foundIds, new Map()).collectScoredDoc(
    docId,
    extraScore + (isPrimaryMatch ? 0 : bodyOnlyScore),
  );
  return bestHit.take()[0]?.score;
}

/**
 * Returns the rarity of each word over all segments, so that a document has the same score in any segment. For a word
 * without exact matches, all matches count.
 * @param termQueries matches of each word, by reader and word
 * @param allowsMissingWords whether documents may lack words
 */
export function computeRarities(
  readers: readonly LeafReader[],
  termQueries: readonly (readonly TermQuery[])[],
  allowsMissingWords = false,
): readonly number[] {
  const words = termQueries[0] ?? [];
  if (words.length === 1) return [singleWordRarity];
  let documents = 0;
  for (const { leaf } of readers) documents += leaf.documents.externalIds.length;
  return words.map((_, word) => {
    let [exactCount, matchCount] = [0, 0];
    for (const readerQueries of termQueries) {
      const termQuery = readerQueries[word] as TermQuery;
      exactCount += termQuery.exactCost;
      matchCount += costOf(termQuery, true);
    }
    return computeRarity(exactCount > 0 ? exactCount : matchCount, documents, allowsMissingWords);
  });
}

/**
 * Returns whether most postings of a word, except those of the body, are in fields of kind `phrase`: the word usually
 * names a vendor or a type. At most `maxSampledPostings` per segment and language are read.
 */
export function isNameWord(
  context: SearchContext,
  readers: readonly LeafReader[],
  termQueries: readonly (readonly TermQuery[])[],
  word: number,
): boolean {
  const balances = readers.map(({ leaf }, reader) => {
    const termQuery = (termQueries[reader] as readonly TermQuery[])[word] as TermQuery;
    const createBalance = () => computeNameBalance(context.schema, leaf, termQuery);
    return context.getLeafCache(leaf).nameBalances.get(termQuery, () => 1, createBalance);
  });
  return balances.reduce((sum, balance) => sum + balance, 0) > 0;
}

/** Returns the number of a word's postings in fields of kind `phrase`, less that of its other postings. */
function computeNameBalance({ fields }: Schema, leaf: Leaf, { outerRanges, primaryCost }: TermQuery): number {
  const nameFields = fields.reduce((mask, { kind }, field) => (kind === "phrase" ? mask | (1 << field) : mask), 0);
  const { starts, payloads } = leaf.primary.postings;
  const stride = Math.ceil(primaryCost / maxSampledPostings);
  let balance = 0;
  for (const { low, high } of outerRanges)
    for (let posting = starts[low] as number; posting < (starts[high] as number); posting += stride)
      balance += (fieldMaskOf(payloads[posting] as number) & nameFields) === 0 ? -stride : stride;
  return balance;
}

/**
 * Maximum number of hits that get boost points. Only the best text matches get them. The index lists this many best
 * documents of each frequent word, so that a one-word search stays fast.
 */
export const maxBoostedHits = 64;

/**
 * Adds boost points to hits and sorts them again.
 * @param hits hits with scores in the internal integer unit, best first
 * @param maxBoostCount maximum number of hits that get points, from the first hit on
 */
export function boostDocuments(
  hits: readonly Hit[],
  boosts: readonly DocumentBoosts[],
  maxBoostCount: number,
): readonly Hit[] {
  if (boosts.length === 0) return hits;
  let hasScore = false;
  const boostedHits = hits.map((hit, index) => {
    if (index >= maxBoostCount) return hit;
    const boostScore = boosts.reduce((sum, { pointsOf }) => sum + toScoreUnits(pointsOf(hit.externalId)), 0);
    if (boostScore === 0) return hit;
    hasScore = true;
    return { ...hit, score: hit.score + boostScore };
  });
  if (!hasScore) return hits;
  return boostedHits.sort((a, b) => b.score - a.score || a.externalId - b.externalId);
}

/** Converts points to the integer unit of scores. */
export function toScoreUnits(boostPoints: number): number {
  return Math.round(boostPoints * unitsPerPoint);
}
