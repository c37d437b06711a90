import { hasCompounds } from "../analysis/compounds.ts";
import { countAllowedEdits, formEdits } from "../fuzzy/allowed-edits.ts";
import { findFuzzyMatches, listMisspelledForms } from "../fuzzy/find-fuzzy-matches.ts";
import { hasTypos } from "../fuzzy/fuzzy-matches.ts";
import { findMisspellingCandidates } from "../fuzzy/misspelling-candidates.ts";
import type { LeafReader } from "../index/leaf.ts";
import type { MatchTier } from "../scoring/score.ts";
import type { SearchContext } from "../search-context.ts";
import type { Query } from "../search-index.ts";
import { replaceCompounds } from "./compound-matches.ts";
import { WordExpander } from "./expand.ts";
import { hasMatch } from "./has-match.ts";
import { findNegations, rejectNegatedWords } from "./negations.ts";
import { parseQuery, type QueryWord } from "./parse.ts";
import { compilePartialMatch, removeFunctionWords } from "./partial-match.ts";
import { findPriceWords } from "./price-words.ts";
import { computeRarities } from "./query-boosts.ts";
import { type Relaxation, type RelaxationStep, requireExactWords } from "./relaxation-step.ts";
import type { Synonyms } from "./synonyms.ts";

/**
 * Maximum number of words in a query for which every word may be misspelled. In a longer query, some words always
 * resemble other words.
 */
const maxFuzzyQueryWords = 8;
/** Minimum number of words of a long query. For most long queries, no document contains all words. */
const minLongQueryWords = 3;

/**
 * Yields the relaxation steps (search attempts) of a query, in the order of `tiers`: from all words as typed to missing
 * words. Unknown compounds are replaced by their last parts. Steps that cannot find anything new are skipped. A step is
 * compiled when it is requested.
 */
export function* generateRelaxationSteps(
  context: SearchContext,
  typedQuery: Query,
  readers: readonly LeafReader[],
  synonyms: Synonyms,
  words: readonly QueryWord[] = parseQuery(context.tokenizer, typedQuery.text),
): Generator<RelaxationStep, undefined> {
  if (words.length === 0) return undefined;
  const negations = findNegations(context.tokenizer, typedQuery, words);
  const query = rejectNegatedWords(context, typedQuery, readers, words, negations);
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
  let wholeWordStep: RelaxationStep | undefined;
  const getWholeWordStep = (): RelaxationStep => {
    wholeWordStep ??= compileRelaxation("typed", { needsCompleteWords: true, edits: zeroEdits });
    return wholeWordStep;
  };
  const hasFinishedWord = words.some((word) => !word.isPrefix && !word.isGram);
  let typedStep: RelaxationStep | undefined;
  const getTypedStep = (): RelaxationStep => {
    typedStep ??= hasFinishedWord
      ? compileRelaxation("prefixes", { needsCompleteWords: false, edits: zeroEdits })
      : getWholeWordStep();
    return typedStep;
  };
  const { strictEdits, relaxedEdits } =
    query.typos !== false
      ? findMisspellingCandidates(getTypedStep(), getWholeWordStep, (word) => findMaxEdits(words[word] as QueryWord))
      : { strictEdits: zeroEdits, relaxedEdits: zeroEdits };
  const compileMisspellings = (step: RelaxationStep, needsCompleteWords: boolean, edits: readonly number[]) =>
    edits.some((count) => count > 0) ? compileRelaxation(step.tier, { needsCompleteWords, edits }) : step;
  const getStrictStep = () => compileMisspellings(getWholeWordStep(), true, strictEdits);
  const getPrefixStep = () => compileMisspellings(getTypedStep(), false, relaxedEdits);
  // Most long queries have no results. If no document contains the words as prefixes, none contains the complete words.
  let hasAnyMatch = hasFinishedWord && words.length >= minLongQueryWords ? hasMatch(getPrefixStep()) : undefined;
  if (hasFinishedWord && hasAnyMatch !== false) yield getStrictStep();
  let relaxedStep = getPrefixStep();
  if (hasAnyMatch !== false) yield relaxedStep;
  hasAnyMatch ??= hasMatch(relaxedStep);
  if (readers.some(({ leaf }) => hasCompounds(leaf.locale))) {
    const relaxation = { needsCompleteWords: false, edits: relaxedEdits, matchesCompoundEnds: true };
    const termQueries = termExpanders.map((termExpander) => termExpander.expand(relaxation));
    const knownTermQueries = new Set(relaxedStep.termQueries.flat());
    if (termQueries.some((readerQueries) => readerQueries.some((termQuery) => !knownTermQueries.has(termQuery)))) {
      const rarities = computeRarities(readers, termQueries);
      const compoundStep: RelaxationStep = { ...relaxedStep, tier: "compoundEnds", termQueries, rarities };
      yield compoundStep;
      hasAnyMatch ||= hasMatch(compoundStep);
    }
  }
  let edits = relaxedEdits;
  let unknownWordEdits = relaxedEdits;
  /** Search attempts with the last parts of unknown compounds, in which other words may be missing. */
  const partialCompoundSteps: RelaxationStep[] = [];
  // Misspellings of unknown words are tried only if no document contains all words.
  if (!hasAnyMatch) {
    const isKnown = words.map((_, word) => hasMatch(getTypedStep(), word));
    edits = words.map((word, index) => {
      const maxEdits = findMaxEdits(word);
      return maxEdits > 0 && !isKnown[index] && resemblesForm(context, word.text, readers) ? formEdits : maxEdits;
    });
    // A long word has one edit only if a term has one edit. Two edits are less likely than an unknown compound.
    const hasOneEdit = edits.map((count) => count === 1 || count === formEdits);
    const isKnownOrSimilar = (word: number) => isKnown[word] === true || hasOneEdit[word] === true;
    const lastParts = query.typos === false ? undefined : replaceCompounds(words, readers, isKnownOrSimilar);
    if (lastParts !== undefined) {
      for (const step of generateRelaxationSteps(context, typedQuery, readers, synonyms, lastParts))
        if (step.matchRules === undefined) yield step;
        else partialCompoundSteps.push(step);
      if (words.length === 1) return undefined;
    }
    unknownWordEdits = edits.map((maxEdits, word) =>
      maxEdits > 0 && !isKnown[word] ? maxEdits : (relaxedEdits[word] as number),
    );
    if (unknownWordEdits.some((maxEdits, word) => maxEdits > (relaxedEdits[word] as number))) {
      relaxedStep = compileRelaxation("unknownFuzzy", { needsCompleteWords: false, edits: unknownWordEdits });
      yield relaxedStep;
      hasAnyMatch = hasMatch(relaxedStep);
    }
  }
  if (words.length === 1) return undefined;
  const isPriceWord = findPriceWords(query, words);
  const partialMatchStep = compilePartialMatch({
    wholeWordStep: getWholeWordStep(),
    getExactStep: () => compileCompleteWords(context, query, words.map(toCompleteWord), readers, synonyms, true),
    correctedStep: getStrictStep(),
    mayBeMisspelled: strictEdits.map((count) => count > 0),
    relaxedStep,
    negations,
    isPriceWord,
  });
  // A product with the number of a price states another measure.
  const contentStep = isPriceWord.includes(true) ? undefined : removeFunctionWords(partialMatchStep);
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
  yield* partialCompoundSteps;
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
  const parsedWords = parseQuery(context.tokenizer, query.text);
  const words = lastWordKind === "whole" ? parsedWords.map(toCompleteWord) : parsedWords;
  if (words.length === 0) return undefined;
  const negations = findNegations(context.tokenizer, query, words);
  const acceptingQuery = rejectNegatedWords(context, query, readers, words, negations);
  return compileCompleteWords(context, acceptingQuery, words, readers, synonyms, false);
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

/**
 * Returns whether a term is within one edit of another form of a word. Forms are only searched if no term is within one
 * edit of the word itself, which is a better explanation.
 */
function resemblesForm(context: SearchContext, text: string, readers: readonly LeafReader[]): boolean {
  const readersWithForms = readers.filter(({ leaf }) => listMisspelledForms(text, leaf.locale).length > 0);
  if (readersWithForms.length === 0) return false;
  const hasMisspelling = (edits: number) => (reader: LeafReader) =>
    hasTypos(findFuzzyMatches(context, reader.leaf, text, edits));
  return !readers.some(hasMisspelling(1)) && readersWithForms.some(hasMisspelling(formEdits));
}

/** Returns the number of edits for a word. Two edits are allowed only if one edit matches no term. */
function findEditCount(context: SearchContext, text: string, readers: readonly LeafReader[]): number {
  const maxEdits = countAllowedEdits(text);
  return maxEdits > 1 && readers.some(({ leaf }) => findFuzzyMatches(context, leaf, text, 1).lows.length > 0)
    ? 1
    : maxEdits;
}
