import type { Leaf } from "../index/leaf.ts";
import type { SearchContext } from "../search-context.ts";
import { countTexts, findPrefix } from "../terms/dictionary.ts";
import { type FuzzyMatches, packFuzzyMatches, type TermRanges } from "./fuzzy-matches.ts";

/**
 * Returns the indexed terms that are within `edits` edits of a word, or start with a text within this distance:
 * "battery" and "batterypack" for "batery".
 */
export function findFuzzyMatches(context: SearchContext, leaf: Leaf, text: string, edits: number): FuzzyMatches {
  return context.getLeafCache(leaf).cachedFuzzyMatches.get(`${edits}${text}`, weightOf, () => {
    const fuzzyRanges = context.automaton.findFuzzyRanges(
      leaf.terms,
      text,
      edits,
      findCandidateRanges(context, leaf, text, edits),
    );
    return packFuzzyMatches(fuzzyRanges, countTexts(leaf.terms));
  });
}

function weightOf({ lows, termGroupBits }: FuzzyMatches): number {
  return 1 + lows.length + (termGroupBits.length >>> 2);
}

/**
 * Returns ranges that contain all possible matches of a word; undefined if the matches of the word without its last
 * letter are not cached. Each match of the word also matches the shorter word or begins with it.
 */
function findCandidateRanges(context: SearchContext, leaf: Leaf, text: string, edits: number): TermRanges | undefined {
  const shorterText = text.slice(0, -1);
  const cachedMatches = context.getLeafCache(leaf).cachedFuzzyMatches.find(`${edits}${shorterText}`);
  if (cachedMatches === undefined) return undefined;
  const { low, high } = findPrefix(leaf.terms, shorterText);
  return low === high ? cachedMatches : insertRange(cachedMatches, low, high);
}

function insertRange({ lows, highs }: TermRanges, low: number, high: number): TermRanges {
  const extendedRanges = { lows: new Uint32Array(lows.length + 1), highs: new Uint32Array(lows.length + 1) };
  let index = 0;
  while (index < lows.length && (lows[index] as number) < low) index += 1;
  extendedRanges.lows.set(lows.subarray(0, index));
  extendedRanges.lows[index] = low;
  extendedRanges.lows.set(lows.subarray(index), index + 1);
  extendedRanges.highs.set(highs.subarray(0, index));
  extendedRanges.highs[index] = high;
  extendedRanges.highs.set(highs.subarray(index), index + 1);
  return extendedRanges;
}
