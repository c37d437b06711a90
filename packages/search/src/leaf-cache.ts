import type { BitSet, BitSets } from "./docset/bit-set.ts";
import type { FuzzyMatches } from "./fuzzy/fuzzy-matches.ts";
import { GenerationCache } from "./generation-cache.ts";
import type { CategoryCounts } from "./index/categories.ts";
import type { Leaf, Partition } from "./index/leaf.ts";
import type { TermQuery } from "./query/term-query.ts";

/** Bit sets of a cache. They are neither changed nor released while a search uses them (see `SearchContext.pin`). */
export interface CacheEntry {
  readonly sets: BitSet[];
  /** Number of active searches that use the sets. */
  pins: number;
  /** The active search that pinned the sets last. */
  pinnedBy: object | undefined;
  /** Whether the entry was removed from the cache. Its sets are released with the last pin. */
  isEvicted: boolean;
}

/** The documents that match one term query. */
export interface FilterEntry extends CacheEntry {
  readonly set: BitSet;
  /** Whether the entry was used since it was added or moved to the end of the eviction order. */
  isUsed: boolean;
}

/** Deleted documents of a leaf as a bit set. */
export interface DeletedEntry extends CacheEntry {
  readonly set: BitSet;
  readonly bits: Uint32Array;
}

/** Cached facts about several words together, each computed on first use. */
export interface IntersectionEntry extends CacheEntry {
  readonly termQueries: readonly TermQuery[];
  /** Bits of the deleted documents. */
  readonly deleted: Uint32Array | undefined;
  /** Documents that contain all words; "none" if no current document does. */
  all?: BitSet | "none";
  /** Whether any current document contains all words. */
  isMet?: boolean;
  /** Partitions without a document that contains all words in any field, including the body. */
  readonly lacking: Partition[];
}

/** A term as it is displayed in completions. */
export interface ShownTerm {
  readonly key: string;
  /** Displayed phrase, if the words are a phrase. */
  readonly phrase: string | undefined;
}

/** Maximum number of filters per leaf and kind. */
const maxFilters = 48;
/** Maximum number of intersections per leaf. */
const maxIntersections = 24;

/**
 * The cache of a searcher for one leaf. Users type letter by letter, so all words except the last repeat in the next
 * query.
 */
export class LeafCache {
  /** Term queries of each word, by ending and edits (see `query/compile-word.ts`). */
  readonly words = new GenerationCache<(TermQuery | undefined)[]>();
  /** Term queries of words with shared matches of neighboring words. */
  readonly termQueries = new GenerationCache<TermQuery>();
  readonly fuzzyMatches = new GenerationCache<FuzzyMatches>();
  readonly categoryCounts = new GenerationCache<CategoryCounts, TermQuery>();
  /** Displayed form of each term (see `suggest/leaf-sample.ts`). */
  readonly shownTerms = new GenerationCache<ShownTerm, number>();
  /** Replaced documents of this leaf, by the leaf of another locale that replaces them. */
  readonly shadowed = new Map<Leaf, Uint32Array>();
  readonly #bitSets: BitSets;
  readonly #primaryFilters = new Map<TermQuery, FilterEntry>();
  readonly #bodyFilters = new Map<TermQuery, FilterEntry>();
  /** Intersections, least recently used first. */
  readonly #intersections: IntersectionEntry[] = [];
  readonly #deleted: DeletedEntry[] = [];
  constructor(bitSets: BitSets) {
    this.#bitSets = bitSets;
  }

  /** Returns a cached filter.  @param withBody filter of primary fields and body, else of primary fields only */
  filter(termQuery: TermQuery, withBody: boolean): FilterEntry | undefined {
    return (withBody ? this.#bodyFilters : this.#primaryFilters).get(termQuery);
  }

  /**
   * Adds a filter. If there are too many, evicts the first filter that was not used since it was added or moved to the
   * end.
   */
  addFilter(termQuery: TermQuery, withBody: boolean, entry: FilterEntry): void {
    const filters = withBody ? this.#bodyFilters : this.#primaryFilters;
    filters.set(termQuery, entry);
    for (let tries = 2 * filters.size; filters.size > maxFilters && tries > 0; tries -= 1) {
      const oldest = filters.keys().next().value as TermQuery;
      const one = filters.get(oldest) as FilterEntry;
      filters.delete(oldest);
      if (one.isUsed || one.pins > 0) filters.set(oldest, one);
      else this.#evict(one);
      one.isUsed = false;
    }
  }

  /** Returns the cached intersection of the words' documents, or undefined if there is none. */
  intersection(termQueries: readonly TermQuery[], deleted: Uint32Array | undefined): IntersectionEntry | undefined {
    for (let index = this.#intersections.length - 1; index >= 0; index -= 1) {
      const one = this.#intersections[index] as IntersectionEntry;
      if (one.deleted === deleted && isSame(one.termQueries, termQueries)) return one;
    }
    return undefined;
  }

  /** Adds an intersection, or marks it as the most recently used. */
  touchIntersection(entry: IntersectionEntry): void {
    const entries = this.#intersections;
    if (entries[entries.length - 1] === entry) return;
    const at = entries.lastIndexOf(entry);
    if (at >= 0) entries.splice(at, 1);
    entries.push(entry);
    for (let index = 0; entries.length > maxIntersections && index < entries.length; ) {
      const one = entries[index] as IntersectionEntry;
      if (one.pins > 0) index += 1;
      else this.#evict(...entries.splice(index, 1));
    }
  }

  deleted(bits: Uint32Array): DeletedEntry | undefined {
    return this.#deleted.find((one) => one.bits === bits);
  }

  /** Adds the set of deleted documents. Sets of earlier indexes are evicted unless a search uses them. */
  addDeleted(entry: DeletedEntry): void {
    for (let index = this.#deleted.length - 1; index >= 0; index -= 1)
      if (this.#deleted[index]?.pins === 0) this.#evict(...this.#deleted.splice(index, 1));
    this.#deleted.push(entry);
  }

  /** Releases all bit sets. Sets in use are released when their search ends. The cache must not be used afterwards. */
  close(): void {
    this.#evict(...this.#primaryFilters.values(), ...this.#bodyFilters.values());
    this.#evict(...this.#intersections, ...this.#deleted);
  }

  #evict(...entries: readonly CacheEntry[]): void {
    for (const entry of entries) {
      entry.isEvicted = true;
      if (entry.pins === 0) for (const set of entry.sets) this.#bitSets.release(set);
    }
  }
}

/** Creates an entry without pins. */
export function newEntry(sets: BitSet[]): CacheEntry {
  return { sets, pins: 0, pinnedBy: undefined, isEvicted: false };
}

function isSame(one: readonly TermQuery[], other: readonly TermQuery[]): boolean {
  if (one.length !== other.length) return false;
  for (let word = one.length - 1; word >= 0; word -= 1) if (one[word] !== other[word]) return false;
  return true;
}
