import { countWords } from "../arrays/bits.ts";
import { frequentBits, type RangeBits } from "../index/frequent-ranges.ts";
import type { Leaf, LeafReader } from "../index/leaf.ts";
import { newEntry } from "../leaf-cache.ts";
import { cheapestFirst, costOf, type TermQuery } from "../query/term-query.ts";
import type { SearchContext } from "../search-context.ts";
import type { Range } from "../terms/dictionary.ts";
import type { BitSet } from "./bit-set.ts";

/**
 * All documents that contain a word, including deleted ones. The set stays valid until the search ends.
 * @param withBody in the body or in a primary field, else in a primary field
 */
export function filterOf(context: SearchContext, leaf: Leaf, termQuery: TermQuery, withBody: boolean): BitSet {
  const cache = context.cacheOf(leaf);
  const inBody = withBody && termQuery.bodyCost > 0;
  const known = cache.filter(termQuery, inBody);
  if (known?.pinnedBy === context) return known.set;
  if (known !== undefined) {
    context.pin(known);
    known.isUsed = true;
    return known.set;
  }
  const set = inBody ? bodyFilter(context, leaf, termQuery) : primaryFilter(context, leaf, termQuery);
  const entry = { ...newEntry([set]), set, isUsed: false };
  context.pin(entry);
  cache.addFilter(termQuery, inBody, entry);
  return set;
}

/** The deleted documents of a reader, or undefined. The set stays valid until the search ends. */
export function deletedOf(context: SearchContext, { leaf, deleted: bits }: LeafReader): BitSet | undefined {
  if (bits === undefined) return undefined;
  const cache = context.cacheOf(leaf);
  const known = cache.deleted(bits);
  if (known !== undefined) {
    context.pin(known);
    return known.set;
  }
  const { bitSets } = context;
  const set = bitSets.acquire(leaf.documents.externalIds.length);
  bitSets.assign(set, bits, 0, bits.length);
  // Most blocks have no deleted document: intersecting a set with itself removes them from its overview.
  bitSets.intersect(set, [set]);
  const entry = { ...newEntry([set]), set, bits };
  context.pin(entry);
  cache.addDeleted(entry);
  return set;
}

/**
 * Sets whose intersection contains all documents that contain all words in any field, and others, which scoring
 * removes: filters of words in most documents are not computed.
 * @returns empty if no document contains one of the words
 */
export function conjunctionFilters(
  context: SearchContext,
  leaf: Leaf,
  termQueries: readonly TermQuery[],
): readonly BitSet[] {
  const order = cheapestFirst(termQueries, true);
  const [rarest] = order;
  if (rarest === undefined || costOf(rarest, true) === 0) return [];
  const maxPostings = costOf(rarest, true) * postingsPerCandidate;
  const cache = context.cacheOf(leaf);
  return order
    .filter((one) => one === rarest || cache.filter(one, true) !== undefined || one.bodyCost <= maxPostings)
    .map((one) => filterOf(context, leaf, one, true));
}

/**
 * The filter of a word is computed if it has fewer postings than this for each candidate: setting the bit of a posting
 * takes a small part of the time of scoring a document.
 */
const postingsPerCandidate = 6;

/** The documents with a word in a primary field. */
function primaryFilter({ bitSets }: SearchContext, leaf: Leaf, termQuery: TermQuery): BitSet {
  const size = leaf.documents.externalIds.length;
  const set = bitSets.acquire(size);
  const known: RangeBits[] = [];
  const otherRanges: Range[] = [];
  for (const range of termQuery.outerRanges) {
    const bits = frequentBits(leaf, range.low, range.high);
    if (bits === undefined) otherRanges.push(range);
    else known.push(bits);
  }
  known.forEach(({ bits, from }, index) => {
    const target = index === 0 ? set : bitSets.acquire(size);
    bitSets.assign(target, bits, from, countWords(size));
    if (index === 0) return;
    bitSets.union(set, target);
    bitSets.release(target);
  });
  bitSets.addPostings(set, leaf.primary.postings, lowsOf(otherRanges), highsOf(otherRanges));
  bitSets.addPostings(set, leaf.primary.postings, termQuery.fuzzy.lows, termQuery.fuzzy.highs);
  for (const { documents } of termQuery.phraseMatches) bitSets.addDocIds(set, documents, 0, documents.length);
  return set;
}

/** The documents with a word in the body or in a primary field. */
function bodyFilter(context: SearchContext, leaf: Leaf, termQuery: TermQuery): BitSet {
  const { bitSets } = context;
  const { postings } = leaf.body;
  const named = filterOf(context, leaf, termQuery, false);
  const set = bitSets.acquire(leaf.documents.externalIds.length);
  bitSets.addPostings(set, postings, lowsOf(termQuery.outerRanges), highsOf(termQuery.outerRanges));
  bitSets.addPostings(set, postings, termQuery.fuzzy.lows, termQuery.fuzzy.highs);
  bitSets.union(set, named);
  return set;
}

function lowsOf(ranges: readonly Range[]): number[] {
  return ranges.map(({ low }) => low);
}

function highsOf(ranges: readonly Range[]): number[] {
  return ranges.map(({ high }) => high);
}
