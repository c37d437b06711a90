import { forms } from "../analysis/inflections.ts";
import { wordBreaks } from "../analysis/shingles.ts";
import { type FuzzyMatches, findFuzzyMatches, noFuzzyMatches } from "../fuzzy/fuzzy-matches.ts";
import { cached, createGenerationCache, peek } from "../generation-cache.ts";
import { frequentFrom } from "../index/champion-lists.ts";
import type { Leaf } from "../index/leaf.ts";
import { type MatchKind, matchBoosts } from "../scoring/score.ts";
import { findText, prefixRange, type Range } from "../terms/dictionary.ts";
import { type QueryWord, shingles } from "./parse.ts";
import { findPhrase, narrowPhrase, type PhraseMatch } from "./phrase.ts";
import { type Synonyms, synonymUses } from "./synonyms.ts";

/** Terms `low` up to, not including, `high` of a leaf match a word of the query in some kind. */
export interface ExpandedTerm extends Range {
  readonly kind: MatchKind;
  /** Percentage of the points; see `matchBoosts`. */
  readonly boost: number;
}

function expandedTerm(kind: MatchKind, { low, high }: Range): ExpandedTerm {
  return { kind, boost: matchBoosts[kind], low, high };
}

/** Everything in one leaf that a word of a query may stand for. */
export interface TermQuery {
  readonly ranges: readonly ExpandedTerm[];
  readonly phraseMatches: readonly PhraseMatch[];
  readonly fuzzy: FuzzyMatches;
  /** Postings that match in what names a thing, and in descriptions. */
  readonly namingCost: number;
  readonly bodyCost: number;
}

const termQueryCache = createGenerationCache<TermQuery>();

/** How freely words are read. */
export interface Relaxation {
  /** All words but the last must be whole. */
  readonly wholeWords: boolean;
  /** By word: how many edits it may hold. */
  readonly edits: readonly number[];
}

/** What each word of a query may stand for in a leaf. The same words get the same termQueries while they are cached: words before the
 *  one being typed come again with each letter. */
export function expand(
  leaf: Leaf,
  words: readonly QueryWord[],
  relaxation: Relaxation,
  synonyms: Synonyms,
): TermQuery[] {
  const isPrefix = (word: QueryWord) => word.isPrefix || (!relaxation.wholeWords && !word.isGram);
  const keys = words.map((word, index) => termQueryKey(word, isPrefix(word), relaxation.edits[index] ?? 0));
  const termQueries = words.map((word, index) =>
    compileWord(leaf, word, isPrefix(word), relaxation.edits[index] ?? 0, keys[index] as string),
  );
  for (const { from, to, ranges, phraseMatches } of sharedTerms(leaf, words, isPrefix, synonyms))
    for (let word = from; word < to; word += 1) {
      const key = [
        keys[word],
        ...ranges.map(({ kind, low, high }) => `${kind}${low}-${high}`),
        ...phraseMatches.map(said),
      ].join("+");
      const termQuery = termQueries[word] as TermQuery;
      keys[word] = key;
      termQueries[word] = cached(termQueryCache, leaf, key, weightOf, () =>
        makeTermQuery(
          leaf,
          [...termQuery.ranges, ...ranges],
          [...termQuery.phraseMatches, ...phraseMatches],
          termQuery.fuzzy,
        ),
      );
    }
  return termQueries;
}

function said({ kind, label }: PhraseMatch): string {
  return `${kind}${label}`;
}

/** What words `from` up to, not including, `to` of a query may stand for together. */
interface Common {
  readonly from: number;
  readonly to: number;
  readonly ranges: readonly ExpandedTerm[];
  readonly phraseMatches: readonly PhraseMatch[];
}

function sharedTerms(
  leaf: Leaf,
  words: readonly QueryWord[],
  isPrefix: (word: QueryWord) => boolean,
  synonyms: Synonyms,
): Common[] {
  const found: Common[] = [];
  for (const { text, from, to, mayGoOn } of words.length > 1 || words[0]?.isGram === false ? shingles(words) : []) {
    const { low, high } =
      mayGoOn && isPrefix(words[to - 1] as QueryWord) ? prefixRange(leaf.terms, text) : exactRange(leaf, text);
    if (low < high) found.push({ from, to, ranges: [expandedTerm("joined", { low, high })], phraseMatches: [] });
  }
  for (const { from, to, phrases, isComplete } of synonymUses(words, synonyms, leaf.locale))
    for (const phrase of phrases)
      found.push({ from, to, ...compilePhrase(leaf, phrase, isComplete ? "synonym" : "nearSynonym") });
  return found;
}

function makeTermQuery(
  leaf: Leaf,
  ranges: readonly ExpandedTerm[],
  phraseMatches: readonly PhraseMatch[],
  fuzzy: FuzzyMatches = noFuzzyMatches,
): TermQuery {
  let [namingCost, bodyCost] = [0, 0];
  const { starts } = leaf.naming.postings;
  const bodyStarts = leaf.body.postings.starts;
  const count = (low: number, high: number): void => {
    namingCost += (starts[high] as number) - (starts[low] as number);
    bodyCost += (bodyStarts[high] as number) - (bodyStarts[low] as number);
  };
  for (const { low, high } of ranges) count(low, high);
  for (let run = 0; run < fuzzy.lows.length; run += 1) count(fuzzy.lows[run] as number, fuzzy.highs[run] as number);
  for (const { documents } of phraseMatches) namingCost += documents.length;
  return { ranges, phraseMatches, fuzzy, namingCost, bodyCost };
}

function termQueryKey(word: Pick<QueryWord, "text" | "isGram">, isPrefix: boolean, edits: number): string {
  return `${isPrefix ? "*" : word.isGram ? "#" : "="}${edits}${word.text}`;
}

/** A leaf never changes, so what a word may stand for in it is cached. */
function compileWord(leaf: Leaf, word: QueryWord, isPrefix: boolean, edits: number, key: string): TermQuery {
  return cached(termQueryCache, leaf, key, weightOf, () => {
    if (edits === 0) return compileExact(leaf, word, isPrefix);
    const { ranges, phraseMatches } = compileWord(leaf, word, isPrefix, 0, termQueryKey(word, isPrefix, 0));
    return makeTermQuery(leaf, ranges, phraseMatches, findFuzzyMatches(leaf, word.text, edits));
  });
}

function weightOf({ phraseMatches }: TermQuery): number {
  return phraseMatches.reduce((sum, { documents }) => sum + documents.length, 1);
}

function compileExact(leaf: Leaf, word: QueryWord, isPrefix: boolean): TermQuery {
  const ranges: ExpandedTerm[] = [];
  const exact = findText(leaf.terms, word.text);
  if (exact >= 0) ranges.push(expandedTerm("exact", { low: exact, high: exact + 1 }));
  for (const form of forms(word, leaf.locale)) {
    const { low, high } = exactRange(leaf, form);
    if (low < high) ranges.push(expandedTerm("form", { low, high }));
  }
  if (isPrefix) {
    const { low, high } = prefixRange(leaf.terms, word.text);
    if (low < high) ranges.push(expandedTerm("prefix", { low, high }));
  }
  return makeTermQuery(leaf, ranges, word.isGram ? [] : wordBreakMatches(leaf, word.text, isPrefix, ranges.length > 0));
}

/** `deckshoes` where a document says `deck shoes`: the word is cut at each docId that leaves two known words. What the word was before its
 *  last letter was typed is mostly cached: a cut is then looked for among what the same cut found. */
function wordBreakMatches(leaf: Leaf, text: string, isPrefix: boolean, isKnown: boolean): PhraseMatch[] {
  const beginning = isPrefix ? text.slice(0, -1) : text;
  const before = peek(termQueryCache, leaf, termQueryKey({ text: beginning, isGram: false }, true, 0));
  const phraseMatches: PhraseMatch[] = [];
  for (const [one, other] of wordBreaks(text, isPrefix)) {
    const first = exactRange(leaf, one);
    if (first.low === first.high) continue;
    const second = isPrefix ? prefixRange(leaf.terms, other) : exactRange(leaf, other);
    if (second.low === second.high || (isKnown && areEverywhere(leaf, first, second))) continue;
    const label = `${one} ${other}`;
    const shorter = beginning.slice(one.length);
    const wider = before?.phraseMatches.find((found) => found.label === `${one} ${shorter}`);
    let found: PhraseMatch | undefined;
    if (wider !== undefined) found = narrowPhrase(leaf, wider, second, label);
    else if (before === undefined || !wasCut(leaf, before, first, shorter))
      found = findPhrase(leaf, "split", [first, second], label);
    if (found !== undefined) phraseMatches.push(found);
  }
  return phraseMatches;
}

/** Whether a cut of a word, read as a beginning, was looked for. @param other what is left of the word behind the cut */
function wasCut(leaf: Leaf, { ranges }: TermQuery, first: Range, other: string): boolean {
  return other !== "" && (ranges.length === 0 || !areEverywhere(leaf, first, prefixRange(leaf.terms, other)));
}

/** A word that is known as it stands is not taken for two that are everywhere: "mens" is no "men s…". */
function areEverywhere(leaf: Leaf, first: Range, second: Range): boolean {
  return isFrequent(leaf, first) && isFrequent(leaf, second);
}

function isFrequent({ naming }: Leaf, { low, high }: Range): boolean {
  return (naming.postings.starts[high] as number) - (naming.postings.starts[low] as number) >= frequentFrom;
}

function compilePhrase(
  leaf: Leaf,
  phrase: readonly string[],
  kind: MatchKind,
): Pick<TermQuery, "ranges" | "phraseMatches"> {
  const ranges: ExpandedTerm[] = [];
  const joined = phrase.join("");
  const texts = phrase.length > 1 ? [joined] : [joined, ...forms({ text: joined, isGram: false }, leaf.locale)];
  for (const text of texts) {
    const { low, high } = exactRange(leaf, text);
    if (low < high) ranges.push(expandedTerm(kind, { low, high }));
  }
  const terms = phrase.map((text) => exactRange(leaf, text));
  const isKnown = terms.length > 1 && terms.every(({ low, high }) => low < high);
  const found = isKnown ? findPhrase(leaf, kind, terms, phrase.join(" ")) : undefined;
  return { ranges, phraseMatches: found === undefined ? [] : [found] };
}

function exactRange(leaf: Leaf, text: string): Range {
  const ordinal = findText(leaf.terms, text);
  return ordinal < 0 ? { low: 0, high: 0 } : { low: ordinal, high: ordinal + 1 };
}
