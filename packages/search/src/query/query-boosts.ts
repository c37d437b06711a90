import type { DocumentBoosts, QueryBoost } from "../boosts.ts";
import { docIdOf, isDeleted, type LeafReader, partitionOf } from "../index/leaf.ts";
import { Collector } from "../scoring/collector.ts";
import { describedPoints, pointUnit, rarityOf, soleRarity } from "../scoring/score.ts";
import { Scorer } from "../scoring/scorer.ts";
import { TopK } from "../scoring/top-k.ts";
import type { Hit } from "../search-index.ts";
import type { RelaxationStep } from "./relaxation-step.ts";
import { costOf, type TermQuery } from "./term-query.ts";

interface Collected {
  readonly type: number;
  /** Number of hits needed from this step. */
  readonly needed: number;
  /** External ids of the hits of earlier steps. */
  readonly foundIds: ReadonlySet<number> | undefined;
}

/**
 * Adds boost points to documents that contain all words, including documents that are not among the hits.
 * @param hits best hits by words, best first
 */
export function boostForQuery(
  step: RelaxationStep,
  boosts: readonly QueryBoost[],
  collected: Collected,
  hits: readonly Hit[],
): readonly Hit[] {
  if (boosts.length === 0 || step.partial !== undefined) return hits;
  const { type, needed } = collected;
  const points = new Map<number, number>();
  for (const boost of boosts) points.set(boost.externalId, (points.get(boost.externalId) ?? 0) + scaled(boost.points));
  const boosted = new Map<number, Hit>();
  const scorers: Scorer[] = [];
  for (const [externalId, more] of points) {
    const score = scoreOne(step, scorers, collected, externalId, more);
    if (score !== undefined) boosted.set(externalId, { externalId, type, score, missing: 0 });
  }
  if (boosted.size === 0) return hits;
  return [...hits.filter(({ externalId }) => !boosted.has(externalId)), ...boosted.values()]
    .sort((one, other) => other.score - one.score || one.externalId - other.externalId)
    .slice(0, needed);
}

/**
 * Returns the score of a document, or undefined if the step does not find it.
 * @param scorers scorers by reader, created on first use
 * @param extraPoints points added to the score of the query
 */
function scoreOne(
  step: RelaxationStep,
  scorers: Scorer[],
  { type, foundIds }: Collected,
  externalId: number,
  more: number,
): number | undefined {
  const { context, counted, words, query } = step;
  const index = step.readers.findIndex(({ leaf, deleted }) => {
    const docId = docIdOf(leaf.documents, externalId);
    return docId >= 0 && !isDeleted(deleted, docId);
  });
  const reader = step.readers[index] as LeafReader | undefined;
  if (reader === undefined) return undefined;
  const { leaf } = reader;
  const docId = docIdOf(leaf.documents, externalId);
  const partition = partitionOf(leaf.documents, docId);
  if (partition.type !== type || (query.unavailable === "hide" && !partition.isAvailable)) return undefined;
  scorers[index] ??= new Scorer(context.scores, step.termQueries[index] as readonly TermQuery[], step.rarities);
  const scorer = scorers[index];
  const named = scorer.scorePrimary(leaf, docId, counted);
  const isNamed = named === words.length;
  if (!isNamed && named + scorer.scoreBody(leaf, docId, counted) < words.length) return undefined;
  const top = new TopK(1);
  new Collector(step, reader, partition, top, foundIds, new Map()).collect(
    docId,
    more + (isNamed ? 0 : describedPoints),
  );
  return top.take()[0]?.score;
}

/**
 * Returns the rarity of each word over all leaves, so that a document has the same score in any segment. For a word
 * without exact matches, all matches count.
 * @param termQueries term queries by reader and word
 * @param allowsMissingWords whether documents may lack words
 */
export function raritiesOf(
  readers: readonly LeafReader[],
  termQueries: readonly (readonly TermQuery[])[],
  mayLack = false,
): readonly number[] {
  const words = termQueries[0] ?? [];
  if (words.length === 1) return [soleRarity];
  let documents = 0;
  for (const { leaf } of readers) documents += leaf.documents.externalIds.length;
  return words.map((_, word) => {
    let [whole, all] = [0, 0];
    for (const ofReader of termQueries) {
      const termQuery = ofReader[word] as TermQuery;
      whole += termQuery.exactCost;
      all += costOf(termQuery, true);
    }
    return rarityOf(whole > 0 ? whole : all, documents, mayLack);
  });
}

/**
 * Number of the best hits by words that get points. It equals the length of champion lists, so that a one-word search
 * stays fast.
 */
export const boostedPlaces = 64;

/**
 * Adds boost points to hits and sorts them again.
 * @param hits hits with unscaled scores, best first
 * @param maxBoosted number of the first hits that can get points
 */
export function boostDocuments(hits: readonly Hit[], boosts: DocumentBoosts, places: number): readonly Hit[] {
  let isAny = false;
  const boosted = hits.map((hit, at) => {
    const points = at < places ? scaled(boosts.pointsOf(hit.externalId)) : 0;
    if (points === 0) return hit;
    isAny = true;
    return { ...hit, score: hit.score + points };
  });
  if (!isAny) return hits;
  return boosted.sort((one, other) => other.score - one.score || one.externalId - other.externalId);
}

/** Converts points to the integer unit of scores. */
export function scaled(points: number): number {
  return Math.round(points * pointUnit);
}
