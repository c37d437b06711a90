import type { Alternative, Plan } from "./expansion.ts";
import { bentRun, bentWay } from "./misspellings.ts";
import type { Part } from "./part.ts";
import { alsoDescribed, firstNotBelow, positionOf, type Rows } from "./postings.ts";
import { maxWords } from "./query.ts";
import { brevityOf, type FieldPoints, impact, wayShares } from "./ranking.ts";

/** What the document read last holds of a query's words. Answers are made one at a time and without waiting, so one is enough. */
export interface Holding {
  /** By word: its points; 0: the document does not hold it. */
  readonly points: Int32Array;
  /** By word: its first position; -1 where it stands in the description alone. */
  readonly positions: Int32Array;
}

const points = new Int32Array(maxWords);
const positions = new Int32Array(maxWords);
export const holding: Holding = { points, positions };

/** Reads documents for the words of a query. What a word may stand for lies in runs of terms, and more narrowly in runs within them:
 *
 *      lows     12   40      snow, snowboard, snowboards, …; table
 *      highs    19   41
 *      words    0    1
 *      shares   80   100     as the beginning of a word; as a whole word
 *      inner    0    2  2    runs inner[n] up to inner[n + 1] lie within run n
 *
 *      innerLows 12, innerHighs 13, innerShares 100: snow itself; and so on
 *
 *  A document's terms ascend as the runs do, so both are walked together. */
export class Reader {
  readonly #plans: readonly Plan[];
  readonly #lows: number[] = [];
  readonly #highs: number[] = [];
  readonly #words: number[] = [];
  readonly #shares: number[] = [];
  readonly #inner: number[] = [0];
  readonly #innerLows: number[] = [];
  readonly #innerHighs: number[] = [];
  readonly #innerShares: number[] = [];
  /** Words that may stand for more than runs of terms. */
  readonly #others: number[] = [];

  constructor(plans: readonly Plan[]) {
    this.#plans = plans;
    const runs: Run[] = [];
    for (let word = 0; word < plans.length; word += 1) {
      const { ranges, sequences, bent } = plans[word] as Plan;
      if (sequences.length > 0 || bent.lows.length > 0) this.#others.push(word);
      addRuns(runs, word, ranges);
    }
    for (const { word, outer, inner } of runs) {
      this.#lows.push(outer.low);
      this.#highs.push(outer.high);
      this.#words.push(word);
      this.#shares.push(outer.share);
      for (const { low, high, share } of inner) {
        this.#innerLows.push(low);
        this.#innerHighs.push(high);
        this.#innerShares.push(share);
      }
      this.#inner.push(this.#innerLows.length);
    }
  }

  /** Reads the fields of a document that name it. @returns how many words it holds in them */
  readHead(part: Part, place: number, counted: FieldPoints): number {
    const { starts, terms, marks } = part.head.rows;
    const end = starts[place + 1] as number;
    const brevity = this.#brevityOf(part, place);
    const count = this.#plans.length;
    for (let word = 0; word < count; word += 1) {
      points[word] = 0;
      positions[word] = -1;
    }
    const lows = this.#lows;
    const highs = this.#highs;
    let at = starts[place] as number;
    for (let run = 0; run < lows.length; run += 1) {
      const low = lows[run] as number;
      while (at < end && (terms[at] as number) < low) at += 1;
      if (at === end) break;
      const high = highs[run] as number;
      // Runs of several words may overlap.
      for (let inRun = at; inRun < end && (terms[inRun] as number) < high; inRun += 1) {
        const value = marks[inRun] as number;
        const share = this.#shareOf(run, terms[inRun] as number);
        meet(this.#words[run] as number, share * impact(value, brevity, counted), positionOf(value));
      }
    }
    for (let index = 0; index < this.#others.length; index += 1)
      this.#readOther(part, place, this.#others[index] as number, counted);
    let held = 0;
    for (let word = 0; word < count; word += 1) if ((points[word] as number) > 0) held += 1;
    return held;
  }

  #shareOf(run: number, term: number): number {
    let share = this.#shares[run] as number;
    const last = this.#inner[run + 1] as number;
    for (let inner = this.#inner[run] as number; inner < last; inner += 1)
      if ((this.#innerLows[inner] as number) <= term && term < (this.#innerHighs[inner] as number))
        share = Math.max(share, this.#innerShares[inner] as number);
    return share;
  }

  #brevityOf({ documents }: Part, place: number): number {
    return brevityOf(documents.traits[place] as number, this.#plans.length);
  }

  #readOther(part: Part, place: number, word: number, counted: FieldPoints): void {
    const { starts, terms, marks } = part.head.rows;
    const brevity = this.#brevityOf(part, place);
    const { sequences, bent } = this.#plans[word] as Plan;
    for (const { share, documents: places, marks: said } of sequences) {
      const at = firstNotBelow(places, 0, places.length, place);
      if (places[at] !== place) continue;
      meet(word, share * impact(said[at] as number, brevity, counted), positionOf(said[at] as number));
    }
    if (bent.lows.length === 0) return;
    const end = starts[place + 1] as number;
    for (let at = starts[place] as number; at < end; at += 1) {
      const run = bentRun(bent, terms[at] as number);
      if (run < 0) continue;
      const share = wayShares[bentWay(bent, run)];
      meet(word, share * impact(marks[at] as number, brevity, counted), positionOf(marks[at] as number));
    }
  }

  /** Reads the description for words that `readHead` did not find. @returns how many of them it holds */
  readBody(part: Part, place: number, counted: FieldPoints): number {
    if (counted.body === 0) return 0;
    const isFurther = this.#mayBeDescribed();
    if (isFurther) this.#readDescribed(part.body.rows, place, counted.body);
    // A word of the description that names the document too is kept among the names, which may be in fields that do not count.
    if (!counted.isAll) this.#readDescribed(part.head.rows, place, counted.body, part.head.rows.marks);
    else if (!isFurther) return 0;
    let held = 0;
    for (let word = 0; word < this.#plans.length; word += 1)
      if ((points[word] as number) > 0 && (positions[word] as number) < 0) held += 1;
    return held;
  }

  /** @param marks where given, only terms marked as standing in the description count */
  #readDescribed({ starts, terms }: Rows, place: number, bodyPoints: number, marks?: Uint16Array): void {
    const isDescribed = (entry: number) => marks === undefined || ((marks[entry] as number) & alsoDescribed) !== 0;
    const first = starts[place] as number;
    const end = starts[place + 1] as number;
    let at = first;
    for (let run = 0; at < end && run < this.#lows.length; run += 1) {
      const word = this.#words[run] as number;
      if ((positions[word] as number) >= 0) continue;
      const low = this.#lows[run] as number;
      while (at < end && (terms[at] as number) < low) at += 1;
      const high = this.#highs[run] as number;
      for (let inRun = at; inRun < end && (terms[inRun] as number) < high; inRun += 1)
        if (isDescribed(inRun)) describe(word, this.#shareOf(run, terms[inRun] as number) * bodyPoints);
    }
    for (const word of this.#others) {
      const { bent } = this.#plans[word] as Plan;
      if (bent.lows.length === 0 || (positions[word] as number) >= 0) continue;
      for (let entry = first; entry < end; entry += 1) {
        const run = isDescribed(entry) ? bentRun(bent, terms[entry] as number) : -1;
        if (run >= 0) describe(word, wayShares[bentWay(bent, run)] * bodyPoints);
      }
    }
  }

  /** Whether a word that `readHead` did not find stands in any description. */
  #mayBeDescribed(): boolean {
    for (let word = 0; word < this.#plans.length; word += 1)
      if ((positions[word] as number) < 0 && (this.#plans[word] as Plan).bodySize > 0) return true;
    return false;
  }
}

interface Run {
  readonly word: number;
  readonly outer: Alternative;
  /** Within the outer one. */
  readonly inner: Alternative[];
}

/** Adds what a word may stand for to runs that ascend. */
function addRuns(runs: Run[], word: number, ranges: readonly Alternative[]): void {
  for (const range of ranges) {
    if (ranges.some((other) => other !== range && holds(other, range))) continue;
    const inner = ranges.filter((other) => other !== range && holds(range, other));
    let at = runs.length;
    while (at > 0 && (runs[at - 1] as Run).outer.low > range.low) at -= 1;
    runs.splice(at, 0, { word, outer: range, inner });
  }
}

/** Whether one range holds another; of two that are alike the one with the greater share does. */
function holds(one: Alternative, other: Alternative): boolean {
  if (one.low > other.low || one.high < other.high) return false;
  return (
    one.low < other.low ||
    one.high > other.high ||
    one.share > other.share ||
    (one.share === other.share && one.way < other.way)
  );
}

/** Notes a word that names the document: its best points, and of those its first position. */
function meet(word: number, value: number, position: number): void {
  const best = points[word] as number;
  if (value < best || value === 0 || (value === best && position >= (positions[word] as number))) return;
  points[word] = value;
  positions[word] = position;
}

/** Notes a word of the description, unless it names the document. */
function describe(word: number, value: number): void {
  if ((positions[word] as number) < 0 && value > (points[word] as number)) points[word] = value;
}
