import { type Boosts, boostsOf, type QueryBoost } from "./boosts.ts";
import { BitSets } from "./docset/bit-set.ts";
import { LevenshteinAutomaton } from "./fuzzy/levenshtein-automaton.ts";
import type { Leaf, LeafReader } from "./index/leaf.ts";
import { createLeafReaders, type FindReplacedDocuments, findSharedDocuments, type Segment } from "./index/segment.ts";
import { LeafCache } from "./leaf-cache.ts";
import { findsExactly, search } from "./query/execute.ts";
import { listAllMatches } from "./query/match-all.ts";
import { PhraseScratch } from "./query/phrase-scratch.ts";
import { maxBoostedHits } from "./query/query-boosts.ts";
import { prepareSynonyms, type SynonymGroup } from "./query/synonyms.ts";
import { checkSchema, type Schema } from "./schema.ts";
import { explain } from "./scoring/explain.ts";
import { SchemaPoints } from "./scoring/field-points.ts";
import { SearchContext, type SearchResources } from "./search-context.ts";
import type { Query, SearchIndex } from "./search-index.ts";
import { CompletionSource, complete } from "./suggest/completions.ts";
import { type Phrases, packPhrases, toDisplayText } from "./suggest/phrases.ts";

export interface IndexOptions {
  /** Groups of words or phrases that mean the same. Default: none. */
  readonly synonyms?: readonly SynonymGroup[];
  /** Queries to complete, in addition to phrases of the documents. Default: none. */
  readonly popular?: readonly PopularTerm[];
  /** Default: none. */
  readonly boosts?: Boosts;
}

export interface PopularTerm {
  readonly locale: string;
  readonly text: string;
  /** How many people searched it. */
  readonly visitors: number;
}

/** Creates the state of searching in one thread: memory for bit sets, caches, and scratch. A thread needs one.
 *  @param schema the schema that the segments were built with  @throws Error if the schema is invalid */
export function createSearcher(schema: Schema): Searcher {
  return new Searcher(schema);
}

/** The state of searching in one thread: memory of bit sets, caches of segments, and scratch. A thread needs one, for all indexes that follow one
 *  another. A search may start another search in its `accept`. */
export class Searcher {
  readonly #bitSets = new BitSets();
  /** Caches of the newest index's leaves. */
  readonly #leafCaches = new Map<Leaf, LeafCache>();
  readonly #resources: SearchResources;
  /** By depth of nesting; used again from search to search. */
  readonly #contexts: SearchContext[] = [];
  /** Searches under way. */
  #depth = 0;

  /** @param schema of the segments  @throws Error if the schema is invalid */
  constructor(schema: Schema) {
    checkSchema(schema);
    this.#resources = {
      schema,
      points: new SchemaPoints(schema),
      bitSets: this.#bitSets,
      automaton: new LevenshteinAutomaton(),
      phraseScratch: new PhraseScratch(),
      leafCaches: this.#leafCaches,
      categorySpaces: new WeakMap(),
    };
  }

  /** The memory reserved for bit sets, in bytes. */
  get bitSetBytes(): number {
    return this.#bitSets.byteLength;
  }

  /** Opens an index over segments, the newest last; copies nothing and takes microseconds. Caches of segments of the previous index stay, and other
   *  caches are released. Indexes that were opened earlier still answer, without caches of segments that are gone.
   *  @param segments none may contain a document that another one contains: see `deleteDocuments` */
  open(segments: readonly Segment[], options: IndexOptions = {}): SearchIndex {
    const { boosts, popular = [] } = options;
    const leaves = new Set(segments.flatMap((segment) => segment.leaves));
    this.#keep(leaves);
    const synonyms = prepareSynonyms(options.synonyms ?? []);
    const readersIn = this.#readersByLocale(segments, leaves);
    const popularIn = popularByLocale(popular);
    const sourceOf = lazyByKey(
      (locale: string) => new CompletionSource(readersIn(locale), synonyms, popularIn(locale)),
      localeAmong([...leaves, ...popular]),
    );
    const boostsByDocument = boosts?.documents;
    /** Boosts of the document for every query, which count if it is among the best by words. */
    const documentBoosts = (context: SearchContext, query: Query, externalId: number): readonly QueryBoost[] => {
      const points = boostsByDocument?.pointsOf(externalId) ?? 0;
      if (boostsByDocument === undefined || points === 0) return [];
      const { type, reason } = boostsByDocument;
      const { fill: _, ...wide } = { ...query, limits: new Map([[type, maxBoostedHits]]) };
      const applied = { queryBoosts: boostsOf(query, boosts), documentBoosts: undefined };
      const best = search(context, wide, readersIn(query.locale), synonyms, applied).get(type) ?? [];
      return best.some((hit) => hit.externalId === externalId) ? [{ externalId, points, reason }] : [];
    };
    return {
      search: (query) =>
        this.#run((context) =>
          search(context, query, readersIn(query.locale), synonyms, {
            queryBoosts: boostsOf(query, boosts),
            documentBoosts: boostsByDocument,
          }),
        ),
      matches: (query, type) =>
        this.#run((context) => listAllMatches(context, query, type, readersIn(query.locale), synonyms)),
      findsExactly: (query) => this.#run((context) => findsExactly(context, query, readersIn(query.locale), synonyms)),
      complete: (text, locale, limit, only = {}) => {
        return this.#run((context) => complete(context, { text, locale, limit, restriction: only }, sourceOf(locale)));
      },
      explain: (query, externalId) =>
        this.#run((context) => {
          const all = [...boostsOf(query, boosts), ...documentBoosts(context, query, externalId)];
          return explain(context, query, externalId, readersIn(query.locale), synonyms, all);
        }),
    };
  }

  /** Creates a cache for each leaf, and releases those of all other leaves. */
  #keep(leaves: ReadonlySet<Leaf>): void {
    for (const [leaf, cache] of this.#leafCaches) {
      for (const by of cache.replacedDocuments.keys()) if (!leaves.has(by)) cache.replacedDocuments.delete(by);
      if (leaves.has(leaf)) continue;
      this.#leafCaches.delete(leaf);
      cache.close();
    }
    for (const leaf of leaves)
      if (!this.#leafCaches.has(leaf)) this.#leafCaches.set(leaf, new LeafCache(this.#bitSets));
  }

  #readersByLocale(segments: readonly Segment[], leaves: ReadonlySet<Leaf>): (locale: string) => readonly LeafReader[] {
    const shadow: FindReplacedDocuments = (leaf, by) => {
      const shadowed = this.#leafCaches.get(leaf)?.replacedDocuments;
      const bits = shadowed?.get(by) ?? findSharedDocuments(leaf, by);
      if (this.#leafCaches.has(by)) shadowed?.set(by, bits);
      return bits;
    };
    return lazyByKey((locale: string) => createLeafReaders(segments, locale, shadow), localeAmong([...leaves]));
  }

  #run<T>(use: (context: SearchContext) => T): T {
    const context = this.#contexts[this.#depth] ?? new SearchContext(this.#resources);
    this.#contexts[this.#depth] = context;
    this.#depth += 1;
    try {
      return use(context);
    } finally {
      this.#depth -= 1;
      context.end();
    }
  }
}

function popularByLocale(popular: readonly PopularTerm[]): (locale: string) => Phrases {
  return lazyByKey((locale: string) => {
    const terms = popular.filter((term) => term.locale === locale);
    return packPhrases(new Map(terms.map(({ text, visitors }) => [toDisplayText(text), visitors])));
  }, localeAmong(popular));
}

/** Locales come from requests: all unknown locales share one entry. */
function localeAmong(known: readonly { readonly locale: string }[]): (locale: string) => string {
  const locales = new Set(known.map(({ locale }) => locale));
  return (locale) => (locales.has(locale) ? locale : "");
}

/** Creates the value of each key at its first use.  @param normalize returns the representative of a key */
function lazyByKey<T>(make: (key: string) => T, normalize: (key: string) => string): (key: string) => T {
  const made = new Map<string, T>();
  return (asked) => {
    const key = normalize(asked);
    let value = made.get(key);
    if (value === undefined) {
      value = make(key);
      made.set(key, value);
    }
    return value;
  };
}
