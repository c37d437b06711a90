import { ConjunctionDocSet } from "../docset/conjunction-doc-set.ts";
import { getFilterSet } from "../docset/filter-cache.ts";
import { forEachDocId } from "../docset/iterator.ts";
import { popularityOf } from "../index/doc-values.ts";
import type { LeafReader, Partition } from "../index/leaf.ts";
import type { SearchContext } from "../search-context.ts";
import type { Query } from "../search-index.ts";
import { generateRelaxationSteps } from "./relax.ts";
import type { RelaxationStep } from "./relaxation-step.ts";
import type { Synonyms } from "./synonyms.ts";
import { costOf, type TermQuery } from "./term-query.ts";

/**
 * Returns the external ids of all documents of a type from the strictest search attempt that finds any. Available
 * documents come first, then documents are ordered by popularity. The list is empty if documents match only some of the
 * words. Documents are not scored, so many matches take little additional time.
 */
export function listAllMatches(
  context: SearchContext,
  query: Query,
  type: number,
  readers: readonly LeafReader[],
  synonyms: Synonyms,
): Uint32Array {
  for (const step of generateRelaxationSteps(context, query, readers, synonyms)) {
    if (step.matchRules !== undefined) break;
    const idLists = [true, false].flatMap((isAvailable) =>
      isAvailable || query.unavailable !== "hide" ? [listMatches(step, type, isAvailable)] : [],
    );
    const count = idLists.reduce((sum, { length }) => sum + length, 0);
    if (count === 0) continue;
    const allIds = new Uint32Array(count);
    let end = 0;
    for (const ids of idLists) {
      allIds.set(ids, end);
      end += ids.length;
    }
    return allIds;
  }
  return new Uint32Array(0);
}

/** Lists the available or the unavailable documents that a search attempt finds. */
function listMatches(step: RelaxationStep, type: number, isAvailable: boolean): Uint32Array {
  const { accept } = step.query;
  const ids: number[] = [];
  const popularity: number[] = [];
  let readerCount = 0;
  step.readers.forEach((reader, index) => {
    const { externalIds, docValues, partitions } = reader.leaf.documents;
    const previousCount = ids.length;
    for (const partition of partitions) {
      if (partition.type !== type || partition.isAvailable !== isAvailable) continue;
      forEachMatch(step, index, partition, (docId) => {
        const externalId = externalIds[docId] as number;
        if (accept?.(externalId, type, isAvailable) === false) return;
        ids.push(externalId);
        popularity.push(popularityOf(docValues[docId] as number));
      });
    }
    if (ids.length > previousCount) readerCount += 1;
  });
  if (readerCount < 2) return Uint32Array.from(ids);
  const order = Uint32Array.from(ids, (_, index) => index);
  order.sort(
    (a, b) => (popularity[b] as number) - (popularity[a] as number) || (ids[a] as number) - (ids[b] as number),
  );
  return order.map((index) => ids[index] as number);
}

/** Calls `visit` with each document of a partition that contains all words in the searched fields. */
function forEachMatch(
  step: RelaxationStep,
  readerIndex: number,
  partition: Partition,
  visit: (docId: number) => void,
): void {
  const { context, fieldScores, exactWordRequirement, readers, termQueries } = step;
  const reader = readers[readerIndex] as LeafReader;
  const readerQueries = termQueries[readerIndex] as readonly TermQuery[];
  const visitDocument = (docId: number): boolean => {
    visit(docId);
    return false;
  };
  if (fieldScores.includesAllFields && exactWordRequirement === undefined) {
    if (readerQueries.some((termQuery) => costOf(termQuery, true) === 0)) return;
    const sets = readerQueries.map((termQuery) => getFilterSet(context, reader.leaf, termQuery, true));
    forEachDocId(context, sets, reader, partition, Number.POSITIVE_INFINITY, visitDocument);
    return;
  }
  // Each document must be read to determine which fields contain a word.
  const docSet = new ConjunctionDocSet(step);
  for (const searchesBody of [false, true])
    docSet.visit(readerIndex, partition, searchesBody, Number.POSITIVE_INFINITY, visitDocument);
}
