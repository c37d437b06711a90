import type { Tokenizer } from "./analysis/tokenizer.ts";
import type { BitSets } from "./docset/bit-set.ts";
import type { LevenshteinAutomaton } from "./fuzzy/levenshtein-automaton.ts";
import type { Leaf, LeafReader } from "./index/leaf.ts";
import { type CacheEntry, LeafCache } from "./leaf-cache.ts";
import { CategoryModel } from "./query/category-space.ts";
import { maxWords } from "./query/parse.ts";
import type { PhraseBuffers } from "./query/phrase-scratch.ts";
import type { Schema } from "./schema.ts";
import { Candidates } from "./scoring/candidates.ts";
import type { SchemaScores } from "./scoring/field-scores.ts";
import type { TermScores } from "./scoring/scorer.ts";

/**
 * Resources that all contexts of a searcher share. Contexts may share scratch memory, because it is not in use while
 * the caller's `accept` runs another search.
 */
export interface SearchResources {
  readonly schema: Schema;
  readonly points: SchemaScores;
  readonly tokenizer: Tokenizer;
  readonly bitSets: BitSets;
  readonly automaton: LevenshteinAutomaton;
  readonly phraseBuffers: PhraseBuffers;
  /** Caches of the newest index, one for each leaf (documents of one language in a segment). */
  readonly leafCaches: ReadonlyMap<Leaf, LeafCache>;
  /**
   * Category data of each language, by the list of its leaf readers. An entry is created by the first query that needs
   * it, and has separate scratch memory.
   */
  readonly categoryModels: WeakMap<readonly LeafReader[], CategoryModel>;
}

/**
 * Working state of one search: scratch memory, and bit sets that are valid until the search ends. A search may start
 * inside another search (in its `accept`), with a separate context.
 */
export class SearchContext {
  readonly schema: Schema;
  readonly points: SchemaScores;
  readonly tokenizer: Tokenizer;
  readonly bitSets: BitSets;
  readonly automaton: LevenshteinAutomaton;
  readonly phraseBuffers: PhraseBuffers;
  readonly scores: TermScores = { points: new Int32Array(maxWords), positions: new Int32Array(maxWords) };
  readonly candidates = new Candidates();
  /** Receives the data that iterators prefetch, so that the reads are not optimized away. */
  readonly prefetchChecksum = new Int32Array(1);
  readonly #leafCaches: ReadonlyMap<Leaf, LeafCache>;
  readonly #categoryModels: SearchResources["categoryModels"];
  /** Caches of segments that only an older index contains. They are released when the search ends. */
  readonly #temporaryLeafCaches = new Map<Leaf, LeafCache>();
  readonly #batch: number;
  readonly #pinnedEntries: CacheEntry[] = [];

  constructor(resources: SearchResources) {
    this.schema = resources.schema;
    this.points = resources.points;
    this.tokenizer = resources.tokenizer;
    this.bitSets = resources.bitSets;
    this.automaton = resources.automaton;
    this.phraseBuffers = resources.phraseBuffers;
    this.#leafCaches = resources.leafCaches;
    this.#categoryModels = resources.categoryModels;
    this.#batch = this.bitSets.allocateBatch();
  }

  /** Memory address of the array that receives doc ids in batches. */
  get batch(): number {
    return this.#batch;
  }

  getLeafCache(leaf: Leaf): LeafCache {
    const existingCache = this.#leafCaches.get(leaf) ?? this.#temporaryLeafCaches.get(leaf);
    if (existingCache !== undefined) return existingCache;
    const cache = new LeafCache(this.bitSets);
    this.#temporaryLeafCaches.set(leaf, cache);
    return cache;
  }

  getCategoryModel(readers: readonly LeafReader[]): CategoryModel {
    const existingCache = this.#categoryModels.get(readers);
    if (existingCache !== undefined) return existingCache;
    const categoryModel = new CategoryModel(readers);
    this.#categoryModels.set(readers, categoryModel);
    return categoryModel;
  }

  /** Prevents the bit sets of a cache entry from being changed or reused until the search ends. */
  pin(entry: CacheEntry): void {
    if (entry.pinningSearch === this) return;
    entry.pinningSearch = this;
    entry.pinCount += 1;
    this.#pinnedEntries.push(entry);
  }

  /** Unpins and releases everything that the search used. The context can then be reused. */
  releaseAll(): void {
    for (const entry of this.#pinnedEntries) {
      entry.pinCount -= 1;
      entry.pinningSearch = undefined;
      if (entry.pinCount === 0 && entry.isEvicted) for (const set of entry.sets) this.bitSets.release(set);
    }
    this.#pinnedEntries.length = 0;
    for (const cache of this.#temporaryLeafCaches.values()) cache.close();
    this.#temporaryLeafCaches.clear();
  }
}
