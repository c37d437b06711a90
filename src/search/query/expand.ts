import { forms } from "../analysis/inflections.ts";
import { wordBreaks } from "../analysis/shingles.ts";
import { findFuzzyMatches } from "../fuzzy/find-fuzzy-matches.ts";
import { type FuzzyMatches, packFuzzyMatches } from "../fuzzy/fuzzy-matches.ts";
import { frequentFrom } from "../index/frequent-ranges.ts";
import type { Leaf } from "../index/leaf.ts";
import { type MatchKind, matchBoosts } from "../scoring/score.ts";
import type { SearchContext } from "../search-context.ts";
import { findText, prefixRange, type Range, withoutDigitBehind } from "../terms/dictionary.ts";
import { endsInDigit, type QueryWord, type Shingle, shingles } from "./parse.ts";
import { findPhrase, narrowPhrase } from "./phrase.ts";
import type { Relaxation } from "./relaxation-step.ts";
import { type Synonyms, synonymUses } from "./synonyms.ts";
import { type ExpandedTerm, nestRanges, type PhraseMatch, type TermQuery } from "./term-query.ts";

/** Compiles the words of one query for a leaf: each to all that it may stand for there. What several relaxation steps ask for is compiled once. As long as they are cached, the same words compile
 *  to the same objects, by which what is known of them is found again. */
export class Expander {
  readonly #context: SearchContext;
  readonly #leaf: Leaf;
  readonly #words: readonly QueryWord[];
  readonly #synonyms: Synonyms;
  /** What steps have asked for so far: by word, then by edits and whether words must be whole. */
  readonly #expanded: (TermQuery | undefined)[];
  #shingles: readonly Shingle[] | undefined;
  /** Where words must be whole, and where they are prefixes. */
  #sharedByWholes: readonly SharedTerms[] | undefined;
  #sharedByPrefixes: readonly SharedTerms[] | undefined;

  constructor(context: SearchContext, leaf: Leaf, words: readonly QueryWord[], synonyms: Synonyms) {
    this.#context = context;
    this.#leaf = leaf;
    this.#words = words;
    this.#synonyms = synonyms;
    this.#expanded = new Array<TermQuery | undefined>(words.length * strictnesses);
  }

  /** @returns by word */
  expand({ wholeWords, edits }: Relaxation): TermQuery[] {
    return this.#words.map((_, index) => {
      const allowed = edits[index] ?? 0;
      const at = index * strictnesses + allowed * 2 + (wholeWords ? 1 : 0);
      this.#expanded[at] ??= this.#expand(index, allowed, wholeWords);
      return this.#expanded[at];
    });
  }

  #expand(index: number, edits: number, wholeWords: boolean): TermQuery {
    const leaf = this.#leaf;
    const word = this.#words[index] as QueryWord;
    const ending = endingOf(word, wholeWords);
    let key = keyOf(word, ending, edits);
    let termQuery = compileWord(this.#context, leaf, word, ending, edits, key);
    for (const { words, key: sharedKey, ranges, phraseMatches } of this.#sharedTerms(wholeWords)) {
      if (!words.includes(index)) continue;
      key += sharedKey;
      const own = termQuery;
      termQuery = this.#context
        .cacheOf(leaf)
        .termQueries.get(key, weightOf, () =>
          makeTermQuery(leaf, [...own.ranges, ...ranges], [...own.phraseMatches, ...phraseMatches], own.fuzzy),
        );
    }
    return termQuery;
  }

  #sharedTerms(wholeWords: boolean): readonly SharedTerms[] {
    this.#shingles ??= shingles(this.#words);
    const known = this.#shingles;
    const find = () => sharedTerms(this.#context, this.#leaf, this.#words, known, wholeWords, this.#synonyms);
    if (wholeWords) {
      this.#sharedByWholes ??= find();
      return this.#sharedByWholes;
    }
    this.#sharedByPrefixes ??= find();
    return this.#sharedByPrefixes;
  }
}

/** A word has no edit, one or two, and must be whole or not. */
const strictnesses = 6;

/** Whether terms that go on behind a word match it: any, none, or those that go on with no digit, since 200 is not 2001 unless it is being
 *  typed. */
type Ending = "open" | "closed" | "closedToDigits";

function endingOf({ text, isPrefix, isGram }: QueryWord, wholeWords: boolean): Ending {
  if (isPrefix) return "open";
  if (wholeWords || isGram) return "closed";
  return endsInDigit(text) ? "closedToDigits" : "open";
}

/** The terms that are a text, or begin with it where the ending is open. */
function rangeOf({ terms }: Leaf, text: string, ending: Ending): Range {
  if (ending === "open") return prefixRange(terms, text);
  const ordinal = findText(terms, text);
  return ordinal < 0 ? { low: 0, high: 0 } : { low: ordinal, high: ordinal + 1 };
}

function expandedTerm(kind: MatchKind, { low, high }: Range): ExpandedTerm {
  return { kind, boost: matchBoosts[kind], low, high };
}

/** What words of a query may stand for together. */
interface SharedTerms {
  /** Their indexes. */
  readonly words: readonly number[];
  /** Tells them apart from others of the leaf. */
  readonly key: string;
  readonly ranges: readonly ExpandedTerm[];
  readonly phraseMatches: readonly PhraseMatch[];
}

/** Shingles and synonyms of a query. */
function sharedTerms(
  context: SearchContext,
  leaf: Leaf,
  words: readonly QueryWord[],
  shingled: readonly Shingle[],
  wholeWords: boolean,
  synonyms: Synonyms,
): SharedTerms[] {
  const found: SharedTerms[] = [];
  for (const { text, words: said, isQuantity } of shingled) {
    const ending = isQuantity ? "closed" : endingOf(words[said.at(-1) ?? 0] as QueryWord, wholeWords);
    const { low, high } = rangeOf(leaf, text, ending);
    if (low === high) continue;
    const kind = isQuantity ? "quantity" : "joined";
    const key = `+${kind}${ending === "open" ? "*" : "="}${text}`;
    found.push({ words: said, key, ranges: [expandedTerm(kind, { low, high })], phraseMatches: [] });
  }
  for (const { from, to, phrases, isComplete } of synonymUses(words, synonyms, leaf.locale))
    for (const phrase of phrases) {
      const kind = isComplete ? "synonym" : "nearSynonym";
      const compiled = compilePhrase(context, leaf, phrase, kind);
      if (compiled.ranges.length + compiled.phraseMatches.length === 0) continue;
      const said = Array.from({ length: to - from }, (_, index) => from + index);
      found.push({ words: said, key: `+${kind}${phrase.join(" ")}`, ...compiled });
    }
  return found;
}

const noFuzzyMatches = packFuzzyMatches([], 0);

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
  const outerRanges = nestRanges(ranges);
  for (const { low, high } of outerRanges) count(low, high);
  for (let range = 0; range < fuzzy.lows.length; range += 1)
    count(fuzzy.lows[range] as number, fuzzy.highs[range] as number);
  for (const { documents } of phraseMatches) namingCost += documents.length;
  return { ranges, outerRanges, phraseMatches, fuzzy, namingCost, bodyCost, wholeCost: wholeCostOf(leaf, ranges) };
}

/** Postings of a word and its forms, and of the quantity that it is part of. */
function wholeCostOf({ naming, body }: Leaf, ranges: readonly ExpandedTerm[]): number {
  const [named, described] = [naming.postings.starts, body.postings.starts];
  let cost = 0;
  for (const { low, high, kind } of ranges)
    if (kind === "exact" || kind === "form" || kind === "quantity")
      for (const starts of [named, described]) cost += (starts[high] as number) - (starts[low] as number);
  return cost;
}

/** The key under which a word's term query is cached. */
function keyOf(word: Pick<QueryWord, "text" | "isGram">, ending: Ending, edits: number): string {
  const mark = ending === "open" ? "*" : ending === "closedToDigits" ? "~" : word.isGram ? "#" : "=";
  return `${mark}${edits}${word.text}`;
}

/** Of fuzzy matches, which are cached as well, nothing counts. */
function weightOf({ phraseMatches }: TermQuery): number {
  return phraseMatches.reduce((sum, { documents }) => sum + documents.length, 1);
}

function compileWord(
  context: SearchContext,
  leaf: Leaf,
  word: QueryWord,
  ending: Ending,
  edits: number,
  key: string,
): TermQuery {
  return context.cacheOf(leaf).termQueries.get(key, weightOf, () => {
    if (edits === 0) return compileTyped(context, leaf, word, ending);
    const typed = compileWord(context, leaf, word, ending, 0, keyOf(word, ending, 0));
    const fuzzy = findFuzzyMatches(context, leaf, word.text, edits);
    return makeTermQuery(leaf, typed.ranges, typed.phraseMatches, fuzzy);
  });
}

/** A word without edits. */
function compileTyped(context: SearchContext, leaf: Leaf, word: QueryWord, ending: Ending): TermQuery {
  const ranges: ExpandedTerm[] = [];
  const exact = findText(leaf.terms, word.text);
  if (exact >= 0) ranges.push(expandedTerm("exact", { low: exact, high: exact + 1 }));
  for (const form of forms(word, leaf.locale)) {
    const { low, high } = rangeOf(leaf, form, "closed");
    if (low < high) ranges.push(expandedTerm("form", { low, high }));
  }
  if (ending !== "closed") {
    const { low, high } = (ending === "open" ? prefixRange : withoutDigitBehind)(leaf.terms, word.text);
    if (low < high) ranges.push(expandedTerm("prefix", { low, high }));
  }
  const matches = word.isGram ? [] : wordBreakMatches(context, leaf, word.text, ending, ranges.length > 0);
  return makeTermQuery(leaf, ranges, matches);
}

/** `deckshoes` where a document says `deck shoes`: the word is broken wherever that leaves two known words. Mostly the word without its last
 *  letter is cached: a break is then looked for in the documents that matched the same break before. */
function wordBreakMatches(
  context: SearchContext,
  leaf: Leaf,
  text: string,
  ending: Ending,
  isKnown: boolean,
): PhraseMatch[] {
  const beginning = ending === "open" ? text.slice(0, -1) : text;
  const before = context.cacheOf(leaf).termQueries.peek(keyOf({ text: beginning, isGram: false }, "open", 0));
  const matches: PhraseMatch[] = [];
  for (const [one, other, ...more] of wordBreaks(text, ending === "open")) {
    const first = rangeOf(leaf, one, "closed");
    if (first.low === first.high) continue;
    const second = rangeOf(leaf, other, more.length > 0 ? "closed" : ending);
    if (second.low === second.high || (isKnown && areFrequent(leaf, first, second))) continue;
    const rest = more.map((part) => rangeOf(leaf, part, ending));
    if (rest.some(({ low, high }) => low === high)) continue;
    const label = [one, other, ...more].join(" ");
    const shorter = beginning.slice(one.length);
    const wider = before?.phraseMatches.find((match) => match.label === `${one} ${shorter}`);
    let match: PhraseMatch | undefined;
    if (rest.length === 0 && wider !== undefined) match = narrowPhrase(leaf, wider, second, label);
    else if (rest.length > 0 || before === undefined || !wasBroken(leaf, before, first, shorter))
      match = findPhrase(context.phraseScratch, leaf, "split", [first, second, ...rest], label);
    if (match !== undefined) matches.push(match);
  }
  return matches;
}

/** Whether a break of a word, taken as a prefix, was looked for. @param other the rest of the word behind the break */
function wasBroken(leaf: Leaf, { ranges }: TermQuery, first: Range, other: string): boolean {
  return other !== "" && (ranges.length === 0 || !areFrequent(leaf, first, prefixRange(leaf.terms, other)));
}

/** A known word is not broken into two frequent ones: "mens" is not "men s…". */
function areFrequent(leaf: Leaf, first: Range, second: Range): boolean {
  return isFrequent(leaf, first) && isFrequent(leaf, second);
}

function isFrequent({ naming }: Leaf, { low, high }: Range): boolean {
  return (naming.postings.starts[high] as number) - (naming.postings.starts[low] as number) >= frequentFrom;
}

/** A phrase of a synonym group: as the words, and as one word. */
function compilePhrase(
  context: SearchContext,
  leaf: Leaf,
  phrase: readonly string[],
  kind: MatchKind,
): Pick<TermQuery, "ranges" | "phraseMatches"> {
  const ranges: ExpandedTerm[] = [];
  const joined = phrase.join("");
  const texts = phrase.length > 1 ? [joined] : [joined, ...forms({ text: joined, isGram: false }, leaf.locale)];
  for (const text of texts) {
    const { low, high } = rangeOf(leaf, text, "closed");
    if (low < high) ranges.push(expandedTerm(kind, { low, high }));
  }
  const terms = phrase.map((text) => rangeOf(leaf, text, "closed"));
  const isKnown = terms.length > 1 && terms.every(({ low, high }) => low < high);
  const match = isKnown ? findPhrase(context.phraseScratch, leaf, kind, terms, phrase.join(" ")) : undefined;
  return { ranges, phraseMatches: match === undefined ? [] : [match] };
}
