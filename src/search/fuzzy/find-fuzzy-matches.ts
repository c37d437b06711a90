import type { Leaf } from "../index/leaf.ts";
import type { SearchContext } from "../search-context.ts";
import { prefixRange, textCount } from "../terms/dictionary.ts";
import { type FuzzyMatches, packFuzzyMatches } from "./fuzzy-matches.ts";
import type { TermRanges } from "./fuzzy-runs.ts";

/** The terms of a leaf that are up to `edits` edits from a word, or begin so. */
export function findFuzzyMatches(context: SearchContext, leaf: Leaf, text: string, edits: number): FuzzyMatches {
  return context.cacheOf(leaf).fuzzyMatches.get(`${edits}${text}`, weightOf, () => {
    const runs = context.automaton.fuzzyRuns(leaf.terms, text, edits, candidates(context, leaf, text, edits));
    return packFuzzyMatches(runs, textCount(leaf.terms));
  });
}

function weightOf({ lows, near }: FuzzyMatches): number {
  return 1 + lows.length + (near.length >>> 2);
}

/** The terms that can match, where the word without its last letter was looked up before: each matched that, or began with it. */
function candidates(context: SearchContext, leaf: Leaf, text: string, edits: number): TermRanges | undefined {
  const before = text.slice(0, -1);
  const known = context.cacheOf(leaf).fuzzyMatches.peek(`${edits}${before}`);
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
