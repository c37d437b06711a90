import type { LeafReader, Partition } from "../index/leaf.ts";
import { type IntersectionEntry, newEntry, type TopCoordination } from "../leaf-cache.ts";
import { cheapestFirst, type TermQuery } from "../query/term-query.ts";
import type { SearchContext } from "../search-context.ts";
import type { BitSet, CoordinationSets } from "./bit-set.ts";
import { findTopCoordination } from "./coordination.ts";
import { deletedOf, filterOf } from "./filter-cache.ts";

// What several words have in common, kept by their sequence: with each letter that is typed the words before the last come again, and
// one word more changes little. Only naming fields count here, but for `isLacking`. Sets stay as they are until the search ends.

/** Documents that hold all of some words, deleted ones too; "none": no document that counts does.
 *  @param termQueries one at least */
export function allOf(context: SearchContext, reader: LeafReader, termQueries: readonly TermQuery[]): BitSet | "none" {
  const last = termQueries.at(-1) as TermQuery;
  if (last.namingCost === 0) return "none";
  const own = filterOf(context, reader.leaf, last, false);
  if (termQueries.length === 1) return own;
  const entry = entryOf(context, reader, termQueries);
  if (entry.all === undefined) {
    const before = isMet(context, reader, termQueries) ? allOf(context, reader, termQueries.slice(0, -1)) : "none";
    entry.all =
      before === "none"
        ? "none"
        : newSet(context, reader, entry, (set) => context.bitSets.intersect(set, [before, own]));
  }
  return entry.all;
}

/** Whether any document that counts holds all of some words.
 *  @param termQueries two at least, each with postings */
export function isMet(context: SearchContext, reader: LeafReader, termQueries: readonly TermQuery[]): boolean {
  const entry = entryOf(context, reader, termQueries);
  if (entry.isMet === undefined) {
    const before = allOf(context, reader, termQueries.slice(0, -1));
    const own = filterOf(context, reader.leaf, termQueries.at(-1) as TermQuery, false);
    entry.isMet = before !== "none" && context.bitSets.isAnyIn([before, own], deletedOf(context, reader));
  }
  return entry.isMet;
}

/** Whether it is known that no document of a partition that counts holds all of some words in any field, the body included. */
export function isLacking(
  context: SearchContext,
  reader: LeafReader,
  partition: Partition,
  termQueries: readonly TermQuery[],
): boolean {
  const isKnown = (some: readonly TermQuery[]) =>
    knownEntry(context, reader, some)?.lacking.includes(partition) === true;
  if (isKnown(termQueries)) return true;
  // A document that does not hold the first words does not hold all.
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

/** The documents that hold the most of some words.
 *  @param termQueries one at least, each with postings */
export function topCoordinationOf(
  context: SearchContext,
  reader: LeafReader,
  termQueries: readonly TermQuery[],
): TopCoordination {
  const all = allOf(context, reader, termQueries);
  if (all !== "none") return { count: termQueries.length, docs: all };
  const entry = entryOf(context, reader, termQueries);
  entry.top ??= findTop(context, reader, termQueries, entry);
  return entry.top;
}

/** The documents that hold one word less than those of `topCoordinationOf`, which hold two at least. */
export function nextCoordinationOf(
  context: SearchContext,
  reader: LeafReader,
  termQueries: readonly TermQuery[],
): BitSet {
  const entry = entryOf(context, reader, termQueries);
  entry.next ??= findNext(context, reader, termQueries, entry);
  return entry.next;
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

/** A set that belongs to an entry. */
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

/** The top coordination of words that no document holds all of: by that of all words but the last where this is known and tells. */
function findTop(
  context: SearchContext,
  reader: LeafReader,
  termQueries: readonly TermQuery[],
  entry: IntersectionEntry,
): TopCoordination {
  const { bitSets } = context;
  const before = termQueries.slice(0, -1);
  const own = filterOf(context, reader.leaf, termQueries.at(-1) as TermQuery, false);
  if (!isTopKnown(context, reader, before)) return countAll(context, reader, termQueries, entry);
  const { count, docs } = topCoordinationOf(context, reader, before);
  if (bitSets.isAnyIn([docs, own], deletedOf(context, reader))) {
    const both = newSet(context, reader, entry, (set) => bitSets.intersect(set, [docs, own]));
    return { count: count + 1, docs: both };
  }
  if (count === 0) return countAll(context, reader, termQueries, entry);
  const either = newSet(context, reader, entry, (set) => {
    if (count > 1) bitSets.intersect(set, [nextCoordinationOf(context, reader, before), own]);
    else bitSets.union(set, own);
    bitSets.union(set, docs);
  });
  return { count, docs: either };
}

/** Whether the top coordination was found before: to find that of each prefix of a text that was not typed letter by letter would
 *  take long. */
function isTopKnown(context: SearchContext, reader: LeafReader, termQueries: readonly TermQuery[]): boolean {
  if (termQueries.length === 1) return true;
  const known = knownEntry(context, reader, termQueries);
  return known?.top !== undefined || (known?.all !== undefined && known.all !== "none");
}

function findNext(
  context: SearchContext,
  reader: LeafReader,
  termQueries: readonly TermQuery[],
  entry: IntersectionEntry,
): BitSet {
  const { bitSets } = context;
  const before = termQueries.slice(0, -1);
  const own = filterOf(context, reader.leaf, termQueries.at(-1) as TermQuery, false);
  if (isTopKnown(context, reader, before)) {
    const { count, docs } = topCoordinationOf(context, reader, before);
    if (topCoordinationOf(context, reader, termQueries).count === count + 1)
      return newSet(context, reader, entry, (set) => {
        if (count === 1) bitSets.symmetricDifference(set, docs, own);
        else bitSets.select(set, docs, nextCoordinationOf(context, reader, before), own);
      });
    if (count === 2)
      return newSet(context, reader, entry, (set) =>
        bitSets.symmetricDifference(set, nextCoordinationOf(context, reader, before), own),
      );
  }
  countAll(context, reader, termQueries, entry);
  return entry.next as BitSet;
}

/** Counts all words of all documents that hold enough of them. */
function countAll(
  context: SearchContext,
  reader: LeafReader,
  termQueries: readonly TermQuery[],
  entry: IntersectionEntry,
): TopCoordination {
  const { bitSets } = context;
  const { leaf } = reader;
  const ordered = cheapestFirst(termQueries, false);
  const size = leaf.documents.externalIds.length;
  const found: Required<CoordinationSets> = { top: bitSets.acquire(size), next: bitSets.acquire(size) };
  entry.sets.push(found.top, found.next);
  const count = findTopCoordination(
    bitSets,
    {
      sets: ordered.map((one) => filterOf(context, leaf, one, false)),
      costs: ordered.map(({ namingCost }) => namingCost),
      size,
      below: termQueries.length + 1,
      deleted: deletedOf(context, reader),
      batch: context.batch(0),
    },
    found,
  );
  entry.next = found.next;
  return { count, docs: found.top };
}
