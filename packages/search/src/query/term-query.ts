import type { FuzzyMatches } from "../fuzzy/fuzzy-matches.ts";
import type { MatchKind } from "../scoring/score.ts";
import type { Range } from "../terms/dictionary.ts";

/** A range of indexed terms that match a word of the query. */
export interface ExpandedTerm extends Range {
  readonly kind: MatchKind;
  /** Score of a match with one of these terms, in percent of the score of an exact match. */
  readonly boost: number;
}

/**
 * A range of matching terms that is in no other range of the same word, with the ranges inside it. For example, the
 * range of a prefix contains the range of each term with the prefix.
 */
export interface TopLevelRange extends ExpandedTerm {
  readonly innerRanges: readonly ExpandedTerm[];
}

/** A phrase that matches a word of the query, and the documents in which the words of the phrase are adjacent. */
export interface PhraseMatch {
  readonly kind: MatchKind;
  /** Score of a match with the phrase, in percent of the score of an exact match. */
  readonly boost: number;
  /** Doc ids in ascending order. */
  readonly documents: Uint32Array;
  /** Payload of each document: the fields with the phrase and the position of its first word. */
  readonly payloads: Uint16Array;
  /** The phrase as text. */
  readonly label: string;
}

/** All matches of a query's word in the documents of one language in a segment. */
export interface TermQuery {
  readonly ranges: readonly ExpandedTerm[];
  /** Ranges of matching terms in ascending order. A range inside another one is listed in its `innerRanges`. */
  readonly outerRanges: readonly TopLevelRange[];
  readonly phraseMatches: readonly PhraseMatch[];
  readonly fuzzyMatches: FuzzyMatches;
  /** Like `outerRanges`, but without ranges that do not match in the body field. */
  readonly bodyRanges: readonly TopLevelRange[];
  readonly bodyFuzzyMatches: FuzzyMatches;
  /** Number of matching postings in fields other than the body. The number of matching documents may be lower. */
  readonly primaryCost: number;
  readonly bodyCost: number;
  /** Number of postings of the complete word, its inflected forms, and quantities such as "5kg", in all fields. */
  readonly exactCost: number;
}

/** Returns the number of postings that match a word. */
export function costOf({ primaryCost, bodyCost }: TermQuery, searchesBody: boolean): number {
  return searchesBody ? primaryCost + bodyCost : primaryCost;
}

/** Returns the words in ascending order of their numbers of matching postings in all fields. */
export function sortByCost(termQueries: readonly TermQuery[]): readonly TermQuery[] {
  return termQueries.toSorted((a, b) => costOf(a, true) - costOf(b, true));
}

/**
 * Returns the boost of a term in a range, which is the best boost of all ranges that contain the term.
 * @param skipsPrefix whether matches of the kind "prefix" do not count. Without another match, the boost is 0
 */
export function getTermBoost({ kind, boost, innerRanges }: TopLevelRange, term: number, skipsPrefix = false): number {
  let bestBoost = skipsPrefix && kind === "prefix" ? 0 : boost;
  for (let index = 0; index < innerRanges.length; index += 1) {
    const range = innerRanges[index] as ExpandedTerm;
    if (skipsPrefix && range.kind === "prefix") continue;
    if (range.low <= term && term < range.high && range.boost > bestBoost) bestBoost = range.boost;
  }
  return bestBoost;
}

/** Returns whether a term of a range begins with the word. */
export function isPrefixMatch({ kind, innerRanges }: TopLevelRange, term: number): boolean {
  return (
    kind === "prefix" || innerRanges.some((range) => range.kind === "prefix" && range.low <= term && term < range.high)
  );
}

/** Nests the ranges of terms that match a word. The outer ranges are in ascending order. */
export function nestRanges(ranges: readonly ExpandedTerm[]): TopLevelRange[] {
  const outerRanges: TopLevelRange[] = [];
  for (let index = 0; index < ranges.length; index += 1) {
    const range = ranges[index] as ExpandedTerm;
    if (
      ranges.some(
        (otherRange, otherIndex) =>
          containsRange(otherRange, range) || (otherIndex < index && isSameTerm(otherRange, range)),
      )
    )
      continue;
    const innerRanges = ranges.filter((otherRange) => containsRange(range, otherRange));
    let insertionIndex = outerRanges.length;
    while (insertionIndex > 0 && (outerRanges[insertionIndex - 1] as TopLevelRange).low > range.low)
      insertionIndex -= 1;
    outerRanges.splice(insertionIndex, 0, { ...range, innerRanges });
  }
  return outerRanges;
}

function isSameTerm(a: ExpandedTerm, b: ExpandedTerm): boolean {
  return a.low === b.low && a.high === b.high && a.kind === b.kind;
}

/**
 * Returns whether a range contains another range. If the ranges are equal, the range with the higher boost contains the
 * other.
 */
function containsRange(a: ExpandedTerm, b: ExpandedTerm): boolean {
  if (a.low > b.low || a.high < b.high) return false;
  return a.low < b.low || a.high > b.high || a.boost > b.boost || (a.boost === b.boost && a.kind < b.kind);
}
