import { findFuzzyMatches } from "../fuzzy/find-fuzzy-matches.ts";
import { allowedEdits } from "../fuzzy/levenshtein-automaton.ts";
import { findMisspellingCandidates } from "../fuzzy/misspelling-candidates.ts";
import type { LeafReader } from "../index/leaf.ts";
import type { Tier } from "../scoring/tiers.ts";
import type { SearchContext } from "../search-context.ts";
import type { Query } from "../search-index.ts";
import { Expander } from "./expand.ts";
import { parseQuery, type QueryWord } from "./parse.ts";
import { partialStep, typedHalf, withoutFunctionWords } from "./partial-step.ts";
import { raritiesOf } from "./rarities.ts";
import type { Relaxation, RelaxationStep } from "./relaxation-step.ts";
import type { Synonyms } from "./synonyms.ts";

/**
 * Number of words from which the step with every word misspelled is skipped: some of so many always resemble others.
 */
const maxWordsAllFuzzy = 8;
/** Number of words from which most queries have no document with all words. */
const longQuery = 3;

/**
 * Relaxation steps of a query, from strict to relaxed: as typed, all words as prefixes, unknown words misspelled,
 * without function words, all words misspelled, and finally with missing words. Steps that cannot find anything new are
 * skipped; the data of a step is computed when it is requested.
 * @param finds returns whether a step finds any document, or whether a current document contains one of its words
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
  /** How many edits a word may have. */
  const maxEditsOf = ({ text, isGram }: QueryWord): number =>
    query.typos !== false && !isGram ? editsOf(context, text, readers) : 0;
  let known: RelaxationStep | undefined;
  const wholeWordStep = (): RelaxationStep => {
    known ??= compile("typed", { exactWords: true, edits: none });
    return known;
  };
  const isFinished = words.some((word) => !word.isPrefix && !word.isGram);
  let knownTyped: RelaxationStep | undefined;
  const typed = (): RelaxationStep => {
    knownTyped ??= isFinished ? compile("prefixes", { exactWords: false, edits: none }) : wholeWordStep();
    return knownTyped;
  };
  const candidates =
    query.typos !== false
      ? findMisspellingCandidates(typed(), wholeWordStep, (word) => maxEditsOf(words[word] as QueryWord))
      : { strict: none, free: none };
  const withCandidates = (step: RelaxationStep, wholeWords: boolean, edits: readonly number[]) =>
    edits.some((count) => count > 0) ? compile(step.tier, { exactWords: wholeWords, edits }) : step;
  const strict = () => withCandidates(wholeWordStep(), true, candidates.strict);
  const prefixes = () => withCandidates(typed(), false, candidates.free);
  // Most long queries find nothing: if prefixes find nothing, complete words need no check.
  let isFound = isFinished && words.length >= longQuery ? finds(prefixes()) : undefined;
  if (isFinished && isFound !== false) yield strict();
  let free = prefixes();
  if (isFound !== false) yield free;
  isFound ??= finds(free);
  let edits = candidates.free;
  let fuzzy = candidates.free;
  // If documents contain all words, none is unknown.
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
    wholeWordStep: wholeWordStep(),
    exact: () => createWholeWordStep(context, query, words.map(asWhole), readers, synonyms, true),
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
 * The query with each word as typed and complete, to test whether documents contain all words; without rarities.
 * @param last "prefix": the last word may also be the start of a word
 * @returns undefined if it has no words
 */
export function typedStep(
  context: SearchContext,
  query: Query,
  readers: readonly LeafReader[],
  synonyms: Synonyms,
  last: "prefix" | "whole",
): RelaxationStep | undefined {
  const parsed = parseQuery(query.text);
  const words = last === "whole" ? parsed.map(asWhole) : parsed;
  return words.length === 0 ? undefined : createWholeWordStep(context, query, words, readers, synonyms, false);
}

function asWhole(word: QueryWord): QueryWord {
  return word.isPrefix ? { ...word, isPrefix: false } : word;
}

function createWholeWordStep(
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

/** Number of edits for a word: two only if one edit matches no term. */
function editsOf(context: SearchContext, text: string, readers: readonly LeafReader[]): number {
  const maxEdits = allowedEdits(text);
  return maxEdits > 1 && readers.some(({ leaf }) => findFuzzyMatches(context, leaf, text, 1).lows.length > 0)
    ? 1
    : maxEdits;
}
