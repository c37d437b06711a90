import type { LeafReader } from "../index/leaf.ts";
import type { FieldPoints } from "../scoring/field-points.ts";
import type { SearchContext } from "../search-context.ts";
import type { Query } from "../search-index.ts";
import type { QueryWord } from "./parse.ts";
import type { TermQuery } from "./term-query.ts";

/** How strictly the words of a query are taken. */
export interface Relaxation {
  /** All words but the last must be whole. */
  readonly wholeWords: boolean;
  /** By word: how many edits away a term may be. */
  readonly edits: readonly number[];
}

/** A query compiled for all leaves with one relaxation. */
export interface RelaxationStep {
  readonly context: SearchContext;
  readonly query: Query;
  readonly words: readonly QueryWord[];
  /** Points by the fields that count. */
  readonly counted: FieldPoints;
  readonly readers: readonly LeafReader[];
  /** By reader, by word. */
  readonly termQueries: readonly (readonly TermQuery[])[];
  /** Present where a document need not hold all words. */
  readonly minimumShouldMatch?: MinimumShouldMatch;
}

/** How many words a document must hold where none holds all of them. */
export interface MinimumShouldMatch {
  /** By word: points for holding it, more for words that few documents hold. */
  readonly idfs: readonly number[];
  /** Words that a document must hold. */
  readonly count: number;
  /** Words of the body count too. */
  readonly withBody: boolean;
}
