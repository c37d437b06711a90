import type { LeafReader, Partition } from "../index/leaf.ts";
import { createCacheEntry, type IntersectionEntry } from "../leaf-cache.ts";
import type { TermQuery } from "../query/term-query.ts";
import type { SearchContext } from "../search-context.ts";
import type { BitSet } from "./bit-set.ts";
import { findDeletedDocuments, getFilterSet } from "./filter-cache.ts";

// Caches the documents that contain several words. While a user types the last word of a query, the words before it do
// not change. Only fields other than the body are considered, except in `hasNoMatch`. Sets are valid until the search
// ends.

/**
 * Returns the documents that contain all words, including deleted documents. Returns "none" if no document or only
 * deleted documents contain all words.
 * @param termQueries at least one word
 */
export function intersectQueries(
  context: SearchContext,
  reader: LeafReader,
  termQueries: readonly TermQuery[],
): BitSet | "none" {
  const lastQuery = termQueries.at(-1) as TermQuery;
  if (lastQuery.primaryCost === 0) return "none";
  if (termQueries.length === 1) return getFilterSet(context, reader.leaf, lastQuery, false);
  const entry = getOrCreateEntry(context, reader, termQueries);
  if (entry.matchingDocs === undefined) {
    const previousMatches = mayMatch(context, reader, termQueries)
      ? intersectQueries(context, reader, termQueries.slice(0, -1))
      : "none";
    entry.matchingDocs =
      previousMatches === "none"
        ? "none"
        : acquireEntrySet(context, reader, entry, (set) =>
            context.bitSets.intersect(set, [previousMatches, getFilterSet(context, reader.leaf, lastQuery, false)]),
          );
  }
  return entry.matchingDocs;
}

/**
 * Returns whether any document that is not deleted contains all words.
 * @param termQueries at least two words, each with postings
 */
export function mayMatch(context: SearchContext, reader: LeafReader, termQueries: readonly TermQuery[]): boolean {
  const entry = getOrCreateEntry(context, reader, termQueries);
  if (entry.hasMatch === undefined) {
    const previousMatches = intersectQueries(context, reader, termQueries.slice(0, -1));
    // The set of the last word changes with each letter, so it is created only if it is needed.
    entry.hasMatch =
      previousMatches !== "none" &&
      context.bitSets.intersects(
        [previousMatches, getFilterSet(context, reader.leaf, termQueries.at(-1) as TermQuery, false)],
        findDeletedDocuments(context, reader),
      );
  }
  return entry.hasMatch;
}

/**
 * Returns sets whose intersection contains the documents with all words in fields other than the body, including
 * deleted documents. The list is empty if no document or only deleted documents contain all words.
 * @param termQueries at least one word
 */
export function findPrimaryConjunction(
  context: SearchContext,
  reader: LeafReader,
  termQueries: readonly TermQuery[],
): readonly BitSet[] {
  const lastQuery = termQueries.at(-1) as TermQuery;
  if (lastQuery.primaryCost === 0) return [];
  if (termQueries.length === 1) return [getFilterSet(context, reader.leaf, lastQuery, false)];
  if (termQueries.some(({ primaryCost }) => primaryCost === 0) || !mayMatch(context, reader, termQueries)) return [];
  const previousMatches = intersectQueries(context, reader, termQueries.slice(0, -1));
  return previousMatches === "none" ? [] : [previousMatches, getFilterSet(context, reader.leaf, lastQuery, false)];
}

/** Returns true if an earlier search found that no document of a partition contains all words, in any field. */
export function hasNoMatch(
  context: SearchContext,
  reader: LeafReader,
  partition: Partition,
  termQueries: readonly TermQuery[],
): boolean {
  const isCachedAsEmpty = (wordQueries: readonly TermQuery[]) =>
    findEntry(context, reader, wordQueries)?.partitionsWithoutMatch.includes(partition) === true;
  if (isCachedAsEmpty(termQueries)) return true;
  // If no document contains the first words, no document contains all words.
  for (let end = termQueries.length - 1; end > 1; end -= 1) {
    if (!isCachedAsEmpty(termQueries.slice(0, end))) continue;
    rememberNoMatch(context, reader, partition, termQueries);
    return true;
  }
  return false;
}

export function rememberNoMatch(
  context: SearchContext,
  reader: LeafReader,
  partition: Partition,
  termQueries: readonly TermQuery[],
): void {
  getOrCreateEntry(context, reader, termQueries).partitionsWithoutMatch.push(partition);
}

function getOrCreateEntry(
  context: SearchContext,
  { leaf, deleted }: LeafReader,
  termQueries: readonly TermQuery[],
): IntersectionEntry {
  const cache = context.getLeafCache(leaf);
  const cachedEntry = cache.findIntersection(termQueries, deleted);
  if (cachedEntry?.pinningSearch === context) return cachedEntry;
  const entry = cachedEntry ?? {
    ...createCacheEntry([]),
    termQueries,
    deleted,
    partitionsWithoutMatch: [],
  };
  context.pin(entry);
  cache.addIntersection(entry);
  return entry;
}

function findEntry(
  context: SearchContext,
  { leaf, deleted }: LeafReader,
  termQueries: readonly TermQuery[],
): IntersectionEntry | undefined {
  return context.getLeafCache(leaf).findIntersection(termQueries, deleted);
}

/** Allocates a set, fills it, and adds it to a cache entry. The set is released with that entry. */
function acquireEntrySet(
  { bitSets }: SearchContext,
  { leaf }: LeafReader,
  { sets }: IntersectionEntry,
  fillBitSet: (set: BitSet) => void,
): BitSet {
  const set = bitSets.acquire(leaf.documents.externalIds.length);
  sets.push(set);
  fillBitSet(set);
  return set;
}
