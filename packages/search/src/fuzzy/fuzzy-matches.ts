import { lowerBound } from "../index/postings.ts";
import type { MatchKind } from "../scoring/score.ts";
import type { Range } from "../terms/dictionary.ts";

/** Indexed terms that differ from a word by one or two edits, as ascending, disjoint ranges of term ids. */
export interface FuzzyMatches {
  readonly lows: Uint32Array;
  readonly highs: Uint32Array;
  /** Kind of match for each range, as an index in `typoKinds`. */
  readonly kinds: Uint8Array;
  /** One bit per group of 32 terms, set if a range contains any of them. If it is 0, no binary search is needed. */
  readonly termGroupBits: Uint32Array;
}

const typoKinds = ["typo", "twoTypos", "typoPrefix", "twoTyposPrefix"] as const;
type FuzzyMatchKind = (typeof typoKinds)[number];

/** @param termCount number of indexed terms */
export function packFuzzyMatches(fuzzyRanges: readonly FuzzyRange[], termCount: number): FuzzyMatches {
  const lows = new Uint32Array(fuzzyRanges.length);
  const highs = new Uint32Array(fuzzyRanges.length);
  const kinds = new Uint8Array(fuzzyRanges.length);
  const termGroupBits = new Uint32Array(fuzzyRanges.length === 0 ? 0 : (termCount >>> 10) + 1);
  for (let rangeIndex = 0; rangeIndex < fuzzyRanges.length; rangeIndex += 1) {
    const { low, high, edits, isFullTerm } = fuzzyRanges[rangeIndex] as FuzzyRange;
    lows[rangeIndex] = low;
    highs[rangeIndex] = high;
    kinds[rangeIndex] = typoKinds.indexOf(getFuzzyKind(edits, isFullTerm));
    for (let group = low >>> 5; group <= (high - 1) >>> 5; group += 1)
      termGroupBits[group >>> 5] = (termGroupBits[group >>> 5] as number) | (1 << (group & 31));
  }
  return { lows, highs, kinds, termGroupBits };
}

/** Returns whether a complete term is within one edit. */
export function hasTypos({ kinds }: FuzzyMatches): boolean {
  return kinds.includes(typoKinds.indexOf("typo"));
}

/**
 * Adds complete terms with one edit to matches with one edit.
 * @param terms terms that are in no range of the matches
 * @param termCount number of indexed terms
 */
export function addTypos(matches: FuzzyMatches, terms: ReadonlySet<number>, termCount: number): FuzzyMatches {
  if (terms.size === 0) return matches;
  const ranges = Array.from(terms, (low): FuzzyRange => ({ low, high: low + 1, edits: 1, isFullTerm: true }));
  matches.lows.forEach((low, range) => {
    const isFullTerm = getRangeMatchKind(matches, range) === "typo";
    ranges.push({ low, high: matches.highs[range] as number, edits: 1, isFullTerm });
  });
  return packFuzzyMatches(
    ranges.sort((one, other) => one.low - other.low),
    termCount,
  );
}

/** Removes the matches of one kind. */
export function removeFuzzyKind(matches: FuzzyMatches, removedKind: FuzzyMatchKind): FuzzyMatches {
  const indexOfRemovedKind = typoKinds.indexOf(removedKind);
  if (!matches.kinds.includes(indexOfRemovedKind)) return matches;
  const isKeptRange = (_: number, range: number): boolean => matches.kinds[range] !== indexOfRemovedKind;
  const { lows, highs, kinds, termGroupBits } = matches;
  return {
    lows: lows.filter(isKeptRange),
    highs: highs.filter(isKeptRange),
    kinds: kinds.filter(isKeptRange),
    termGroupBits,
  };
}

/** Returns the matches in a range of terms. */
export function selectRange({ lows, highs, kinds, termGroupBits }: FuzzyMatches, { low, high }: Range): FuzzyMatches {
  const first = lowerBound(highs, 0, highs.length, low + 1);
  const end = lowerBound(lows, first, lows.length, high);
  return {
    lows: lows.slice(first, end).map((rangeLow) => Math.max(rangeLow, low)),
    highs: highs.slice(first, end).map((rangeHigh) => Math.min(rangeHigh, high)),
    kinds: kinds.slice(first, end),
    termGroupBits,
  };
}

/**
 * Returns the kind of a match with one or two edits.
 * @param matchesFullTerm whether the entire term matches, and not only a prefix of it
 */
export function getFuzzyKind(edits: number, matchesFullTerm: boolean): FuzzyMatchKind {
  if (matchesFullTerm) return edits === 1 ? "typo" : "twoTypos";
  return edits === 1 ? "typoPrefix" : "twoTyposPrefix";
}

export function getRangeMatchKind({ kinds }: FuzzyMatches, range: number): MatchKind {
  return typoKinds[kinds[range] as number] as MatchKind;
}

/** Fast check whether a term may be in a range. If it returns true, the ranges must be searched. */
export function mayContainTerm({ termGroupBits }: FuzzyMatches, term: number): boolean {
  return (((termGroupBits[term >>> 10] as number) >>> ((term >>> 5) & 31)) & 1) === 1;
}

/** Returns the index of the range that contains a term, or -1. */
export function findRangeOfTerm({ lows, highs }: FuzzyMatches, term: number): number {
  let low = 0;
  let high = highs.length;
  while (low < high) {
    const middleIndex = (low + high) >>> 1;
    if ((highs[middleIndex] as number) <= term) low = middleIndex + 1;
    else high = middleIndex;
  }
  return low < lows.length && (lows[low] as number) <= term ? low : -1;
}

/** A range of terms that differ from a word by the same number of edits. */
export interface FuzzyRange {
  readonly low: number;
  readonly high: number;
  readonly edits: number;
  /** Whether the entire term matches, and not only a prefix of it. */
  readonly isFullTerm: boolean;
}

/** Ranges of terms from `lows[n]` to `highs[n]` (exclusive). */
export interface TermRanges {
  readonly lows: Uint32Array;
  readonly highs: Uint32Array;
}

/** Collects ranges of matching terms. Adjacent ranges with the same number of edits are merged. */
export class FuzzyRangeList {
  readonly runs: { low: number; high: number; edits: number; isFullTerm: boolean }[] = [];
  readonly #candidateRanges: TermRanges | undefined;
  #nextRangeIndex = 0;

  constructor(candidateRanges: TermRanges | undefined) {
    this.#candidateRanges = candidateRanges;
  }

  /** Returns whether any term below a trie node may match. Nodes must be passed in ascending order of their terms. */
  mayMatch(textStarts: Uint32Array, node: number): boolean {
    if (this.#candidateRanges === undefined) return true;
    const low = textStarts[node] as number;
    const high = textStarts[node + 1] as number;
    const { lows, highs } = this.#candidateRanges;
    while (this.#nextRangeIndex < lows.length && (highs[this.#nextRangeIndex] as number) <= low)
      this.#nextRangeIndex += 1;
    return this.#nextRangeIndex < lows.length && (lows[this.#nextRangeIndex] as number) < high;
  }

  add(low: number, high: number, edits: number, isFullTerm: boolean): void {
    if (low === high) return;
    const lastRun = this.runs.at(-1);
    if (lastRun !== undefined && lastRun.high === low && lastRun.edits === edits && lastRun.isFullTerm === isFullTerm)
      lastRun.high = high;
    else this.runs.push({ low, high, edits, isFullTerm });
  }
}
