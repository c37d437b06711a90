import { countWords } from "../arrays/bits.ts";
import { findFrequentRangeBits, type RangeBitmap } from "../index/frequent-ranges.ts";
import type { Leaf, LeafReader } from "../index/leaf.ts";
import { createCacheEntry } from "../leaf-cache.ts";
import { costOf, sortByCost, type TermQuery } from "../query/term-query.ts";
import type { SearchContext } from "../search-context.ts";
import type { Range } from "../terms/dictionary.ts";
import type { BitSet } from "./bit-set.ts";

/**
 * Returns all documents that contain a word, including deleted documents. The set is valid until the search ends.
 * @param searchesBody whether to include documents that contain the word only in the body field
 */
export function getFilterSet(context: SearchContext, leaf: Leaf, termQuery: TermQuery, searchesBody: boolean): BitSet {
  const cache = context.getLeafCache(leaf);
  const hasBodyMatches = searchesBody && termQuery.bodyCost > 0;
  const cachedEntry = cache.findFilter(termQuery, hasBodyMatches);
  if (cachedEntry?.pinningSearch === context) return cachedEntry.set;
  if (cachedEntry !== undefined) {
    context.pin(cachedEntry);
    cachedEntry.isUsed = true;
    return cachedEntry.set;
  }
  const set = hasBodyMatches
    ? createBodyFilter(context, leaf, termQuery)
    : createPrimaryFilter(context, leaf, termQuery);
  const entry = { ...createCacheEntry([set]), set, isUsed: false };
  context.pin(entry);
  cache.addFilter(termQuery, hasBodyMatches, entry);
  return set;
}

/**
 * Returns the deleted documents of one language in a segment, or undefined if there are none. The set is valid until
 * the search ends.
 */
export function findDeletedDocuments(context: SearchContext, { leaf, deleted: bits }: LeafReader): BitSet | undefined {
  if (bits === undefined) return undefined;
  const cache = context.getLeafCache(leaf);
  const cachedEntry = cache.findDeletedEntry(bits);
  if (cachedEntry !== undefined) {
    context.pin(cachedEntry);
    return cachedEntry.set;
  }
  const { bitSets } = context;
  const set = bitSets.acquire(leaf.documents.externalIds.length);
  bitSets.assign(set, bits, 0, bits.length);
  // Most blocks contain no deleted document. Intersecting the set with itself marks these blocks as empty.
  bitSets.intersect(set, [set]);
  const entry = { ...createCacheEntry([set]), set, bits };
  context.pin(entry);
  cache.addDeleted(entry);
  return set;
}

/**
 * Returns sets whose intersection contains every document that has all words, in any field. The intersection may
 * contain other documents too, which are removed during scoring. No set is computed for very frequent words.
 * @returns an empty list if no document contains one of the words
 */
export function findConjunctionFilters(
  context: SearchContext,
  leaf: Leaf,
  termQueries: readonly TermQuery[],
): readonly BitSet[] {
  const sortedQueries = sortByCost(termQueries);
  const [rarestWord] = sortedQueries;
  if (rarestWord === undefined || costOf(rarestWord, true) === 0) return [];
  const maxPostings = costOf(rarestWord, true) * postingsPerCandidate;
  const cache = context.getLeafCache(leaf);
  return sortedQueries
    .filter(
      (termQuery) =>
        termQuery === rarestWord ||
        cache.findFilter(termQuery, true) !== undefined ||
        termQuery.bodyCost <= maxPostings,
    )
    .map((termQuery) => getFilterSet(context, leaf, termQuery, true));
}

/**
 * Maximum number of postings of a word for which a bit set is computed, as a multiple of the postings of the rarest
 * word. Setting the bit of a posting is much faster than scoring a document.
 */
const postingsPerCandidate = 6;

/** Computes the documents with a word in a field other than the body. */
function createPrimaryFilter({ bitSets }: SearchContext, leaf: Leaf, termQuery: TermQuery): BitSet {
  const size = leaf.documents.externalIds.length;
  const set = bitSets.acquire(size);
  const frequentRanges: RangeBitmap[] = [];
  const otherRanges: Range[] = [];
  for (const range of termQuery.outerRanges) {
    const bits = findFrequentRangeBits(leaf, range.low, range.high);
    if (bits === undefined) otherRanges.push(range);
    else frequentRanges.push(bits);
  }
  frequentRanges.forEach(({ bits, from }, index) => {
    const target = index === 0 ? set : bitSets.acquire(size);
    bitSets.assign(target, bits, from, countWords(size));
    if (index === 0) return;
    bitSets.union(set, target);
    bitSets.release(target);
  });
  bitSets.addPostings(set, leaf.primary.postings, listLowerBounds(otherRanges), listUpperBounds(otherRanges));
  bitSets.addPostings(set, leaf.primary.postings, termQuery.fuzzyMatches.lows, termQuery.fuzzyMatches.highs);
  for (const { documents } of termQuery.phraseMatches) bitSets.addDocIds(set, documents);
  return set;
}

/** Computes the documents with a word in the body field or in another field. */
function createBodyFilter(context: SearchContext, leaf: Leaf, termQuery: TermQuery): BitSet {
  const { bitSets } = context;
  const { postings } = leaf.body;
  const primaryDocIds = getFilterSet(context, leaf, termQuery, false);
  const set = bitSets.acquire(leaf.documents.externalIds.length);
  bitSets.addPostings(set, postings, listLowerBounds(termQuery.bodyRanges), listUpperBounds(termQuery.bodyRanges));
  bitSets.addPostings(set, postings, termQuery.bodyFuzzyMatches.lows, termQuery.bodyFuzzyMatches.highs);
  bitSets.union(set, primaryDocIds);
  return set;
}

function listLowerBounds(ranges: readonly Range[]): number[] {
  return ranges.map(({ low }) => low);
}

function listUpperBounds(ranges: readonly Range[]): number[] {
  return ranges.map(({ high }) => high);
}
