import type { DocumentBoosts, QueryBoost } from "../boosts.ts";
import { ConjunctionDocSet } from "../docset/conjunction-doc-set.ts";
import { PartialDocSet } from "../docset/partial-doc-set.ts";
import { findByRarestWord } from "../docset/rarest-word.ts";
import { type LeafReader, type Partition, partitionOf } from "../index/leaf.ts";
import { Collector } from "../scoring/collector.ts";
import { describedPoints, pointUnit, tierPoints } from "../scoring/score.ts";
import { collectSingleTerm } from "../scoring/single-term.ts";
import { TopK } from "../scoring/top-k.ts";
import type { SearchContext } from "../search-context.ts";
import type { Hit, Query } from "../search-index.ts";
import { boostDocuments, boostedPlaces, boostForQuery } from "./query-boosts.ts";
import { relaxationSteps, typedStep } from "./relax.ts";
import type { RelaxationStep } from "./relaxation-step.ts";
import type { Synonyms } from "./synonyms.ts";
import type { TermQuery } from "./term-query.ts";

/** Boosts of one search. */
export interface AppliedBoosts {
  readonly ofQuery: readonly QueryBoost[];
  readonly ofDocuments: DocumentBoosts | undefined;
}

/**
 * Maximum number of scored documents per partition that contain all words. Documents with a worse static rank are
 * skipped.
 */
const maxScored = 256;
/**
 * Maximum number of scored documents per partition that may lack words. Documents with the heaviest words come first.
 */
const maxScoredPartial = 64;

/**
 * Returns the hits by document type. The first relaxation step with documents of a type provides its hits. The next
 * steps add hits if there are too few.
 */
export function search(
  context: SearchContext,
  query: Query,
  readers: readonly LeafReader[],
  synonyms: Synonyms,
  boosts: AppliedBoosts,
): Map<number, readonly Hit[]> {
  const hits = new Map<number, Hit[]>([...query.limits.keys()].map((type) => [type, []]));
  const isOpen = (type: number): boolean => {
    const limit = query.limits.get(type) ?? 0;
    const found = hits.get(type)?.length ?? 0;
    return found < (found === 0 ? limit : Math.min(limit, query.fill ?? limit));
  };
  let open = [...hits.keys()].filter((type) => isOpen(type) && isThere(type, readers));
  if (open.length === 0) return hits;
  for (const step of relaxationSteps(context, query, readers, synonyms, finds)) {
    const docs = docSetOf(step);
    for (const type of open) collectType(step, docs, type, hits.get(type) as Hit[], boosts);
    open = open.filter(isOpen);
    if (open.length === 0) break;
  }
  return hits;
}

/** Returns whether there is any document of a type. Without one, all steps can be skipped. */
function isThere(type: number, readers: readonly LeafReader[]): boolean {
  return readers.some(({ leaf }) => leaf.documents.partitions.some((partition) => partition.type === type));
}

/** Returns the steps of a query that may find documents, from strict to relaxed. */
export function relaxationStepsOf(
  context: SearchContext,
  query: Query,
  readers: readonly LeafReader[],
  synonyms: Synonyms,
): Iterable<RelaxationStep> {
  return relaxationSteps(context, query, readers, synonyms, finds);
}

/** Returns whether a document of any type contains all words of a query as typed, with the last word as a prefix. */
export function findsAsTyped(
  context: SearchContext,
  query: Query,
  readers: readonly LeafReader[],
  synonyms: Synonyms,
): boolean {
  const step = typedStep(context, query, readers, synonyms, "prefix");
  return step !== undefined && finds(step);
}

/** Returns whether a document of any type contains all words of a query as typed, with the last word complete. */
export function findsExactly(
  context: SearchContext,
  query: Query,
  readers: readonly LeafReader[],
  synonyms: Synonyms,
): boolean {
  const step = typedStep(context, query, readers, synonyms, "whole");
  return step !== undefined && finds(step);
}

/** The documents that a relaxation step matches. */
interface DocSet {
  /**
   * Collects the best of the first documents of a partition.
   * @param readerIndex index in `step.readers`
   * @param withBody whether to collect documents with a word only in the body, instead of documents with words in
   * primary fields
   * @param maxRead maximum number of documents read, unless the collector is not full by then
   * @param needed number of hits needed, including those of earlier steps
   */
  collect(
    readerIndex: number,
    partition: Partition,
    withBody: boolean,
    maxRead: number,
    needed: number,
    collector: Collector,
  ): void;
}

function docSetOf(step: RelaxationStep): DocSet {
  return step.partial === undefined ? new ConjunctionDocSet(step) : new PartialDocSet(step, step.partial);
}

/** Adds the best documents of a type that a step finds and earlier steps did not find. */
function collectType(
  step: RelaxationStep,
  docs: DocSet,
  type: number,
  hits: Hit[],
  { ofQuery, ofDocuments }: AppliedBoosts,
): void {
  const { limits, fill, unavailable = "last" } = step.query;
  const limit = limits.get(type) as number;
  const isFirst = hits.length === 0 && step.partial === undefined;
  const needed = (isFirst ? limit : Math.min(limit, fill ?? limit)) - hits.length;
  if (needed <= 0) return;
  const isBoosted = ofDocuments?.type === type && step.partial === undefined;
  const places = isBoosted ? Math.max(0, boostedPlaces - hits.length) : 0;
  const considered = Math.max(needed, places);
  const top = new TopK(considered);
  const foundIds = hits.length === 0 ? undefined : new Set(hits.map(({ externalId }) => externalId));
  const missing = new Map<number, number>();
  step.readers.forEach((reader, index) => {
    for (const partition of reader.leaf.documents.partitions) {
      if (partition.type !== type) continue;
      // Available partitions come first, and unavailable documents fill the remaining places.
      const isFull =
        unavailable === "hide" || (unavailable === "last" && top.floor >= tierPoints(step.tier) + describedPoints);
      if (!partition.isAvailable && isFull) continue;
      const collector = new Collector(step, reader, partition, top, foundIds, missing);
      collectPartition(step, index, docs, partition, collector, considered + hits.length);
    }
  });
  const best = top.take().map(({ number, score }) => {
    return { externalId: number, type, score, missing: missing.get(number) ?? 0 };
  });
  const found = boostForQuery(step, ofQuery, { type, needed: considered, foundIds }, best);
  const boosted = isBoosted ? boostDocuments(found, ofDocuments, places) : found;
  for (const hit of boosted.slice(0, needed)) hits.push({ ...hit, score: hit.score / pointUnit });
}

/**
 * Collects the best documents of a partition.
 * @param needed number of hits needed, including those of earlier steps
 */
function collectPartition(
  step: RelaxationStep,
  readerIndex: number,
  docs: DocSet,
  partition: Partition,
  collector: Collector,
  needed: number,
): void {
  const reader = step.readers[readerIndex] as LeafReader;
  const termQueries = step.termQueries[readerIndex] as readonly TermQuery[];
  const maxRead = Math.max(needed, step.partial === undefined ? maxScored : maxScoredPartial);
  if (step.partial === undefined && termQueries.length === 1)
    collectSingleTerm(step, reader, termQueries[0] as TermQuery, partition, collector, needed);
  else docs.collect(readerIndex, partition, false, maxRead, needed, collector);
  // Documents with a word only in the body rank after all others of the partition.
  if (collector.floor() < 0) docs.collect(readerIndex, partition, true, maxRead, needed, collector);
}

/** Returns whether a step finds an accepted document of any type. */
function findsAny(step: RelaxationStep): boolean {
  const { accept } = step.query;
  let docs: ConjunctionDocSet | undefined;
  return step.readers.some(({ leaf: { documents } }, index) => {
    const { externalIds, partitions } = documents;
    const known = findByRarestWord(step, index, (docId) => {
      if (accept === undefined) return true;
      const { type, isAvailable } = partitionOf(documents, docId);
      return accept(externalIds[docId] as number, type, isAvailable);
    });
    if (known !== undefined) return known;
    docs ??= new ConjunctionDocSet(step);
    const conjunction = docs;
    return partitions.some((partition) => {
      let hasFound = false;
      for (const withBody of [false, true])
        if (!hasFound)
          conjunction.each(index, partition, withBody, 1, (docId) => {
            hasFound = accept?.(externalIds[docId] as number, partition.type, partition.isAvailable) !== false;
            return hasFound;
          });
      return hasFound;
    });
  });
}

/**
 * Returns whether a step finds any accepted document. With a word index, returns whether any current document contains
 * that word, accepted or not.
 */
function finds(step: RelaxationStep, word?: number): boolean {
  if (word === undefined) return findsAny(step);
  const { accept: _, ...query } = step.query;
  const termQueries = step.termQueries.map((ofReader) => [ofReader[word] as TermQuery]);
  const [words, rarities] = [step.words.slice(word, word + 1), step.rarities.slice(word, word + 1)];
  return finds({ ...step, query, termQueries, words, rarities });
}
