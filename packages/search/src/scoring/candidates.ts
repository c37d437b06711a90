import { fuzzyKindAt } from "../fuzzy/fuzzy-matches.ts";
import { lengthsOf } from "../index/doc-values.ts";
import type { Leaf } from "../index/leaf.ts";
import { firstNotBelow, positionOf } from "../index/postings.ts";
import type { CategoryBonuses } from "../query/category-space.ts";
import { maxWords } from "../query/parse.ts";
import { boostOf, type TermQuery } from "../query/term-query.ts";
import { bodyPointsOf, type FieldPoints, pointsOf } from "./field-points.ts";
import { categoryPoints, matchBoosts, maxBoost, maxNeighborScore, wordScore } from "./score.ts";
import type { TermScores } from "./scorer.ts";

/** Inputs of the scores of one query. */
interface Scoring {
  /** Rarity of each word. */
  readonly rarities: readonly number[];
  readonly counted: FieldPoints;
  readonly partial?: { readonly categoryBonuses: CategoryBonuses };
}

/**
 * Documents of a leaf that contain some of a query's words, the matches in their primary fields, and upper bounds of
 * their scores. They are computed from postings if these are short. Postings are sequential in memory, while reading a
 * document waits for main memory several times.
 */
export class Candidates {
  length = 0;
  /** Doc ids of the candidates in ascending order. */
  readonly #docIds = new Uint32Array(maxCandidates);
  /** Points by word and candidate; undefined for words in no primary field of a candidate. */
  readonly #points = new Int32Array(maxWords * maxCandidates);
  readonly #positions = new Uint8Array(maxWords * maxCandidates);
  /** Mask of the words that may be in primary fields of the candidates (bit n: word n). */
  #named = 0;
  readonly #bounds = new Float64Array(maxCandidates);
  /** The greatest bounds in descending order. */
  readonly #greatest = new Float64Array(maxCandidates);
  /** Hash table of doc ids. An entry is the index of the candidate plus one, or 0 for a free slot. */
  readonly #table = new Uint8Array(maxCandidates * 4);
  // State of the current scan.
  #rarity = 0;
  #counted: FieldPoints | undefined;
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

  /** Returns an upper bound of a candidate's score, without popularity and the points of its partition. */
  boundAt(at: number): number {
    return this.#bounds[at] as number;
  }

  /** Writes the matches in a candidate's primary fields to the arrays that `Scorer.scorePrimary` fills. */
  loadPrimary(at: number, { points, positions }: TermScores, wordCount: number): void {
    for (let word = 0; word < wordCount; word += 1) {
      const isNamed = ((this.#named >>> word) & 1) === 1;
      const value = isNamed ? (this.#points[word * maxCandidates + at] as number) : 0;
      points[word] = value;
      positions[word] = value > 0 ? (this.#positions[word * maxCandidates + at] as number) : -1;
    }
  }

  /** Returns the n-th greatest bound, or -Infinity if there are fewer candidates. */
  nthBound(n: number): number {
    if (n > this.length) return Number.NEGATIVE_INFINITY;
    const greatest = this.#greatest;
    let count = 0;
    for (let candidate = 0; candidate < this.length; candidate += 1) {
      const bound = this.#bounds[candidate] as number;
      let at = count;
      if (count === n) {
        if (bound <= (greatest[n - 1] as number)) continue;
        at -= 1;
      } else count += 1;
      for (; at > 0 && (greatest[at - 1] as number) < bound; at -= 1) greatest[at] = greatest[at - 1] as number;
      greatest[at] = bound;
    }
    return greatest[n - 1] as number;
  }

  /**
   * Computes the matches in primary fields, and the bounds.
   * @param termQueries term queries of the leaf by word
   * @param wordMask words that may be in primary fields of the candidates (bit n: word n)
   * @returns false if the computation would take too long; nothing is computed in this case
   */
  find({ rarities, counted, partial }: Scoring, leaf: Leaf, termQueries: readonly TermQuery[], known: number): boolean {
    this.#named = 0;
    for (let word = 0; word < termQueries.length; word += 1)
      if ((termQueries[word] as TermQuery).primaryCost > 0) this.#named |= known & (1 << word);
    if (!this.#isSoonWalked(leaf, termQueries)) return false;
    this.#hash();
    const bounds = this.#bounds;
    bounds.fill(0, 0, this.length);
    let ofAll = 0;
    for (let word = 0; word < termQueries.length; word += 1) {
      const termQuery = termQueries[word] as TermQuery;
      const rarity = rarities[word] as number;
      const inBody = termQuery.bodyCost > 0 ? wordScore(maxBoost * bodyPointsOf(rarity, counted)) : 0;
      if (((this.#named >>> word) & 1) === 0) ofAll += inBody;
      else {
        this.#walkAll(leaf, termQuery, word, rarity, counted);
        const first = word * maxCandidates;
        for (let at = 0; at < this.length; at += 1) {
          const points = this.#points[first + at] as number;
          bounds[at] = (bounds[at] as number) + (points > 0 ? wordScore(points) : inBody);
        }
      }
    }
    const together = maxNeighborScore(termQueries.length, this.#named, rarities);
    const bonuses = partial?.categoryBonuses;
    for (let at = 0; at < this.length; at += 1) {
      const points = (bounds[at] as number) + ofAll;
      const bonus = bonuses === undefined ? 0 : bonuses.of(leaf, this.#docIds[at] as number);
      bounds[at] = points + categoryPoints(points, bonus) + together;
    }
    return true;
  }

  /**
   * Returns whether there are few postings up to the last candidate. The estimate is too low, because popular documents
   * come first.
   */
  #isSoonWalked({ documents }: Leaf, termQueries: readonly TermQuery[]): boolean {
    const docIds = this.#docIds;
    const part = ((docIds[this.length - 1] as number) - (docIds[0] as number)) / documents.externalIds.length;
    const maxWalked = this.length * walkedPerCandidate;
    let [walked, terms] = [0, 0];
    for (let word = 0; word < termQueries.length; word += 1) {
      if (((this.#named >>> word) & 1) === 0) continue;
      const { primaryCost, outerRanges, fuzzy } = termQueries[word] as TermQuery;
      walked += primaryCost * part;
      for (let index = 0; index < outerRanges.length; index += 1) {
        const { low, high } = outerRanges[index] as TermQuery["outerRanges"][number];
        terms += high - low;
      }
      for (let run = 0; run < fuzzy.lows.length; run += 1)
        terms += (fuzzy.highs[run] as number) - (fuzzy.lows[run] as number);
      if (walked > maxWalked || terms > maxWalked) return false;
    }
    return true;
  }

  /** Computes the matches of a word in the candidates. */
  #walkAll(leaf: Leaf, termQuery: TermQuery, word: number, rarity: number, counted: FieldPoints): void {
    const { outerRanges, fuzzy, phraseMatches } = termQuery;
    const first = word * maxCandidates;
    this.#points.fill(0, first, first + this.length);
    this.#rarity = rarity;
    this.#counted = counted;
    this.#docValues = leaf.documents.docValues;
    const { starts, documents, payloads } = leaf.primary.postings;
    for (let index = 0; index < outerRanges.length; index += 1) {
      const range = outerRanges[index] as TermQuery["outerRanges"][number];
      for (let term = range.low; term < range.high; term += 1)
        this.#walk(
          documents,
          payloads,
          starts[term] as number,
          starts[term + 1] as number,
          boostOf(range, term),
          first,
        );
    }
    for (let run = 0; run < fuzzy.lows.length; run += 1) {
      const boost = matchBoosts[fuzzyKindAt(fuzzy, run)];
      const high = fuzzy.highs[run] as number;
      for (let term = fuzzy.lows[run] as number; term < high; term += 1)
        this.#walk(documents, payloads, starts[term] as number, starts[term + 1] as number, boost, first);
    }
    for (let index = 0; index < phraseMatches.length; index += 1) {
      const match = phraseMatches[index] as TermQuery["phraseMatches"][number];
      this.#walk(match.documents, match.payloads, 0, match.documents.length, match.boost, first);
    }
  }

  /**
   * Scans postings `from` to `end` (exclusive) up to the last candidate.
   * @param first index of the word's first candidate
   */
  #walk(documents: Uint32Array, payloads: Uint16Array, from: number, end: number, boost: number, first: number): void {
    const docIds = this.#docIds;
    const last = docIds[this.length - 1] as number;
    let at = from;
    if (at < end && (documents[at] as number) < (docIds[0] as number))
      at = firstNotBelow(documents, at, end, docIds[0] as number);
    let next = 0;
    for (; at < end; at += 1) {
      const docId = documents[at] as number;
      if (docId > last) return;
      const candidate = docIds[next] === docId ? next : this.#indexOf(docId);
      if (candidate < 0) continue;
      next = candidate + 1;
      const payload = payloads[at] as number;
      const lengths = lengthsOf(this.#docValues[docId] as number);
      const points = boost * pointsOf(this.#rarity, payload, lengths, this.#counted as FieldPoints);
      const known = this.#points[first + candidate] as number;
      const position = positionOf(payload);
      if (points < known || (points === known && position >= (this.#positions[first + candidate] as number))) continue;
      this.#points[first + candidate] = points;
      this.#positions[first + candidate] = position;
    }
  }

  #hash(): void {
    const table = this.#table;
    table.fill(0);
    for (let candidate = 0; candidate < this.length; candidate += 1) {
      let at = placeOf(this.#docIds[candidate] as number);
      while (table[at] !== 0) at = (at + 1) & (table.length - 1);
      table[at] = candidate + 1;
    }
  }

  /** Returns the index of a candidate, or -1. */
  #indexOf(docId: number): number {
    const table = this.#table;
    let at = placeOf(docId);
    for (;;) {
      const candidate = (table[at] as number) - 1;
      if (candidate < 0 || this.#docIds[candidate] === docId) return candidate;
      at = (at + 1) & (table.length - 1);
    }
  }
}

/** Maximum number of candidates. */
export const maxCandidates = 64;
/** Number of postings and terms that can be scanned in the time of reading one document. */
const walkedPerCandidate = 8;

/** Returns the preferred slot of a doc id in the hash table. */
function placeOf(docId: number): number {
  return Math.imul(docId, 0x9e3779b1) >>> 24;
}
