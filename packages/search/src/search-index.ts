import type { QueryBoost } from "./boosts.ts";

/** A query. */
export interface Query {
  /** As typed; at most 256 code points are looked at. */
  readonly text: string;
  /** Which language's texts are searched. */
  readonly locale: string;
  /** Document types wanted, each with the number of hits at most. */
  readonly limits: ReadonlyMap<number, number>;
  /** Where the documents that fit best are fewer than this, the answer is filled up to it with others, which fit less or lack words; absent: up
   *  to the limit. */
  readonly fill?: number;
  /** Fields that count (bit n: field n); absent: all. */
  readonly fields?: number;
  /** Boosts in addition to those of the index. Default: none. */
  readonly boosts?: readonly QueryBoost[];
  readonly typos: boolean;
  /** Documents out of stock come last, among the others, or not at all. */
  readonly unavailable: "last" | "show" | "hide";
  /** Whether a document may be a hit, for what only the caller knows (a date has passed); absent: all may. Called for many candidates; it may
   *  search. @param isAvailable as it was indexed; true where that is not known, as in completions */
  readonly accept?: (externalId: number, type: number, isAvailable: boolean) => boolean;
}

export interface Hit {
  /** The external id. */
  readonly externalId: number;
  readonly type: number;
  readonly score: number;
  /** Words of the query that it lacks; articles, prepositions and conjunctions are not counted. 0: it holds all. */
  readonly missing: number;
}

/** A document as the caller gives it to the index. */
export interface SearchDocument {
  /** The external id: unique in an index, ascending within a segment. */
  readonly externalId: number;
  /** 0 to 15. */
  readonly type: number;
  readonly available: boolean;
  /** 0 to 1; orders documents of the same score. */
  readonly popularity: number;
  readonly locale: string;
  /** [field number, text]; a field may come several times. */
  readonly fields: readonly (readonly [number, string])[];
  /** What completions take from it: its title as a whole, or runs of words of its title; with either, its fields of kind `phrase`. Absent:
   *  nothing (for documents that `accept` may refuse, as a completion would then find nothing). */
  readonly phrases?: "runs" | "whole";
}

/** Which documents a completion must find. */
export interface OnlyFinding {
  /** See `Query`. */
  readonly accept?: Query["accept"];
  /** External ids of the documents that the search for a phrase does not show; absent: it shows all that are accepted. */
  readonly refused?: (phrase: string) => ReadonlySet<number>;
}

/** An immutable index. A change of the catalogue opens another one, which shares the segments that did not change. */
export interface SearchIndex {
  /** Hits by type, each list at most as long as its limit: those with all words first, then those that lack some. */
  search(query: Query): ReadonlyMap<number, readonly Hit[]>;
  /** External ids of all documents of a type, however many, that hold all words as strictly as any of them does: in stock first, then by popularity. None
   *  where documents are found by some of the words alone. Where `search` finds as many as its limit, those that it leaves out are among these. */
  matches(query: Query, type: number): Uint32Array;
  /** Whether a document of any type holds all words as they were typed, each whole. */
  findsExactly(query: Query): boolean;
  /** Phrases that complete `text`, best first; each finds something. */
  complete(text: string, locale: string, limit: number, only?: OnlyFinding): readonly string[];
  /** Why a document ranks where it does, in words; undefined where it does not match. */
  explain(query: Query, externalId: number): Explanation | undefined;
}

export interface Explanation {
  readonly score: number;
  /** What the score is made of, one part a line: what matched, in which field, how, and what it adds. */
  readonly parts: readonly { readonly reason: string; readonly score: number }[];
}
