/** What a caller asks of the index. */
export interface Query {
  /** As typed; at most 256 code points are looked at. */
  readonly text: string;
  /** Which language's texts are searched. */
  readonly locale: string;
  /** Document types wanted, each with how many hits at most. */
  readonly limits: ReadonlyMap<number, number>;
  /** Fields that count for a type (bit n: field n); absent: all. */
  readonly fields?: number;
  readonly typos: boolean;
  /** What to do with documents out of stock. */
  readonly unavailable: "last" | "show" | "hide";
  /** Asked of each candidate, cheaply, for what only the caller knows (a date has passed); absent: all are accepted. */
  readonly accept?: (number: number, type: number) => boolean;
}

export interface Hit {
  /** The caller's document number. */
  readonly number: number;
  readonly type: number;
  readonly score: number;
}

/** One document as the caller hands it to the index builder. */
export interface SearchDocument {
  /** The caller's number, unique in the index, ascending within a build. */
  readonly number: number;
  /** 0 to 15. */
  readonly type: number;
  readonly available: boolean;
  /** 0 to 1; orders documents that match equally well. */
  readonly popularity: number;
  readonly locale: string;
  /** [field number, text]; a field may come several times. */
  readonly fields: readonly (readonly [number, string])[];
  /** What completions may take from it: its title `whole`, or `runs` of words of its title, and vendor and product type; absent:
   *  nothing (a document that `accept` may refuse would make completions that find nothing). */
  readonly phrases?: "runs" | "whole";
}

/** Which documents may be found by a completion. */
export interface OnlyFinding {
  /** See `Query`. */
  readonly accept?: Query["accept"];
  /** Numbers of the documents that the search for a phrase does not show; absent: it shows all that are accepted. */
  readonly refused?: (phrase: string) => ReadonlySet<number>;
}

/** An immutable index; a catalogue change makes a new one that boosts the unchanged segments. */
export interface SearchIndex {
  /** Hits by type, best first, each list at most as long as its limit. */
  search(query: Query): ReadonlyMap<number, readonly Hit[]>;
  /** Whether a document of any type holds all words, each as it was typed and whole. */
  findsExactly(query: Query): boolean;
  /** Phrases that complete `text`, best first; each finds something. */
  complete(text: string, locale: string, limit: number, only?: OnlyFinding): readonly string[];
  /** Why a document ranks where it does, in words; undefined where it does not match. */
  explain(query: Query, number: number): Explanation | undefined;
}

export interface Explanation {
  readonly score: number;
  /** One leaf of the score a line: what matched, in which field, how, and what it adds. */
  readonly parts: readonly { readonly reason: string; readonly score: number }[];
}
