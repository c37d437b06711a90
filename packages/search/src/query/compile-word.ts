import { hasCompounds } from "../analysis/compounds.ts";
import { listHangulCompletions } from "../analysis/hangul-keys.ts";
import { listForms, listSpellings } from "../analysis/inflections.ts";
import { listWordBreaks } from "../analysis/shingles.ts";
import { findFuzzyMatches } from "../fuzzy/find-fuzzy-matches.ts";
import { type FuzzyMatches, packFuzzyMatches } from "../fuzzy/fuzzy-matches.ts";
import { frequentFrom } from "../index/frequent-ranges.ts";
import type { Leaf } from "../index/leaf.ts";
import { type MatchKind, matchBoosts } from "../scoring/score.ts";
import type { SearchContext } from "../search-context.ts";
import { findText, prefixRange, prefixRangeWithoutDigit, type Range, rangeBetween } from "../terms/dictionary.ts";
import { findEndMatch, findPartsMatches } from "./compound-matches.ts";
import { endsInDigit, type QueryWord } from "./parse.ts";
import { findPhrase, narrowPhrase } from "./phrase.ts";
import { type ExpandedTerm, nestRanges, type PhraseMatch, type TermQuery } from "./term-query.ts";

/**
 * Rule for longer terms that start with the word. With "open", all of them match; with "closed", none. With
 * "closedToDigits", terms that continue with a digit do not match: 200 does not match 2001.
 */
export type Ending = "open" | "closed" | "closedToDigits";

export function endingOf({ text, isPrefix, isGram }: QueryWord, needsCompleteWords: boolean): Ending {
  if (isPrefix) return "open";
  if (needsCompleteWords || isGram) return "closed";
  return endsInDigit(text) ? "closedToDigits" : "open";
}

/** Returns the terms equal to a text. If the ending is open, terms that start with the text are included. */
export function rangeOf({ terms }: Leaf, text: string, ending: Ending): Range {
  if (ending === "open") return prefixRange(terms, text);
  const ordinal = findText(terms, text);
  return ordinal < 0 ? { low: 0, high: 0 } : { low: ordinal, high: ordinal + 1 };
}

export function createExpandedTerm(kind: MatchKind, { low, high }: Range): ExpandedTerm {
  return { kind, boost: matchBoosts[kind], low, high };
}

const noFuzzyMatches = packFuzzyMatches([], 0);

export function createTermQuery(
  leaf: Leaf,
  ranges: readonly ExpandedTerm[],
  phraseMatches: readonly PhraseMatch[],
  fuzzy: FuzzyMatches = noFuzzyMatches,
): TermQuery {
  let [primaryCost, bodyCost] = [0, 0];
  const { starts } = leaf.primary.postings;
  const bodyStarts = leaf.body.postings.starts;
  const addCost = (low: number, high: number): void => {
    primaryCost += (starts[high] as number) - (starts[low] as number);
    bodyCost += (bodyStarts[high] as number) - (bodyStarts[low] as number);
  };
  const outerRanges = nestRanges(ranges);
  for (const { low, high } of outerRanges) addCost(low, high);
  for (let range = 0; range < fuzzy.lows.length; range += 1)
    addCost(fuzzy.lows[range] as number, fuzzy.highs[range] as number);
  for (const { documents } of phraseMatches) primaryCost += documents.length;
  return { ranges, outerRanges, phraseMatches, fuzzy, primaryCost, bodyCost, exactCost: exactCostOf(leaf, ranges) };
}

/** Counts the postings of a word, its inflected forms and its quantities. */
function exactCostOf({ primary, body }: Leaf, ranges: readonly ExpandedTerm[]): number {
  const [primaryStarts, bodyStarts] = [primary.postings.starts, body.postings.starts];
  let cost = 0;
  for (const { low, high, kind } of ranges)
    if (kind === "exact" || kind === "form" || kind === "quantity")
      for (const starts of [primaryStarts, bodyStarts]) cost += (starts[high] as number) - (starts[low] as number);
  return cost;
}

/** Returns the cache key of a word within its neighbors. */
export function cacheKeyOf(word: Pick<QueryWord, "text" | "isGram">, ending: Ending, edits: number): string {
  const prefix = ending === "open" ? "*" : ending === "closedToDigits" ? "~" : word.isGram ? "#" : "=";
  return `${prefix}${edits}${word.text}`;
}

/** Returns the cache weight of a term query. Fuzzy matches are cached separately and do not count. */
export function weightOf({ phraseMatches }: TermQuery): number {
  return phraseMatches.reduce((sum, { documents }) => sum + documents.length, baseWeight);
}

/** Weight of a term query without phrases. */
const baseWeight = 10;

/** Compiles a single word to its matches in a leaf. The result is cached for each ending and number of edits. */
export function compileWord(
  context: SearchContext,
  leaf: Leaf,
  word: QueryWord,
  ending: Ending,
  edits: number,
): TermQuery {
  const { words } = context.cacheOf(leaf);
  const cachedQueries = words.get(word.text, totalWeight, createCacheEntry);
  const cacheIndex = cacheIndexOf(ending, edits);
  const cachedQuery = cachedQueries[cacheIndex];
  if (cachedQuery !== undefined) return cachedQuery;
  const termQuery = compileWithEdits(context, leaf, word, ending, edits);
  const weight = weightOf(termQuery);
  if (weight <= maxCachedWeight) {
    cachedQueries[cacheIndex] = termQuery;
    words.grow(weight);
  }
  return termQuery;
}

function compileWithEdits(
  context: SearchContext,
  leaf: Leaf,
  word: QueryWord,
  ending: Ending,
  edits: number,
): TermQuery {
  if (edits === 0) return compileWithoutEdits(context, leaf, word, ending);
  const exactQuery = compileWord(context, leaf, word, ending, 0);
  const fuzzy = findFuzzyMatches(context, leaf, word.text, edits);
  return createTermQuery(leaf, exactQuery.ranges, exactQuery.phraseMatches, fuzzy);
}

/** Maximum weight of a cached term query. Heavier term queries are compiled each time. */
const maxCachedWeight = 5_000;

function createCacheEntry(): (TermQuery | undefined)[] {
  return new Array<TermQuery | undefined>(9).fill(undefined);
}

function totalWeight(termQueries: readonly (TermQuery | undefined)[]): number {
  return termQueries.reduce((sum, termQuery) => sum + (termQuery === undefined ? 0 : weightOf(termQuery)), 0);
}

/** Returns the index of a word's term query in its cache entry. */
function cacheIndexOf(ending: Ending, edits: number): number {
  return edits * 3 + (ending === "open" ? 0 : ending === "closed" ? 1 : 2);
}

/** Compiles a word without edits. */
function compileWithoutEdits(context: SearchContext, leaf: Leaf, word: QueryWord, ending: Ending): TermQuery {
  const ranges: ExpandedTerm[] = [];
  const exactOrdinal = findText(leaf.terms, word.text);
  if (exactOrdinal >= 0) ranges.push(createExpandedTerm("exact", { low: exactOrdinal, high: exactOrdinal + 1 }));
  const add = (kind: MatchKind, { low, high }: Range): void => {
    if (low < high) ranges.push(createExpandedTerm(kind, { low, high }));
  };
  const addPrefixRange = (text: string): void => {
    if (ending !== "closed")
      add("prefix", (ending === "open" ? prefixRange : prefixRangeWithoutDigit)(leaf.terms, text));
  };
  for (const form of listForms(word, leaf.locale)) add("form", rangeOf(leaf, form, "closed"));
  addPrefixRange(word.text);
  for (const text of listSpellings(word, leaf.locale)) {
    for (const form of [text, ...listForms({ ...word, text }, leaf.locale)]) add("form", rangeOf(leaf, form, "closed"));
    addPrefixRange(text);
  }
  if (word.isGram && ending === "open")
    for (const range of listHangulCompletions(word.text)) add("prefix", rangeBetween(leaf.terms, range));
  if (word.isGram) return createTermQuery(leaf, ranges, []);
  const hasMatches = ranges.length > 0;
  const matches = wordBreakMatches(context, leaf, word.text, ending, hasMatches);
  return createTermQuery(leaf, ranges, [...matches, ...compoundMatches(context, leaf, word.text, ending, ranges)]);
}

/** Finds separate parts of a compound ("Jacke für Regen"), and compounds that end with a word ("Regenjacke"). */
function compoundMatches(
  context: SearchContext,
  leaf: Leaf,
  text: string,
  ending: Ending,
  ranges: readonly ExpandedTerm[],
): PhraseMatch[] {
  if (!hasCompounds(leaf.locale)) return [];
  const isOpen = ending === "open";
  const isAccepted = (first: number, last: number) =>
    ranges.length === 0 || first < frequentFrom || last < frequentFrom;
  const matches = findPartsMatches(context.phraseScratch, leaf, text, isOpen, isAccepted);
  const isWord = ranges.some(({ kind }) => kind !== "prefix");
  const endMatch = isWord ? undefined : findEndMatch(leaf, text, isOpen && ranges.length === 0);
  return endMatch === undefined ? matches : [...matches, endMatch];
}

/**
 * Finds documents with `deck shoes` for `deckshoes`. The word is split at each position where both parts are terms. If
 * the word without its last letter is cached with the same split, only the documents of that match are searched.
 */
function wordBreakMatches(
  context: SearchContext,
  leaf: Leaf,
  text: string,
  ending: Ending,
  hasMatches: boolean,
): PhraseMatch[] {
  const prefixText = ending === "open" ? text.slice(0, -1) : text;
  const prefixQuery = context.cacheOf(leaf).words.find(prefixText)?.[cacheIndexOf("open", 0)];
  const matches: PhraseMatch[] = [];
  for (const [firstWord, secondWord, ...otherWords] of listWordBreaks(text, ending === "open")) {
    const first = rangeOf(leaf, firstWord, "closed");
    if (first.low === first.high) continue;
    const second = rangeOf(leaf, secondWord, otherWords.length > 0 ? "closed" : ending);
    if (second.low === second.high || (hasMatches && areFrequent(leaf, first, second))) continue;
    const otherRanges = otherWords.map((part) => rangeOf(leaf, part, ending));
    if (otherRanges.some(({ low, high }) => low === high)) continue;
    const label = [firstWord, secondWord, ...otherWords].join(" ");
    const previousSecondWord = prefixText.slice(firstWord.length);
    const previousMatch = prefixQuery?.phraseMatches.find(
      (match) => match.label === `${firstWord} ${previousSecondWord}`,
    );
    let match: PhraseMatch | undefined;
    if (otherRanges.length === 0 && previousMatch !== undefined)
      match = narrowPhrase(leaf, previousMatch, second, label);
    else if (
      otherRanges.length > 0 ||
      prefixQuery === undefined ||
      !wasSplitSearched(leaf, prefixQuery, first, previousSecondWord)
    )
      match = findPhrase(context.phraseScratch, leaf, "split", [first, second, ...otherRanges], label);
    if (match !== undefined) matches.push(match);
  }
  return matches;
}

/**
 * Returns whether a split of a word was searched when the word was a prefix.
 * @param secondWord part of the word after the split
 */
function wasSplitSearched(leaf: Leaf, { ranges }: TermQuery, first: Range, secondWord: string): boolean {
  return secondWord !== "" && (ranges.length === 0 || !areFrequent(leaf, first, prefixRange(leaf.terms, secondWord)));
}

/**
 * Returns whether both parts of a split are frequent. A word that is a term is not split into two frequent words:
 * "mens" is not "men s…".
 */
function areFrequent(leaf: Leaf, first: Range, second: Range): boolean {
  return isFrequent(leaf, first) && isFrequent(leaf, second);
}

function isFrequent({ primary }: Leaf, { low, high }: Range): boolean {
  return (primary.postings.starts[high] as number) - (primary.postings.starts[low] as number) >= frequentFrom;
}
