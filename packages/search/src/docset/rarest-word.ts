import { type FuzzyMatches, findRangeOfTerm, mayContainTerm } from "../fuzzy/fuzzy-matches.ts";
import { isDeleted, type LeafReader } from "../index/leaf.ts";
import { type ForwardIndex, lowerBound, type Postings } from "../index/postings.ts";
import type { RelaxationStep } from "../query/relaxation-step.ts";
import { costOf, type PhraseMatch, type TermQuery, type TopLevelRange } from "../query/term-query.ts";

/**
 * Maximum number of postings of the rarest word for which its documents are read one by one. This is faster than
 * building bit sets of all words, which may never be reused.
 */
const maxRarestPostings = 160;

/**
 * Returns whether any document that is not deleted contains all words of a query, in any field. Reads only the
 * documents that contain the rarest word.
 * @param acceptsDocument called with each matching document until it returns true, possibly several times with the same
 * document
 * @returns undefined if the rarest word is in too many documents, or if the search is limited to some fields, allows
 * missing words, or requires exact words
 */
export function matchByRarestWord(
  { fieldScores, matchRules, exactWordRequirement, termQueries, readers }: RelaxationStep,
  readerIndex: number,
  acceptsDocument: (docId: number) => boolean,
): boolean | undefined {
  if (!fieldScores.includesAllFields || matchRules !== undefined || exactWordRequirement !== undefined)
    return undefined;
  const readerQueries = termQueries[readerIndex] as readonly TermQuery[];
  let rarestWord = 0;
  let minCost = Number.POSITIVE_INFINITY;
  for (let word = 0; word < readerQueries.length; word += 1) {
    const cost = costOf(readerQueries[word] as TermQuery, true);
    if (cost < minCost) [rarestWord, minCost] = [word, cost];
  }
  if (minCost === 0) return false;
  if (minCost > maxRarestPostings) return undefined;
  const rarestWordLookup = new RarestWordLookup(
    readers[readerIndex] as LeafReader,
    readerQueries,
    rarestWord,
    acceptsDocument,
  );
  return rarestWordLookup.findMatch();
}

/** Looks for a document with all words of a query among the documents that contain the rarest word. */
class RarestWordLookup {
  readonly #reader: LeafReader;
  readonly #termQueries: readonly TermQuery[];
  readonly #rarestWord: number;
  readonly #acceptDocument: (docId: number) => boolean;

  constructor(
    reader: LeafReader,
    termQueries: readonly TermQuery[],
    rarestWord: number,
    acceptsDocument: (docId: number) => boolean,
  ) {
    this.#reader = reader;
    this.#termQueries = termQueries;
    this.#rarestWord = rarestWord;
    this.#acceptDocument = acceptsDocument;
  }

  findMatch(): boolean {
    const { primary, body } = this.#reader.leaf;
    const termQuery = this.#termQueries[this.#rarestWord] as TermQuery;
    const { outerRanges, fuzzyMatches, bodyRanges, bodyFuzzyMatches, phraseMatches } = termQuery;
    if (this.#matchesAnyRange(primary.postings, outerRanges, fuzzyMatches)) return true;
    if (this.#matchesAnyRange(body.postings, bodyRanges, bodyFuzzyMatches)) return true;
    for (let index = 0; index < phraseMatches.length; index += 1) {
      const { documents } = phraseMatches[index] as PhraseMatch;
      for (let entry = 0; entry < documents.length; entry += 1)
        if (this.#matchesDocument(documents[entry] as number)) return true;
    }
    return false;
  }

  /** Returns whether any document with a term of the given ranges matches. */
  #matchesAnyRange(postings: Postings, ranges: readonly TopLevelRange[], { lows, highs }: FuzzyMatches): boolean {
    for (let index = 0; index < ranges.length; index += 1) {
      const { low, high } = ranges[index] as TopLevelRange;
      if (this.#matchesRange(postings, low, high)) return true;
    }
    for (let rangeIndex = 0; rangeIndex < lows.length; rangeIndex += 1)
      if (this.#matchesRange(postings, lows[rangeIndex] as number, highs[rangeIndex] as number)) return true;
    return false;
  }

  /** Returns whether any document with a term from `low` to `high` (exclusive) matches. */
  #matchesRange({ starts, documents }: Postings, low: number, high: number): boolean {
    const end = starts[high] as number;
    for (let entry = starts[low] as number; entry < end; entry += 1)
      if (this.#matchesDocument(documents[entry] as number)) return true;
    return false;
  }

  /**
   * Returns whether a document that contains the rarest word also contains the other words, is not deleted and is
   * accepted.
   */
  #matchesDocument(docId: number): boolean {
    for (let word = 0; word < this.#termQueries.length; word += 1)
      if (word !== this.#rarestWord && !this.#containsWord(docId, this.#termQueries[word] as TermQuery)) return false;
    return !isDeleted(this.#reader.deleted, docId) && this.#acceptDocument(docId);
  }

  #containsWord(docId: number, termQuery: TermQuery): boolean {
    const { primary, body } = this.#reader.leaf;
    const { outerRanges, fuzzyMatches, bodyRanges, bodyFuzzyMatches } = termQuery;
    if (containsTerm(primary.forward, docId, outerRanges, fuzzyMatches)) return true;
    if (containsTerm(body.forward, docId, bodyRanges, bodyFuzzyMatches)) return true;
    for (let index = 0; index < termQuery.phraseMatches.length; index += 1) {
      const { documents } = termQuery.phraseMatches[index] as PhraseMatch;
      if (documents[lowerBound(documents, 0, documents.length, docId)] === docId) return true;
    }
    return false;
  }
}

/** Returns whether a document contains a term that matches a word. */
function containsTerm(
  { starts, terms }: ForwardIndex,
  docId: number,
  outerRanges: readonly TopLevelRange[],
  fuzzyTerms: FuzzyMatches,
): boolean {
  const from = starts[docId] as number;
  const end = starts[docId + 1] as number;
  for (let index = 0; index < outerRanges.length; index += 1) {
    const { low, high } = outerRanges[index] as TopLevelRange;
    const entry = lowerBound(terms, from, end, low);
    if (entry < end && (terms[entry] as number) < high) return true;
  }
  if (fuzzyTerms.lows.length === 0) return false;
  for (let entry = from; entry < end; entry += 1) {
    const term = terms[entry] as number;
    if (mayContainTerm(fuzzyTerms, term) && findRangeOfTerm(fuzzyTerms, term) >= 0) return true;
  }
  return false;
}
