import { hasCompounds } from "../analysis/compounds.ts";
import { listHangulCompletions } from "../analysis/hangul-keys.ts";
import { listForms } from "../analysis/inflections.ts";
import { listSpellings, replaceDigraphs } from "../analysis/spellings.ts";
import { formEdits, getCommonStart } from "../fuzzy/allowed-edits.ts";
import { findFuzzyMatches } from "../fuzzy/find-fuzzy-matches.ts";
import { type FuzzyMatches, packFuzzyMatches, removeFuzzyKind, selectRange } from "../fuzzy/fuzzy-matches.ts";
import { minFrequentPostings } from "../index/frequent-ranges.ts";
import type { Leaf } from "../index/leaf.ts";
import type { Postings } from "../index/postings.ts";
import { exactKinds, type MatchKind, matchBoosts } from "../scoring/score.ts";
import type { SearchContext } from "../search-context.ts";
import {
  findPrefix,
  findRange,
  findRangeWithoutDigit,
  findText,
  findTextRange,
  type Range,
} from "../terms/dictionary.ts";
import { findCompoundEndMatch, matchCompoundParts, matchGramSplit } from "./compound-matches.ts";
import { endsInDigit, type QueryWord } from "./parse.ts";
import { type ExpandedTerm, nestRanges, type PhraseMatch, type TermQuery } from "./term-query.ts";
import { findWordBreakMatches } from "./word-breaks.ts";

/**
 * Rule for longer terms that start with the word:
 * - `typing`: all longer terms match.
 * - `prefix`: all longer terms match, but not in the body field. In descriptions, longer terms often have another
 * meaning, such as "dressed" for "dress".
 * - `letterPrefix`: like `prefix`, but only for terms that do not continue with a digit. 200 does not match 2001.
 * - `whole`: no longer term matches.
 */
export type PrefixRule = "typing" | "prefix" | "letterPrefix" | "whole";

/** Index of each ending in a word's cache entry, which has one result per ending for each number of edits. */
const endingIndices: Readonly<Record<PrefixRule, number>> = { typing: 0, whole: 1, prefix: 2, letterPrefix: 3 };
const endingCount = Object.keys(endingIndices).length;

export function choosePrefixRule({ text, isPrefix, isGram }: QueryWord, needsCompleteWords: boolean): PrefixRule {
  if (isPrefix) return "typing";
  if (needsCompleteWords || isGram) return "whole";
  return endsInDigit(text) ? "letterPrefix" : "prefix";
}

/** Returns whether all longer terms that start with the word match. */
function allowsLongerTerms(ending: PrefixRule): boolean {
  return ending === "typing" || ending === "prefix";
}

/** Returns the range of terms that match a text: the equal term, and if `ending` allows it, all longer terms. */
export function getRange({ terms }: Leaf, text: string, ending: PrefixRule): Range {
  return allowsLongerTerms(ending) ? findPrefix(terms, text) : findTextRange(terms, text);
}

export function createExpandedTerm(kind: MatchKind, { low, high }: Range): ExpandedTerm {
  return { kind, boost: matchBoosts[kind], low, high };
}

const emptyFuzzyMatches = packFuzzyMatches([], 0);
const noFuzzyMatches = { fuzzyMatches: emptyFuzzyMatches, bodyFuzzyMatches: emptyFuzzyMatches } as const;

/**
 * Combines the indexed terms and phrases that match one word.
 * @param ending whether longer terms match too; in the body field, they match only for `typing`
 */
export function createTermQuery(
  leaf: Leaf,
  ending: PrefixRule,
  ranges: readonly ExpandedTerm[],
  phraseMatches: readonly PhraseMatch[],
  { fuzzyMatches, bodyFuzzyMatches }: Pick<TermQuery, "fuzzyMatches" | "bodyFuzzyMatches"> = noFuzzyMatches,
): TermQuery {
  const outerRanges = nestRanges(ranges);
  const includesAllRanges = ending === "typing" || ending === "whole" || !ranges.some(({ kind }) => kind === "prefix");
  const bodyRanges = includesAllRanges ? outerRanges : nestRanges(ranges.filter(({ kind }) => kind !== "prefix"));
  let primaryCost = countPostings(leaf.primary.postings, outerRanges, fuzzyMatches);
  for (const { documents } of phraseMatches) primaryCost += documents.length;
  const bodyCost = countPostings(leaf.body.postings, bodyRanges, bodyFuzzyMatches);
  const exactCost = computeExactCost(leaf, ranges);
  return {
    ranges,
    outerRanges,
    phraseMatches,
    fuzzyMatches,
    bodyRanges,
    bodyFuzzyMatches,
    primaryCost,
    bodyCost,
    exactCost,
  };
}

function countPostings({ starts }: Postings, ranges: readonly Range[], { lows, highs }: FuzzyMatches): number {
  let count = 0;
  for (const { low, high } of ranges) count += (starts[high] as number) - (starts[low] as number);
  for (let range = 0; range < lows.length; range += 1)
    count += (starts[highs[range] as number] as number) - (starts[lows[range] as number] as number);
  return count;
}

/** Counts the postings of a word, its inflected forms, and quantities with it, such as "5kg" for "5". */
function computeExactCost({ primary, body }: Leaf, ranges: readonly ExpandedTerm[]): number {
  const [primaryStarts, bodyStarts] = [primary.postings.starts, body.postings.starts];
  let cost = 0;
  for (const { low, high, kind } of ranges)
    if (exactKinds.has(kind))
      for (const starts of [primaryStarts, bodyStarts]) cost += (starts[high] as number) - (starts[low] as number);
  return cost;
}

/** Returns the part of a cache key that stands for one word and its matching rules. */
export function formatCacheKey(word: QueryWord, ending: PrefixRule, edits: number): string {
  return `${word.isGram ? "#" : ""}${ending}${edits}${formatCacheText(word)}`;
}

/**
 * Returns a word as part of a cache key. A word of a quantity, such as "5" in "5 kg", and one of several grams have
 * separate keys, because they match in other ways.
 */
function formatCacheText({ text, isQuantityPart, isJoinedGram }: QueryWord): string {
  return isQuantityPart === true || isJoinedGram === true ? `${text} ` : text;
}

/**
 * Returns the size of a word's cached matches, as a number of typed array entries. Fuzzy matches do not count, because
 * they have a separate cache.
 */
export function weightOf({ phraseMatches }: TermQuery): number {
  return phraseMatches.reduce((sum, { documents }) => sum + documents.length, baseCacheWeight);
}

/** Size of a word's cached matches without phrase matches, as a number of typed array entries. */
const baseCacheWeight = 10;

/** Finds the indexed terms that match a single word. The result is cached for each `ending` and number of edits. */
export function compileWord(
  context: SearchContext,
  leaf: Leaf,
  word: QueryWord,
  ending: PrefixRule,
  edits: number,
): TermQuery {
  const { wordQueries } = context.getLeafCache(leaf);
  const cachedQueries = wordQueries.get(formatCacheText(word), sumWeights, createCacheEntry);
  const indexInCache = getCacheIndex(ending, edits);
  const cachedQuery = cachedQueries[indexInCache];
  if (cachedQuery !== undefined) return cachedQuery;
  const termQuery = compileFuzzyWord(context, leaf, word, ending, edits);
  const weight = weightOf(termQuery);
  if (weight <= maxCachedWeight) {
    cachedQueries[indexInCache] = termQuery;
    wordQueries.addWeight(weight);
  }
  return termQuery;
}

function compileFuzzyWord(
  context: SearchContext,
  leaf: Leaf,
  word: QueryWord,
  ending: PrefixRule,
  edits: number,
): TermQuery {
  if (edits === 0) return compileExactWord(context, leaf, word, ending);
  const exactTermQuery = compileWord(context, leaf, word, ending, 0);
  // With two edits, only complete terms match. If prefixes of terms matched, "passport" would find "assortment".
  const fuzzyMatches = removeFuzzyKind(findFuzzyMatches(context, leaf, word.text, edits), "twoTyposPrefix");
  // Descriptions contain words of any meaning, so most of their words that resemble a word are other words.
  const startRange = findPrefix(leaf.terms, getCommonStart(word.text));
  const bodyFuzzyMatches = removeFuzzyKind(selectRange(fuzzyMatches, startRange), "typoPrefix");
  const { ranges, phraseMatches } = exactTermQuery;
  return createTermQuery(leaf, ending, ranges, phraseMatches, { fuzzyMatches, bodyFuzzyMatches });
}

/** Maximum size of cached matches, as a number of typed array entries. Larger results are not cached. */
const maxCachedWeight = 5_000;

function createCacheEntry(): (TermQuery | undefined)[] {
  return new Array<TermQuery | undefined>(endingCount * (formEdits + 1)).fill(undefined);
}

function sumWeights(termQueries: readonly (TermQuery | undefined)[]): number {
  return termQueries.reduce((sum, termQuery) => sum + (termQuery === undefined ? 0 : weightOf(termQuery)), 0);
}

/** Returns the index in a word's cache entry for an ending and a number of edits. */
function getCacheIndex(ending: PrefixRule, edits: number): number {
  return edits * endingCount + endingIndices[ending];
}

/** Finds the indexed terms and phrases that match a word without misspellings. */
function compileExactWord(context: SearchContext, leaf: Leaf, word: QueryWord, ending: PrefixRule): TermQuery {
  const ranges: ExpandedTerm[] = [];
  const termOrdinal = findText(leaf.terms, word.text);
  const isLiteralWord = word.isQuantityPart === true;
  const wholeWordKind = isLiteralWord ? "literal" : "exact";
  if (termOrdinal >= 0) ranges.push(createExpandedTerm(wholeWordKind, { low: termOrdinal, high: termOrdinal + 1 }));
  const add = (kind: MatchKind, { low, high }: Range): void => {
    // The range of a prefix begins with the term that equals the word. If the word is part of a quantity, this term was
    // already added as a literal match.
    const firstOrdinal = isLiteralWord && low === termOrdinal ? low + 1 : low;
    if (firstOrdinal < high) ranges.push(createExpandedTerm(kind, { low: firstOrdinal, high }));
  };
  const addPrefixRange = (text: string): void => {
    if (ending !== "whole")
      add("prefix", (allowsLongerTerms(ending) ? findPrefix : findRangeWithoutDigit)(leaf.terms, text));
  };
  for (const form of listForms(word, leaf.locale)) add("form", getRange(leaf, form, "whole"));
  addPrefixRange(word.text);
  for (const text of listSpellings(word, leaf.locale)) {
    for (const form of [text, ...listForms({ ...word, text }, leaf.locale)]) add("form", getRange(leaf, form, "whole"));
    addPrefixRange(text);
  }
  if (word.isGram && ending === "typing")
    for (const range of listHangulCompletions(word.text)) add("prefix", findRange(leaf.terms, range));
  const isPrefix = allowsLongerTerms(ending);
  if (word.isGram)
    return createTermQuery(leaf, ending, ranges, matchGramSplit(context.phraseBuffers, leaf, word, termOrdinal >= 0));
  const findSplits = (text: string, prefixQuery?: TermQuery): PhraseMatch[] =>
    findWordBreakMatches(context.phraseBuffers, leaf, { text, isPrefix, hasMatches: ranges.length > 0 }, prefixQuery);
  const prefixText = isPrefix ? word.text.slice(0, -1) : word.text;
  const prefixQuery = context.getLeafCache(leaf).wordQueries.find(prefixText)?.[getCacheIndex("typing", 0)];
  const spelling = replaceDigraphs(word.text, leaf.locale);
  return createTermQuery(leaf, ending, ranges, [
    ...findSplits(word.text, prefixQuery),
    ...(spelling === word.text ? [] : findSplits(spelling)),
    ...findCompoundMatches(context, leaf, word.text, ending, ranges),
  ]);
}

/**
 * Finds documents with the separate parts of a compound ("Jacke für Regen" for "Regenjacke"), and documents with a
 * compound that ends with the word ("Regenjacke" for "Jacke").
 */
function findCompoundMatches(
  context: SearchContext,
  leaf: Leaf,
  text: string,
  ending: PrefixRule,
  ranges: readonly ExpandedTerm[],
): PhraseMatch[] {
  if (!hasCompounds(leaf.locale)) return [];
  const isPrefix = allowsLongerTerms(ending);
  const isAccepted = (firstPartCount: number, lastCount: number) =>
    ranges.length === 0 || firstPartCount < minFrequentPostings || lastCount < minFrequentPostings;
  const matches = matchCompoundParts(context.phraseBuffers, leaf, text, isPrefix, isAccepted);
  const isWord = ranges.some(({ kind }) => kind !== "prefix");
  const suffixMatch = isWord
    ? undefined
    : findCompoundEndMatch(leaf, context.getLeafCache(leaf), text, isPrefix && ranges.length === 0);
  return suffixMatch === undefined ? matches : [...matches, suffixMatch];
}
