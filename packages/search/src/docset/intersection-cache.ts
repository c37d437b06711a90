import type { LeafReader, Partition } from "../index/leaf.ts";
import { type IntersectionEntry, newEntry } from "../leaf-cache.ts";
import type { TermQuery } from "../query/term-query.ts";
import type { SearchContext } from "../search-context.ts";
import type { BitSet } from "./bit-set.ts";
import { deletedOf, filterOf } from "./filter-cache.ts";

// Intersections of several words, cached by the sequence of the words. While a user types, the words before the last
// one repeat with each letter. Intersections cover primary fields only, except for `hasNoMatch`. Sets are valid until
// the search ends.

/**
 * Returns the documents that contain all words, including deleted documents, or "none" if no current document does.
 * @param termQueries at least one word
 */
export function allOf(context: SearchContext, reader: LeafReader, termQueries: readonly TermQuery[]): BitSet | "none" {
  const last = termQueries.at(-1) as TermQuery;
  if (last.primaryCost === 0) return "none";
  const lastFilter = filterOf(context, reader.leaf, last, false);
  if (termQueries.length === 1) return lastFilter;
  const entry = entryOf(context, reader, termQueries);
  if (entry.all === undefined) {
    const before = mayMatch(context, reader, termQueries) ? allOf(context, reader, termQueries.slice(0, -1)) : "none";
    entry.all =
      before === "none"
        ? "none"
        : newSet(context, reader, entry, (set) => context.bitSets.intersect(set, [before, lastFilter]));
  }
  return entry.all;
}

/**
 * Returns whether any current document contains all words.
 * @param termQueries at least two words, each with postings
 */
export function mayMatch(context: SearchContext, reader: LeafReader, termQueries: readonly TermQuery[]): boolean {
  const entry = entryOf(context, reader, termQueries);
  if (entry.isMet === undefined) {
    const before = allOf(context, reader, termQueries.slice(0, -1));
    const lastFilter = filterOf(context, reader.leaf, termQueries.at(-1) as TermQuery, false);
    entry.isMet = before !== "none" && context.bitSets.isAnyIn([before, lastFilter], deletedOf(context, reader));
  }
  return entry.isMet;
}

/**
 * Returns sets whose intersection is the documents with all words in primary fields, including deleted documents. The
 * list is empty if no current document matches.
 * @param termQueries at least one word
 */
export function primaryConjunction(
  context: SearchContext,
  reader: LeafReader,
  termQueries: readonly TermQuery[],
): readonly BitSet[] {
  const last = termQueries.at(-1) as TermQuery;
  if (last.primaryCost === 0) return [];
  const lastFilter = filterOf(context, reader.leaf, last, false);
  if (termQueries.length === 1) return [lastFilter];
  if (termQueries.some(({ primaryCost }) => primaryCost === 0) || !mayMatch(context, reader, termQueries)) return [];
  const before = allOf(context, reader, termQueries.slice(0, -1));
  return before === "none" ? [] : [before, lastFilter];
}

/**
 * Returns whether the cache records that no current document of a partition contains all words in any field, including
 * the body.
 */
export function isLacking(
  context: SearchContext,
  reader: LeafReader,
  partition: Partition,
  termQueries: readonly TermQuery[],
): boolean {
  const isKnown = (some: readonly TermQuery[]) =>
    knownEntry(context, reader, some)?.lacking.includes(partition) === true;
  if (isKnown(termQueries)) return true;
  // A document without the first words cannot contain all words.
  for (let end = termQueries.length - 1; end > 1; end -= 1) {
    if (!isKnown(termQueries.slice(0, end))) continue;
    noteLacking(context, reader, partition, termQueries);
    return true;
  }
  return false;
}

export function noteLacking(
  context: SearchContext,
  reader: LeafReader,
  partition: Partition,
  termQueries: readonly TermQuery[],
): void {
  entryOf(context, reader, termQueries).lacking.push(partition);
}

function entryOf(
  context: SearchContext,
  { leaf, deleted }: LeafReader,
  termQueries: readonly TermQuery[],
): IntersectionEntry {
  const cache = context.cacheOf(leaf);
  const known = cache.intersection(termQueries, deleted);
  if (known?.pinnedBy === context) return known;
  const entry = known ?? { ...newEntry([]), termQueries, deleted, lacking: [] };
  context.pin(entry);
  cache.touchIntersection(entry);
  return entry;
}

function knownEntry(
  context: SearchContext,
  { leaf, deleted }: LeafReader,
  termQueries: readonly TermQuery[],
): IntersectionEntry | undefined {
  return context.cacheOf(leaf).intersection(termQueries, deleted);
}

/** Returns a filled set that the cache releases with the entry. */
function newSet(
  { bitSets }: SearchContext,
  { leaf }: LeafReader,
  { sets }: IntersectionEntry,
  fill: (set: BitSet) => void,
): BitSet {
  const set = bitSets.acquire(leaf.documents.externalIds.length);
  sets.push(set);
  fill(set);
  return set;
}
