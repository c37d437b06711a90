import type { FuzzyMatches } from "../fuzzy/fuzzy-matches.ts";
import type { MatchKind } from "../scoring/score.ts";
import type { Range } from "../terms/dictionary.ts";

/** A range of terms of a leaf that match a word of the query. */
export interface ExpandedTerm extends Range {
  readonly kind: MatchKind;
  /** Percentage of the points of an exact match (see `matchBoosts`). */
  readonly boost: number;
}

/**
 * A range that is in no other range of its term query, with the ranges inside it. For example, the range of a prefix
 * contains the range of each term with the prefix.
 */
export interface OuterRange extends Range {
  readonly boost: number;
  readonly inner: readonly ExpandedTerm[];
}

/** Documents in which the words of a phrase are adjacent, as postings of the phrase. */
export interface PhraseMatch {
  readonly kind: MatchKind;
  /** Percentage of the points of an exact match (see `matchBoosts`). */
  readonly boost: number;
  /** Doc ids in ascending order. */
  readonly documents: Uint32Array;
  /** Payload of each document: the fields with the phrase and the position of its first word. */
  readonly payloads: Uint16Array;
  /** The phrase as text. */
  readonly label: string;
}

/** A word of a query compiled for one leaf, with all its matches. */
export interface TermQuery {
  readonly ranges: readonly ExpandedTerm[];
  /** The same ranges, nested and in ascending order. */
  readonly outerRanges: readonly OuterRange[];
  readonly phraseMatches: readonly PhraseMatch[];
  readonly fuzzy: FuzzyMatches;
  /** Number of matching postings in primary fields, an upper bound of the number of documents. */
  readonly primaryCost: number;
  readonly bodyCost: number;
  /** Number of postings of the complete word and its inflected forms, in primary fields and the body. */
  readonly exactCost: number;
}

/** Returns the number of postings of a term query. */
export function costOf({ primaryCost, bodyCost }: TermQuery, withBody: boolean): number {
  return withBody ? primaryCost + bodyCost : primaryCost;
}

/** Returns the term queries in ascending order of cost. */
export function cheapestFirst(termQueries: readonly TermQuery[], withBody: boolean): readonly TermQuery[] {
  return [...termQueries].sort((one, other) => costOf(one, withBody) - costOf(other, withBody));
}

/** Returns the boost of a term in a range, which is the best boost of all ranges that contain the term. */
export function boostOf({ boost, inner }: OuterRange, term: number): number {
  let best = boost;
  for (let index = 0; index < inner.length; index += 1) {
    const range = inner[index] as ExpandedTerm;
    if (range.low <= term && term < range.high && range.boost > best) best = range.boost;
  }
  return best;
}

/** Nests the ranges of a term query. The outer ranges are in ascending order. */
export function nestRanges(ranges: readonly ExpandedTerm[]): OuterRange[] {
  const outer: OuterRange[] = [];
  for (let index = 0; index < ranges.length; index += 1) {
    const range = ranges[index] as ExpandedTerm;
    if (ranges.some((other, before) => contains(other, range) || (before < index && isSame(other, range)))) continue;
    const inner = ranges.filter((other) => contains(range, other));
    let at = outer.length;
    while (at > 0 && (outer[at - 1] as OuterRange).low > range.low) at -= 1;
    outer.splice(at, 0, { low: range.low, high: range.high, boost: range.boost, inner });
  }
  return outer;
}

function isSame(one: ExpandedTerm, other: ExpandedTerm): boolean {
  return one.low === other.low && one.high === other.high && one.kind === other.kind;
}

/**
 * Returns whether a range contains another range. If the ranges are equal, the range with the higher boost contains the
 * other.
 */
function contains(one: ExpandedTerm, other: ExpandedTerm): boolean {
  if (one.low > other.low || one.high < other.high) return false;
  return (
    one.low < other.low ||
    one.high > other.high ||
    one.boost > other.boost ||
    (one.boost === other.boost && one.kind < other.kind)
  );
}
