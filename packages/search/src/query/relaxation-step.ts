import { endsWithNoun } from "../analysis/particles.ts";
import type { LeafReader } from "../index/leaf.ts";
import type { FieldScores } from "../scoring/field-scores.ts";
import type { MatchTier } from "../scoring/score.ts";
import { Scorer } from "../scoring/scorer.ts";
import type { SearchContext } from "../search-context.ts";
import type { Query } from "../search-index.ts";
import type { CategoryBonuses } from "./category-space.ts";
import type { QueryWord } from "./parse.ts";
import { costOf, type TermQuery } from "./term-query.ts";

/** How strictly a document must match the words of a query. */
export interface Relaxation {
  /** Whether all words except the last must be complete. */
  readonly needsCompleteWords: boolean;
  /** Maximum number of edits for each word: 0, 1, 2, or `formEdits`. */
  readonly edits: readonly number[];
  /**
   * Whether longer words that end with a word match even if documents contain the word itself. Default: they match only
   * if no document does.
   */
  readonly matchesCompoundEnds?: boolean;
}

/**
 * One attempt of a search, with the matches of the query's words in all segments. Attempts go from strict (all words as
 * typed) to relaxed (misspelled or missing words).
 */
export interface RelaxationStep {
  readonly context: SearchContext;
  readonly query: Query;
  readonly tier: MatchTier;
  readonly words: readonly QueryWord[];
  /** BM25F term frequencies, precomputed for the searched fields. */
  readonly fieldScores: FieldScores;
  readonly readers: readonly LeafReader[];
  /** Matches of the words: one list for each entry of `readers`, with one entry per word. */
  readonly termQueries: readonly (readonly TermQuery[])[];
  /** Rarity of each word over all segments, in units of `rarityScale`. */
  readonly rarities: readonly number[];
  /** Matching rules for documents that lack words; undefined if a document must contain all words. */
  readonly matchRules?: PartialMatching;
  /** Words of which a document must contain some exactly. Set only if this attempt allows misspellings in all words. */
  readonly exactWordRequirement?: ExactWordRequirement;
}

/**
 * The words that occur exactly in at least one document, and the number of them (`count`) that each result must contain
 * exactly, in fields other than the body.
 */
export interface ExactWordRequirement {
  /** Matches of the words: one list for each leaf reader of the attempt, with one entry per word. */
  readonly termQueries: readonly (readonly TermQuery[])[];
  readonly count: number;
}

/** Rules for selecting and ranking documents that lack words. */
export interface PartialMatching {
  /** Masks of words (bit n: word n). A document with all words of one mask is a result even if it lacks other words. */
  readonly sufficientMasks: readonly number[];
  /** Whether each word is an article, a preposition or a conjunction, which may be missing. */
  readonly isFunctionWord: readonly boolean[];
  /** For each word: whether at least one document contains it exactly. False for function words. */
  readonly isExactWord: readonly boolean[];
  /** Whether each word usually names a vendor or a type (see `isNameWord`). Its rarity is multiplied by a factor. */
  readonly isName: readonly boolean[];
  /** Bonuses for documents in the categories that the words suggest. */
  readonly categoryBonuses: CategoryBonuses;
}

/**
 * Returns the index of the word whose points double if it ends a phrase of the title (see `productNameFactor`), or -1.
 * There is none in a query of one word, in languages with another order of words, or if documents may lack words.
 */
export function findProductName({ words, matchRules, query: { locale } }: RelaxationStep): number {
  return matchRules === undefined && words.length > 1 && endsWithNoun(locale)
    ? words.findIndex(({ namesProduct }) => namesProduct === true)
    : -1;
}

/**
 * Returns the index of the word that may be unfinished, whose longer terms get other points (see `computePrefixScore`),
 * or -1. If documents may lack words, the typed letters are evidence, so they count as a word. So does the unit of a
 * quantity ("0,5 l").
 */
export function findUnfinishedWord({ words, matchRules }: RelaxationStep): number {
  const index = words.length - 1;
  if (index === 0) return index;
  const { isPrefix, isQuantityPart } = words[index] as QueryWord;
  return matchRules === undefined && isPrefix && isQuantityPart !== true ? index : -1;
}

/** Creates a scorer of the documents of a leaf. The scores are those of the context. */
export function createScorer(step: RelaxationStep, readerIndex: number): Scorer {
  const termQueries = step.termQueries[readerIndex] as readonly TermQuery[];
  return new Scorer(step.context.scores, termQueries, step.rarities, findProductName(step), findUnfinishedWord(step));
}

/** Returns the number of postings in all fields and segments that match a word of a search attempt. */
export function sumCost({ termQueries }: RelaxationStep, word: number): number {
  return termQueries.reduce((sum, readerQueries) => sum + costOf(readerQueries[word] as TermQuery, true), 0);
}

/**
 * Returns the requirement for a step in which all words may be misspelled: a document must contain at least half of the
 * known words exactly. A word is known if at least one document contains it. Documents that only resemble known words
 * are usually irrelevant. Returns undefined for fewer than two known words. The step finds documents with some of the
 * words.
 */
export function requireExactWords({ matchRules, termQueries }: RelaxationStep): ExactWordRequirement | undefined {
  const count = matchRules?.isExactWord.filter(Boolean).length ?? 0;
  if (count < 2) return undefined;
  return {
    termQueries: termQueries.map((readerQueries) => readerQueries.filter((_, word) => matchRules?.isExactWord[word])),
    count: Math.ceil(count / 2),
  };
}
