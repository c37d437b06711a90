import { fuzzyRangeOf, isNear } from "../fuzzy/fuzzy-matches.ts";
import { isDeleted, type LeafReader } from "../index/leaf.ts";
import { type ForwardIndex, firstNotBelow, type Postings } from "../index/postings.ts";
import type { RelaxationStep } from "../query/relaxation-step.ts";
import { costOf, type OuterRange, type PhraseMatch, type TermQuery } from "../query/term-query.ts";

/**
 * Maximum postings of the rarest word for which each of its documents is read. This is faster than building sets of all
 * words, which may never be reused.
 */
const maxDocumentsRead = 160;

/**
 * Returns whether a current document contains all words of a step in any field, by reading the documents of its rarest
 * word.
 * @param isAccepted called with each such document until it returns true, possibly several times with the same document
 * @returns undefined if the rarest word is in too many documents, or the step has further conditions
 */
export function findByRarestWord(
  { counted, partial, typedSome, termQueries, readers }: RelaxationStep,
  readerIndex: number,
  isAccepted: (docId: number) => boolean,
): boolean | undefined {
  if (!counted.isAll || partial !== undefined || typedSome !== undefined) return undefined;
  const ofReader = termQueries[readerIndex] as readonly TermQuery[];
  let rarest = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let word = 0; word < ofReader.length; word += 1) {
    const cost = costOf(ofReader[word] as TermQuery, true);
    if (cost < least) [rarest, least] = [word, cost];
  }
  if (least === 0) return false;
  if (least > maxDocumentsRead) return undefined;
  const lookup = new Lookup(readers[readerIndex] as LeafReader, ofReader, rarest, isAccepted);
  return lookup.isFound();
}

/** Reads each document that contains one word. */
class Lookup {
  readonly #reader: LeafReader;
  readonly #termQueries: readonly TermQuery[];
  readonly #rarest: number;
  readonly #isAccepted: (docId: number) => boolean;

  constructor(
    reader: LeafReader,
    termQueries: readonly TermQuery[],
    rarest: number,
    isAccepted: (docId: number) => boolean,
  ) {
    this.#reader = reader;
    this.#termQueries = termQueries;
    this.#rarest = rarest;
    this.#isAccepted = isAccepted;
  }

  isFound(): boolean {
    const { primary, body } = this.#reader.leaf;
    const { outerRanges, fuzzy, phraseMatches } = this.#termQueries[this.#rarest] as TermQuery;
    for (let index = 0; index < outerRanges.length; index += 1) {
      const { low, high } = outerRanges[index] as OuterRange;
      if (this.#isIn(primary.postings, low, high) || this.#isIn(body.postings, low, high)) return true;
    }
    for (let run = 0; run < fuzzy.lows.length; run += 1) {
      const [low, high] = [fuzzy.lows[run] as number, fuzzy.highs[run] as number];
      if (this.#isIn(primary.postings, low, high) || this.#isIn(body.postings, low, high)) return true;
    }
    for (let index = 0; index < phraseMatches.length; index += 1) {
      const { documents } = phraseMatches[index] as PhraseMatch;
      for (let at = 0; at < documents.length; at += 1) if (this.#isFoundIn(documents[at] as number)) return true;
    }
    return false;
  }

  /** Returns whether one of the documents of a range of terms matches. */
  #isIn({ starts, documents }: Postings, low: number, high: number): boolean {
    const end = starts[high] as number;
    for (let at = starts[low] as number; at < end; at += 1) if (this.#isFoundIn(documents[at] as number)) return true;
    return false;
  }

  /** Returns whether a document with the rarest word contains all other words, is current and is accepted. */
  #isFoundIn(docId: number): boolean {
    for (let word = 0; word < this.#termQueries.length; word += 1)
      if (word !== this.#rarest && !this.#holds(docId, this.#termQueries[word] as TermQuery)) return false;
    return !isDeleted(this.#reader.deleted, docId) && this.#isAccepted(docId);
  }

  #holds(docId: number, termQuery: TermQuery): boolean {
    const { primary, body } = this.#reader.leaf;
    if (holdsTerm(primary.forward, docId, termQuery) || holdsTerm(body.forward, docId, termQuery)) return true;
    for (let index = 0; index < termQuery.phraseMatches.length; index += 1) {
      const { documents } = termQuery.phraseMatches[index] as PhraseMatch;
      if (documents[firstNotBelow(documents, 0, documents.length, docId)] === docId) return true;
    }
    return false;
  }
}

/** Returns whether a document contains a term that matches a word. */
function holdsTerm({ starts, terms }: ForwardIndex, docId: number, { outerRanges, fuzzy }: TermQuery): boolean {
  const from = starts[docId] as number;
  const end = starts[docId + 1] as number;
  for (let index = 0; index < outerRanges.length; index += 1) {
    const { low, high } = outerRanges[index] as OuterRange;
    const at = firstNotBelow(terms, from, end, low);
    if (at < end && (terms[at] as number) < high) return true;
  }
  if (fuzzy.lows.length === 0) return false;
  for (let at = from; at < end; at += 1) {
    const term = terms[at] as number;
    if (isNear(fuzzy, term) && fuzzyRangeOf(fuzzy, term) >= 0) return true;
  }
  return false;
}
