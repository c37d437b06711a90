import { hasDigit } from "../analysis/chunks.ts";
import { isFunctionWord as isFunctionWordIn } from "../analysis/particles.ts";
import type { QueryWord } from "./parse.ts";
import { raritiesOf } from "./rarities.ts";
import { costInAll, type RelaxationStep, type TypedSome } from "./relaxation-step.ts";
import type { TermQuery } from "./term-query.ts";

/** Minimum letters of an incomplete word that alone make a document a result. */
const groundPrefixLetters = 3;

/** Input for the step that finds documents which lack words. */
interface Known {
  /** All finished words whole, without edits. */
  readonly wholeWordStep: RelaxationStep;
  /** The same with the last word whole too. */
  readonly exact: () => RelaxationStep;
  /** Suspected words with edits, else as in `whole`. */
  readonly corrected: RelaxationStep;
  /** By word: whether it is suspected to be misspelt. */
  readonly mayBeMisspelled: readonly boolean[];
  /** The most relaxed step, in which words without exact matches are prefixes or misspelled. */
  readonly free: RelaxationStep;
}

/**
 * The step that finds documents with some of the words: each word is matched as strictly as any document contains it. A
 * misspelling or a prefix of a complete word adds to a document's score but does not make it a result.
 */
export function partialStep({ wholeWordStep, exact, corrected, mayBeMisspelled, free }: Known): RelaxationStep {
  const { words, query } = wholeWordStep;
  const asTyped = words.map((word): RelaxationStep => {
    const isShortPrefix = word.isPrefix && !word.isGram && word.text.length < groundPrefixLetters;
    return isShortPrefix ? exact() : wholeWordStep;
  });
  const isTyped = asTyped.map((step, at) => !mayBeMisspelled[at] && costInAll(step, at, true) > 0);
  const sources = asTyped.map((step, at) => (isTyped[at] ? step : mayBeMisspelled[at] ? corrected : free));
  const termQueries = wholeWordStep.readers.map((_, reader) =>
    sources.map((source, at) => source.termQueries[reader]?.[at] as TermQuery),
  );
  const isFunctionWord = functionWordsOf(words, query.locale);
  const rarities = raritiesOf(wholeWordStep.readers, termQueries, true);
  const grounds = groundsOf(words, isFunctionWord).filter((ground) =>
    words.every((_, at) => (ground & (1 << at)) === 0 || isTyped[at]),
  );
  const isInformative = isTyped.map((one, at) => one && !isFunctionWord[at]);
  const { context, readers } = wholeWordStep;
  const categories = context.categoriesOf(readers);
  const zeros = context.zeros(categories.size);
  const categoryBonuses = categories.bonuses(readers, termQueries, isInformative, zeros, (leaf) =>
    context.cacheOf(leaf),
  );
  const partial = { grounds, isFunctionWord, isTyped: isInformative, categoryBonuses };
  return { ...wholeWordStep, tier: "partial", termQueries, rarities, partial };
}

/**
 * Sets of words (bit n: word n) of which one must match: each word alone, except function words and single characters
 * unless the query has only these; and codes as a whole (`NOR.0707-60`), since many share a part.
 */
function groundsOf(words: readonly QueryWord[], isFunctionWord: readonly boolean[]): number[] {
  const grounds: number[] = [];
  words.forEach(({ text, isGram, chunk }, at) => {
    // Words of a chunk are neighbors.
    const isInChunk = words[at - 1]?.chunk === chunk || words[at + 1]?.chunk === chunk;
    const inChunk = isInChunk && !isGram ? words.filter((word) => word.chunk === chunk) : [];
    if (inChunk.some((word) => hasDigit(word.text))) {
      const ground = words.reduce((mask, word, index) => (word.chunk === chunk ? mask | (1 << index) : mask), 0);
      if (!grounds.includes(ground)) grounds.push(ground);
    } else if (!isFunctionWord[at] && (isGram || text.length > 2 || [...text].length > 1)) grounds.push(1 << at);
  });
  return grounds.length > 0 ? grounds : words.flatMap((_, at) => (isFunctionWord[at] ? [] : [1 << at]));
}

/** The query without its function words, with all others as in the step for some words; undefined if it has none. */
export function withoutFunctionWords(step: RelaxationStep): RelaxationStep | undefined {
  const { partial, ...all } = step;
  const isContentWord = step.words.map((_, at) => !partial?.isFunctionWord[at]);
  if (!isContentWord.includes(false)) return undefined;
  const words = step.words.filter((_, at) => isContentWord[at]);
  const termQueries = step.termQueries.map((ofReader) => ofReader.filter((_, at) => isContentWord[at]));
  return {
    ...all,
    // A single remaining word is too little evidence to precede misspellings: "on the dege" more likely means "on the
    // edge".
    tier: words.length > 1 ? "withoutFunctionWords" : "onlyWord",
    words,
    termQueries,
    rarities: raritiesOf(step.readers, termQueries),
  };
}

/**
 * Words that a document must contain exactly if all words may be misspelled: half of those with exact matches anywhere,
 * if there are several. A document that resembles each of three known words by chance is not meant.
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

/** By word: whether it is a function word; false for all if the query has no other words. */
function functionWordsOf(words: readonly QueryWord[], locale: string): readonly boolean[] {
  const found = words.map(({ text }) => isFunctionWordIn(text, locale));
  return found.includes(false) ? found : words.map(() => false);
}
