import { listMisspelledForms } from "../fuzzy/find-fuzzy-matches.ts";
import { isLikelyMisspelling } from "../fuzzy/misspelling-likelihood.ts";
import { docIdOf, isDeleted, type LeafReader } from "../index/leaf.ts";
import { createScorer, type RelaxationStep } from "../query/relaxation-step.ts";
import type { TermQuery } from "../query/term-query.ts";
import type { ComparedWord } from "../search-index.ts";
import { isFuzzyKind } from "./score.ts";
import { findWordMatch } from "./word-match.ts";

/** Location of a document: its reader, the index of this reader in the list of readers, and the document id. */
export interface DocumentLocation {
  readonly readerIndex: number;
  readonly reader: LeafReader;
  readonly docId: number;
}

/** Finds a document in the readers of an index, or returns undefined if it does not exist or is deleted. */
export function locateDocument(readers: readonly LeafReader[], externalId: number): DocumentLocation | undefined {
  for (let readerIndex = 0; readerIndex < readers.length; readerIndex += 1) {
    const reader = readers[readerIndex] as LeafReader;
    const docId = docIdOf(reader.leaf.documents, externalId);
    if (docId >= 0 && !isDeleted(reader.deleted, docId)) return { readerIndex, reader, docId };
  }
  return undefined;
}

/**
 * Compares the words of a query with a document.
 * @param step search attempt for the query that finds the document
 * @returns undefined if the document contains all words, each in the spelling of the query
 */
export function compareWords(step: RelaxationStep, externalId: number): readonly ComparedWord[] | undefined {
  if (step.matchRules === undefined && !allowsEdits(step) && step.words.every(({ compound }) => compound === undefined))
    return undefined;
  const location = locateDocument(step.readers, externalId);
  if (location === undefined) return undefined;
  const { readerIndex, reader, docId } = location;
  const termQueries = step.termQueries[readerIndex] as readonly TermQuery[];
  const scorer = createScorer(step, readerIndex);
  scorer.scorePrimaryFields(reader.leaf, docId, step.fieldScores);
  scorer.scoreBody(reader.leaf, docId, step.fieldScores);
  const words = step.words.map(({ text, compound }, index): ComparedWord => {
    const word = compound ?? text;
    if ((step.context.scores.points[index] as number) === 0) return { word, match: "missing" };
    const termQuery = termQueries[index] as TermQuery;
    if (compound !== undefined) return { word, match: "corrected", term: text, isLikely: false };
    if (termQuery.fuzzyMatches.lows.length === 0) return { word, match: "found" };
    const { kind, term } = findWordMatch(step, reader.leaf, termQuery, docId, index);
    if (!isFuzzyKind(kind)) return { word, match: "found" };
    const isLikely =
      isLikelyMisspelling(word, term) ||
      listMisspelledForms(word, reader.leaf.locale).some((form) => isLikelyMisspelling(word, term, form));
    return { word, match: "corrected", term, isLikely };
  });
  return words.every(({ match }) => match === "found") ? undefined : words;
}

/** Returns whether a search attempt also matches misspelled words. */
function allowsEdits({ termQueries }: RelaxationStep): boolean {
  return termQueries.some((readerQueries) => readerQueries.some(({ fuzzyMatches }) => fuzzyMatches.lows.length > 0));
}
