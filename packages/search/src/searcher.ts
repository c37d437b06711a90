import { Tokenizer } from "./analysis/tokenizer.ts";
import { type Boosts, mergeBoosts, mergeDocumentBoosts, type QueryBoost } from "./boosts.ts";
import { BitSets } from "./docset/bit-set.ts";
import { LevenshteinAutomaton } from "./fuzzy/levenshtein-automaton.ts";
import type { Leaf, LeafReader } from "./index/leaf.ts";
import { createLeafReaders, findSharedDocuments, type ReplacedDocumentFinder, type Segment } from "./index/segment.ts";
import { LeafCache } from "./leaf-cache.ts";
import { hasTypedMatch, search } from "./query/execute.ts";
import { listAllMatches } from "./query/match-all.ts";
import { PhraseBuffers } from "./query/phrase-scratch.ts";
import { maxBoostedHits } from "./query/query-boosts.ts";
import { prepareSynonyms, type SynonymGroup } from "./query/synonyms.ts";
import { checkSchema, type Schema } from "./schema.ts";
import { explain } from "./scoring/explain.ts";
import { SchemaScores } from "./scoring/field-scores.ts";
import { SearchContext, type SearchResources } from "./search-context.ts";
import type { Query, SearchIndex } from "./search-index.ts";
import { CompletionSource, suggestTexts } from "./suggest/completions.ts";
import { type Phrases, packPhrases, toDisplayText } from "./suggest/phrases.ts";

export interface IndexOptions {
  /** Groups of words or phrases with the same meaning. Default: none. */
  readonly synonyms?: readonly SynonymGroup[];
  /** Queries for completion, in addition to phrases of the documents. Default: none. */
  readonly popular?: readonly PopularTerm[];
  /** Boosts of documents. Default: none. */
  readonly boosts?: Boosts;
}

export interface PopularTerm {
  readonly locale: string;
  readonly text: string;
  /** Number of people who searched for the text. */
  readonly visitors: number;
}

/**
 * Creates the search state of one thread: memory of bit sets, caches and scratch memory. A thread needs only one
 * searcher.
 * @param schema schema with which the segments were built
 * @throws Error if the schema is invalid
 */
export function createSearcher(schema: Schema): Searcher {
  return new Searcher(schema);
}

/**
 * Search state of one thread: memory of bit sets, caches of segments, and scratch memory. A thread needs only one
 * searcher, which opens all its indexes one after another. A search may start another search in its `accept`.
 */
export class Searcher {
  readonly #bitSets = new BitSets();
  /** Caches of the newest index, one for each leaf (documents of one language in a segment). */
  readonly #leafCaches = new Map<Leaf, LeafCache>();
  readonly #resources: SearchResources;
  /** Contexts by nesting depth, reused for later searches. */
  readonly #contexts: SearchContext[] = [];
  /** Number of active searches. */
  #depth = 0;

  /** @param schema schema of the segments  @throws Error if the schema is invalid */
  constructor(schema: Schema) {
    checkSchema(schema);
    this.#resources = {
      schema,
      points: new SchemaScores(schema),
      tokenizer: new Tokenizer(),
      bitSets: this.#bitSets,
      automaton: new LevenshteinAutomaton(),
      phraseBuffers: new PhraseBuffers(),
      leafCaches: this.#leafCaches,
      categoryModels: new WeakMap(),
    };
  }

  /** Number of bytes reserved for bit sets. */
  get bitSetBytes(): number {
    return this.#bitSets.byteLength;
  }

  /**
   * Opens an index over segments, the newest last. This copies nothing and takes microseconds. Caches of segments of
   * the previous index are reused, and other caches are released. Earlier indexes still work, but without caches of
   * segments that the new index does not contain.
   * @param segments segments without common documents (see `deleteDocuments`)
   */
  open(segments: readonly Segment[], options: IndexOptions = {}): SearchIndex {
    const { boosts, popular = [] } = options;
    const leaves = new Set(segments.flatMap((segment) => segment.leaves));
    this.#updateCaches(leaves);
    const synonyms = prepareSynonyms(this.#resources.tokenizer, options.synonyms ?? []);
    const findReaders = this.#createReaderLookup(segments, leaves);
    const findPopularPhrases = packPopularTerms(popular);
    const getCompletionSource = memoizeByKey(
      (locale: string) => new CompletionSource(findReaders(locale), synonyms, findPopularPhrases(locale)),
      createLocaleNormalizer([...leaves, ...popular]),
    );
    /**
     * Returns the `DocumentBoosts` that a document gets for a query. The list is empty if the document is not among the
     * best text matches, because only these are boosted.
     */
    const findDocumentBoosts = (context: SearchContext, query: Query, externalId: number): readonly QueryBoost[] => {
      const documentBoosts = mergeDocumentBoosts(query, boosts).flatMap(({ type, reason, pointsOf }) => {
        const points = pointsOf(externalId);
        return points === 0 ? [] : [{ type, externalId, points, reason }];
      });
      if (documentBoosts.length === 0) return [];
      const limits = new Map(documentBoosts.map(({ type }) => [type, maxBoostedHits]));
      const { fill: _, ...limitedQuery } = { ...query, limits };
      const appliedBoosts = { queryBoosts: mergeBoosts(query, boosts), documentBoosts: [] };
      const bestHits = search(context, limitedQuery, findReaders(query.locale), synonyms, appliedBoosts);
      return documentBoosts.filter(({ type }) => bestHits.get(type)?.some((hit) => hit.externalId === externalId));
    };
    return {
      search: (query) =>
        this.#runSearch((context) =>
          search(context, query, findReaders(query.locale), synonyms, {
            queryBoosts: mergeBoosts(query, boosts),
            documentBoosts: mergeDocumentBoosts(query, boosts),
          }),
        ),
      matches: (query, type) =>
        this.#runSearch((context) => listAllMatches(context, query, type, findReaders(query.locale), synonyms)),
      findsExactly: (query) =>
        this.#runSearch((context) => hasTypedMatch(context, query, findReaders(query.locale), synonyms, "whole")),
      complete: (text, locale, limit, restriction = {}) => {
        return this.#runSearch((context) =>
          suggestTexts(context, { text, locale, limit, restriction }, getCompletionSource(locale)),
        );
      },
      explain: (query, externalId) =>
        this.#runSearch((context) => {
          const allBoosts = [...mergeBoosts(query, boosts), ...findDocumentBoosts(context, query, externalId)];
          return explain(context, query, externalId, findReaders(query.locale), synonyms, allBoosts);
        }),
    };
  }

  /**
   * Creates missing caches for the given leaves (documents of one language in a segment), and releases all other
   * caches.
   */
  #updateCaches(leaves: ReadonlySet<Leaf>): void {
    for (const [leaf, cache] of this.#leafCaches) {
      for (const newerLeaf of cache.replacedDocuments.keys())
        if (!leaves.has(newerLeaf)) cache.replacedDocuments.delete(newerLeaf);
      if (leaves.has(leaf)) continue;
      this.#leafCaches.delete(leaf);
      cache.close();
    }
    for (const leaf of leaves)
      if (!this.#leafCaches.has(leaf)) this.#leafCaches.set(leaf, new LeafCache(this.#bitSets));
  }

  #createReaderLookup(
    segments: readonly Segment[],
    leaves: ReadonlySet<Leaf>,
  ): (locale: string) => readonly LeafReader[] {
    const findReplacedDocs: ReplacedDocumentFinder = (leaf, newerLeaf) => {
      const replacedDocuments = this.#leafCaches.get(leaf)?.replacedDocuments;
      const bits = replacedDocuments?.get(newerLeaf) ?? findSharedDocuments(leaf, newerLeaf);
      if (this.#leafCaches.has(newerLeaf)) replacedDocuments?.set(newerLeaf, bits);
      return bits;
    };
    return memoizeByKey(
      (locale: string) => createLeafReaders(segments, locale, findReplacedDocs),
      createLocaleNormalizer([...leaves]),
    );
  }

  #runSearch<T>(operation: (context: SearchContext) => T): T {
    const context = this.#contexts[this.#depth] ?? new SearchContext(this.#resources);
    this.#contexts[this.#depth] = context;
    this.#depth += 1;
    try {
      return operation(context);
    } finally {
      this.#depth -= 1;
      context.releaseAll();
    }
  }
}

function packPopularTerms(popularTerms: readonly PopularTerm[]): (locale: string) => Phrases {
  return memoizeByKey((locale: string) => {
    const terms = popularTerms.filter((term) => term.locale === locale);
    return packPhrases(new Map(terms.map(({ text, visitors }) => [toDisplayText(text), visitors])));
  }, createLocaleNormalizer(popularTerms));
}

/**
 * Returns a function that maps all unknown locales to one cache key. Locales come from requests, which could otherwise
 * fill the cache.
 */
function createLocaleNormalizer(localizedItems: readonly { readonly locale: string }[]): (locale: string) => string {
  const locales = new Set(localizedItems.map(({ locale }) => locale));
  return (locale) => (locales.has(locale) ? locale : "");
}

/**
 * Returns a function that creates the value of each key on first use.
 * @param normalizeKey returns a common key for equivalent keys
 */
function memoizeByKey<T>(createValue: (key: string) => T, normalizeKey: (key: string) => string): (key: string) => T {
  const cachedValues = new Map<string, T>();
  return (requestedKey) => {
    const key = normalizeKey(requestedKey);
    let value = cachedValues.get(key);
    if (value === undefined) {
      value = createValue(key);
      cachedValues.set(key, value);
    }
    return value;
  };
}
