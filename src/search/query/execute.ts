import { releaseBitSet } from "../docset/bit-set.ts";
import { ConjunctionDocSet, CoordinationDocSet, type DocSet } from "../docset/doc-set.ts";
import { beginAnswer } from "../docset/filter-cache.ts";
import { type LeafReader, type Partition, popularityOf, titleLengthOf } from "../index/leaf.ts";
import { describedPoints, proximityPoints, unavailablePoints } from "../scoring/score.ts";
import { termScores } from "../scoring/scorer.ts";
import { collectSingle } from "../scoring/single-term.ts";
import { TopK } from "../scoring/top-k.ts";
import type { Hit, Query } from "../search-index.ts";
import type { TermQuery } from "./expand.ts";
import { findCoordination } from "./minimum-should-match.ts";
import { exactStep, idfsOf, type RelaxationStep, relaxationSteps } from "./relax.ts";
import type { Synonyms } from "./synonyms.ts";

/** Documents of a partition that hold all words and are scored; those after them, worse by static rank, are not looked at. */
export const scoredDocuments = 256;
/** The same where words had to be dropped. */
export const scoredPartially = 128;

/** Hits by type. The query is read ever more freely until something in the shop answers (of whatever type, so that what is found
 *  of one type does not depend on which others were asked for), and last with as few words dropped as may be. */
export function search(query: Query, readers: readonly LeafReader[], synonyms: Synonyms): Map<number, readonly Hit[]> {
  const found = firstAnswer(query, readers, synonyms, answer);
  return found ?? new Map([...query.limits.keys()].map((type) => [type, []]));
}

/** The relaxation of a query that is answered: the first that finds something. */
export function answeringStep(
  query: Query,
  readers: readonly LeafReader[],
  synonyms: Synonyms,
): RelaxationStep | undefined {
  return firstAnswer(query, readers, synonyms, (step, from) => (findsAny(step, from) ? step : undefined));
}

/** Whether a query finds a document of any type with all of its words as they were typed. */
export function findsAsTyped(query: Query, readers: readonly LeafReader[], synonyms: Synonyms): boolean {
  beginAnswer();
  const { done, value } = relaxationSteps(query, readers, synonyms, finds).next();
  return done !== true && finds(value);
}

/** Whether a document of any type holds all words of a query, each as it was typed and whole: none is completed, misspelt or dropped. */
export function findsExactly(query: Query, readers: readonly LeafReader[], synonyms: Synonyms): boolean {
  beginAnswer();
  const relaxation = exactStep(query, readers, synonyms);
  return relaxation !== undefined && finds(relaxation);
}

function firstAnswer<T>(
  query: Query,
  readers: readonly LeafReader[],
  synonyms: Synonyms,
  ask: (step: RelaxationStep, from: DocSet) => T | undefined,
): T | undefined {
  beginAnswer();
  const relaxations = relaxationSteps(query, readers, synonyms, finds);
  for (;;) {
    const { done, value } = relaxations.next();
    if (value === undefined) return undefined;
    const found = done ? firstPartialAnswer(value, ask) : ask(value, new ConjunctionDocSet(value));
    if (done || found !== undefined) return found;
  }
}

/** Asks of what holds as many words as possible: in what names a thing first, then in descriptions too. */
function firstPartialAnswer<T>(
  step: RelaxationStep,
  ask: (step: RelaxationStep, from: DocSet) => T | undefined,
): T | undefined {
  const idfs = idfsOf(step);
  for (const withBody of [false, true]) {
    for (let below = step.words.length; below > 1; ) {
      const coordinations = step.readers.map((reader, index) =>
        findCoordination(reader, step.termQueries[index] as readonly TermQuery[], below, withBody, step.counted),
      );
      const count = Math.max(0, ...coordinations.map((one) => one.count));
      const minimumShouldMatch: RelaxationStep = { ...step, minimumShouldMatch: { idfs, count, withBody } };
      const found =
        count === 0 ? undefined : ask(minimumShouldMatch, new CoordinationDocSet(minimumShouldMatch, coordinations));
      for (const { taken } of coordinations) if (taken !== undefined) releaseBitSet(taken);
      if (found !== undefined) return found;
      below = count;
    }
  }
  return undefined;
}

/** @returns undefined where nothing in the shop answers this relaxation */
function answer(step: RelaxationStep, from: DocSet): Map<number, readonly Hit[]> | undefined {
  const { limits, unavailable } = step.query;
  const hits = new Map<number, readonly Hit[]>();
  let hasFound = false;
  for (const [type, limit] of limits) {
    const top = new TopK(limit);
    step.readers.forEach((reader, index) => {
      const termQueries = step.termQueries[index] as readonly TermQuery[];
      for (const partition of reader.leaf.documents.partitions) {
        if (partition.type !== type) continue;
        // Zones in stock come first: those out of stock fill what is left.
        if (
          !partition.isAvailable &&
          (unavailable === "hide" || (unavailable === "last" && top.floor >= describedPoints))
        )
          continue;
        if (collectPartition(step, index, termQueries, from, partition, top, limit)) hasFound = true;
      }
    });
    hits.set(
      type,
      top.take().map((hit) => ({ ...hit, type })),
    );
  }
  if (hasFound) return hits;
  const isElsewhere = findsAny(step, from, ({ type, isAvailable }) => {
    return !limits.has(type) || limits.get(type) === 0 || (!isAvailable && unavailable === "hide");
  });
  return isElsewhere ? hits : undefined;
}

/** Offers what a partition holds. @returns whether it holds anything that is accepted */
function collectPartition(
  step: RelaxationStep,
  readerIndex: number,
  termQueries: readonly TermQuery[],
  from: DocSet,
  partition: Partition,
  top: TopK,
  limit: number,
): boolean {
  const reader = step.readers[readerIndex] as LeafReader;
  if (limit === 0) return false;
  const isLast = !partition.isAvailable && step.query.unavailable === "last";
  const offer = createCollector(step, reader, partition, top, isLast ? unavailablePoints : 0);
  const most = Math.max(limit, step.minimumShouldMatch === undefined ? scoredDocuments : scoredPartially);
  let left = most;
  const read = (more: number) => (docId: number) => {
    offer.take(docId, more);
    left -= 1;
    return left === 0;
  };
  if (termQueries.length === 1) collectSingle(step, reader, termQueries[0] as TermQuery, partition, offer, limit);
  else from.each(readerIndex, partition, false, most, read(0));
  // What is only described comes behind all else of the partition.
  left = most;
  if (step.minimumShouldMatch === undefined && top.floor < offer.base)
    from.each(readerIndex, partition, true, most, read(describedPoints));
  return offer.hasFound();
}

/** Where documents of a partition are offered. */
export interface Collector {
  /** Points of every document of the partition, below what its words give. */
  readonly base: number;
  /** Whether a document with so many points for its words would be kept, for all that is known. */
  wants(docId: number, points: number): boolean;
  /** Whole points for its words below which no document is kept. */
  floor(): number;
  /** Takes a document whose words have just been read (see `termScores`). */
  take(docId: number, more: number): void;
  hasFound(): boolean;
}

function createCollector(
  step: RelaxationStep,
  reader: LeafReader,
  { type }: Partition,
  top: TopK,
  base: number,
): Collector {
  const { externalIds, docValues } = reader.leaf.documents;
  const { accept } = step.query;
  let hasFound = false;
  return {
    base,
    wants: (docId, points) =>
      !hasFound || top.wants(points + popularityOf(docValues[docId] as number) + base, externalIds[docId] as number),
    floor: () => (hasFound ? Math.floor(top.floor - base) : Number.NEGATIVE_INFINITY),
    take(docId, more) {
      const score = scoreOf(step, reader, docId) + base + more;
      if (hasFound && score < top.floor) return;
      const number = externalIds[docId] as number;
      if (hasFound && !top.wants(score, number)) return;
      if (accept?.(number, type) === false) return;
      hasFound = true;
      top.offer(score, number);
    },
    hasFound: () => hasFound,
  };
}

/** Score of the document that was read last, in stock and named by its words. */
export function scoreOf({ words, minimumShouldMatch }: RelaxationStep, { leaf }: LeafReader, docId: number): number {
  const docValues = leaf.documents.docValues[docId] as number;
  const { points, positions } = termScores;
  let sum = 0;
  for (let word = 0; word < words.length; word += 1) {
    const held = points[word] as number;
    sum += held > 0 && minimumShouldMatch !== undefined ? held + (minimumShouldMatch.idfs[word] as number) : held;
  }
  // Popularity orders equals: all else is whole points.
  return (
    sum +
    (words.length > 1 ? proximityPoints(words.length, points, positions, titleLengthOf(docValues)) : 0) +
    popularityOf(docValues)
  );
}

/** Whether a relaxation finds a document that is accepted, of any type or in some partitions alone. */
function findsAny(
  step: RelaxationStep,
  from: DocSet,
  isWanted: (partition: Partition) => boolean = () => true,
): boolean {
  const { accept } = step.query;
  return step.readers.some(({ leaf }, index) => {
    const { externalIds, partitions } = leaf.documents;
    return partitions.filter(isWanted).some((partition) => {
      let hasFound = false;
      for (const withBody of step.minimumShouldMatch === undefined ? [false, true] : [false])
        if (!hasFound)
          from.each(index, partition, withBody, 1, (docId) => {
            hasFound = accept?.(externalIds[docId] as number, partition.type) !== false;
            return hasFound;
          });
      return hasFound;
    });
  });
}

/** Whether a relaxation finds anything; or whether a document that counts holds one of its words, accepted or not. */
function finds(step: RelaxationStep, word?: number): boolean {
  if (word === undefined) return findsAny(step, new ConjunctionDocSet(step));
  const { accept: _, ...query } = step.query;
  const termQueries = step.termQueries.map((ofReader) => [ofReader[word] as TermQuery]);
  const alone: RelaxationStep = { ...step, query, termQueries, words: step.words.slice(word, word + 1) };
  return finds(alone);
}
