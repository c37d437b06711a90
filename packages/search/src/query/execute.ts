import type { DocumentBoosts, QueryBoost } from "../boosts.ts";
import { ConjunctionDocSet } from "../docset/conjunction-doc-set.ts";
import { PartialDocSet } from "../docset/partial-doc-set.ts";
import type { LeafReader, Partition } from "../index/leaf.ts";
import { Collector } from "../scoring/collector.ts";
import { compareWords } from "../scoring/compare-words.ts";
import { bodyOnlyScore, getTierScore, unitsPerPoint } from "../scoring/score.ts";
import { collectTermHits } from "../scoring/single-term.ts";
import { TopK } from "../scoring/top-k.ts";
import type { SearchContext } from "../search-context.ts";
import type { Hit, Query } from "../search-index.ts";
import { hasMatch } from "./has-match.ts";
import { addQueryBoosts, boostDocuments, maxBoostedHits } from "./query-boosts.ts";
import { compileTypedWords, generateRelaxationSteps } from "./relax.ts";
import type { RelaxationStep } from "./relaxation-step.ts";
import type { Synonyms } from "./synonyms.ts";

/** Boosts that apply to one search. */
export interface AppliedBoosts {
  readonly queryBoosts: readonly QueryBoost[];
  readonly documentBoosts: readonly DocumentBoosts[];
}

/**
 * Maximum number of scored documents that contain all words, for each partition (the documents of one type that are all
 * available or all unavailable). Documents with a worse static rank are skipped.
 */
const maxScoredDocuments = 256;
/**
 * Maximum number of scored documents that lack words, for each partition. Documents with the rarest words are scored
 * first.
 */
const maxPartialScoredDocuments = 64;

/**
 * Returns the hits of each document type. They come from the strictest search attempt (relaxation step) that finds
 * documents of the type. If there are too few, the next attempts add hits.
 */
export function search(
  context: SearchContext,
  query: Query,
  readers: readonly LeafReader[],
  synonyms: Synonyms,
  boosts: AppliedBoosts,
): Map<number, readonly Hit[]> {
  const hits = new Map<number, Hit[]>([...query.limits.keys()].map((type) => [type, []]));
  const needsMoreHits = (type: number): boolean => {
    const limit = query.limits.get(type) ?? 0;
    const hitCount = hits.get(type)?.length ?? 0;
    return hitCount < (hitCount === 0 ? limit : Math.min(limit, query.fill ?? limit));
  };
  let typesNeedingHits = [...hits.keys()].filter((type) => needsMoreHits(type) && hasDocuments(type, readers));
  if (typesNeedingHits.length === 0) return hits;
  const stepsByType = new Map<number, RelaxationStep>();
  for (const step of generateRelaxationSteps(context, query, readers, synonyms)) {
    const docSet = createDocSet(step);
    for (const type of typesNeedingHits) {
      const typeHits = hits.get(type) as Hit[];
      collectTypeHits(step, docSet, type, typeHits, boosts);
      if (typeHits.length > 0 && !stepsByType.has(type)) stepsByType.set(type, step);
    }
    typesNeedingHits = typesNeedingHits.filter(needsMoreHits);
    if (typesNeedingHits.length === 0) break;
  }
  addComparedWords(hits, stepsByType);
  return hits;
}

/**
 * Compares the query with the best hit, and adds the result as the field `words` of this hit. The best hit is the first
 * hit of the first type with hits.
 * @param stepsByType for each type, the search attempt that found the first hit
 */
function addComparedWords(hits: ReadonlyMap<number, Hit[]>, stepsByType: ReadonlyMap<number, RelaxationStep>): void {
  for (const [type, typeHits] of hits) {
    const [firstHit] = typeHits;
    const step = stepsByType.get(type);
    if (firstHit === undefined || step === undefined) continue;
    const words = compareWords(step, firstHit.externalId);
    if (words !== undefined) typeHits[0] = { ...firstHit, words };
    return;
  }
}

/** Returns whether there is any document of a type. If there is none, no search is needed. */
function hasDocuments(type: number, readers: readonly LeafReader[]): boolean {
  return readers.some(({ leaf }) => leaf.documents.partitions.some((partition) => partition.type === type));
}

/**
 * Returns whether a document of any type contains all words of a query as typed.
 * @param lastWord whether the last word may be the beginning of a word in the document
 */
export function hasTypedMatch(
  context: SearchContext,
  query: Query,
  readers: readonly LeafReader[],
  synonyms: Synonyms,
  lastWord: "prefix" | "whole",
): boolean {
  const step = compileTypedWords(context, query, readers, synonyms, lastWord);
  return step !== undefined && hasMatch(step);
}

/** The documents that match in one search attempt (relaxation step). */
interface DocSet {
  /**
   * Reads documents of a partition in the order of the static rank, and collects the best ones.
   * @param readerIndex index in `step.readers`
   * @param searchesBody true to collect documents that contain a word only in the body field, false for all others
   * @param maxReadDocuments number of read documents after which reading stops as soon as the collector is full
   * @param neededCount number of hits needed, including those of earlier steps
   */
  collect(
    readerIndex: number,
    partition: Partition,
    searchesBody: boolean,
    maxReadDocuments: number,
    neededCount: number,
    collector: Collector,
  ): void;
}

function createDocSet(step: RelaxationStep): DocSet {
  return step.matchRules === undefined ? new ConjunctionDocSet(step) : new PartialDocSet(step, step.matchRules);
}

/** Adds the best documents of a type that this search attempt finds and earlier attempts did not find. */
function collectTypeHits(
  step: RelaxationStep,
  docSet: DocSet,
  type: number,
  hits: Hit[],
  { queryBoosts, documentBoosts }: AppliedBoosts,
): void {
  const { limits, fill, unavailable = "last" } = step.query;
  const limit = limits.get(type) as number;
  const isFirstStep = hits.length === 0 && step.matchRules === undefined;
  const neededHitCount = (isFirstStep ? limit : Math.min(limit, fill ?? limit)) - hits.length;
  if (neededHitCount <= 0) return;
  const typeBoosts = step.matchRules === undefined ? documentBoosts.filter((boosts) => boosts.type === type) : [];
  const boostedHitLimit = typeBoosts.length > 0 ? Math.max(0, maxBoostedHits - hits.length) : 0;
  const maxHits = Math.max(neededHitCount, boostedHitLimit);
  const topHits = new TopK(maxHits);
  const foundIds = hits.length === 0 ? undefined : new Set(hits.map(({ externalId }) => externalId));
  const missingCounts = new Map<number, number>();
  step.readers.forEach((reader, index) => {
    for (const partition of reader.leaf.documents.partitions) {
      if (partition.type !== type) continue;
      // Available documents are searched first. Unavailable documents are needed only if there are too few hits.
      const hasEnoughHits =
        unavailable === "hide" ||
        (unavailable === "last" && topHits.minScore >= getTierScore(step.tier) + bodyOnlyScore);
      if (!partition.isAvailable && hasEnoughHits) continue;
      const collector = new Collector(step, reader, partition, topHits, foundIds, missingCounts);
      collectPartitionHits(step, index, docSet, partition, collector, maxHits + hits.length);
    }
  });
  const bestHits = topHits.take().map(({ externalId, score }) => {
    return { externalId, type, score, missing: missingCounts.get(externalId) ?? 0 };
  });
  const boostedHits = addQueryBoosts(step, queryBoosts, { type, neededHitCount: maxHits, foundIds }, bestHits);
  const rankedHits = boostDocuments(boostedHits, typeBoosts, boostedHitLimit);
  for (const hit of rankedHits.slice(0, neededHitCount)) hits.push({ ...hit, score: hit.score / unitsPerPoint });
}

/**
 * Collects the best documents of a partition (one type, either all available or all unavailable).
 * @param neededCount number of hits needed, including those of earlier steps
 */
function collectPartitionHits(
  step: RelaxationStep,
  readerIndex: number,
  docSet: DocSet,
  partition: Partition,
  collector: Collector,
  neededCount: number,
): void {
  const maxReadDocuments = Math.max(
    neededCount,
    step.matchRules === undefined ? maxScoredDocuments : maxPartialScoredDocuments,
  );
  if (step.matchRules === undefined && step.words.length === 1)
    collectTermHits(step, readerIndex, partition, collector, neededCount);
  else docSet.collect(readerIndex, partition, false, maxReadDocuments, neededCount, collector);
  // Documents with a word only in the body field have negative score points, so they are needed only if there are too
  // few hits.
  if (collector.floor() < 0) docSet.collect(readerIndex, partition, true, maxReadDocuments, neededCount, collector);
}
