import type { BitSet, BitSets } from "./docset/bit-set.ts";
import type { FuzzyMatches } from "./fuzzy/fuzzy-matches.ts";
import { GenerationCache } from "./generation-cache.ts";
import type { CategoryCounts } from "./index/categories.ts";
import type { Leaf, Partition } from "./index/leaf.ts";
import type { TermQuery } from "./query/term-query.ts";
import { BigramIndex } from "./terms/bigram-index.ts";

/** Cached bit sets. They are neither changed nor released while a search uses them (see `SearchContext.pin`). */
export interface CacheEntry {
  readonly sets: BitSet[];
  /** Number of active searches that use the sets. */
  pinCount: number;
  /** The active search that pinned the sets last. */
  pinningSearch: object | undefined;
  /** Whether the entry was removed from the cache. Its sets are released when no search uses them any more. */
  isEvicted: boolean;
}

/** Cached set of the documents that match one word of a query. */
export interface FilterEntry extends CacheEntry {
  readonly set: BitSet;
  /** Whether the entry was used since it was added or moved to the end of the eviction order. */
  isUsed: boolean;
}

/** Deleted documents of one language in a segment, as a bit set. */
export interface DeletedEntry extends CacheEntry {
  readonly set: BitSet;
  readonly bits: Uint32Array;
}

/** Cached results for a combination of words. Each result is computed on first use. */
export interface IntersectionEntry extends CacheEntry {
  readonly termQueries: readonly TermQuery[];
  /** Documents that were deleted when the results were computed, as a bit set. */
  readonly deleted: Uint32Array | undefined;
  /** Documents that contain all words; "none" if there are none, or if all of them are deleted. */
  matchingDocs?: BitSet | "none";
  /** Whether any document that is not deleted contains all words. */
  hasMatch?: boolean;
  /** Partitions in which no document contains all words, not even in the body field. */
  readonly partitionsWithoutMatch: Partition[];
}

/** A term as it is displayed in completions. */
export interface DisplayedTerm {
  readonly key: string;
  /** Phrase to display if the term is also a phrase; undefined if it is not. */
  readonly phrase: string | undefined;
}

/**
 * Maximum number of cached filters (sets of the documents that match one word) per segment and language. Filters with
 * and without the body field are counted separately.
 */
const maxFilters = 48;
/** Maximum number of cached word combinations per segment and language. */
const maxIntersections = 24;

/**
 * The cache for the documents of one language in a segment. Users type letter by letter, so the next query repeats all
 * words except the last.
 */
export class LeafCache {
  /**
   * Matches of each word of earlier queries, by the text of the word. A value has one entry for each combination of a
   * `PrefixRule`, which decides whether longer terms match, and a maximum number of edits.
   */
  readonly wordQueries = new GenerationCache<(TermQuery | undefined)[]>();
  /** Matching terms of a word, including joined terms like "tshirt" that match the words "t" and "shirt" together. */
  readonly termQueries = new GenerationCache<TermQuery>();
  /** Matches of a word in documents that lack what it names, by the matches of the word. */
  readonly negatedQueries = new GenerationCache<TermQuery, TermQuery>();
  /** Matches of a word, with the documents that contain a longer word with this ending, by the matches without them. */
  readonly compoundEndQueries = new GenerationCache<TermQuery, TermQuery>();
  readonly cachedFuzzyMatches = new GenerationCache<FuzzyMatches>();
  readonly categoryCounts = new GenerationCache<CategoryCounts, TermQuery>();
  /** Number of a word's postings in fields that name a vendor or a type, less that of its other postings. */
  readonly nameBalances = new GenerationCache<number, TermQuery>();
  /** Text that completions display for each term, by term id. */
  readonly displayedTerms = new GenerationCache<DisplayedTerm, number>();
  /**
   * Documents that have a version in another locale and are replaced by it. The key is the leaf (documents of one
   * locale in a segment) with this version.
   */
  readonly replacedDocuments = new Map<Leaf, Uint32Array>();
  readonly #bitSets: BitSets;
  readonly #primaryFilters = new Map<TermQuery, FilterEntry>();
  readonly #bodyFilters = new Map<TermQuery, FilterEntry>();
  /** Cached word combinations, least recently used first. */
  readonly #intersections: IntersectionEntry[] = [];
  readonly #deletedEntries: DeletedEntry[] = [];
  #bigramIndex: BigramIndex | undefined;

  constructor(bitSets: BitSets) {
    this.#bitSets = bitSets;
  }

  /** Returns the index of the pairs of letters in the terms. It is created for the first word that may end a compound. */
  getBigramIndex({ terms }: Leaf): BigramIndex {
    this.#bigramIndex ??= new BigramIndex(terms);
    return this.#bigramIndex;
  }

  /**
   * Returns the cached documents that match a word.
   * @param searchesBody whether the body is searched in addition to the other fields
   */
  findFilter(termQuery: TermQuery, searchesBody: boolean): FilterEntry | undefined {
    return (searchesBody ? this.#bodyFilters : this.#primaryFilters).get(termQuery);
  }

  /** Adds a filter. If there are too many filters, evicts the oldest one that was not used recently. */
  addFilter(termQuery: TermQuery, searchesBody: boolean, entry: FilterEntry): void {
    const filters = searchesBody ? this.#bodyFilters : this.#primaryFilters;
    filters.set(termQuery, entry);
    for (
      let remainingAttempts = 2 * filters.size;
      filters.size > maxFilters && remainingAttempts > 0;
      remainingAttempts -= 1
    ) {
      const oldestQuery = filters.keys().next().value as TermQuery;
      const oldestEntry = filters.get(oldestQuery) as FilterEntry;
      filters.delete(oldestQuery);
      if (oldestEntry.isUsed || oldestEntry.pinCount > 0) filters.set(oldestQuery, oldestEntry);
      else this.#evict(oldestEntry);
      oldestEntry.isUsed = false;
    }
  }

  /** Returns the cached results for a combination of words, or undefined if there are none. */
  findIntersection(
    termQueries: readonly TermQuery[],
    deletedDocs: Uint32Array | undefined,
  ): IntersectionEntry | undefined {
    for (let index = this.#intersections.length - 1; index >= 0; index -= 1) {
      const entry = this.#intersections[index] as IntersectionEntry;
      if (entry.deleted === deletedDocs && areEqualQueries(entry.termQueries, termQueries)) return entry;
    }
    return undefined;
  }

  /** Adds results for a combination of words, or marks them as the most recently used. */
  addIntersection(entry: IntersectionEntry): void {
    const entries = this.#intersections;
    if (entries[entries.length - 1] === entry) return;
    const entryIndex = entries.lastIndexOf(entry);
    if (entryIndex >= 0) entries.splice(entryIndex, 1);
    entries.push(entry);
    for (let index = 0; entries.length > maxIntersections && index < entries.length; ) {
      const candidate = entries[index] as IntersectionEntry;
      if (candidate.pinCount > 0) index += 1;
      else this.#evict(...entries.splice(index, 1));
    }
  }

  findDeletedEntry(bits: Uint32Array): DeletedEntry | undefined {
    return this.#deletedEntries.find((entry) => entry.bits === bits);
  }

  /** Adds the set of deleted documents. Older sets are evicted unless a search uses them. */
  addDeleted(entry: DeletedEntry): void {
    for (let index = this.#deletedEntries.length - 1; index >= 0; index -= 1)
      if (this.#deletedEntries[index]?.pinCount === 0) this.#evict(...this.#deletedEntries.splice(index, 1));
    this.#deletedEntries.push(entry);
  }

  /** Releases all bit sets. Sets in use are released when their search ends. The cache must not be used afterwards. */
  close(): void {
    this.#evict(...this.#primaryFilters.values(), ...this.#bodyFilters.values());
    this.#evict(...this.#intersections, ...this.#deletedEntries);
  }

  #evict(...entries: readonly CacheEntry[]): void {
    for (const entry of entries) {
      entry.isEvicted = true;
      if (entry.pinCount === 0) for (const set of entry.sets) this.#bitSets.release(set);
    }
  }
}

/** Creates a cache entry that no search uses yet. */
export function createCacheEntry(sets: BitSet[]): CacheEntry {
  return { sets, pinCount: 0, pinningSearch: undefined, isEvicted: false };
}

function areEqualQueries(entry: readonly TermQuery[], otherEntry: readonly TermQuery[]): boolean {
  if (entry.length !== otherEntry.length) return false;
  for (let word = entry.length - 1; word >= 0; word -= 1) if (entry[word] !== otherEntry[word]) return false;
  return true;
}
