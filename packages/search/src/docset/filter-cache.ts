import { countWords } from "../arrays/bits.ts";
import { frequentBits, type RangeBits } from "../index/frequent-ranges.ts";
import type { Leaf, LeafReader } from "../index/leaf.ts";
import { newEntry } from "../leaf-cache.ts";
import { cheapestFirst, costOf, type TermQuery } from "../query/term-query.ts";
import type { SearchContext } from "../search-context.ts";
import type { Range } from "../terms/dictionary.ts";
import type { BitSet } from "./bit-set.ts";

/**
 * Returns all documents that contain a word, including deleted documents. The set is valid until the search ends.
 * @param withBody whether the body counts, in addition to primary fields
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

/**
 * Returns the deleted documents of a reader, or undefined if there are none. The set is valid until the search ends.
 */
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
  // Most blocks have no deleted document. The intersection of a set with itself removes these blocks from its overview.
  bitSets.intersect(set, [set]);
  const entry = { ...newEntry([set]), set, bits };
  context.pin(entry);
  cache.addDeleted(entry);
  return set;
}

/**
 * Returns sets whose intersection contains all documents with all words in any field. The intersection may contain
 * other documents, which scoring removes. Sets of words in most documents are not computed.
 * @returns an empty list if no document contains one of the words
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
 * Maximum postings per candidate for which the filter of a word is computed. Setting the bit of a posting is much
 * faster than scoring a document.
 */
const postingsPerCandidate = 6;

/** Computes the documents with a word in a primary field. */
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

/** Computes the documents with a word in the body or in a primary field. */
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
