import type { BitSet, BitSets } from "./docset/bit-set.ts";
import type { LevenshteinAutomaton } from "./fuzzy/levenshtein-automaton.ts";
import type { Leaf, LeafReader } from "./index/leaf.ts";
import { type CacheEntry, LeafCache } from "./leaf-cache.ts";
import { CategorySpace } from "./query/category-space.ts";
import { maxWords } from "./query/parse.ts";
import type { PhraseScratch } from "./query/phrase-scratch.ts";

import type { Schema } from "./schema.ts";
import { Candidates } from "./scoring/candidates.ts";
import type { SchemaPoints } from "./scoring/field-points.ts";
import type { TermScores } from "./scoring/scorer.ts";

/** What a searcher lends to its contexts. What is scratch in it is used up before a caller's `accept` may be called. */
export interface SearchResources {
  readonly schema: Schema;
  readonly points: SchemaPoints;
  readonly bitSets: BitSets;
  readonly automaton: LevenshteinAutomaton;
  readonly phraseScratch: PhraseScratch;
  /** By leaf of the newest index. */
  readonly leafCaches: ReadonlyMap<Leaf, LeafCache>;
  /** The categories of the leaves of one language, by the list of their readers; made for the first query that needs them. Each has scratch of its own. */
  readonly categorySpaces: WeakMap<readonly LeafReader[], CategorySpace>;
}

/** What one search works with, from its beginning to its end: scratch that no other search touches, and the bit sets it uses, which
 *  stay as they are until it ends. A search may begin inside another (in its `accept`): each has a context of its own. */
export class SearchContext {
  readonly schema: Schema;
  readonly points: SchemaPoints;
  readonly bitSets: BitSets;
  readonly automaton: LevenshteinAutomaton;
  readonly phraseScratch: PhraseScratch;
  readonly scores: TermScores = { points: new Int32Array(maxWords), positions: new Int32Array(maxWords) };
  readonly candidates = new Candidates();
  /** Where iterators leave what they read ahead: what is read must go somewhere to be read at all. */
  readonly prefetched = new Int32Array(1);
  readonly #leafCaches: ReadonlyMap<Leaf, LeafCache>;
  readonly #categorySpaces: SearchResources["categorySpaces"];
  /** Caches of leaves that the searcher keeps none for: those of an index that is no longer the newest. They go with the search. */
  readonly #ownCaches = new Map<Leaf, LeafCache>();
  readonly #batch: number;
  #zeros = new Uint8Array(0);
  readonly #pinned: CacheEntry[] = [];
  /** Bit sets that belong to this search. */
  readonly #acquired: BitSet[] = [];

  constructor({ schema, points, bitSets, automaton, phraseScratch, leafCaches, categorySpaces }: SearchResources) {
    this.schema = schema;
    this.points = points;
    this.bitSets = bitSets;
    this.automaton = automaton;
    this.phraseScratch = phraseScratch;
    this.#leafCaches = leafCaches;
    this.#categorySpaces = categorySpaces;
    this.#batch = bitSets.allocateBatch();
  }

  /** Address of the batch of doc ids that this search reads. */
  get batch(): number {
    return this.#batch;
  }

  cacheOf(leaf: Leaf): LeafCache {
    const known = this.#leafCaches.get(leaf) ?? this.#ownCaches.get(leaf);
    if (known !== undefined) return known;
    const own = new LeafCache(this.bitSets);
    this.#ownCaches.set(leaf, own);
    return own;
  }

  categoriesOf(readers: readonly LeafReader[]): CategorySpace {
    const known = this.#categorySpaces.get(readers);
    if (known !== undefined) return known;
    const made = new CategorySpace(readers);
    this.#categorySpaces.set(readers, made);
    return made;
  }

  /** Scratch of `size` zeros at least, for what is known of each category; until it is asked for again, or the search ends. */
  zeros(size: number): Uint8Array {
    if (this.#zeros.length < size) this.#zeros = new Uint8Array(size);
    else this.#zeros.fill(0, 0, size);
    return this.#zeros;
  }

  /** Keeps the bit sets of an entry as they are until this search ends. */
  pin(entry: CacheEntry): void {
    if (entry.pinnedBy === this) return;
    entry.pinnedBy = this;
    entry.pins += 1;
    this.#pinned.push(entry);
  }

  /** An empty set that is released when this search ends, also where it ends with an error. */
  acquire(size: number): BitSet {
    const set = this.bitSets.acquire(size);
    this.#acquired.push(set);
    return set;
  }

  /** Releases a set of `acquire` before the search ends. */
  release(set: BitSet): void {
    this.#acquired.splice(this.#acquired.indexOf(set), 1);
    this.bitSets.release(set);
  }

  /** Unpins and releases what the search used; the context may then serve another. */
  end(): void {
    for (const entry of this.#pinned) {
      entry.pins -= 1;
      entry.pinnedBy = undefined;
      if (entry.pins === 0 && entry.isEvicted) for (const set of entry.sets) this.bitSets.release(set);
    }
    this.#pinned.length = 0;
    for (const cache of this.#ownCaches.values()) cache.close();
    this.#ownCaches.clear();
    for (const set of this.#acquired) this.bitSets.release(set);
    this.#acquired.length = 0;
  }
}
