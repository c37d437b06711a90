import { listForms } from "../analysis/inflections.ts";
import { isFunctionWord } from "../analysis/particles.ts";
import type { Leaf } from "../index/leaf.ts";
import type { SearchContext } from "../search-context.ts";
import { countTexts, findPrefix, findText } from "../terms/dictionary.ts";
import { formEdits, maxFuzzyLetters, minOneEditLetters } from "./allowed-edits.ts";
import {
  addTypos,
  type FuzzyMatches,
  type FuzzyRange,
  findRangeOfTerm,
  getRangeMatchKind,
  packFuzzyMatches,
  type TermRanges,
} from "./fuzzy-matches.ts";

/**
 * Returns the indexed terms that are within `edits` edits of a word, or start with a text within this distance:
 * "battery" and "batterypack" for "batery".
 * @param edits 1, 2, or `formEdits`, which also finds complete terms within one edit of another form of the word
 */
export function findFuzzyMatches(context: SearchContext, leaf: Leaf, text: string, edits: number): FuzzyMatches {
  return context
    .getLeafCache(leaf)
    .cachedFuzzyMatches.get(`${edits}${text}`, weightOf, () =>
      edits === formEdits ? addForms(context, leaf, text) : findSimilarTerms(context, leaf, text, edits),
    );
}

/** Returns the terms within one edit of a word, and the complete terms within one edit of another of its forms. */
function addForms(context: SearchContext, leaf: Leaf, text: string): FuzzyMatches {
  const matches = findFuzzyMatches(context, leaf, text, 1);
  const forms = listMisspelledForms(text, leaf.locale);
  if (forms.length === 0) return matches;
  const typedRange = findPrefix(leaf.terms, text);
  const isNew = (term: number): boolean =>
    (term < typedRange.low || term >= typedRange.high) && findRangeOfTerm(matches, term) < 0;
  const terms = forms.flatMap((form) => listTypos(findFuzzyMatches(context, leaf, form, 1)).filter(isNew));
  return addTypos(matches, new Set(terms), countTexts(leaf.terms));
}

/** Minimum number of letters of a form that allows an edit. Shorter forms resemble too many words. */
const minFormLetters = 5;

/**
 * Returns the other forms of a word whose misspellings are also misspellings of the word. Longer forms are omitted,
 * because a word that is within one edit of a longer form is within one edit of its beginning.
 */
export function listMisspelledForms(text: string, locale: string): string[] {
  if (text.length < minFormLetters || text.length > maxFuzzyLetters) return [];
  return listForms({ text, isGram: false }, locale).filter(
    ({ length }) => length >= minFormLetters && length <= text.length,
  );
}

/** Returns the complete terms within one edit. */
function listTypos(matches: FuzzyMatches): number[] {
  const terms: number[] = [];
  matches.lows.forEach((low, range) => {
    if (getRangeMatchKind(matches, range) !== "typo") return;
    for (let term = low; term < (matches.highs[range] as number); term += 1) terms.push(term);
  });
  return terms;
}

function findSimilarTerms(context: SearchContext, leaf: Leaf, text: string, edits: number): FuzzyMatches {
  const candidateRanges = findCandidateRanges(context, leaf, text, edits);
  const fuzzyRanges = context.automaton.findFuzzyRanges(leaf.terms, text, edits, candidateRanges);
  return packFuzzyMatches(omitFunctionWords(leaf, text, fuzzyRanges), countTexts(leaf.terms));
}

/** Removes function words that are too short to be misspelled: "ford" is not a misspelling of "for". */
function omitFunctionWords(leaf: Leaf, text: string, ranges: readonly FuzzyRange[]): readonly FuzzyRange[] {
  if (text.length !== minOneEditLetters) return ranges;
  const omittedTerms = Array.from(text, (_, position) => text.slice(0, position) + text.slice(position + 1))
    .filter((word) => isFunctionWord(word, leaf.locale))
    .map((word) => findText(leaf.terms, word));
  return omittedTerms.reduce(
    (keptRanges: readonly FuzzyRange[], term) =>
      keptRanges.flatMap((range) =>
        range.low <= term && term < range.high
          ? [
              { ...range, high: term },
              { ...range, low: term + 1 },
            ].filter(({ low, high }) => low < high)
          : [range],
      ),
    ranges,
  );
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
