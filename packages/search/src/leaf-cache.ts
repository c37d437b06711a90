import type { BitSet, BitSets } from "./docset/bit-set.ts";
import type { FuzzyMatches } from "./fuzzy/fuzzy-matches.ts";
import { GenerationCache } from "./generation-cache.ts";
import type { CategoryCounts } from "./index/categories.ts";
import type { Leaf, Partition } from "./index/leaf.ts";
import type { TermQuery } from "./query/term-query.ts";

/** Bit sets that a cache holds. While a search uses them (see `SearchContext.pin`) they are neither changed nor released. */
export interface CacheEntry {
  readonly sets: BitSet[];
  /** Searches under way that use them. */
  pins: number;
  /** The search that pinned them last, while it runs. */
  pinnedBy: object | undefined;
  /** The cache has let go of them: they are released with the last pin. */
  isEvicted: boolean;
}

/** The documents that hold one term query. */
export interface FilterEntry extends CacheEntry {
  readonly set: BitSet;
  /** It was used since it took its place in the order in which filters are let go of. */
  isUsed: boolean;
}

/** The documents of a leaf that do not count, as a bit set. */
export interface DeletedEntry extends CacheEntry {
  readonly set: BitSet;
  readonly bits: Uint32Array;
}

/** What is known of several words together; each part is found out when it is first asked for. */
export interface IntersectionEntry extends CacheEntry {
  readonly termQueries: readonly TermQuery[];
  /** Which documents were deleted. */
  readonly deleted: Uint32Array | undefined;
  /** Documents that hold all words; "none": none that counts does. */
  all?: BitSet | "none";
  /** Whether any document that counts holds all words. */
  isMet?: boolean;
  /** Partitions no document of which holds all words, descriptions included. */
  readonly lacking: Partition[];
}

/** A term as completions show it. */
export interface ShownTerm {
  readonly key: string;
  /** Where it is a phrase by itself: as that is shown. */
  readonly phrase: string | undefined;
}

/** Filters of term queries that are kept of a leaf, of each kind. */
const maxFilters = 48;
/** Intersections that are kept of a leaf. */
const maxIntersections = 24;

/** What a searcher caches about one leaf. Queries are typed letter by letter, so all words but the last one are the same in the next query. */
export class LeafCache {
  /** By word: what it was compiled to, by how strictly it was taken (see `query/compile-word.ts`). */
  readonly words = new GenerationCache<(TermQuery | undefined)[]>();
  /** Words together with what they may stand for with their neighbours. */
  readonly termQueries = new GenerationCache<TermQuery>();
  readonly fuzzyMatches = new GenerationCache<FuzzyMatches>();
  readonly categoryCounts = new GenerationCache<CategoryCounts, TermQuery>();
  /** By term: how completions show it (see `suggest/leaf-sample.ts`). */
  readonly shownTerms = new GenerationCache<ShownTerm, number>();
  /** By a leaf of another locale whose documents stand in for some of this one: the documents that are replaced. */
  readonly shadowed = new Map<Leaf, Uint32Array>();
  readonly #bitSets: BitSets;
  readonly #namingFilters = new Map<TermQuery, FilterEntry>();
  readonly #bodyFilters = new Map<TermQuery, FilterEntry>();
  /** The longest unused first. */
  readonly #intersections: IntersectionEntry[] = [];
  readonly #deleted: DeletedEntry[] = [];
  constructor(bitSets: BitSets) {
    this.#bitSets = bitSets;
  }

  /** @param withBody the filter of naming fields and body, else of naming fields alone */
  filter(termQuery: TermQuery, withBody: boolean): FilterEntry | undefined {
    return (withBody ? this.#bodyFilters : this.#namingFilters).get(termQuery);
  }

  /** Keeps a new filter. Where there are too many, the first is let go of, but for those that were used since: these go to the end. */
  addFilter(termQuery: TermQuery, withBody: boolean, entry: FilterEntry): void {
    const filters = withBody ? this.#bodyFilters : this.#namingFilters;
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

  /** What is known of some words together, the first of them first. */
  intersection(termQueries: readonly TermQuery[], deleted: Uint32Array | undefined): IntersectionEntry | undefined {
    for (let index = this.#intersections.length - 1; index >= 0; index -= 1) {
      const one = this.#intersections[index] as IntersectionEntry;
      if (one.deleted === deleted && isSame(one.termQueries, termQueries)) return one;
    }
    return undefined;
  }

  /** Notes that an intersection is used, or keeps a new one. */
  touchIntersection(entry: IntersectionEntry): void {
    const kept = this.#intersections;
    if (kept[kept.length - 1] === entry) return;
    const at = kept.lastIndexOf(entry);
    if (at >= 0) kept.splice(at, 1);
    kept.push(entry);
    for (let index = 0; kept.length > maxIntersections && index < kept.length; ) {
      const one = kept[index] as IntersectionEntry;
      if (one.pins > 0) index += 1;
      else this.#evict(...kept.splice(index, 1));
    }
  }

  deleted(bits: Uint32Array): DeletedEntry | undefined {
    return this.#deleted.find((one) => one.bits === bits);
  }

  /** Keeps the set of deleted documents; those of earlier indexes are let go of unless a search uses them. */
  addDeleted(entry: DeletedEntry): void {
    for (let index = this.#deleted.length - 1; index >= 0; index -= 1)
      if (this.#deleted[index]?.pins === 0) this.#evict(...this.#deleted.splice(index, 1));
    this.#deleted.push(entry);
  }

  /** Releases all bit sets, those that a search uses when it ends. The cache must not be used any more. */
  close(): void {
    this.#evict(...this.#namingFilters.values(), ...this.#bodyFilters.values());
    this.#evict(...this.#intersections, ...this.#deleted);
  }

  #evict(...entries: readonly CacheEntry[]): void {
    for (const entry of entries) {
      entry.isEvicted = true;
      if (entry.pins === 0) for (const set of entry.sets) this.#bitSets.release(set);
    }
  }
}

/** An entry that nothing uses yet. */
export function newEntry(sets: BitSet[]): CacheEntry {
  return { sets, pins: 0, pinnedBy: undefined, isEvicted: false };
}

function isSame(one: readonly TermQuery[], other: readonly TermQuery[]): boolean {
  if (one.length !== other.length) return false;
  for (let word = one.length - 1; word >= 0; word -= 1) if (one[word] !== other[word]) return false;
  return true;
}
