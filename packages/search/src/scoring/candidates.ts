import { getRangeMatchKind } from "../fuzzy/fuzzy-matches.ts";
import { readLengths } from "../index/doc-values.ts";
import type { Leaf } from "../index/leaf.ts";
import { lowerBound, positionOf } from "../index/postings.ts";
import type { CategoryBonuses } from "../query/category-space.ts";
import { maxWords } from "../query/parse.ts";
import { getTermBoost, type TermQuery } from "../query/term-query.ts";
import { computeBodyScore, computeTermScore, type FieldScores } from "./field-scores.ts";
import { computeCategoryScore, computeMaxNeighborScore, computeWordScore, matchBoosts, maxBoost } from "./score.ts";
import type { TermScores } from "./scorer.ts";

/** Inputs for the scores of one query. */
interface ScoringInput {
  /** Rarity of each word. */
  readonly rarities: readonly number[];
  readonly fieldScores: FieldScores;
  readonly matchRules?: { readonly categoryBonuses: CategoryBonuses };
}

/**
 * Documents that contain some words of a query, with their matches in fields other than the body and upper bounds of
 * their scores. If the words have few postings, the matches are computed from the postings. Postings are sequential in
 * memory, while reading a document waits for main memory several times.
 */
export class Candidates {
  length = 0;
  /** Doc ids of the candidates in ascending order. */
  readonly #docIds = new Uint32Array(maxCandidates);
  /**
   * Score points by word and candidate. Entries of words that are only in the body field or missing have no meaning.
   */
  readonly #wordScores = new Int32Array(maxWords * maxCandidates);
  readonly #positions = new Uint8Array(maxWords * maxCandidates);
  /** Words that may be in fields of the candidates other than the body (bit n: word n). */
  #primaryWordMask = 0;
  readonly #scoreBounds = new Float64Array(maxCandidates);
  // Inputs of the current scan of postings.
  #rarity = 0;
  #fieldScores: FieldScores | undefined;
  #docValues: Uint32Array = new Uint32Array(0);

  clear(): void {
    this.length = 0;
  }

  /** Adds a candidate.  @param docId greater than the previous doc ids; at most `maxCandidates` can be added */
  push(docId: number): void {
    this.#docIds[this.length] = docId;
    this.length += 1;
  }

  get docIds(): Uint32Array {
    return this.#docIds;
  }

  /** Returns an upper bound of a candidate's score, without popularity and the points that all candidates get. */
  getScoreBound(candidate: number): number {
    return this.#scoreBounds[candidate] as number;
  }

  /** Copies the score points and positions of a candidate's words to `points` and `positions`. */
  copyTermScores(candidate: number, { points, positions }: TermScores, wordCount: number): void {
    for (let word = 0; word < wordCount; word += 1) {
      const isPrimaryMatch = ((this.#primaryWordMask >>> word) & 1) === 1;
      const wordScore = isPrimaryMatch ? (this.#wordScores[word * maxCandidates + candidate] as number) : 0;
      points[word] = wordScore;
      positions[word] = wordScore > 0 ? (this.#positions[word * maxCandidates + candidate] as number) : -1;
    }
  }

  /**
   * Computes the matches in fields other than the body, and the upper bounds of the scores.
   * @param termQueries matches of each word in the leaf
   * @param possibleWordMask words that may be in primary fields of the candidates (bit n: word n)
   * @returns false if the computation would take too long; nothing is computed in this case
   */
  computeBounds(
    { rarities, fieldScores, matchRules }: ScoringInput,
    leaf: Leaf,
    termQueries: readonly TermQuery[],
    possibleWordMask: number,
  ): boolean {
    this.#primaryWordMask = 0;
    for (let word = 0; word < termQueries.length; word += 1)
      if ((termQueries[word] as TermQuery).primaryCost > 0) this.#primaryWordMask |= possibleWordMask & (1 << word);
    if (!this.#isScanFaster(leaf, termQueries)) return false;
    const scoreBounds = this.#scoreBounds;
    scoreBounds.fill(0, 0, this.length);
    let bodyOnlyScoreBound = 0;
    for (let word = 0; word < termQueries.length; word += 1) {
      const termQuery = termQueries[word] as TermQuery;
      const rarity = rarities[word] as number;
      const bodyScoreBound =
        termQuery.bodyCost > 0 ? computeWordScore(maxBoost * computeBodyScore(rarity, fieldScores)) : 0;
      if (((this.#primaryWordMask >>> word) & 1) === 0) bodyOnlyScoreBound += bodyScoreBound;
      else {
        this.#scanWord(leaf, termQuery, word, rarity, fieldScores);
        const firstIndex = word * maxCandidates;
        for (let candidate = 0; candidate < this.length; candidate += 1) {
          const bestScore = this.#wordScores[firstIndex + candidate] as number;
          scoreBounds[candidate] =
            (scoreBounds[candidate] as number) + (bestScore > 0 ? computeWordScore(bestScore) : bodyScoreBound);
        }
      }
    }
    const maxNeighborScore = computeMaxNeighborScore(termQueries.length, this.#primaryWordMask, rarities);
    const categoryBonuses = matchRules?.categoryBonuses;
    for (let candidate = 0; candidate < this.length; candidate += 1) {
      const maxScoreWithBody = (scoreBounds[candidate] as number) + bodyOnlyScoreBound;
      const bonus =
        categoryBonuses === undefined ? 0 : categoryBonuses.getBonus(leaf, this.#docIds[candidate] as number);
      scoreBounds[candidate] = maxScoreWithBody + computeCategoryScore(maxScoreWithBody, bonus) + maxNeighborScore;
    }
    return true;
  }

  /**
   * Returns whether scanning postings is probably faster than reading the candidates one by one. The number of postings
   * up to the last candidate is estimated, as if postings were distributed evenly over the doc ids.
   */
  #isScanFaster({ documents }: Leaf, termQueries: readonly TermQuery[]): boolean {
    const docIds = this.#docIds;
    const fraction = ((docIds[this.length - 1] as number) - (docIds[0] as number)) / documents.externalIds.length;
    const maxScannedPostings = this.length * scannedPostingsPerCandidate;
    let [postingCount, termCount] = [0, 0];
    for (let word = 0; word < termQueries.length; word += 1) {
      if (((this.#primaryWordMask >>> word) & 1) === 0) continue;
      const { primaryCost, outerRanges, fuzzyMatches } = termQueries[word] as TermQuery;
      postingCount += primaryCost * fraction;
      for (let index = 0; index < outerRanges.length; index += 1) {
        const { low, high } = outerRanges[index] as TermQuery["outerRanges"][number];
        termCount += high - low;
      }
      for (let rangeIndex = 0; rangeIndex < fuzzyMatches.lows.length; rangeIndex += 1)
        termCount += (fuzzyMatches.highs[rangeIndex] as number) - (fuzzyMatches.lows[rangeIndex] as number);
      if (postingCount > maxScannedPostings || termCount > maxScannedPostings) return false;
    }
    return true;
  }

  /** Computes the score points and positions of a word in all candidates. */
  #scanWord(leaf: Leaf, termQuery: TermQuery, word: number, rarity: number, fieldScores: FieldScores): void {
    const { outerRanges, fuzzyMatches, phraseMatches } = termQuery;
    const firstIndex = word * maxCandidates;
    this.#wordScores.fill(0, firstIndex, firstIndex + this.length);
    this.#rarity = rarity;
    this.#fieldScores = fieldScores;
    this.#docValues = leaf.documents.docValues;
    const { starts, documents, payloads } = leaf.primary.postings;
    for (let index = 0; index < outerRanges.length; index += 1) {
      const range = outerRanges[index] as TermQuery["outerRanges"][number];
      for (let term = range.low; term < range.high; term += 1)
        this.#scanPostings(
          documents,
          payloads,
          starts[term] as number,
          starts[term + 1] as number,
          getTermBoost(range, term),
          firstIndex,
        );
    }
    for (let rangeIndex = 0; rangeIndex < fuzzyMatches.lows.length; rangeIndex += 1) {
      const boost = matchBoosts[getRangeMatchKind(fuzzyMatches, rangeIndex)];
      const high = fuzzyMatches.highs[rangeIndex] as number;
      for (let term = fuzzyMatches.lows[rangeIndex] as number; term < high; term += 1)
        this.#scanPostings(documents, payloads, starts[term] as number, starts[term + 1] as number, boost, firstIndex);
    }
    for (let index = 0; index < phraseMatches.length; index += 1) {
      const match = phraseMatches[index] as TermQuery["phraseMatches"][number];
      this.#scanPostings(match.documents, match.payloads, 0, match.documents.length, match.boost, firstIndex);
    }
  }

  /**
   * Scans postings `from` to `end` (exclusive) up to the last candidate.
   * @param firstIndex index of the word's first entry in `#wordScores`
   */
  #scanPostings(
    documents: Uint32Array,
    payloads: Uint16Array,
    from: number,
    end: number,
    boost: number,
    firstIndex: number,
  ): void {
    const docIds = this.#docIds;
    const lastDocId = docIds[this.length - 1] as number;
    let entry = from;
    if (entry < end && (documents[entry] as number) < (docIds[0] as number))
      entry = lowerBound(documents, entry, end, docIds[0] as number);
    let nextCandidate = 0;
    for (; entry < end; entry += 1) {
      const docId = documents[entry] as number;
      if (docId > lastDocId) return;
      const candidate = docIds[nextCandidate] === docId ? nextCandidate : this.#indexOf(docId);
      if (candidate < 0) continue;
      nextCandidate = candidate + 1;
      const payload = payloads[entry] as number;
      const lengths = readLengths(this.#docValues[docId] as number);
      const termScore = boost * computeTermScore(this.#rarity, payload, lengths, this.#fieldScores as FieldScores);
      const previousScore = this.#wordScores[firstIndex + candidate] as number;
      const position = positionOf(payload);
      if (
        termScore < previousScore ||
        (termScore === previousScore && position >= (this.#positions[firstIndex + candidate] as number))
      )
        continue;
      this.#wordScores[firstIndex + candidate] = termScore;
      this.#positions[firstIndex + candidate] = position;
    }
  }

  /** Returns the index of a candidate, or -1. */
  #indexOf(docId: number): number {
    const index = lowerBound(this.#docIds, 0, this.length, docId);
    return index < this.length && this.#docIds[index] === docId ? index : -1;
  }
}

export const maxCandidates = 64;
/** Number of postings or terms that can be scanned in the time in which one document is read. */
const scannedPostingsPerCandidate = 8;
