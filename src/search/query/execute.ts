import { ConjunctionDocSet, CoordinationDocSet, type DocSet } from "../docset/doc-set.ts";
import type { LeafReader, Partition } from "../index/leaf.ts";
import { Collector } from "../scoring/collector.ts";
import { describedPoints, unavailablePoints } from "../scoring/score.ts";
import { collectSingleTerm } from "../scoring/single-term.ts";
import { TopK } from "../scoring/top-k.ts";
import type { SearchContext } from "../search-context.ts";
import type { Hit, Query } from "../search-index.ts";
import { findCoordination } from "./minimum-should-match.ts";
import { exactStep, idfsOf, relaxationSteps } from "./relax.ts";
import type { RelaxationStep } from "./relaxation-step.ts";
import type { Synonyms } from "./synonyms.ts";
import type { TermQuery } from "./term-query.ts";

/** Documents of a partition that hold all words and are scored; those after them, which have a worse static rank, are not looked at. */
const maxScored = 256;
/** The same where documents need not hold all words. */
const maxScoredPartial = 128;

/** Hits by type. The query is relaxed step by step until a document is found, of any type, so that what is found of one type does
 *  not depend on the types that were asked for; if no step finds one, documents with as many words as possible are. */
export function search(
  context: SearchContext,
  query: Query,
  readers: readonly LeafReader[],
  synonyms: Synonyms,
): Map<number, readonly Hit[]> {
  const found = firstAnswer(context, query, readers, synonyms, hitsOf);
  return found ?? new Map([...query.limits.keys()].map((type) => [type, []]));
}

/** The first step of a query that finds anything. */
export function answeringStep(
  context: SearchContext,
  query: Query,
  readers: readonly LeafReader[],
  synonyms: Synonyms,
): RelaxationStep | undefined {
  return firstAnswer(context, query, readers, synonyms, (step, docs) => (findsAny(step, docs) ? step : undefined));
}

/** Whether a document of any type holds all words of a query as they were typed. */
export function findsAsTyped(
  context: SearchContext,
  query: Query,
  readers: readonly LeafReader[],
  synonyms: Synonyms,
): boolean {
  const { done, value } = relaxationSteps(context, query, readers, synonyms, finds).next();
  return done !== true && finds(value);
}

/** Whether a document of any type holds all words of a query as they were typed, each whole. */
export function findsExactly(
  context: SearchContext,
  query: Query,
  readers: readonly LeafReader[],
  synonyms: Synonyms,
): boolean {
  const step = exactStep(context, query, readers, synonyms);
  return step !== undefined && finds(step);
}

function firstAnswer<T>(
  context: SearchContext,
  query: Query,
  readers: readonly LeafReader[],
  synonyms: Synonyms,
  ask: (step: RelaxationStep, docs: DocSet) => T | undefined,
): T | undefined {
  const steps = relaxationSteps(context, query, readers, synonyms, finds);
  for (;;) {
    const { done, value } = steps.next();
    if (value === undefined) return undefined;
    const found = done ? firstPartialAnswer(value, ask) : ask(value, new ConjunctionDocSet(value));
    if (done || found !== undefined) return found;
  }
}

/** Asks the documents with the most words, then those with fewer: first by naming fields alone, then by the body too. */
function firstPartialAnswer<T>(
  step: RelaxationStep,
  ask: (step: RelaxationStep, docs: DocSet) => T | undefined,
): T | undefined {
  const { context } = step;
  const idfs = idfsOf(step);
  for (const withBody of [false, true]) {
    for (let below = step.words.length; below > 1; ) {
      const coordinations = step.readers.map((reader, index) => {
        const termQueries = step.termQueries[index] as readonly TermQuery[];
        return findCoordination(context, reader, termQueries, below, withBody, step.counted);
      });
      const count = Math.max(0, ...coordinations.map((one) => one.count));
      const partial: RelaxationStep = { ...step, minimumShouldMatch: { idfs, count, withBody } };
      const found = count === 0 ? undefined : ask(partial, new CoordinationDocSet(partial, coordinations));
      for (const { acquired } of coordinations) if (acquired !== undefined) context.release(acquired);
      if (found !== undefined) return found;
      below = count;
    }
  }
  return undefined;
}

/** @returns undefined where the step finds no document of any type */
function hitsOf(step: RelaxationStep, docs: DocSet): Map<number, readonly Hit[]> | undefined {
  const { limits, unavailable } = step.query;
  const hits = new Map<number, readonly Hit[]>();
  let hasFound = false;
  for (const [type, limit] of limits) {
    const top = new TopK(limit);
    step.readers.forEach((reader, index) => {
      for (const partition of reader.leaf.documents.partitions) {
        if (partition.type !== type) continue;
        // Partitions in stock come first: those out of stock fill what is left.
        const isFull = unavailable === "hide" || (unavailable === "last" && top.floor >= describedPoints);
        if (!partition.isAvailable && isFull) continue;
        if (collectPartition(step, index, docs, partition, top, limit)) hasFound = true;
      }
    });
    hits.set(
      type,
      top.take().map(({ number, score }) => ({ externalId: number, type, score })),
    );
  }
  if (hasFound) return hits;
  const isElsewhere = findsAny(step, docs, ({ type, isAvailable }) => {
    return !limits.has(type) || limits.get(type) === 0 || (!isAvailable && unavailable === "hide");
  });
  return isElsewhere ? hits : undefined;
}

/** Collects the best documents of a partition. @returns whether any was accepted */
function collectPartition(
  step: RelaxationStep,
  readerIndex: number,
  docs: DocSet,
  partition: Partition,
  top: TopK,
  limit: number,
): boolean {
  const reader = step.readers[readerIndex] as LeafReader;
  const termQueries = step.termQueries[readerIndex] as readonly TermQuery[];
  if (limit === 0) return false;
  const isLast = !partition.isAvailable && step.query.unavailable === "last";
  const collector = new Collector(step, reader, partition, top, isLast ? unavailablePoints : 0);
  const most = Math.max(limit, step.minimumShouldMatch === undefined ? maxScored : maxScoredPartial);
  let left = most;
  const collect = (more: number) => (docId: number) => {
    collector.collect(docId, more);
    left -= 1;
    return left === 0;
  };
  if (termQueries.length === 1)
    collectSingleTerm(step, reader, termQueries[0] as TermQuery, partition, collector, limit);
  else docs.each(readerIndex, partition, false, most, collect(0));
  // Documents with some word in the body alone come behind all others of the partition.
  left = most;
  if (step.minimumShouldMatch === undefined && top.floor < collector.base)
    docs.each(readerIndex, partition, true, most, collect(describedPoints));
  return collector.hasFound;
}

/** Whether a step finds a document that is accepted, of any type, or in some partitions. */
function findsAny(
  step: RelaxationStep,
  docs: DocSet,
  isWanted: (partition: Partition) => boolean = () => true,
): boolean {
  const { accept } = step.query;
  return step.readers.some(({ leaf }, index) => {
    const { externalIds, partitions } = leaf.documents;
    return partitions.filter(isWanted).some((partition) => {
      let hasFound = false;
      for (const withBody of step.minimumShouldMatch === undefined ? [false, true] : [false])
        if (!hasFound)
          docs.each(index, partition, withBody, 1, (docId) => {
            hasFound = accept?.(externalIds[docId] as number, partition.type) !== false;
            return hasFound;
          });
      return hasFound;
    });
  });
}

/** Whether a step finds anything; or whether a document that counts, accepted or not, holds one of its words. */
function finds(step: RelaxationStep, word?: number): boolean {
  if (word === undefined) return findsAny(step, new ConjunctionDocSet(step));
  const { accept: _, ...query } = step.query;
  const termQueries = step.termQueries.map((ofReader) => [ofReader[word] as TermQuery]);
  return finds({ ...step, query, termQueries, words: step.words.slice(word, word + 1) });
}
