import type { LeafReader } from "../index/leaf.ts";
import type { FieldPoints } from "../scoring/field-points.ts";
import type { Tier } from "../scoring/score.ts";
import type { SearchContext } from "../search-context.ts";
import type { Query } from "../search-index.ts";
import type { CategoryBonuses } from "./category-space.ts";
import type { QueryWord } from "./parse.ts";
import { costOf, type TermQuery } from "./term-query.ts";

/** Strictness with which the words of a query match. */
export interface Relaxation {
  /** All words but the last must be whole. */
  readonly exactWords: boolean;
  /** By word: how many edits away a term may be. */
  readonly edits: readonly number[];
}

/** A query compiled for all leaves with one relaxation. */
export interface RelaxationStep {
  readonly context: SearchContext;
  readonly query: Query;
  readonly tier: Tier;
  readonly words: readonly QueryWord[];
  /** Points by the fields that count. */
  readonly counted: FieldPoints;
  readonly readers: readonly LeafReader[];
  /** By reader, by word. */
  readonly termQueries: readonly (readonly TermQuery[])[];
  /** By word: how rare it is in all leaves, in `rarityUnit`. */
  readonly rarities: readonly number[];
  /** Set if a document may lack words. */
  readonly partial?: PartialMatching;
  /** Set if a document must contain some words exactly, although all may be misspelled. */
  readonly typedSome?: TypedSome;
}

/** The words that some document holds as they were typed, and how many of them a document must hold so in primary fields. */
export interface TypedSome {
  /** By reader, by such word. */
  readonly termQueries: readonly (readonly TermQuery[])[];
  readonly count: number;
}

/** Rules for selecting and ranking documents that lack words. */
export interface PartialMatching {
  /** Sets of words (bit n: word n): a document with all words of one set is a result even if it lacks others. */
  readonly grounds: readonly number[];
  /** By word: whether it is an article, a preposition or a conjunction, which may be missing. */
  readonly isFunctionWord: readonly boolean[];
  /** By word: whether a document contains it exactly; false for function words. */
  readonly isTyped: readonly boolean[];
  /** Bonuses of the categories that the words mean. */
  readonly categoryBonuses: CategoryBonuses;
}

/** Postings that match a word of a step, in all leaves. */
export function costInAll({ termQueries }: RelaxationStep, word: number, withBody: boolean): number {
  return termQueries.reduce((sum, ofReader) => sum + costOf(ofReader[word] as TermQuery, withBody), 0);
}
