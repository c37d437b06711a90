import { hasDigit } from "../analysis/chunks.ts";
import { isFunctionWord as isFunctionWordIn } from "../analysis/particles.ts";
import { nameRarityFactor } from "../scoring/score.ts";
import { weightOf } from "./compile-word.ts";
import { isSizeLabel } from "./letter-sizes.ts";
import { compileNegatedWord, type Negations } from "./negations.ts";
import type { QueryWord } from "./parse.ts";
import { computeRarities, isNameWord } from "./query-boosts.ts";
import { type RelaxationStep, sumCost } from "./relaxation-step.ts";
import type { TermQuery } from "./term-query.ts";

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
  /** Negations of the query. A negated word makes a document a result only if no document contains another word. */
  readonly negations: Negations | undefined;
  /** Whether each word is part of a price; empty if the query contains no price. Such a word is no evidence. */
  readonly isPriceWord: readonly boolean[];
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
  negations,
  isPriceWord,
}: PartialMatchInput): RelaxationStep {
  const { words, query } = wholeWordStep;
  const uncorrectedSteps = words.map((word): RelaxationStep => {
    const isShortPrefix = word.isPrefix && !word.isGram && word.text.length < minPrefixLetters;
    return isShortPrefix ? getExactStep() : wholeWordStep;
  });
  const isExactWord = uncorrectedSteps.map((step, index) => !mayBeMisspelled[index] && sumCost(step, index) > 0);
  const stepsByWord = uncorrectedSteps.map((step, index) =>
    isExactWord[index] ? step : mayBeMisspelled[index] ? correctedStep : relaxedStep,
  );
  const termQueries = wholeWordStep.readers.map(({ leaf }, reader) =>
    stepsByWord.map((source, index) => {
      const termQuery = source.termQueries[reader]?.[index] as TermQuery;
      const word = words[index] as QueryWord;
      if (!negations?.isNegated[index]) return termQuery;
      const compile = () => compileNegatedWord(leaf, word, termQuery);
      return wholeWordStep.context.getLeafCache(leaf).negatedQueries.get(termQuery, weightOf, compile);
    }),
  );
  const isFunctionWord = findFunctionWords(words, query.locale, negations);
  const isWeakWord = isFunctionWord.map((isFunction, index) => isFunction || negations?.isNegated[index] === true);
  const { context, readers } = wholeWordStep;
  const isName = words.map((_, index) => isNameWord(context, readers, termQueries, index));
  const rarities = computeRarities(readers, termQueries, true).map((rarity, index) =>
    isName[index] ? Math.round(rarity * nameRarityFactor) : rarity,
  );
  const listMasks = (isWeak: readonly boolean[]) =>
    findWordSubsets(words, isWeak).filter((wordMask) =>
      words.every((_, index) => (wordMask & (1 << index)) === 0 || isExactWord[index]),
    );
  const strongMasks = listMasks(
    isWeakWord.map((isWeak, index) => isWeak || isPriceWord[index] === true || isSizeLabel(words, index)),
  );
  const sufficientMasks = strongMasks.length > 0 ? strongMasks : listMasks(isFunctionWord);
  const isInformativeWord = isExactWord.map((isExact, index) => isExact && !isWeakWord[index]);
  const categories = context.getCategoryModel(readers);
  // The words of one quantity suggest the same category, so only the first counts.
  const suggestsCategory = isInformativeWord.map(
    (isInformative, index) => isInformative && !(words[index]?.isQuantityPart && words[index - 1]?.isQuantityPart),
  );
  const categoryBonuses = categories.computeBonuses(readers, termQueries, suggestsCategory, (leaf) =>
    context.getLeafCache(leaf),
  );
  const matchRules = { sufficientMasks, isFunctionWord, isExactWord: isInformativeWord, isName, categoryBonuses };
  return { ...wholeWordStep, tier: "partial", termQueries, rarities, matchRules };
}

/**
 * Returns masks of words (bit n: word n). A document is a result if it contains all words of one mask. Each word has
 * its own mask, except function words, negated words, and single characters, unless the query has only these. A code
 * like `NOR.0707-60` has one mask for all its parts, because many codes share a part.
 */
function findWordSubsets(words: readonly QueryWord[], isWeakWord: readonly boolean[]): number[] {
  const masks: number[] = [];
  words.forEach(({ text, isGram, chunk }, index) => {
    // Words that were typed without a space between them have the same chunk number.
    const isJoinedWord = words[index - 1]?.chunk === chunk || words[index + 1]?.chunk === chunk;
    const joinedWords = isJoinedWord && !isGram ? words.filter((word) => word.chunk === chunk) : [];
    if (joinedWords.some((word) => hasDigit(word.text))) {
      const wordMask = words.reduce((bits, word, index) => (word.chunk === chunk ? bits | (1 << index) : bits), 0);
      if (!masks.includes(wordMask)) masks.push(wordMask);
    } else if (!isWeakWord[index] && (isGram || text.length > 2 || [...text].length > 1)) masks.push(1 << index);
  });
  return masks.length > 0 ? masks : words.flatMap((_, index) => (isWeakWord[index] ? [] : [1 << index]));
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

/** Returns whether each word is a function word or negates another. All are false if the query has only such words. */
function findFunctionWords(
  words: readonly QueryWord[],
  locale: string,
  negations: Negations | undefined,
): readonly boolean[] {
  // In "5 in", the word "in" is a unit.
  const functionWords = words.map(
    ({ text, isQuantityPart: isPartOfQuantity }, index) =>
      !isPartOfQuantity && (isFunctionWordIn(text, locale) || negations?.isNegating[index] === true),
  );
  return functionWords.includes(false) ? functionWords : words.map(() => false);
}
