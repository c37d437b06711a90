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
  /** Hits wanted of this step. */
  readonly needed: number;
  /** External ids that an earlier step has found. */
  readonly foundIds: ReadonlySet<number> | undefined;
}

/** Adds points to documents that contain all words, including documents that were not among the hits.
 *  @param hits the best by words, best first */
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
 * Score of a document that the step finds and shows.
 * @param scorers by reader, created here
 * @param more points in addition to those of the query
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
 * By word: its rarity over all leaves, so that a document scores the same in any segment. For a word without exact
 * matches, all matches count.
 * @param termQueries by reader, by word
 * @param mayLack whether documents may lack words
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
 * Number of the best hits by words that get points: the length of champion lists, so that a search of one word costs no
 * more.
 */
export const boostedPlaces = 64;

/** Adds points to hits and sorts them again. @param hits best first, with unscaled scores  @param places how many of them can get points */
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

/** Points in the unit of scores, which are integers. */
export function scaled(points: number): number {
  return Math.round(points * pointUnit);
}
