import type { FuzzyMatches } from "../fuzzy/fuzzy-matches.ts";
import type { MatchKind } from "../scoring/score.ts";
import type { Range } from "../terms/dictionary.ts";

/** Terms `low` up to, not including, `high` of a leaf match a word of the query. */
export interface ExpandedTerm extends Range {
  readonly kind: MatchKind;
  /** Percentage of the points; see `matchBoosts`. */
  readonly boost: number;
}

/** Documents in which the words of a phrase first stand one after the other: postings of a phrase. */
export interface PhraseMatch {
  readonly kind: MatchKind;
  /** Percentage of the points; see `matchBoosts`. */
  readonly boost: number;
  /** Doc ids, ascending. */
  readonly documents: Uint32Array;
  /** By document: the fields that hold the phrase and the position of its first word, as a payload. */
  readonly payloads: Uint16Array;
  /** The phrase as the documents say it. */
  readonly label: string;
}

/** A word of a query compiled for one leaf: all that it may stand for there. */
export interface TermQuery {
  readonly ranges: readonly ExpandedTerm[];
  readonly phraseMatches: readonly PhraseMatch[];
  readonly fuzzy: FuzzyMatches;
  /** Postings that match in naming fields, and in the body: at least as many as documents. */
  readonly namingCost: number;
  readonly bodyCost: number;
}

/** Postings of a term query. */
export function costOf({ namingCost, bodyCost }: TermQuery, withBody: boolean): number {
  return withBody ? namingCost + bodyCost : namingCost;
}

/** In ascending order of cost. */
export function cheapestFirst(termQueries: readonly TermQuery[], withBody: boolean): readonly TermQuery[] {
  return [...termQueries].sort((one, other) => costOf(one, withBody) - costOf(other, withBody));
}
