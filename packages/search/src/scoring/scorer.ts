import { fuzzyKindAt, fuzzyRangeOf, isNear } from "../fuzzy/fuzzy-matches.ts";
import { lengthsOf } from "../index/doc-values.ts";
import type { Leaf } from "../index/leaf.ts";
import { alsoDescribed, type ForwardIndex, firstNotBelow, positionOf } from "../index/postings.ts";
import { boostOf, type OuterRange, type TermQuery } from "../query/term-query.ts";
import { bodyPointsOf, type FieldPoints, pointsOf } from "./field-points.ts";
import { matchBoosts, rarityUnit } from "./score.ts";

/** Matches of the query's words in the last scored document. */
export interface TermScores {
  /** Points of each word; 0 if the document does not contain it. */
  readonly points: Int32Array;
  /** First position of each word; -1 if it is only in the body or missing. */
  readonly positions: Int32Array;
}

/**
 * Scores documents for the words of a query. The outer ranges of all words are merged into one list:
 *
 *     ranges   12 to 19   40 to 41     snow, snowboard, snowboards, …; table
 *     words    0          1
 *
 * The terms of a document and the ranges are both in ascending order, so both are merged in one pass.
 */
export class Scorer {
  readonly #points: Int32Array;
  readonly #positions: Int32Array;
  readonly #termQueries: readonly TermQuery[];
  readonly #rarities: readonly number[];
  /** Ranges in ascending order. Ranges of different words may overlap. */
  readonly #ranges: OuterRange[] = [];
  /** Word index of each range. */
  readonly #words: number[] = [];
  /** Indices of words with phrase or fuzzy matches, which are not in the ranges. */
  readonly #others: number[] = [];

  /**
   * @param scores receives the scores of the last document
   * @param termQueries term query of each word
   * @param rarities rarity of each word; empty if only the matching words are needed
   */
  constructor(scores: TermScores, termQueries: readonly TermQuery[], rarities: readonly number[] = []) {
    this.#points = scores.points;
    this.#positions = scores.positions;
    this.#termQueries = termQueries;
    this.#rarities = rarities;
    for (let word = 0; word < termQueries.length; word += 1) {
      const { outerRanges, phraseMatches, fuzzy } = termQueries[word] as TermQuery;
      if (phraseMatches.length > 0 || fuzzy.lows.length > 0) this.#others.push(word);
      for (let index = 0; index < outerRanges.length; index += 1) this.#insert(outerRanges[index] as OuterRange, word);
    }
  }

  #insert(range: OuterRange, word: number): void {
    const ranges = this.#ranges;
    const words = this.#words;
    let at = ranges.length;
    for (; at > 0 && (ranges[at - 1] as OuterRange).low > range.low; at -= 1) {
      ranges[at] = ranges[at - 1] as OuterRange;
      words[at] = words[at - 1] as number;
    }
    ranges[at] = range;
    words[at] = word;
  }

  /**
   * Scores the primary fields of a document.
   * @param wordMask words that the fields may contain (bit n: word n)
   * @returns number of words that the fields contain
   */
  scorePrimary(leaf: Leaf, docId: number, counted: FieldPoints, known = ~0): number {
    const points = this.#points;
    const positions = this.#positions;
    const { starts, terms, payloads } = leaf.primary.forward;
    const end = starts[docId + 1] as number;
    const lengths = lengthsOf(leaf.documents.docValues[docId] as number);
    const count = this.#termQueries.length;
    for (let word = 0; word < count; word += 1) {
      points[word] = 0;
      positions[word] = -1;
    }
    const ranges = this.#ranges;
    let at = starts[docId] as number;
    for (let index = 0; index < ranges.length; index += 1) {
      const word = this.#words[index] as number;
      if (((known >>> word) & 1) === 0) continue;
      const range = ranges[index] as OuterRange;
      const { low, high } = range;
      while (at < end && (terms[at] as number) < low) at += 1;
      if (at === end) break;
      const rarity = this.#rarityOf(word);
      for (let inRange = at; inRange < end && (terms[inRange] as number) < high; inRange += 1) {
        const value = payloads[inRange] as number;
        const boost = boostOf(range, terms[inRange] as number);
        this.#notePrimary(word, boost * pointsOf(rarity, value, lengths, counted), positionOf(value));
      }
    }
    for (let index = 0; index < this.#others.length; index += 1) {
      const word = this.#others[index] as number;
      if (((known >>> word) & 1) === 1) this.#scoreOther(leaf, docId, word, counted);
    }
    let matchCount = 0;
    for (let word = 0; word < count; word += 1) if ((points[word] as number) > 0) matchCount += 1;
    return matchCount;
  }

  #rarityOf(word: number): number {
    return this.#rarities[word] ?? rarityUnit;
  }

  #scoreOther(leaf: Leaf, docId: number, word: number, counted: FieldPoints): void {
    const { starts, terms, payloads } = leaf.primary.forward;
    const lengths = lengthsOf(leaf.documents.docValues[docId] as number);
    const rarity = this.#rarityOf(word);
    const { phraseMatches, fuzzy } = this.#termQueries[word] as TermQuery;
    for (const { boost, documents: docIds, payloads: bodyPoints } of phraseMatches) {
      const at = firstNotBelow(docIds, 0, docIds.length, docId);
      if (docIds[at] !== docId) continue;
      const value = bodyPoints[at] as number;
      this.#notePrimary(word, boost * pointsOf(rarity, value, lengths, counted), positionOf(value));
    }
    if (fuzzy.lows.length === 0) return;
    const end = starts[docId + 1] as number;
    for (let at = starts[docId] as number; at < end; at += 1) {
      if (!isNear(fuzzy, terms[at] as number)) continue;
      const range = fuzzyRangeOf(fuzzy, terms[at] as number);
      if (range < 0) continue;
      const boost = matchBoosts[fuzzyKindAt(fuzzy, range)];
      const value = payloads[at] as number;
      this.#notePrimary(word, boost * pointsOf(rarity, value, lengths, counted), positionOf(value));
    }
  }

  /** Scores the body for words that are in no primary field.  @returns number of words that only the body contains */
  scoreBody(leaf: Leaf, docId: number, counted: FieldPoints): number {
    const points = this.#points;
    const positions = this.#positions;
    if (counted.body === 0) return 0;
    const isFurther = this.#mayBeDescribed();
    if (isFurther) this.#scoreDescribed(leaf.body.forward, docId, counted);
    // A term in primary fields and the body is stored with the primary fields, which may be fields that are not
    // searched.
    if (!counted.isAll) this.#scoreDescribed(leaf.primary.forward, docId, counted, leaf.primary.forward.payloads);
    else if (!isFurther) return 0;
    let matchCount = 0;
    for (let word = 0; word < this.#termQueries.length; word += 1)
      if ((points[word] as number) > 0 && (positions[word] as number) < 0) matchCount += 1;
    return matchCount;
  }

  /** Scores the terms of a document as body terms.  @param payloads if set, only terms with `alsoInBody` count */
  #scoreDescribed({ starts, terms }: ForwardIndex, docId: number, counted: FieldPoints, payloads?: Uint16Array): void {
    const positions = this.#positions;
    const ranges = this.#ranges;
    const first = starts[docId] as number;
    const end = starts[docId + 1] as number;
    let at = first;
    for (let index = 0; at < end && index < ranges.length; index += 1) {
      const word = this.#words[index] as number;
      if ((positions[word] as number) >= 0) continue;
      const range = ranges[index] as OuterRange;
      const { low, high } = range;
      while (at < end && (terms[at] as number) < low) at += 1;
      const bodyPoints = bodyPointsOf(this.#rarityOf(word), counted);
      for (let inRange = at; inRange < end && (terms[inRange] as number) < high; inRange += 1)
        if (isDescribed(inRange, payloads)) this.#noteBody(word, boostOf(range, terms[inRange] as number) * bodyPoints);
    }
    for (let index = 0; index < this.#others.length; index += 1) {
      const word = this.#others[index] as number;
      const { fuzzy } = this.#termQueries[word] as TermQuery;
      if (fuzzy.lows.length === 0 || (positions[word] as number) >= 0) continue;
      const bodyPoints = bodyPointsOf(this.#rarityOf(word), counted);
      for (let entry = first; entry < end; entry += 1) {
        if (!isNear(fuzzy, terms[entry] as number) || !isDescribed(entry, payloads)) continue;
        const range = fuzzyRangeOf(fuzzy, terms[entry] as number);
        if (range >= 0) this.#noteBody(word, matchBoosts[fuzzyKindAt(fuzzy, range)] * bodyPoints);
      }
    }
  }

  /** Returns whether any body may contain a word that is in no primary field of the document. */
  #mayBeDescribed(): boolean {
    const positions = this.#positions;
    for (let word = 0; word < this.#termQueries.length; word += 1)
      if ((positions[word] as number) < 0 && (this.#termQueries[word] as TermQuery).bodyCost > 0) return true;
    return false;
  }

  /** Records a match in a primary field. The best points of a word count, and for equal points the first position. */
  #notePrimary(word: number, value: number, position: number): void {
    const points = this.#points;
    const best = points[word] as number;
    if (value < best || value === 0 || (value === best && position >= (this.#positions[word] as number))) return;
    points[word] = value;
    this.#positions[word] = position;
  }

  /** Records a match in the body, unless the word is in a primary field. */
  #noteBody(word: number, value: number): void {
    if ((this.#positions[word] as number) < 0 && value > (this.#points[word] as number)) this.#points[word] = value;
  }
}

/**
 * Returns whether an entry of a forward index is in the body.
 * @param payloads if set, only entries with `alsoInBody` are
 */
function isDescribed(entry: number, payloads: Uint16Array | undefined): boolean {
  return payloads === undefined || ((payloads[entry] as number) & alsoDescribed) !== 0;
}
