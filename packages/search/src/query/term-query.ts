import type { FuzzyMatches } from "../fuzzy/fuzzy-matches.ts";
import type { MatchKind } from "../scoring/score.ts";
import type { Range } from "../terms/dictionary.ts";

/** Terms `low` up to `high` (exclusive) of a leaf that match a word of the query. */
export interface ExpandedTerm extends Range {
  readonly kind: MatchKind;
  /** Percentage of the points; see `matchBoosts`. */
  readonly boost: number;
}

/**
 * A range that is in no other range of its term query, with the ranges inside it: the range of a term is inside that of
 * its prefixes.
 */
export interface OuterRange extends Range {
  readonly boost: number;
  readonly inner: readonly ExpandedTerm[];
}

/** Documents in which the words of a phrase are adjacent: postings of the phrase. */
export interface PhraseMatch {
  readonly kind: MatchKind;
  /** Percentage of the points; see `matchBoosts`. */
  readonly boost: number;
  /** Doc ids, ascending. */
  readonly documents: Uint32Array;
  /** By document: fields with the phrase and position of its first word, as a payload. */
  readonly payloads: Uint16Array;
  /** The phrase in documents. */
  readonly label: string;
}

/** A word of a query compiled for one leaf: all its matches there. */
export interface TermQuery {
  readonly ranges: readonly ExpandedTerm[];
  /** The same ranges, nested and ascending. */
  readonly outerRanges: readonly OuterRange[];
  readonly phraseMatches: readonly PhraseMatch[];
  readonly fuzzy: FuzzyMatches;
  /** Postings that match in primary fields, and in the body: at least as many as documents. */
  readonly primaryCost: number;
  readonly bodyCost: number;
  /** Postings of the complete word and its forms, in primary fields and the body. */
  readonly exactCost: number;
}

/** Number of postings of a term query. */
export function costOf({ primaryCost, bodyCost }: TermQuery, withBody: boolean): number {
  return withBody ? primaryCost + bodyCost : primaryCost;
}

/** In ascending order of cost. */
export function cheapestFirst(termQueries: readonly TermQuery[], withBody: boolean): readonly TermQuery[] {
  return [...termQueries].sort((one, other) => costOf(one, withBody) - costOf(other, withBody));
}

/** Boost of a term in a range: the best of all ranges that contain it. */
export function boostOf({ boost, inner }: OuterRange, term: number): number {
  let best = boost;
  for (let index = 0; index < inner.length; index += 1) {
    const range = inner[index] as ExpandedTerm;
    if (range.low <= term && term < range.high && range.boost > best) best = range.boost;
  }
  return best;
}

/** Nests the ranges of a term query, ascending. */
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

/** Returns whether a range contains another; of two equal ones, the one with the higher boost contains the other. */
function contains(one: ExpandedTerm, other: ExpandedTerm): boolean {
  if (one.low > other.low || one.high < other.high) return false;
  return (
    one.low < other.low ||
    one.high > other.high ||
    one.boost > other.boost ||
    (one.boost === other.boost && one.kind < other.kind)
  );
}
