import { cached, createGenerationCache, peek } from "../generation-cache.ts";
import type { Leaf } from "../index/leaf.ts";
import type { MatchKind } from "../scoring/score.ts";
import { prefixRange, textCount } from "../terms/dictionary.ts";
import type { FuzzyRun, TermRanges } from "./levenshtein-automaton.ts";
import { fuzzyRuns } from "./levenshtein-automaton.ts";

/** Misspellings by run of terms: ascending and apart from one another; they may be many. */
export interface FuzzyMatches {
  readonly lows: Uint32Array;
  readonly highs: Uint32Array;
  /** By run: how it meets the word, see `matchKindOf`. */
  readonly matchKinds: Uint8Array;
  /** One bit for 32 terms: whether any of them lies in a run. Most terms of a document lie in none. */
  readonly near: Uint32Array;
}

const nothing = new Uint32Array(0);
export const noFuzzyMatches: FuzzyMatches = {
  lows: nothing,
  highs: nothing,
  matchKinds: new Uint8Array(0),
  near: nothing,
};

const fuzzyKinds = ["typo", "twoTypos", "typoPrefix", "twoTyposPrefix"] as const;
const fuzzyCache = createGenerationCache<FuzzyMatches>();

/** Terms of a leaf that some edits make of a word. */
export function findFuzzyMatches(leaf: Leaf, text: string, edits: number): FuzzyMatches {
  return cached(
    fuzzyCache,
    leaf,
    `${edits}${text}`,
    ({ lows, near }) => 1 + lows.length + (near.length >>> 2),
    () => packFuzzyMatches(fuzzyRuns(leaf.terms, text, edits, nearBefore(leaf, text, edits)), textCount(leaf.terms)),
  );
}

/** Terms that were near the word one letter ago: what is as near now was so then, or began with it. */
function nearBefore(leaf: Leaf, text: string, edits: number): TermRanges | undefined {
  const before = text.slice(0, -1);
  const known = peek(fuzzyCache, leaf, `${edits}${before}`);
  if (known === undefined) return undefined;
  const { low, high } = prefixRange(leaf.terms, before);
  const lows = [...known.lows];
  const highs = [...known.highs];
  const at = lows.findIndex((other) => other >= low);
  if (low < high) {
    lows.splice(at < 0 ? lows.length : at, 0, low);
    highs.splice(at < 0 ? highs.length : at, 0, high);
  }
  return { lows, highs };
}

function packFuzzyMatches(runs: readonly FuzzyRun[], terms: number): FuzzyMatches {
  if (runs.length === 0) return noFuzzyMatches;
  const near = new Uint32Array((terms >>> 10) + 1);
  for (const { low, high } of runs)
    for (let group = low >>> 5; group <= (high - 1) >>> 5; group += 1)
      near[group >>> 5] = (near[group >>> 5] as number) | (1 << (group & 31));
  return {
    lows: Uint32Array.from(runs, ({ low }) => low),
    highs: Uint32Array.from(runs, ({ high }) => high),
    matchKinds: Uint8Array.from(runs, ({ edits, isWhole }) => fuzzyKinds.indexOf(fuzzyKindOf(edits, isWhole))),
    near,
  };
}

/** How a term met a misspelt word that it is, or begins with (`isWhole`: is), with 1 or 2 edits. */
export function fuzzyKindOf(edits: number, isWhole: boolean): (typeof fuzzyKinds)[number] {
  if (isWhole) return edits === 1 ? "typo" : "twoTypos";
  return edits === 1 ? "typoPrefix" : "twoTyposPrefix";
}

/** How a run of misspellings meets a word. */
export function matchKindOf({ matchKinds }: FuzzyMatches, run: number): MatchKind {
  return fuzzyKinds[matchKinds[run] as number] as MatchKind;
}

/** The run of misspellings that a term lies in, or -1. */
export function fuzzyRunOf({ lows, highs, near }: FuzzyMatches, term: number): number {
  if ((((near[term >>> 10] ?? 0) >>> ((term >>> 5) & 31)) & 1) === 0) return -1;
  let low = 0;
  let high = highs.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((highs[middle] as number) <= term) low = middle + 1;
    else high = middle;
  }
  return low < lows.length && (lows[low] as number) <= term ? low : -1;
}
