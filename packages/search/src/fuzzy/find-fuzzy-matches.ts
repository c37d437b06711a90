import type { Leaf } from "../index/leaf.ts";
import type { SearchContext } from "../search-context.ts";
import { prefixRange, textCount } from "../terms/dictionary.ts";
import { type FuzzyMatches, packFuzzyMatches, type TermRanges } from "./fuzzy-matches.ts";

/** Returns the terms of a leaf within a number of edits of a word, and the terms with a prefix within this distance. */
export function findFuzzyMatches(context: SearchContext, leaf: Leaf, text: string, edits: number): FuzzyMatches {
  return context.cacheOf(leaf).fuzzyMatches.get(`${edits}${text}`, weightOf, () => {
    const runs = context.automaton.fuzzyRuns(leaf.terms, text, edits, candidates(context, leaf, text, edits));
    return packFuzzyMatches(runs, textCount(leaf.terms));
  });
}

function weightOf({ lows, near }: FuzzyMatches): number {
  return 1 + lows.length + (near.length >>> 2);
}

/**
 * Returns the ranges of possible terms if the word without its last letter was looked up before. Each match of the word
 * also matches the shorter word or starts with it.
 */
function candidates(context: SearchContext, leaf: Leaf, text: string, edits: number): TermRanges | undefined {
  const before = text.slice(0, -1);
  const known = context.cacheOf(leaf).fuzzyMatches.find(`${edits}${before}`);
  if (known === undefined) return undefined;
  const { low, high } = prefixRange(leaf.terms, before);
  return low === high ? known : withRange(known, low, high);
}

function withRange({ lows, highs }: TermRanges, low: number, high: number): TermRanges {
  const wider = { lows: new Uint32Array(lows.length + 1), highs: new Uint32Array(lows.length + 1) };
  let at = 0;
  while (at < lows.length && (lows[at] as number) < low) at += 1;
  wider.lows.set(lows.subarray(0, at));
  wider.lows[at] = low;
  wider.lows.set(lows.subarray(at), at + 1);
  wider.highs.set(highs.subarray(0, at));
  wider.highs[at] = high;
  wider.highs.set(highs.subarray(at), at + 1);
  return wider;
}
