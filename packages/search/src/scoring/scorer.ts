import { findRangeOfTerm, getRangeMatchKind, mayContainTerm } from "../fuzzy/fuzzy-matches.ts";
import { readLengths } from "../index/doc-values.ts";
import type { Leaf } from "../index/leaf.ts";
import { bodyFieldBit, type ForwardIndex, lowerBound, positionOf } from "../index/postings.ts";
import { getTermBoost, isPrefixMatch, type TermQuery, type TopLevelRange } from "../query/term-query.ts";
import { computeBodyScore, computePrefixScore, computeTermScore, type FieldScores } from "./field-scores.ts";
import { getPhraseEndScore, matchBoosts, rarityScale } from "./score.ts";

/** Matches of the query's words in the last scored document. */
export interface TermScores {
  /** Score points of each word; 0 if the document does not contain it. */
  readonly points: Int32Array;
  /** First position of each word; -1 if it is only in the body field or missing. */
  readonly positions: Int32Array;
}

/** Ranges of terms that match the words of a query, in ascending order. Ranges of different words may overlap. */
interface MergedRanges {
  readonly ranges: TopLevelRange[];
  /** Word index of each range. */
  readonly words: number[];
}

function mergeRanges(termQueries: readonly TermQuery[], field: "outerRanges" | "bodyRanges"): MergedRanges {
  const ranges: TopLevelRange[] = [];
  const words: number[] = [];
  for (let word = 0; word < termQueries.length; word += 1) {
    const wordRanges = (termQueries[word] as TermQuery)[field];
    for (let index = 0; index < wordRanges.length; index += 1) {
      const range = wordRanges[index] as TopLevelRange;
      let entry = ranges.length;
      for (; entry > 0 && (ranges[entry - 1] as TopLevelRange).low > range.low; entry -= 1) {
        ranges[entry] = ranges[entry - 1] as TopLevelRange;
        words[entry] = words[entry - 1] as number;
      }
      ranges[entry] = range;
      words[entry] = word;
    }
  }
  return { ranges, words };
}

/**
 * Scores documents for the words of a query. Each word matches ranges of term numbers. The ranges of all words are
 * merged into one list, with the index of the word:
 *
 *     ranges   12 to 19   40 to 41     terms "snow" to "snowboards", and term "table"
 *     words    0          1            "snow" (prefix), "table"
 *
 * The terms of a document and the ranges are both in ascending order, so both are merged in one pass.
 */
export class Scorer {
  readonly #wordScores: Int32Array;
  readonly #positions: Int32Array;
  readonly #termQueries: readonly TermQuery[];
  readonly #rarities: readonly number[];
  readonly #nameWord: number;
  readonly #unfinishedWord: number;
  readonly #primaryRanges: MergedRanges;
  /** Merged ranges of terms for the body, created when the first body is scored. */
  #bodyRanges: MergedRanges | undefined;
  /** Indices of words with phrase or fuzzy matches, which are not in the ranges. */
  readonly #otherWords: number[] = [];

  /**
   * @param scores receives the scores of the last document
   * @param termQueries matches of each word
   * @param rarities rarity of each word; empty if only the matching words are needed
   * @param nameWord index of the word that names the product (see `findProductName`). Default: none
   * @param unfinishedWord index of the word that may be unfinished (see `findUnfinishedWord`). Default: none
   */
  constructor(
    scores: TermScores,
    termQueries: readonly TermQuery[],
    rarities: readonly number[] = [],
    nameWord = -1,
    unfinishedWord = -1,
  ) {
    this.#wordScores = scores.points;
    this.#positions = scores.positions;
    this.#termQueries = termQueries;
    this.#rarities = rarities;
    this.#nameWord = nameWord;
    this.#unfinishedWord = unfinishedWord;
    this.#primaryRanges = mergeRanges(termQueries, "outerRanges");
    for (let word = 0; word < termQueries.length; word += 1) {
      const { phraseMatches, fuzzyMatches } = termQueries[word] as TermQuery;
      if (phraseMatches.length > 0 || fuzzyMatches.lows.length > 0) this.#otherWords.push(word);
    }
  }

  /**
   * Scores the fields of a document except the body.
   * @param possibleWordMask words that the fields may contain (bit n: word n)
   * @returns number of words that the fields contain
   */
  scorePrimaryFields(leaf: Leaf, docId: number, fieldScores: FieldScores, possibleWordMask = ~0): number {
    const points = this.#wordScores;
    const positions = this.#positions;
    const { starts, terms, payloads } = leaf.primary.forward;
    const end = starts[docId + 1] as number;
    const lengths = readLengths(leaf.documents.docValues[docId] as number);
    const wordCount = this.#termQueries.length;
    for (let word = 0; word < wordCount; word += 1) {
      points[word] = 0;
      positions[word] = -1;
    }
    const { ranges, words } = this.#primaryRanges;
    let entry = starts[docId] as number;
    for (let index = 0; index < ranges.length; index += 1) {
      const word = words[index] as number;
      if (((possibleWordMask >>> word) & 1) === 0) continue;
      const range = ranges[index] as TopLevelRange;
      const { low, high } = range;
      while (entry < end && (terms[entry] as number) < low) entry += 1;
      if (entry === end) break;
      const rarity = this.#getWordRarity(word);
      const endScore = getPhraseEndScore(word === this.#nameWord);
      const isUnfinished = word === this.#unfinishedWord;
      for (let termEntry = entry; termEntry < end && (terms[termEntry] as number) < high; termEntry += 1) {
        const payload = payloads[termEntry] as number;
        const position = positionOf(payload);
        const term = terms[termEntry] as number;
        const boost = getTermBoost(range, term, isUnfinished);
        if (boost > 0)
          this.#recordPrimaryMatch(
            word,
            boost * computeTermScore(rarity, payload, lengths, fieldScores, endScore),
            position,
          );
        if (isUnfinished && isPrefixMatch(range, term))
          this.#recordPrimaryMatch(
            word,
            matchBoosts.prefix * computePrefixScore(rarity, payload, fieldScores),
            position,
          );
      }
    }
    for (let index = 0; index < this.#otherWords.length; index += 1) {
      const word = this.#otherWords[index] as number;
      if (((possibleWordMask >>> word) & 1) === 1) this.#scoreOtherWord(leaf, docId, word, fieldScores);
    }
    let matchCount = 0;
    for (let word = 0; word < wordCount; word += 1) if ((points[word] as number) > 0) matchCount += 1;
    return matchCount;
  }

  #getWordRarity(word: number): number {
    return this.#rarities[word] ?? rarityScale;
  }

  #scoreOtherWord(leaf: Leaf, docId: number, word: number, fieldScores: FieldScores): void {
    const { starts, terms, payloads } = leaf.primary.forward;
    const lengths = readLengths(leaf.documents.docValues[docId] as number);
    const rarity = this.#getWordRarity(word);
    const endScore = getPhraseEndScore(word === this.#nameWord);
    const { phraseMatches, fuzzyMatches } = this.#termQueries[word] as TermQuery;
    for (const { boost, documents: docIds, payloads: matchPayloads } of phraseMatches) {
      const entry = lowerBound(docIds, 0, docIds.length, docId);
      if (docIds[entry] !== docId) continue;
      const payload = matchPayloads[entry] as number;
      this.#recordPrimaryMatch(
        word,
        boost * computeTermScore(rarity, payload, lengths, fieldScores, endScore),
        positionOf(payload),
      );
    }
    if (fuzzyMatches.lows.length === 0) return;
    const end = starts[docId + 1] as number;
    for (let entry = starts[docId] as number; entry < end; entry += 1) {
      if (!mayContainTerm(fuzzyMatches, terms[entry] as number)) continue;
      const range = findRangeOfTerm(fuzzyMatches, terms[entry] as number);
      if (range < 0) continue;
      const boost = matchBoosts[getRangeMatchKind(fuzzyMatches, range)];
      const payload = payloads[entry] as number;
      this.#recordPrimaryMatch(
        word,
        boost * computeTermScore(rarity, payload, lengths, fieldScores, endScore),
        positionOf(payload),
      );
    }
  }

  /** Scores the body for words that are in no other field.  @returns number of words that only the body contains */
  scoreBody(leaf: Leaf, docId: number, fieldScores: FieldScores): number {
    const points = this.#wordScores;
    const positions = this.#positions;
    if (fieldScores.body === 0) return 0;
    const mayMatchBody = this.#mayMatchBody();
    if (mayMatchBody) this.#scoreBodyTerms(leaf.body.forward, docId, fieldScores);
    // A term of the body field that is also in another field is stored only with that field. It counts as a body term
    // if that field is not searched.
    if (!fieldScores.includesAllFields)
      this.#scoreBodyTerms(leaf.primary.forward, docId, fieldScores, leaf.primary.forward.payloads);
    else if (!mayMatchBody) return 0;
    let matchCount = 0;
    for (let word = 0; word < this.#termQueries.length; word += 1)
      if ((points[word] as number) > 0 && (positions[word] as number) < 0) matchCount += 1;
    return matchCount;
  }

  /** Scores the terms of a document as body terms.  @param payloads if set, only terms with `bodyFieldBit` count */
  #scoreBodyTerms(
    { starts, terms }: ForwardIndex,
    docId: number,
    fieldScores: FieldScores,
    payloads?: Uint16Array,
  ): void {
    const positions = this.#positions;
    this.#bodyRanges ??= mergeRanges(this.#termQueries, "bodyRanges");
    const { ranges, words } = this.#bodyRanges;
    const firstEntry = starts[docId] as number;
    const end = starts[docId + 1] as number;
    let entry = firstEntry;
    for (let index = 0; entry < end && index < ranges.length; index += 1) {
      const word = words[index] as number;
      if ((positions[word] as number) >= 0) continue;
      const range = ranges[index] as TopLevelRange;
      const { low, high } = range;
      while (entry < end && (terms[entry] as number) < low) entry += 1;
      const bodyScore = computeBodyScore(this.#getWordRarity(word), fieldScores);
      for (let termEntry = entry; termEntry < end && (terms[termEntry] as number) < high; termEntry += 1)
        if (isInBody(termEntry, payloads))
          this.#recordBodyMatch(word, getTermBoost(range, terms[termEntry] as number) * bodyScore);
    }
    for (let index = 0; index < this.#otherWords.length; index += 1) {
      const word = this.#otherWords[index] as number;
      const { bodyFuzzyMatches } = this.#termQueries[word] as TermQuery;
      if (bodyFuzzyMatches.lows.length === 0 || (positions[word] as number) >= 0) continue;
      const bodyScore = computeBodyScore(this.#getWordRarity(word), fieldScores);
      for (let entry = firstEntry; entry < end; entry += 1) {
        if (!mayContainTerm(bodyFuzzyMatches, terms[entry] as number) || !isInBody(entry, payloads)) continue;
        const range = findRangeOfTerm(bodyFuzzyMatches, terms[entry] as number);
        if (range >= 0)
          this.#recordBodyMatch(word, matchBoosts[getRangeMatchKind(bodyFuzzyMatches, range)] * bodyScore);
      }
    }
  }

  /** Returns whether any body may contain a word that is in no other field of the document. */
  #mayMatchBody(): boolean {
    const positions = this.#positions;
    for (let word = 0; word < this.#termQueries.length; word += 1)
      if ((positions[word] as number) < 0 && (this.#termQueries[word] as TermQuery).bodyCost > 0) return true;
    return false;
  }

  /**
   * Records a match in a field other than the body. The best score points of a word count, and for equal points the
   * first position.
   */
  #recordPrimaryMatch(word: number, wordScore: number, position: number): void {
    const points = this.#wordScores;
    const bestScore = points[word] as number;
    if (
      wordScore < bestScore ||
      wordScore === 0 ||
      (wordScore === bestScore && position >= (this.#positions[word] as number))
    )
      return;
    points[word] = wordScore;
    this.#positions[word] = position;
  }

  /** Records a match in the body field, unless the word is in another field. */
  #recordBodyMatch(word: number, wordScore: number): void {
    if ((this.#positions[word] as number) < 0 && wordScore > (this.#wordScores[word] as number))
      this.#wordScores[word] = wordScore;
  }
}

/**
 * Returns whether a term of a document is in the body field.
 * @param entry index of the term in a forward index
 * @param payloads if set, only terms with `bodyFieldBit` are in the body field
 */
function isInBody(entry: number, payloads: Uint16Array | undefined): boolean {
  return payloads === undefined || ((payloads[entry] as number) & bodyFieldBit) !== 0;
}
