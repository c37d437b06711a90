import { hasDigit } from "../analysis/chunks.ts";
import { isFunctionWord as isFunctionWordIn } from "../analysis/particles.ts";
import { findFuzzyMatches } from "../fuzzy/find-fuzzy-matches.ts";
import { allowedEdits } from "../fuzzy/levenshtein-automaton.ts";
import { findMisspellingCandidates } from "../fuzzy/misspelling-candidates.ts";
import type { LeafReader } from "../index/leaf.ts";
import type { Tier } from "../scoring/score.ts";
import type { SearchContext } from "../search-context.ts";
import type { Query } from "../search-index.ts";
import { Expander } from "./expand.ts";
import { parseQuery, type QueryWord } from "./parse.ts";
import { raritiesOf } from "./query-boosts.ts";
import { costInAll, type Relaxation, type RelaxationStep, type TypedSome } from "./relaxation-step.ts";
import type { Synonyms } from "./synonyms.ts";
import type { TermQuery } from "./term-query.ts";

/**
 * Maximum number of words for the step that allows misspellings in every word. In a longer query, some words always
 * resemble other words.
 */
const maxWordsAllFuzzy = 8;
/** Number of words from which most queries have no document with all words. */
const longQuery = 3;

/**
 * Yields the relaxation steps of a query, from strict to relaxed: as typed, all words as prefixes, unknown words
 * misspelled, without function words, all words misspelled, and finally with missing words. Steps that cannot find
 * anything new are skipped. A step is compiled when it is requested.
 * @param hasMatch returns whether a step finds any document, or whether any current document contains one of its words
 */
export function* relaxationSteps(
  context: SearchContext,
  query: Query,
  readers: readonly LeafReader[],
  synonyms: Synonyms,
  finds: (step: RelaxationStep, word?: number) => boolean,
): Generator<RelaxationStep, undefined> {
  const words = parseQuery(query.text);
  if (words.length === 0) return undefined;
  const none = words.map(() => 0);
  const everywhere = context.points.of(query.fields);
  const expanders = readers.map(({ leaf }) => new Expander(context, leaf, words, synonyms));
  const compile = (tier: Tier, relaxation: Relaxation, counted = everywhere): RelaxationStep => {
    const termQueries = expanders.map((expander) => expander.expand(relaxation));
    return { context, query, tier, words, counted, readers, termQueries, rarities: raritiesOf(readers, termQueries) };
  };
  /** Returns the maximum number of edits for a word. */
  const maxEditsOf = ({ text, isGram }: QueryWord): number =>
    query.typos !== false && !isGram ? editsOf(context, text, readers) : 0;
  let known: RelaxationStep | undefined;
  const completeWordStep = (): RelaxationStep => {
    known ??= compile("typed", { exactWords: true, edits: none });
    return known;
  };
  const isFinished = words.some((word) => !word.isPrefix && !word.isGram);
  let knownTyped: RelaxationStep | undefined;
  const typed = (): RelaxationStep => {
    knownTyped ??= isFinished ? compile("prefixes", { exactWords: false, edits: none }) : completeWordStep();
    return knownTyped;
  };
  const candidates =
    query.typos !== false
      ? findMisspellingCandidates(typed(), completeWordStep, (word) => maxEditsOf(words[word] as QueryWord))
      : { strict: none, free: none };
  const withCandidates = (step: RelaxationStep, wholeWords: boolean, edits: readonly number[]) =>
    edits.some((count) => count > 0) ? compile(step.tier, { exactWords: wholeWords, edits }) : step;
  const strict = () => withCandidates(completeWordStep(), true, candidates.strict);
  const prefixes = () => withCandidates(typed(), false, candidates.free);
  // Most long queries have no results. If no prefix matches, complete words need no check.
  let isFound = isFinished && words.length >= longQuery ? finds(prefixes()) : undefined;
  if (isFinished && isFound !== false) yield strict();
  let free = prefixes();
  if (isFound !== false) yield free;
  isFound ??= finds(free);
  let edits = candidates.free;
  let fuzzy = candidates.free;
  // If documents contain all words, every word is known.
  if (!isFound) {
    edits = words.map(maxEditsOf);
    fuzzy = edits.map((allowed, word) =>
      allowed > 0 && !finds(typed(), word) ? allowed : (candidates.free[word] as number),
    );
    if (fuzzy.some((allowed, word) => allowed > (candidates.free[word] as number))) {
      free = compile("unknownFuzzy", { exactWords: false, edits: fuzzy });
      yield free;
      isFound = finds(free);
    }
  }
  if (words.length === 1) return undefined;
  const partial = partialStep({
    completeWordStep: completeWordStep(),
    exact: () => createCompleteWordStep(context, query, words.map(asCompleteWord), readers, synonyms, true),
    corrected: strict(),
    mayBeMisspelled: candidates.strict.map((count) => count > 0),
    free,
  });
  const reduced = withoutFunctionWords(partial);
  if (reduced?.tier === "withoutFunctionWords") {
    yield reduced;
    isFound ||= finds(reduced);
  }
  if (
    !isFound &&
    words.length <= maxWordsAllFuzzy &&
    edits.some((allowed, word) => allowed > (fuzzy[word] as number))
  ) {
    const typedSome = typedHalf(partial);
    const all = compile("allFuzzy", { exactWords: false, edits }, context.points.ofPrimary(query.fields));
    yield typedSome === undefined ? all : { ...all, typedSome };
  }
  if (reduced?.tier === "onlyWord") yield reduced;
  if (partial.partial?.grounds.length !== 0) yield partial;
  return undefined;
}

/**
 * Returns the step with each word as typed and complete, without rarities. It is used to test whether documents contain
 * all words.
 * @param last "prefix" if the last word may also be a prefix
 * @returns undefined if the query has no words
 */
export function typedStep(
  context: SearchContext,
  query: Query,
  readers: readonly LeafReader[],
  synonyms: Synonyms,
  last: "prefix" | "whole",
): RelaxationStep | undefined {
  const parsed = parseQuery(query.text);
  const words = last === "whole" ? parsed.map(asCompleteWord) : parsed;
  return words.length === 0 ? undefined : createCompleteWordStep(context, query, words, readers, synonyms, false);
}

function asCompleteWord(word: QueryWord): QueryWord {
  return word.isPrefix ? { ...word, isPrefix: false } : word;
}

function createCompleteWordStep(
  context: SearchContext,
  query: Query,
  words: readonly QueryWord[],
  readers: readonly LeafReader[],
  synonyms: Synonyms,
  isScored: boolean,
): RelaxationStep {
  const relaxation = { exactWords: true, edits: words.map(() => 0) };
  const termQueries = readers.map(({ leaf }) => new Expander(context, leaf, words, synonyms).expand(relaxation));
  const counted = context.points.of(query.fields);
  const rarities = isScored ? raritiesOf(readers, termQueries) : [];
  return { context, query, tier: "typed", words, counted, readers, termQueries, rarities };
}

/** Returns the number of edits for a word. Two edits are allowed only if one edit matches no term. */
function editsOf(context: SearchContext, text: string, readers: readonly LeafReader[]): number {
  const maxEdits = allowedEdits(text);
  return maxEdits > 1 && readers.some(({ leaf }) => findFuzzyMatches(context, leaf, text, 1).lows.length > 0)
    ? 1
    : maxEdits;
}

/** Minimum letters of a last word that is sufficient to make a document a result. */
const groundPrefixLetters = 3;

/** Input of the step that finds documents with missing words. */
interface Known {
  /** Step with all words complete except the last, without edits. */
  readonly completeWordStep: RelaxationStep;
  /** Returns the same step with the last word complete. */
  readonly exact: () => RelaxationStep;
  /** Step with edits for misspelling candidates; other words as in `completeWordStep`. */
  readonly corrected: RelaxationStep;
  /** Whether each word is a misspelling candidate. */
  readonly mayBeMisspelled: readonly boolean[];
  /** The most relaxed step. Words without exact matches are prefixes or misspelled. */
  readonly free: RelaxationStep;
}

/**
 * Creates the step that finds documents with some of the words. Each word is matched as strictly as any document
 * contains it. A misspelling, or a prefix of a complete word, adds to the score of a document but does not make it a
 * result.
 */
export function partialStep({ completeWordStep, exact, corrected, mayBeMisspelled, free }: Known): RelaxationStep {
  const { words, query } = completeWordStep;
  const asTyped = words.map((word): RelaxationStep => {
    const isShortPrefix = word.isPrefix && !word.isGram && word.text.length < groundPrefixLetters;
    return isShortPrefix ? exact() : completeWordStep;
  });
  const isTyped = asTyped.map((step, at) => !mayBeMisspelled[at] && costInAll(step, at, true) > 0);
  const sources = asTyped.map((step, at) => (isTyped[at] ? step : mayBeMisspelled[at] ? corrected : free));
  const termQueries = completeWordStep.readers.map((_, reader) =>
    sources.map((source, at) => source.termQueries[reader]?.[at] as TermQuery),
  );
  const isFunctionWord = functionWordsOf(words, query.locale);
  const rarities = raritiesOf(completeWordStep.readers, termQueries, true);
  const grounds = groundsOf(words, isFunctionWord).filter((ground) =>
    words.every((_, at) => (ground & (1 << at)) === 0 || isTyped[at]),
  );
  const isInformative = isTyped.map((one, at) => one && !isFunctionWord[at]);
  const { context, readers } = completeWordStep;
  const categories = context.categoriesOf(readers);
  const zeros = context.zeros(categories.size);
  const categoryBonuses = categories.bonuses(readers, termQueries, isInformative, zeros, (leaf) =>
    context.cacheOf(leaf),
  );
  const partial = { grounds, isFunctionWord, isTyped: isInformative, categoryBonuses };
  return { ...completeWordStep, tier: "partial", termQueries, rarities, partial };
}

/**
 * Returns masks of words (bit n: word n), of which one must match completely. Each word has its own mask, except
 * function words and single characters, unless the query has only these. A code like `NOR.0707-60` has one mask for all
 * its parts, because many codes share a part.
 */
function groundsOf(words: readonly QueryWord[], isFunctionWord: readonly boolean[]): number[] {
  const grounds: number[] = [];
  words.forEach(({ text, isGram, chunk }, at) => {
    // The words of a chunk are adjacent.
    const isInChunk = words[at - 1]?.chunk === chunk || words[at + 1]?.chunk === chunk;
    const inChunk = isInChunk && !isGram ? words.filter((word) => word.chunk === chunk) : [];
    if (inChunk.some((word) => hasDigit(word.text))) {
      const ground = words.reduce((mask, word, index) => (word.chunk === chunk ? mask | (1 << index) : mask), 0);
      if (!grounds.includes(ground)) grounds.push(ground);
    } else if (!isFunctionWord[at] && (isGram || text.length > 2 || [...text].length > 1)) grounds.push(1 << at);
  });
  return grounds.length > 0 ? grounds : words.flatMap((_, at) => (isFunctionWord[at] ? [] : [1 << at]));
}

/**
 * Returns the step for a query without its function words. Other words match as in the step for missing words. Returns
 * undefined if the query has no function words.
 */
export function withoutFunctionWords(step: RelaxationStep): RelaxationStep | undefined {
  const { partial, ...all } = step;
  const isContentWord = step.words.map((_, at) => !partial?.isFunctionWord[at]);
  if (!isContentWord.includes(false)) return undefined;
  const words = step.words.filter((_, at) => isContentWord[at]);
  const termQueries = step.termQueries.map((ofReader) => ofReader.filter((_, at) => isContentWord[at]));
  return {
    ...all,
    // A single remaining word is weak evidence, so the misspelling steps come first: "on the dege" more likely means
    // "on the edge".
    // edge".
    tier: words.length > 1 ? "withoutFunctionWords" : "onlyWord",
    words,
    termQueries,
    rarities: raritiesOf(step.readers, termQueries),
  };
}

/**
 * Returns the words that a document must contain exactly if all words may be misspelled. It requires half of the words
 * with exact matches, if there are at least two. A document that resembles each of three known words is usually
 * irrelevant.
 * @param step the step that finds documents with some of the words
 */
export function typedHalf({ partial, termQueries }: RelaxationStep): TypedSome | undefined {
  const count = partial?.isTyped.filter(Boolean).length ?? 0;
  if (count < 2) return undefined;
  return {
    termQueries: termQueries.map((ofReader) => ofReader.filter((_, word) => partial?.isTyped[word])),
    count: Math.ceil(count / 2),
  };
}

/** Returns whether each word is a function word. All are false if the query has only function words. */
function functionWordsOf(words: readonly QueryWord[], locale: string): readonly boolean[] {
  const found = words.map(({ text }) => isFunctionWordIn(text, locale));
  return found.includes(false) ? found : words.map(() => false);
}
