import type { MatchKind } from "../scoring/score.ts";

/** Terms of a leaf within a few edits of a word, as ascending disjoint ranges. There may be many. */
export interface FuzzyMatches {
  readonly lows: Uint32Array;
  readonly highs: Uint32Array;
  /** Match kind of each range (see `fuzzyKindAt`). */
  readonly kinds: Uint8Array;
  /** One bit per 32 terms: whether a range contains any of them. Most terms of a document are in no range. */
  readonly groupBits: Uint32Array;
}

const fuzzyKinds = ["typo", "twoTypos", "typoPrefix", "twoTyposPrefix"] as const;
type FuzzyKind = (typeof fuzzyKinds)[number];

/** @param termCount number of terms in the leaf */
export function packFuzzyMatches(runs: readonly FuzzyRun[], termCount: number): FuzzyMatches {
  const lows = new Uint32Array(runs.length);
  const highs = new Uint32Array(runs.length);
  const kinds = new Uint8Array(runs.length);
  const groupBits = new Uint32Array(runs.length === 0 ? 0 : (termCount >>> 10) + 1);
  for (let range = 0; range < runs.length; range += 1) {
    const { low, high, edits, isFullTerm } = runs[range] as FuzzyRun;
    lows[range] = low;
    highs[range] = high;
    kinds[range] = fuzzyKinds.indexOf(fuzzyKindOf(edits, isFullTerm));
    for (let group = low >>> 5; group <= (high - 1) >>> 5; group += 1)
      groupBits[group >>> 5] = (groupBits[group >>> 5] as number) | (1 << (group & 31));
  }
  return { lows, highs, kinds, groupBits };
}

/** Returns the matches without those of one kind. */
export function withoutKind(matches: FuzzyMatches, removedKind: FuzzyKind): FuzzyMatches {
  const removed = fuzzyKinds.indexOf(removedKind);
  if (!matches.kinds.includes(removed)) return matches;
  const isOtherKind = (_: number, range: number): boolean => matches.kinds[range] !== removed;
  const { lows, highs, kinds, groupBits } = matches;
  return {
    lows: lows.filter(isOtherKind),
    highs: highs.filter(isOtherKind),
    kinds: kinds.filter(isOtherKind),
    groupBits,
  };
}

/** Returns the match kind of a term that equals a word, or starts with it, except for 1 or 2 edits. */
export function fuzzyKindOf(edits: number, isFullTerm: boolean): FuzzyKind {
  if (isFullTerm) return edits === 1 ? "typo" : "twoTypos";
  return edits === 1 ? "typoPrefix" : "twoTyposPrefix";
}

export function fuzzyKindAt({ kinds }: FuzzyMatches, range: number): MatchKind {
  return fuzzyKinds[kinds[range] as number] as MatchKind;
}

/** Returns whether a term may be in a range. False is certain for most terms. If true, the ranges must be searched. */
export function mayContainTerm({ groupBits }: FuzzyMatches, term: number): boolean {
  return (((groupBits[term >>> 10] as number) >>> ((term >>> 5) & 31)) & 1) === 1;
}

/** Returns the index of the range that contains a term, or -1. */
export function fuzzyRangeOf({ lows, highs }: FuzzyMatches, term: number): number {
  let low = 0;
  let high = highs.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((highs[middle] as number) <= term) low = middle + 1;
    else high = middle;
  }
  return low < lows.length && (lows[low] as number) <= term ? low : -1;
}

/** A range of terms with the same number of edits from a word. */
export interface FuzzyRun {
  readonly low: number;
  readonly high: number;
  readonly edits: number;
  /** Whether the term itself is within the distance, and not only a prefix of it. */
  readonly isFullTerm: boolean;
}

/** Ranges of terms from `lows[n]` to `highs[n]` (exclusive). */
export interface TermRanges {
  readonly lows: Uint32Array;
  readonly highs: Uint32Array;
}

/** Runs of adjacent terms. Neighboring runs with the same distance are joined. */
export class FuzzyRunList {
  readonly runs: { low: number; high: number; edits: number; isFullTerm: boolean }[] = [];
  readonly #candidateRanges: TermRanges | undefined;
  #nextRange = 0;

  constructor(candidateRanges: TermRanges | undefined) {
    this.#candidateRanges = candidateRanges;
  }

  /** Returns whether a text of a node may match. Nodes must be passed in ascending order of their texts. */
  mayMatch(firstTexts: Uint32Array, node: number): boolean {
    if (this.#candidateRanges === undefined) return true;
    const low = firstTexts[node] as number;
    const high = firstTexts[node + 1] as number;
    const { lows, highs } = this.#candidateRanges;
    while (this.#nextRange < lows.length && (highs[this.#nextRange] as number) <= low) this.#nextRange += 1;
    return this.#nextRange < lows.length && (lows[this.#nextRange] as number) < high;
  }

  add(low: number, high: number, edits: number, isFullTerm: boolean): void {
    if (low === high) return;
    const lastRun = this.runs.at(-1);
    if (lastRun !== undefined && lastRun.high === low && lastRun.edits === edits && lastRun.isFullTerm === isFullTerm)
      lastRun.high = high;
    else this.runs.push({ low, high, edits, isFullTerm });
  }
}
