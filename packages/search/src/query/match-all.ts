import { ConjunctionDocSet } from "../docset/conjunction-doc-set.ts";
import { filterOf } from "../docset/filter-cache.ts";
import { eachDocId } from "../docset/iterator.ts";
import { popularityOf } from "../index/doc-values.ts";
import type { LeafReader, Partition } from "../index/leaf.ts";
import type { SearchContext } from "../search-context.ts";
import type { Query } from "../search-index.ts";
import { relaxationStepsOf } from "./execute.ts";
import type { RelaxationStep } from "./relaxation-step.ts";
import type { Synonyms } from "./synonyms.ts";
import { costOf, type TermQuery } from "./term-query.ts";

/**
 * Returns the external ids of all documents of a type from the first relaxation step that finds any. Available
 * documents come first, then documents are ordered by popularity. The list is empty if documents match only some of the
 * words. Documents are not scored, so many matches take little additional time.
 */
export function matchAll(
  context: SearchContext,
  query: Query,
  type: number,
  readers: readonly LeafReader[],
  synonyms: Synonyms,
): Uint32Array {
  for (const step of relaxationStepsOf(context, query, readers, synonyms)) {
    if (step.partial !== undefined) break;
    const found = [true, false].flatMap((isAvailable) =>
      isAvailable || query.unavailable !== "hide" ? [matchedIn(step, type, isAvailable)] : [],
    );
    const count = found.reduce((sum, { length }) => sum + length, 0);
    if (count === 0) continue;
    const all = new Uint32Array(count);
    let end = 0;
    for (const ids of found) {
      all.set(ids, end);
      end += ids.length;
    }
    return all;
  }
  return new Uint32Array(0);
}

/** Lists the available or the unavailable documents of a step. */
function matchedIn(step: RelaxationStep, type: number, isAvailable: boolean): Uint32Array {
  const { accept } = step.query;
  const ids: number[] = [];
  const popularity: number[] = [];
  let leaves = 0;
  step.readers.forEach((reader, index) => {
    const { externalIds, docValues, partitions } = reader.leaf.documents;
    const before = ids.length;
    for (const partition of partitions) {
      if (partition.type !== type || partition.isAvailable !== isAvailable) continue;
      eachMatch(step, index, partition, (docId) => {
        const externalId = externalIds[docId] as number;
        if (accept?.(externalId, type, isAvailable) === false) return;
        ids.push(externalId);
        popularity.push(popularityOf(docValues[docId] as number));
      });
    }
    if (ids.length > before) leaves += 1;
  });
  if (leaves < 2) return Uint32Array.from(ids);
  const order = Uint32Array.from(ids, (_, index) => index);
  order.sort(
    (one, other) =>
      (popularity[other] as number) - (popularity[one] as number) || (ids[one] as number) - (ids[other] as number),
  );
  return order.map((index) => ids[index] as number);
}

/** Calls `visit` with each document of a partition that contains all words in the searched fields. */
function eachMatch(
  step: RelaxationStep,
  readerIndex: number,
  partition: Partition,
  take: (docId: number) => void,
): void {
  const { context, counted, typedSome, readers, termQueries } = step;
  const reader = readers[readerIndex] as LeafReader;
  const ofReader = termQueries[readerIndex] as readonly TermQuery[];
  const all = (docId: number): boolean => {
    take(docId);
    return false;
  };
  if (counted.isAll && typedSome === undefined) {
    if (ofReader.some((one) => costOf(one, true) === 0)) return;
    const sets = ofReader.map((one) => filterOf(context, reader.leaf, one, true));
    eachDocId(context, sets, reader, partition, Number.POSITIVE_INFINITY, all);
    return;
  }
  // Each document must be read to determine which fields contain a word.
  const docs = new ConjunctionDocSet(step);
  for (const withBody of [false, true]) docs.each(readerIndex, partition, withBody, Number.POSITIVE_INFINITY, all);
}
