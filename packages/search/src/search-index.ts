import type { DocumentBoosts, QueryBoost } from "./boosts.ts";

/** A search query with its options. */
export interface Query {
  /** Text as typed, of which at most 256 code points are used. Its last word may be incomplete. */
  readonly text: string;
  /** Language of the documents, as in `SearchDocument`. */
  readonly locale: string;
  /** Maximum number of hits of each document type. */
  readonly limits: ReadonlyMap<number, number>;
  /**
   * If there are fewer hits than this, documents with weaker matches or missing words are added. Default: the limit.
   */
  readonly fill?: number;
  /** Bit mask of the fields to search, with bit n for field n. Default: all fields. */
  readonly fields?: number;
  /** Boosts in addition to the boosts of the index. Default: none. */
  readonly boosts?: readonly QueryBoost[];
  /** Boosts of the best text matches, in addition to those of the index. Default: none. */
  readonly documentBoosts?: readonly DocumentBoosts[];
  /** Whether words may be misspelled: one edit from 4 letters, and two edits from 8 letters. Default: true. */
  readonly typos?: boolean;
  /** Whether unavailable documents come last, rank like available documents, or are omitted. Default: "last". */
  readonly unavailable?: "last" | "show" | "hide";
  /**
   * Returns false for a document that must not be a hit, for reasons unknown to the index. It is called for many
   * candidates and may start another search.
   * @param isAvailable availability in the index; true if unknown, as in completions
   */
  readonly accept?: (externalId: number, type: number, isAvailable: boolean) => boolean;
}

/** A document that a query finds. */
export interface Hit {
  /** Id of the document, as in `SearchDocument`. */
  readonly externalId: number;
  /** Type of the document, as in `SearchDocument`. */
  readonly type: number;
  /** Total score points. `SearchIndex.explain` returns their parts. */
  readonly score: number;
  /** Number of words of the query that the document lacks, without articles, prepositions and conjunctions. */
  readonly missing: number;
  /**
   * Words of the query, compared with the document, for notices such as "Showing results for batteries". Set only on
   * the first hit of the first type in `limits` that has hits, and only if the document lacks a word of the query or
   * contains a word in another spelling.
   */
  readonly words?: readonly ComparedWord[];
}

/** A document to index: `{ externalId: 7, locale: "en", fields: [[0, "Red shoes"], [1, "Made of canvas."]] }`. */
export interface SearchDocument {
  /**
   * Id of the document, from 0 to 2^32 - 1. It is unique in an index for each locale, and ids ascend within a segment.
   */
  readonly externalId: number;
  /**
   * Language of the texts, for example "en" or "pt-BR". A document in several languages is added once for each
   * language.
   */
  readonly locale: string;
  /** Pairs of a field number (its index in the schema) and a text. A field may occur several times. */
  readonly fields: readonly (readonly [number, string])[];
  /** Document type, from 0 to 15. Hits are listed and limited by type. Default: 0. */
  readonly type?: number;
  /**
   * Whether the document is available. Unavailable documents, for example archived ones, rank after all others.
   * Default: true.
   */
  readonly available?: boolean;
  /** Popularity from 0 to 1, which orders documents with equal scores. Default: 0. */
  readonly popularity?: number;
  /**
   * Source of completions: the entire title ("whole"), or the title and groups of its neighboring words ("runs"). In
   * both cases, fields of kind `phrase` are sources, too. Default: no completions, which is suitable for documents that
   * `accept` may reject.
   */
  readonly phrases?: "runs" | "whole";
}

/** Limits the documents that count as results of a completion. */
export interface CompletionRestriction {
  /** Returns whether a document may be a result (see `Query`). */
  readonly accept?: Query["accept"];
  /** Returns the ids of documents that a search for the phrase hides. Default: none. */
  readonly hidden?: (phrase: string) => ReadonlySet<number>;
}

/** An immutable index over segments. To change it, open another index, which shares the unchanged segments. */
export interface SearchIndex {
  /**
   * Finds documents. A document with a negated word ("without sugar") is found only if it states that it lacks it.
   * @returns hits by type, best first; hits with all words precede hits that lack words
   * @example index.search({ text: "red sho", locale: "en", limits: new Map([[0, 10]]) }).get(0)
   */
  search(query: Query): ReadonlyMap<number, readonly Hit[]>;
  /**
   * Lists all documents of a type that contain all words. Weaker matches, such as misspelled words, are listed only if
   * there are no stronger ones. Available documents come first, then documents are ordered by popularity.
   * @returns external ids, without the limit of `search`; empty if no document contains all words
   */
  matches(query: Query, type: number): Uint32Array;
  /** Returns whether a document of any type contains all words of the query as typed, with the last word complete. */
  findsExactly(query: Query): boolean;
  /**
   * Completes a text with phrases of the documents and popular queries.
   * @param limit maximum number of phrases
   * @returns phrases, best first; each of them has a result
   */
  complete(text: string, locale: string, limit: number, restriction?: CompletionRestriction): readonly string[];
  /** Explains the score of a document.  @returns undefined if the query does not find the document */
  explain(query: Query, externalId: number): Explanation | undefined;
}

/** A word of a query, compared with a document. */
export interface ComparedWord {
  /** The word of the query, in lower case without accents. */
  readonly word: string;
  /** `found`: as typed, inflected, as a prefix or as a synonym; `corrected`: with another spelling. */
  readonly match: "found" | "corrected" | "missing";
  /** Word of the document that was found instead, in lower case without accents. Only if `match` is `corrected`. */
  readonly term?: string;
  /** Whether people often misspell the term in this way. Only if `match` is `corrected`. */
  readonly isLikely?: boolean;
}

/** Explanation of a document's score. */
export interface Explanation {
  /** Score of the document: the sum of the scores of all parts. */
  readonly score: number;
  readonly parts: readonly ExplanationPart[];
}

/** One of the parts that add up to a score. */
export interface ExplanationPart {
  /**
   * Evidence that gives the score points. The points of kind `group` are so negative that the document ranks after all
   * documents without this part.
   */
  readonly kind: "word" | "neighbors" | "title" | "category" | "boost" | "popularity" | "group";
  /** The word of the query, in lower case without accents. Only for the kind `word`. */
  readonly word?: string;
  /** Description in English. */
  readonly reason: string;
  readonly score: number;
}
