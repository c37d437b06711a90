import type { LeafReader } from "../index/leaf.ts";
import type { FieldPoints } from "../scoring/field-points.ts";
import type { Tier } from "../scoring/tiers.ts";
import type { SearchContext } from "../search-context.ts";
import type { Query } from "../search-index.ts";
import type { CategoryBonuses } from "./category-space.ts";
import type { QueryWord } from "./parse.ts";
import { costOf, type TermQuery } from "./term-query.ts";

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
  readonly tier: Tier;
  readonly words: readonly QueryWord[];
  /** Points by the fields that count. */
  readonly counted: FieldPoints;
  readonly readers: readonly LeafReader[];
  /** By reader, by word. */
  readonly termQueries: readonly (readonly TermQuery[])[];
  /** By word: how rare it is in all leaves, in `rarityUnit`. */
  readonly rarities: readonly number[];
  /** Present where a document may lack words. */
  readonly partial?: PartialMatching;
  /** Present where a document must hold some words as they were typed, although all may be misspelt. */
  readonly typedSome?: TypedSome;
}

/** The words that some document holds as they were typed, and how many of them a document must hold so in naming fields. */
export interface TypedSome {
  /** By reader, by such word. */
  readonly termQueries: readonly (readonly TermQuery[])[];
  readonly count: number;
}

/** What documents that lack words are chosen and ordered by. */
export interface PartialMatching {
  /** Sets of words (bit n: word n) each of which is a reason to show a document that holds it and lacks others. */
  readonly grounds: readonly number[];
  /** By word: whether nothing is lacking without it, as it is an article, a preposition or a conjunction. */
  readonly isFunctionWord: readonly boolean[];
  /** By word: whether some document holds it as it was typed; function words are none of these. */
  readonly isTyped: readonly boolean[];
  /** What kinds of things the words mean. */
  readonly categoryBonuses: CategoryBonuses;
}

/** Postings that match a word of a step, in all leaves. */
export function costInAll({ termQueries }: RelaxationStep, word: number, withBody: boolean): number {
  return termQueries.reduce((sum, ofReader) => sum + costOf(ofReader[word] as TermQuery, withBody), 0);
}
