import { listWordForms } from "../analysis/inflections.ts";
import { formEdits } from "../fuzzy/allowed-edits.ts";
import type { Leaf } from "../index/leaf.ts";
import type { MatchKind } from "../scoring/score.ts";
import type { SearchContext } from "../search-context.ts";
import type { Range } from "../terms/dictionary.ts";
import {
  choosePrefixRule,
  compileWord,
  createExpandedTerm,
  createTermQuery,
  formatCacheKey,
  getRange,
  type PrefixRule,
  weightOf,
} from "./compile-word.ts";
import { findCompoundEndMatch } from "./compound-matches.ts";
import { findLetterSizes } from "./letter-sizes.ts";
import { findShingles, type QueryWord, type Shingle } from "./parse.ts";
import { findPhrase } from "./phrase.ts";
import type { Relaxation } from "./relaxation-step.ts";
import { findSynonymUses, type Synonyms } from "./synonyms.ts";
import type { ExpandedTerm, PhraseMatch, TermQuery } from "./term-query.ts";

/**
 * Finds the matches of a query's words in the documents of one language in a segment. The relaxation steps (search
 * attempts) of the query share the results. While results are cached, equal words have the same result object, which
 * other caches use as a key.
 */
export class WordExpander {
  readonly #context: SearchContext;
  readonly #leaf: Leaf;
  readonly #words: readonly QueryWord[];
  readonly #synonyms: Synonyms;
  /** Matches by word index, number of edits, and whether the word must be complete. */
  readonly #cachedTermQueries: (TermQuery | undefined)[];
  /**
   * Shingles of the query: several words that may be written as one term, such as `tshirt` for "t shirt". Contains only
   * shingles that are a prefix of at least one indexed term. Undefined until the words are expanded as prefixes.
   */
  #shingles: readonly Shingle[] | undefined;
  /** Terms that match several complete words together, like "tshirt" for "t shirt". */
  #completeWordTerms: readonly SharedTerms[] | undefined;
  #prefixTerms: readonly SharedTerms[] | undefined;

  constructor(context: SearchContext, leaf: Leaf, words: readonly QueryWord[], synonyms: Synonyms) {
    this.#context = context;
    this.#leaf = leaf;
    this.#words = words;
    this.#synonyms = synonyms;
    this.#cachedTermQueries = new Array<TermQuery | undefined>(words.length * resultsPerWord);
  }

  /**
   * Finds the matches of the first words of the query.
   * @param wordCount number of words. Default: all
   * @returns one term query per word
   */
  expand(
    { needsCompleteWords, edits, matchesCompoundEnds = false }: Relaxation,
    wordCount = this.#words.length,
  ): TermQuery[] {
    const termQueries: TermQuery[] = [];
    for (let index = 0; index < wordCount; index += 1) {
      const allowedEdits = edits[index] ?? 0;
      const resultIndex = index * resultsPerWord + allowedEdits * 2 + (needsCompleteWords ? 1 : 0);
      this.#cachedTermQueries[resultIndex] ??= this.#expandWord(index, allowedEdits, needsCompleteWords);
      const termQuery = this.#cachedTermQueries[resultIndex];
      termQueries.push(matchesCompoundEnds ? this.#addCompoundEnds(termQuery, index, needsCompleteWords) : termQuery);
    }
    return termQueries;
  }

  #expandWord(index: number, edits: number, needsCompleteWords: boolean): TermQuery {
    const leaf = this.#leaf;
    const word = this.#words[index] as QueryWord;
    const ending = choosePrefixRule(word, needsCompleteWords);
    let termQuery = compileWord(this.#context, leaf, word, ending, edits);
    let key = "";
    for (const { words, key: sharedKey, ranges, phraseMatches } of this.#getSharedTerms(needsCompleteWords)) {
      if (!words.includes(index)) continue;
      key = (key === "" ? formatCacheKey(word, ending, edits) : key) + sharedKey;
      const wordQuery = termQuery;
      termQuery = this.#context
        .getLeafCache(leaf)
        .termQueries.get(key, weightOf, () =>
          createTermQuery(
            leaf,
            ending,
            [...wordQuery.ranges, ...ranges],
            [...wordQuery.phraseMatches, ...phraseMatches],
            wordQuery,
          ),
        );
    }
    return termQuery;
  }

  /**
   * Adds the documents with a longer word that ends with a word. If no document of the leaf contains the word itself,
   * they are already among its matches.
   */
  #addCompoundEnds(termQuery: TermQuery, index: number, needsCompleteWords: boolean): TermQuery {
    const word = this.#words[index] as QueryWord;
    if (word.isGram || termQuery.phraseMatches.some(({ kind }) => kind === "within")) return termQuery;
    const leafCache = this.#context.getLeafCache(this.#leaf);
    return leafCache.compoundEndQueries.get(termQuery, weightOf, () => {
      const match = findCompoundEndMatch(this.#leaf, leafCache, word.text, false);
      if (match === undefined) return termQuery;
      const ending = choosePrefixRule(word, needsCompleteWords);
      return createTermQuery(this.#leaf, ending, termQuery.ranges, [...termQuery.phraseMatches, match], termQuery);
    });
  }

  #getSharedTerms(needsCompleteWords: boolean): readonly SharedTerms[] {
    const cachedTerms = needsCompleteWords ? this.#completeWordTerms : this.#prefixTerms;
    if (cachedTerms !== undefined) return cachedTerms;
    // Drop each shingle that is not a prefix of any term, because it cannot equal a term either.
    if (!needsCompleteWords)
      this.#shingles = findShingles(this.#words, this.#leaf.locale).filter((shingle) => {
        const { low, high } = findShingleRange(this.#leaf, this.#words, shingle, false);
        return low < high;
      });
    const requestedShingles = this.#shingles ?? findShingles(this.#words, this.#leaf.locale);
    const sharedTerms = findSharedTerms(
      this.#context,
      this.#leaf,
      this.#words,
      requestedShingles,
      needsCompleteWords,
      this.#synonyms,
    );
    if (needsCompleteWords) this.#completeWordTerms = sharedTerms;
    else this.#prefixTerms = sharedTerms;
    return sharedTerms;
  }
}

/** Number of results per word: with each number of edits up to `formEdits`, as a complete word or not. */
const resultsPerWord = 2 * (formEdits + 1);

/** Terms that match several words of a query together, like "tshirt" for "t shirt". */
interface SharedTerms {
  /** Indices of the words. */
  readonly words: readonly number[];
  /** Key under which the terms are cached. */
  readonly key: string;
  readonly ranges: readonly ExpandedTerm[];
  readonly phraseMatches: readonly PhraseMatch[];
}

/** Finds the terms that match several words of a query together: shingles and synonyms. */
function findSharedTerms(
  context: SearchContext,
  leaf: Leaf,
  words: readonly QueryWord[],
  queryShingles: readonly Shingle[],
  needsCompleteWords: boolean,
  synonyms: Synonyms,
): SharedTerms[] {
  const sharedTerms: SharedTerms[] = [];
  for (const shingle of queryShingles) {
    const { text, words: wordIndices, isQuantity } = shingle;
    const { low, high } = findShingleRange(leaf, words, shingle, needsCompleteWords);
    if (low === high) continue;
    // The number and the unit of a quantity both match the single term of the quantity, so each of them gets half of
    // the score points. This also applies to titles in which they are written without a space.
    const isPartOfQuantity = wordIndices.every((index) => words[index]?.isQuantityPart);
    const isSize = isQuantity && /^@[^*]*$/.test(text);
    const kind = isSize ? "size" : isQuantity || isPartOfQuantity ? "quantity" : "joined";
    const key = `+${kind}${getShinglePrefixRule(words, shingle, needsCompleteWords)} ${text}`;
    sharedTerms.push({ words: wordIndices, key, ranges: [createExpandedTerm(kind, { low, high })], phraseMatches: [] });
  }
  const addPhrases = (from: number, to: number, phrases: readonly (readonly string[])[], kind: MatchKind): void => {
    for (const phrase of phrases) {
      const compiledPhrase = compilePhrase(context, leaf, phrase, kind);
      if (compiledPhrase.ranges.length + compiledPhrase.phraseMatches.length === 0) continue;
      const wordIndices = Array.from({ length: to - from }, (_, index) => from + index);
      sharedTerms.push({ words: wordIndices, key: `+${kind}${phrase.join(" ")}`, ...compiledPhrase });
    }
  };
  for (const { from, to, phrases, names } of findLetterSizes(words, leaf.locale)) {
    addPhrases(from, to, phrases, "size");
    addPhrases(from, to, names, "quantity");
  }
  for (const { from, to, phrases, isComplete } of findSynonymUses(words, synonyms, leaf.locale))
    addPhrases(from, to, phrases, isComplete ? "synonym" : "nearSynonym");
  return sharedTerms;
}

function findShingleRange(
  leaf: Leaf,
  words: readonly QueryWord[],
  shingle: Shingle,
  needsCompleteWords: boolean,
): Range {
  return getRange(leaf, shingle.text, getShinglePrefixRule(words, shingle, needsCompleteWords));
}

function getShinglePrefixRule(
  words: readonly QueryWord[],
  { words: wordIndices, isQuantity }: Shingle,
  needsCompleteWords: boolean,
): PrefixRule {
  return isQuantity ? "whole" : choosePrefixRule(words[wordIndices.at(-1) ?? 0] as QueryWord, needsCompleteWords);
}

/** Finds the terms and documents that match a synonym, written as one word or as several words. */
function compilePhrase(
  context: SearchContext,
  leaf: Leaf,
  phrase: readonly string[],
  kind: MatchKind,
): Pick<TermQuery, "ranges" | "phraseMatches"> {
  const ranges: ExpandedTerm[] = [];
  const joinedText = phrase.join("");
  const texts = phrase.length > 1 ? [joinedText] : listWordForms(joinedText, leaf.locale);
  for (const text of texts) {
    const { low, high } = getRange(leaf, text, "whole");
    if (low < high) ranges.push(createExpandedTerm(kind, { low, high }));
  }
  const terms = phrase.map((text) => getRange(leaf, text, "whole"));
  const areAllTermsKnown = terms.length > 1 && terms.every(({ low, high }) => low < high);
  const phraseMatch = areAllTermsKnown
    ? findPhrase(context.phraseBuffers, leaf, kind, terms, phrase.join(" "))
    : undefined;
  return { ranges, phraseMatches: phraseMatch === undefined ? [] : [phraseMatch] };
}
