import { fuzzyKindAt, fuzzyRangeOf } from "../fuzzy/fuzzy-matches.ts";
import type { Leaf } from "../index/leaf.ts";
import { alsoDescribed, type ForwardIndex, firstNotBelow, positionOf } from "../index/postings.ts";
import type { ExpandedTerm, TermQuery } from "../query/term-query.ts";
import type { TermScores } from "../search-context.ts";
import type { FieldPoints } from "./field-points.ts";
import { brevityOf, impact, matchBoosts } from "./score.ts";

/** Scores documents for the words of a query. The terms that a word may stand for lie in ranges, and more closely matching terms in ranges
 *  within them:
 *
 *      lows     12   40      snow, snowboard, snowboards, …; table
 *      highs    19   41
 *      words    0    1
 *      boosts   80   100     as a prefix; as a whole word
 *      inner    0    2  2    ranges inner[n] up to, not including, inner[n + 1] lie within range n
 *
 *      innerLows 12, innerHighs 13, innerBoosts 100: snow itself; and so on
 *
 *  The terms of a document ascend in the forward index as the ranges do, so both are merged in one pass. */
export class Scorer {
  readonly #points: Int32Array;
  readonly #positions: Int32Array;
  readonly #termQueries: readonly TermQuery[];
  readonly #lows: number[] = [];
  readonly #highs: number[] = [];
  readonly #words: number[] = [];
  readonly #boosts: number[] = [];
  readonly #inner: number[] = [0];
  readonly #innerLows: number[] = [];
  readonly #innerHighs: number[] = [];
  readonly #innerBoosts: number[] = [];
  /** Words with phrase or fuzzy matches, which are not in the ranges. */
  readonly #others: number[] = [];

  /** @param scores where the scores of the last document are put  @param termQueries by word */
  constructor(scores: TermScores, termQueries: readonly TermQuery[]) {
    this.#points = scores.points;
    this.#positions = scores.positions;
    this.#termQueries = termQueries;
    const runs: Run[] = [];
    for (let word = 0; word < termQueries.length; word += 1) {
      const { ranges, phraseMatches, fuzzy } = termQueries[word] as TermQuery;
      if (phraseMatches.length > 0 || fuzzy.lows.length > 0) this.#others.push(word);
      addRuns(runs, word, ranges);
    }
    for (const { word, outer, inner } of runs) {
      this.#lows.push(outer.low);
      this.#highs.push(outer.high);
      this.#words.push(word);
      this.#boosts.push(outer.boost);
      for (const { low, high, boost } of inner) {
        this.#innerLows.push(low);
        this.#innerHighs.push(high);
        this.#innerBoosts.push(boost);
      }
      this.#inner.push(this.#innerLows.length);
    }
  }

  /** Scores the naming fields of a document. @returns how many words they hold */
  scoreNaming(leaf: Leaf, docId: number, counted: FieldPoints): number {
    const points = this.#points;
    const positions = this.#positions;
    const { starts, terms, payloads } = leaf.naming.forward;
    const end = starts[docId + 1] as number;
    const brevity = this.#brevityOf(leaf, docId);
    const count = this.#termQueries.length;
    for (let word = 0; word < count; word += 1) {
      points[word] = 0;
      positions[word] = -1;
    }
    const lows = this.#lows;
    const highs = this.#highs;
    let at = starts[docId] as number;
    for (let run = 0; run < lows.length; run += 1) {
      const low = lows[run] as number;
      while (at < end && (terms[at] as number) < low) at += 1;
      if (at === end) break;
      const high = highs[run] as number;
      // Ranges of several words may overlap.
      for (let inRun = at; inRun < end && (terms[inRun] as number) < high; inRun += 1) {
        const value = payloads[inRun] as number;
        const boost = this.#boostOf(run, terms[inRun] as number);
        this.#noteNaming(this.#words[run] as number, boost * impact(value, brevity, counted), positionOf(value));
      }
    }
    for (let index = 0; index < this.#others.length; index += 1)
      this.#scoreOther(leaf, docId, this.#others[index] as number, counted);
    let held = 0;
    for (let word = 0; word < count; word += 1) if ((points[word] as number) > 0) held += 1;
    return held;
  }

  #boostOf(run: number, term: number): number {
    let boost = this.#boosts[run] as number;
    const last = this.#inner[run + 1] as number;
    for (let inner = this.#inner[run] as number; inner < last; inner += 1)
      if ((this.#innerLows[inner] as number) <= term && term < (this.#innerHighs[inner] as number))
        boost = Math.max(boost, this.#innerBoosts[inner] as number);
    return boost;
  }

  #brevityOf({ documents }: Leaf, docId: number): number {
    return brevityOf(documents.docValues[docId] as number, this.#termQueries.length);
  }

  #scoreOther(leaf: Leaf, docId: number, word: number, counted: FieldPoints): void {
    const { starts, terms, payloads } = leaf.naming.forward;
    const brevity = this.#brevityOf(leaf, docId);
    const { phraseMatches, fuzzy } = this.#termQueries[word] as TermQuery;
    for (const { boost, documents: docIds, payloads: said } of phraseMatches) {
      const at = firstNotBelow(docIds, 0, docIds.length, docId);
      if (docIds[at] !== docId) continue;
      this.#noteNaming(word, boost * impact(said[at] as number, brevity, counted), positionOf(said[at] as number));
    }
    if (fuzzy.lows.length === 0) return;
    const end = starts[docId + 1] as number;
    for (let at = starts[docId] as number; at < end; at += 1) {
      const run = fuzzyRangeOf(fuzzy, terms[at] as number);
      if (run < 0) continue;
      const boost = matchBoosts[fuzzyKindAt(fuzzy, run)];
      this.#noteNaming(
        word,
        boost * impact(payloads[at] as number, brevity, counted),
        positionOf(payloads[at] as number),
      );
    }
  }

  /** Scores the body for words that no naming field holds. @returns how many of them it holds */
  scoreBody(leaf: Leaf, docId: number, counted: FieldPoints): number {
    const points = this.#points;
    const positions = this.#positions;
    if (counted.body === 0) return 0;
    const isFurther = this.#mayBeDescribed();
    if (isFurther) this.#scoreDescribed(leaf.body.forward, docId, counted.body);
    // A term in both is kept with the naming fields, and these may be ones that do not count.
    if (!counted.isAll) this.#scoreDescribed(leaf.naming.forward, docId, counted.body, leaf.naming.forward.payloads);
    else if (!isFurther) return 0;
    let held = 0;
    for (let word = 0; word < this.#termQueries.length; word += 1)
      if ((points[word] as number) > 0 && (positions[word] as number) < 0) held += 1;
    return held;
  }

  /** @param payloads where given, only terms with `alsoDescribed` count */
  #scoreDescribed({ starts, terms }: ForwardIndex, docId: number, bodyPoints: number, payloads?: Uint16Array): void {
    const positions = this.#positions;
    const isDescribed = (entry: number) =>
      payloads === undefined || ((payloads[entry] as number) & alsoDescribed) !== 0;
    const first = starts[docId] as number;
    const end = starts[docId + 1] as number;
    let at = first;
    for (let run = 0; at < end && run < this.#lows.length; run += 1) {
      const word = this.#words[run] as number;
      if ((positions[word] as number) >= 0) continue;
      const low = this.#lows[run] as number;
      while (at < end && (terms[at] as number) < low) at += 1;
      const high = this.#highs[run] as number;
      for (let inRun = at; inRun < end && (terms[inRun] as number) < high; inRun += 1)
        if (isDescribed(inRun)) this.#noteBody(word, this.#boostOf(run, terms[inRun] as number) * bodyPoints);
    }
    for (const word of this.#others) {
      const { fuzzy } = this.#termQueries[word] as TermQuery;
      if (fuzzy.lows.length === 0 || (positions[word] as number) >= 0) continue;
      for (let entry = first; entry < end; entry += 1) {
        const run = isDescribed(entry) ? fuzzyRangeOf(fuzzy, terms[entry] as number) : -1;
        if (run >= 0) this.#noteBody(word, matchBoosts[fuzzyKindAt(fuzzy, run)] * bodyPoints);
      }
    }
  }

  /** Whether any body may hold a word that no naming field of the document holds. */
  #mayBeDescribed(): boolean {
    const positions = this.#positions;
    for (let word = 0; word < this.#termQueries.length; word += 1)
      if ((positions[word] as number) < 0 && (this.#termQueries[word] as TermQuery).bodyCost > 0) return true;
    return false;
  }

  /** Notes a match in a naming field: of a word the best points count, and of equals the first position. */
  #noteNaming(word: number, value: number, position: number): void {
    const points = this.#points;
    const best = points[word] as number;
    if (value < best || value === 0 || (value === best && position >= (this.#positions[word] as number))) return;
    points[word] = value;
    this.#positions[word] = position;
  }

  /** Notes a match in the body, unless the word stands in a naming field. */
  #noteBody(word: number, value: number): void {
    if ((this.#positions[word] as number) < 0 && value > (this.#points[word] as number)) this.#points[word] = value;
  }
}

interface Run {
  readonly word: number;
  readonly outer: ExpandedTerm;
  /** Ranges within the outer one. */
  readonly inner: ExpandedTerm[];
}

/** Adds the ranges of a word to runs in ascending order. */
function addRuns(runs: Run[], word: number, ranges: readonly ExpandedTerm[]): void {
  for (const range of ranges) {
    if (ranges.some((other) => other !== range && holds(other, range))) continue;
    const inner = ranges.filter((other) => other !== range && holds(range, other));
    let at = runs.length;
    while (at > 0 && (runs[at - 1] as Run).outer.low > range.low) at -= 1;
    runs.splice(at, 0, { word, outer: range, inner });
  }
}

/** Whether one range contains another; of two equal ones, the one with the greater boost contains the other. */
function holds(one: ExpandedTerm, other: ExpandedTerm): boolean {
  if (one.low > other.low || one.high < other.high) return false;
  return (
    one.low < other.low ||
    one.high > other.high ||
    one.boost > other.boost ||
    (one.boost === other.boost && one.kind < other.kind)
  );
}
