import type { QueryBoost } from "./boosts.ts";

/** The query string. */
export interface Query {
  /** The text as typed; at most 256 code points are read. Its last word may be incomplete. */
  readonly text: string;
  /** The language of the documents, as in `SearchDocument`. */
  readonly locale: string;
  /** The maximum number of hits of each document type. */
  readonly limits: ReadonlyMap<number, number>;
  /** If fewer documents than this fit best, others that fit less or lack words follow, up to this number. Default: the limit. */
  readonly fill?: number;
  /** A bit mask of the fields to search: bit n for field n. Default: all. */
  readonly fields?: number;
  /** Boosts in addition to those of the index. Default: none. */
  readonly boosts?: readonly QueryBoost[];
  /** Whether words may be misspelled, by one edit from 4 letters on and by two from 8. Default: true. */
  readonly typos?: boolean;
  /** Whether unavailable documents come last, rank like the others, or are omitted. Default: "last". */
  readonly unavailable?: "last" | "show" | "hide";
  /** Returns false for a document that must not be a hit, for reasons that the index does not know. It is called for many candidates and may search.
   *  @param isAvailable as indexed; true if unknown, as in completions */
  readonly accept?: (externalId: number, type: number, isAvailable: boolean) => boolean;
}

/** A document that a query finds. */
export interface Hit {
  /** The id of the document. */
  readonly externalId: number;
  /** The type of the document. */
  readonly type: number;
  /** Points; `SearchIndex.explain` shows their parts. */
  readonly score: number;
  /** How many words of the query the document lacks; articles, prepositions, and conjunctions do not count. 0: it contains all. */
  readonly missing: number;
}

/** A document to index: `{ externalId: 7, locale: "en", fields: [[0, "Red shoes"], [1, "Made of canvas."]] }`. */
export interface SearchDocument {
  /** From 0 to 2^32 - 1, unique in an index for each locale, ascending within a segment. */
  readonly externalId: number;
  /** The language of the texts, for example "en" or "pt-BR"; a document in several languages is added once for each. */
  readonly locale: string;
  /** Pairs of a field number (its index in the schema) and a text; a field may occur several times. */
  readonly fields: readonly (readonly [number, string])[];
  /** From 0 to 15; hits are listed and limited by type. Default: 0. */
  readonly type?: number;
  /** False for a document that ranks after all others, for example an archived one. Default: true. */
  readonly available?: boolean;
  /** From 0 to 1; orders documents with equal scores. Default: 0. */
  readonly popularity?: number;
  /** What completions take from the document: its title as a whole, or also runs of words of its title; with either, its fields of kind `phrase`.
   *  Default: nothing, which suits documents that `accept` may refuse. */
  readonly phrases?: "runs" | "whole";
}

/** Which documents a completion must find. */
export interface OnlyFinding {
  /** See `Query`. */
  readonly accept?: Query["accept"];
  /** Returns the ids of the documents that a search for the phrase does not show. Default: it shows all that are accepted. */
  readonly hidden?: (phrase: string) => ReadonlySet<number>;
}

/** An immutable index over some segments. To change it, open another one: segments that did not change are shared. */
export interface SearchIndex {
  /** Finds documents.
   *  @returns hits by type, best first; hits with all words come before hits that lack some
   *  @example index.search({ text: "red sho", locale: "en", limits: new Map([[0, 10]]) }).get(0) */
  search(query: Query): ReadonlyMap<number, readonly Hit[]>;
  /** Lists all documents of a type that contain all words as strictly as any document does: available ones first, then by popularity.
   *  @returns ids; none if documents are found only by some of the words. If `search` reaches its limit, the documents it omits are among these. */
  matches(query: Query, type: number): Uint32Array;
  /** Returns whether a document of any type contains all words of the query as typed, each complete. */
  findsExactly(query: Query): boolean;
  /** Completes a text with phrases of the documents and popular queries.
   *  @param limit the maximum number of phrases  @returns best first; each finds a document */
  complete(text: string, locale: string, limit: number, only?: OnlyFinding): readonly string[];
  /** Explains the score of a document. @returns undefined if the query does not find the document */
  explain(query: Query, externalId: number): Explanation | undefined;
}

/** Why a document has its score. */
export interface Explanation {
  /** The sum of the parts. */
  readonly score: number;
  /** What matched, in which field, how, and how many points it adds; English sentences. */
  readonly parts: readonly { readonly reason: string; readonly score: number }[];
}
