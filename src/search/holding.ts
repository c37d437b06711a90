import type { Alternative, Plan } from "./expansion.ts";
import type { Part } from "./part.ts";
import { firstNotBelow, positionOf } from "./postings.ts";
import { maxWords } from "./query.ts";
import { type FieldPoints, impact } from "./ranking.ts";

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

/** Reads documents for the words of a query. What the words may stand for lies in runs of terms, none of which overlap:
 *
 *      lows     12   40   41         snow, snowboard, snowboards
 *      highs    13   41   42
 *      firsts   0    1    2    4     entries firsts[n] up to firsts[n + 1] of what run n stands for
 *      words    0    0    0  1
 *      shares   100  80   80 100
 *
 *  A document's terms ascend as the runs do, so both are walked together. */
export class Reader {
  readonly #plans: readonly Plan[];
  readonly #lows: readonly number[];
  readonly #highs: readonly number[];
  readonly #firsts: readonly number[];
  readonly #words: readonly number[];
  readonly #shares: readonly number[];

  constructor(plans: readonly Plan[]) {
    this.#plans = plans;
    const ends = new Set<number>();
    for (const { ranges } of plans)
      for (const { low, high } of ranges) {
        ends.add(low);
        ends.add(high);
      }
    const sorted = [...ends].sort((one, other) => one - other);
    const [lows, highs, firsts, words, shares]: number[][] = [[], [], [0], [], []];
    for (let index = 0; index + 1 < sorted.length; index += 1) {
      const low = sorted[index] as number;
      plans.forEach(({ ranges }, word) => {
        let best = 0;
        for (const range of ranges) if (range.low <= low && low < range.high) best = Math.max(best, range.share);
        if (best === 0) return;
        words?.push(word);
        shares?.push(best);
      });
      if (words?.length === firsts?.at(-1)) continue;
      lows?.push(low);
      highs?.push(sorted[index + 1] as number);
      firsts?.push(words?.length ?? 0);
    }
    this.#lows = lows ?? [];
    this.#highs = highs ?? [];
    this.#firsts = firsts ?? [];
    this.#words = words ?? [];
    this.#shares = shares ?? [];
  }

  /** Reads the fields of a document that name it. @returns how many words it holds in them */
  readHead({ head, documents }: Part, place: number, counted: FieldPoints): number {
    const { starts, terms, marks } = head.rows;
    const end = starts[place + 1] as number;
    const titleLength = documents.titleLengths[place] as number;
    const count = this.#plans.length;
    for (let word = 0; word < count; word += 1) {
      points[word] = 0;
      positions[word] = -1;
    }
    const lows = this.#lows;
    const highs = this.#highs;
    const runs = lows.length;
    let run = 0;
    for (let at = starts[place] as number; at < end; at += 1) {
      const term = terms[at] as number;
      while (run < runs && (highs[run] as number) <= term) run += 1;
      if (run === runs) break;
      if (term < (lows[run] as number)) continue;
      const value = impact(marks[at] as number, titleLength, counted);
      const position = positionOf(marks[at] as number);
      const last = this.#firsts[run + 1] as number;
      for (let entry = this.#firsts[run] as number; entry < last; entry += 1)
        meet(this.#words[entry] as number, (this.#shares[entry] as number) * value, position);
    }
    let held = 0;
    for (let word = 0; word < count; word += 1) {
      const { sequences, bent } = this.#plans[word] as Plan;
      for (const { share, documents: places, marks: said } of sequences) {
        const at = firstNotBelow(places, 0, places.length, place);
        if (places[at] !== place) continue;
        meet(word, share * impact(said[at] as number, titleLength, counted), positionOf(said[at] as number));
      }
      for (let at = starts[place] as number; bent.length > 0 && at < end; at += 1) {
        const found = runOf(bent, terms[at] as number);
        if (found === undefined) continue;
        meet(word, found.share * impact(marks[at] as number, titleLength, counted), positionOf(marks[at] as number));
      }
      if ((points[word] as number) > 0) held += 1;
    }
    return held;
  }

  /** Reads the description for words that `readHead` did not find. @returns how many of them it holds */
  readBody({ body }: Part, place: number, counted: FieldPoints): number {
    if (counted.body === 0) return 0;
    const { starts, terms } = body.rows;
    const end = starts[place + 1] as number;
    let at = starts[place] as number;
    for (let run = 0; at < end && run < this.#lows.length; run += 1) {
      at = firstNotBelow(terms, at, end, this.#lows[run] as number);
      if (at === end || (terms[at] as number) >= (this.#highs[run] as number)) continue;
      const last = this.#firsts[run + 1] as number;
      for (let entry = this.#firsts[run] as number; entry < last; entry += 1)
        describe(this.#words[entry] as number, (this.#shares[entry] as number) * counted.body);
    }
    let held = 0;
    for (let word = 0; word < this.#plans.length; word += 1) {
      const { bent } = this.#plans[word] as Plan;
      if (bent.length > 0 && (positions[word] as number) < 0)
        for (at = starts[place] as number; at < end; at += 1)
          describe(word, (runOf(bent, terms[at] as number)?.share ?? 0) * counted.body);
      if ((points[word] as number) > 0 && (positions[word] as number) < 0) held += 1;
    }
    return held;
  }
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

/** The run a term lies in. */
export function runOf(runs: readonly Alternative[], term: number): Alternative | undefined {
  let low = 0;
  let high = runs.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((runs[middle] as Alternative).high <= term) low = middle + 1;
    else high = middle;
  }
  const run = runs[low];
  return run !== undefined && run.low <= term ? run : undefined;
}
