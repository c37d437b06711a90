import { hasDigit } from "../analysis/chunks.ts";
import { isFunctionWord as isFunctionWordIn } from "../analysis/particles.ts";
import { countAllowedEdits } from "../fuzzy/allowed-edits.ts";
import { findFuzzyMatches } from "../fuzzy/find-fuzzy-matches.ts";
import { findMisspellingCandidates } from "../fuzzy/misspelling-candidates.ts";
import type { LeafReader } from "../index/leaf.ts";
import { type MatchTier, nameRarityFactor } from "../scoring/score.ts";
import type { SearchContext } from "../search-context.ts";
import type { Query } from "../search-index.ts";
import { WordExpander } from "./expand.ts";
import { parseQuery, type QueryWord } from "./parse.ts";
import { computeRarities, isNameWord } from "./query-boosts.ts";
import { type Relaxation, type RelaxationStep, requireExactWords, sumCost } from "./relaxation-step.ts";
import type { Synonyms } from "./synonyms.ts";
import type { TermQuery } from "./term-query.ts";

/**
 * Maximum number of words in a query for which every word may be misspelled. In a longer query, some words always
 * resemble other words.
 */
const maxFuzzyQueryWords = 8;
/** Minimum number of words of a long query. For most long queries, no document contains all words. */
const minLongQueryWords = 3;

/**
 * Yields the relaxation steps (search attempts) of a query, from strict to relaxed: as typed, all words as prefixes,
 * unknown words misspelled, without function words, all words misspelled, and finally with missing words. Steps that
 * cannot find anything new are skipped. A step is compiled when it is requested.
 * @param hasMatch returns whether a step finds any document; with `word`, whether any document that is not deleted
 * contains this word
 */
export function* generateRelaxationSteps(
  context: SearchContext,
  query: Query,
  readers: readonly LeafReader[],
  synonyms: Synonyms,
  hasMatch: (step: RelaxationStep, word?: number) => boolean,
): Generator<RelaxationStep, undefined> {
  const words = parseQuery(query.text);
  if (words.length === 0) return undefined;
  const zeroEdits = words.map(() => 0);
  const allFieldScores = context.points.getScoresForFields(query.fields);
  const termExpanders = readers.map(({ leaf }) => new WordExpander(context, leaf, words, synonyms));
  /** @param wordCount number of words that a document must contain, from the first word on. Default: all */
  const compileRelaxation = (
    tier: MatchTier,
    relaxation: Relaxation,
    fieldScores = allFieldScores,
    wordCount = words.length,
  ): RelaxationStep => {
    const termQueries = termExpanders.map((termExpander) => termExpander.expand(relaxation, wordCount));
    const rarities = computeRarities(readers, termQueries);
    const requiredWords = wordCount < words.length ? words.slice(0, wordCount) : words;
    return { context, query, tier, words: requiredWords, fieldScores, readers, termQueries, rarities };
  };
  /** Returns the maximum number of edits for a word. */
  const findMaxEdits = ({ text, isGram }: QueryWord): number =>
    query.typos !== false && !isGram ? findEditCount(context, text, readers) : 0;
  let cachedCompleteWordStep: RelaxationStep | undefined;
  const getWholeWordStep = (): RelaxationStep => {
    cachedCompleteWordStep ??= compileRelaxation("typed", { needsCompleteWords: true, edits: zeroEdits });
    return cachedCompleteWordStep;
  };
  const hasFinishedWord = words.some((word) => !word.isPrefix && !word.isGram);
  let cachedTypedStep: RelaxationStep | undefined;
  const getTypedStep = (): RelaxationStep => {
    cachedTypedStep ??= hasFinishedWord
      ? compileRelaxation("prefixes", { needsCompleteWords: false, edits: zeroEdits })
      : getWholeWordStep();
    return cachedTypedStep;
  };
  const misspellingCandidates =
    query.typos !== false
      ? findMisspellingCandidates(getTypedStep(), getWholeWordStep, (word) => findMaxEdits(words[word] as QueryWord))
      : { strictEdits: zeroEdits, relaxedEdits: zeroEdits };
  const compileMisspellings = (step: RelaxationStep, needsCompleteWords: boolean, edits: readonly number[]) =>
    edits.some((count) => count > 0) ? compileRelaxation(step.tier, { needsCompleteWords, edits }) : step;
  const getStrictStep = () => compileMisspellings(getWholeWordStep(), true, misspellingCandidates.strictEdits);
  const getPrefixStep = () => compileMisspellings(getTypedStep(), false, misspellingCandidates.relaxedEdits);
  // Most long queries have no results. If no document contains the words as prefixes, none contains the complete words.
  let hasAnyMatch = hasFinishedWord && words.length >= minLongQueryWords ? hasMatch(getPrefixStep()) : undefined;
  if (hasFinishedWord && hasAnyMatch !== false) yield getStrictStep();
  let relaxedStep = getPrefixStep();
  if (hasAnyMatch !== false) yield relaxedStep;
  hasAnyMatch ??= hasMatch(relaxedStep);
  let edits = misspellingCandidates.relaxedEdits;
  let unknownWordEdits = misspellingCandidates.relaxedEdits;
  // Misspellings of unknown words are tried only if no document contains all words.
  if (!hasAnyMatch) {
    edits = words.map(findMaxEdits);
    unknownWordEdits = edits.map((maxEdits, word) =>
      maxEdits > 0 && !hasMatch(getTypedStep(), word) ? maxEdits : (misspellingCandidates.relaxedEdits[word] as number),
    );
    if (unknownWordEdits.some((maxEdits, word) => maxEdits > (misspellingCandidates.relaxedEdits[word] as number))) {
      relaxedStep = compileRelaxation("unknownFuzzy", { needsCompleteWords: false, edits: unknownWordEdits });
      yield relaxedStep;
      hasAnyMatch = hasMatch(relaxedStep);
    }
  }
  if (words.length === 1) return undefined;
  const partialMatchStep = compilePartialMatch({
    wholeWordStep: getWholeWordStep(),
    getExactStep: () => compileCompleteWords(context, query, words.map(toCompleteWord), readers, synonyms, true),
    correctedStep: getStrictStep(),
    mayBeMisspelled: misspellingCandidates.strictEdits.map((count) => count > 0),
    relaxedStep,
  });
  const contentStep = removeFunctionWords(partialMatchStep);
  if (contentStep?.tier === "withoutFunctionWords") {
    yield contentStep;
    hasAnyMatch ||= hasMatch(contentStep);
  }
  if (
    !hasAnyMatch &&
    words.length <= maxFuzzyQueryWords &&
    edits.some((maxEdits, word) => maxEdits > (unknownWordEdits[word] as number))
  ) {
    const compileFuzzyStep = (wordCount: number) =>
      compileRelaxation(
        "allFuzzy",
        { needsCompleteWords: false, edits },
        context.points.getScoresForPrimaryFields(query.fields),
        wordCount,
      );
    // The last word changes with each letter. Its misspellings are needed only if a document contains all other words.
    if (words.length < minLongQueryWords || hasMatch(compileFuzzyStep(words.length - 1))) {
      const exactWordRequirement = requireExactWords(partialMatchStep);
      const fuzzyStep = compileFuzzyStep(words.length);
      yield exactWordRequirement === undefined ? fuzzyStep : { ...fuzzyStep, exactWordRequirement };
    }
  }
  if (contentStep?.tier === "onlyWord") yield contentStep;
  if (partialMatchStep.matchRules?.sufficientMasks.length !== 0) yield partialMatchStep;
  return undefined;
}

/**
 * Returns the search attempt that requires all words of the query as typed, each as a complete word. The attempt only
 * tests whether documents match and does not score them, so the rarities of the words are not computed.
 * @param lastWordKind "prefix" if the last word may also be a prefix
 * @returns undefined if the query has no words
 */
export function compileTypedWords(
  context: SearchContext,
  query: Query,
  readers: readonly LeafReader[],
  synonyms: Synonyms,
  lastWordKind: "prefix" | "whole",
): RelaxationStep | undefined {
  const parsedWords = parseQuery(query.text);
  const words = lastWordKind === "whole" ? parsedWords.map(toCompleteWord) : parsedWords;
  return words.length === 0 ? undefined : compileCompleteWords(context, query, words, readers, synonyms, false);
}

function toCompleteWord(word: QueryWord): QueryWord {
  return word.isPrefix ? { ...word, isPrefix: false } : word;
}

function compileCompleteWords(
  context: SearchContext,
  query: Query,
  words: readonly QueryWord[],
  readers: readonly LeafReader[],
  synonyms: Synonyms,
  isScored: boolean,
): RelaxationStep {
  const relaxation = { needsCompleteWords: true, edits: words.map(() => 0) };
  const termQueries = readers.map(({ leaf }) => new WordExpander(context, leaf, words, synonyms).expand(relaxation));
  const fieldScores = context.points.getScoresForFields(query.fields);
  const rarities = isScored ? computeRarities(readers, termQueries) : [];
  return { context, query, tier: "typed", words, fieldScores, readers, termQueries, rarities };
}

/** Returns the number of edits for a word. Two edits are allowed only if one edit matches no term. */
function findEditCount(context: SearchContext, text: string, readers: readonly LeafReader[]): number {
  const maxEdits = countAllowedEdits(text);
  return maxEdits > 1 && readers.some(({ leaf }) => findFuzzyMatches(context, leaf, text, 1).lows.length > 0)
    ? 1
    : maxEdits;
}

/** Minimum number of letters of an incomplete last word. A shorter last word must match as a complete word. */
const minPrefixLetters = 3;

/** Input for the search attempt that finds documents in which some words of the query are missing. */
interface PartialMatchInput {
  /** Search attempt in which all words except the last are complete and none is misspelled. */
  readonly wholeWordStep: RelaxationStep;
  /** Returns the search attempt that requires complete words without misspellings. */
  readonly getExactStep: () => RelaxationStep;
  /**
   * Search attempt in which words that may be misspelled also match similar words. Other words match as in
   * `wholeWordStep`.
   */
  readonly correctedStep: RelaxationStep;
  /** Whether each word may be misspelled. */
  readonly mayBeMisspelled: readonly boolean[];
  /** The most relaxed of the previous search attempts, in which words match as prefixes or with edits. */
  readonly relaxedStep: RelaxationStep;
}

/**
 * Creates the search attempt that finds documents with some of the words. Each word matches in the strictest way in
 * which any document contains it. A misspelling, or a prefix of a complete word, adds to the score of a document but
 * does not make it a result.
 */
export function compilePartialMatch({
  wholeWordStep,
  getExactStep,
  correctedStep,
  mayBeMisspelled,
  relaxedStep,
}: PartialMatchInput): RelaxationStep {
  const { words, query } = wholeWordStep;
  const uncorrectedSteps = words.map((word): RelaxationStep => {
    const isShortPrefix = word.isPrefix && !word.isGram && word.text.length < minPrefixLetters;
    return isShortPrefix ? getExactStep() : wholeWordStep;
  });
  const isExactWord = uncorrectedSteps.map((step, index) => !mayBeMisspelled[index] && sumCost(step, index, true) > 0);
  const stepsByWord = uncorrectedSteps.map((step, index) =>
    isExactWord[index] ? step : mayBeMisspelled[index] ? correctedStep : relaxedStep,
  );
  const termQueries = wholeWordStep.readers.map((_, reader) =>
    stepsByWord.map((source, index) => source.termQueries[reader]?.[index] as TermQuery),
  );
  const isFunctionWord = findFunctionWords(words, query.locale);
  const { context, readers } = wholeWordStep;
  const isName = words.map((_, index) => isNameWord(context, readers, termQueries, index));
  const rarities = computeRarities(readers, termQueries, true).map((rarity, index) =>
    isName[index] ? Math.round(rarity * nameRarityFactor) : rarity,
  );
  const sufficientMasks = findWordSubsets(words, isFunctionWord).filter((wordMask) =>
    words.every((_, index) => (wordMask & (1 << index)) === 0 || isExactWord[index]),
  );
  const isInformativeWord = isExactWord.map((isExact, index) => isExact && !isFunctionWord[index]);
  const categories = context.getCategoryModel(readers);
  const zeroBytes = context.zeroBytes(categories.size);
  // The words of one quantity suggest the same category, so only the first counts.
  const suggestsCategory = isInformativeWord.map(
    (isInformative, index) => isInformative && !(words[index]?.isQuantityPart && words[index - 1]?.isQuantityPart),
  );
  const categoryBonuses = categories.computeBonuses(readers, termQueries, suggestsCategory, zeroBytes, (leaf) =>
    context.getLeafCache(leaf),
  );
  const matchRules = { sufficientMasks, isFunctionWord, isExactWord: isInformativeWord, isName, categoryBonuses };
  return { ...wholeWordStep, tier: "partial", termQueries, rarities, matchRules };
}

/**
 * Returns masks of words (bit n: word n). A document is a result if it contains all words of one mask. Each word has
 * its own mask, except function words and single characters, unless the query has only these. A code like `NOR.0707-60`
 * has one mask for all its parts, because many codes share a part.
 */
function findWordSubsets(words: readonly QueryWord[], isFunctionWord: readonly boolean[]): number[] {
  const masks: number[] = [];
  words.forEach(({ text, isGram, chunk }, index) => {
    // Words that were typed without a space between them have the same chunk number.
    const isJoinedWord = words[index - 1]?.chunk === chunk || words[index + 1]?.chunk === chunk;
    const joinedWords = isJoinedWord && !isGram ? words.filter((word) => word.chunk === chunk) : [];
    if (joinedWords.some((word) => hasDigit(word.text))) {
      const wordMask = words.reduce((bits, word, index) => (word.chunk === chunk ? bits | (1 << index) : bits), 0);
      if (!masks.includes(wordMask)) masks.push(wordMask);
    } else if (!isFunctionWord[index] && (isGram || text.length > 2 || [...text].length > 1)) masks.push(1 << index);
  });
  return masks.length > 0 ? masks : words.flatMap((_, index) => (isFunctionWord[index] ? [] : [1 << index]));
}

/**
 * Returns the search attempt for a query without its function words, or undefined if the query has none. The other
 * words match as in `step`.
 */
export function removeFunctionWords(step: RelaxationStep): RelaxationStep | undefined {
  const { matchRules, ...otherFields } = step;
  const isContentWord = step.words.map((_, index) => !matchRules?.isFunctionWord[index]);
  if (!isContentWord.includes(false)) return undefined;
  const words = step.words.filter((_, index) => isContentWord[index]);
  const termQueries = step.termQueries.map((readerQueries) => readerQueries.filter((_, index) => isContentWord[index]));
  return {
    ...otherFields,
    // A single remaining word is weak evidence, so steps that allow misspelled words come first: "on the dege" more
    // likely means "on the edge".
    tier: words.length > 1 ? "withoutFunctionWords" : "onlyWord",
    words,
    termQueries,
    rarities: computeRarities(step.readers, termQueries),
  };
}

/** Returns whether each word is a function word. All are false if the query has only function words. */
function findFunctionWords(words: readonly QueryWord[], locale: string): readonly boolean[] {
  // In "5 in", the word "in" is a unit.
  const functionWords = words.map(
    ({ text, isQuantityPart: isPartOfQuantity }) => !isPartOfQuantity && isFunctionWordIn(text, locale),
  );
  return functionWords.includes(false) ? functionWords : words.map(() => false);
}
