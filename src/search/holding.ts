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

/** Reads the fields of a document that name it.
 *  @param order in which words are looked for  @param mayLack go on where a word is not there  @returns how many words it holds */
export function readHead(
  { head, documents }: Part,
  place: number,
  plans: readonly Plan[],
  order: readonly number[],
  counted: FieldPoints,
  mayLack: boolean,
): number {
  const { starts, terms, marks } = head.rows;
  const start = starts[place] as number;
  const end = starts[place + 1] as number;
  const titleLength = documents.titleLengths[place] as number;
  let count = 0;
  for (const word of order) {
    const plan = plans[word] as Plan;
    let best = 0;
    let position = -1;
    for (const { low, high, share } of plan.ranges) {
      for (let at = firstNotBelow(terms, start, end, low); at < end && (terms[at] as number) < high; at += 1) {
        const value = share * impact(marks[at] as number, titleLength, counted);
        const stands = positionOf(marks[at] as number);
        if (value > best || (value === best && value > 0 && stands < position)) {
          best = value;
          position = stands;
        }
      }
    }
    for (const { share, documents: places, marks: said } of plan.sequences) {
      const at = firstNotBelow(places, 0, places.length, place);
      if (places[at] !== place) continue;
      const value = share * impact(said[at] as number, titleLength, counted);
      const stands = positionOf(said[at] as number);
      if (value > best || (value === best && value > 0 && stands < position)) {
        best = value;
        position = stands;
      }
    }
    for (let at = start; plan.bent.length > 0 && at < end; at += 1) {
      const run = runOf(plan.bent, terms[at] as number);
      if (run === undefined) continue;
      const value = run.share * impact(marks[at] as number, titleLength, counted);
      const stands = positionOf(marks[at] as number);
      if (value > best || (value === best && value > 0 && stands < position)) {
        best = value;
        position = stands;
      }
    }
    points[word] = best;
    positions[word] = position;
    if (best > 0) count += 1;
    else if (!mayLack) return count;
  }
  return count;
}

/** Reads the description for words that `readHead` did not find. @returns how many of them it holds */
export function readBody(
  { body }: Part,
  place: number,
  plans: readonly Plan[],
  order: readonly number[],
  counted: FieldPoints,
): number {
  if (counted.body === 0) return 0;
  const { starts, terms } = body.rows;
  const start = starts[place] as number;
  const end = starts[place + 1] as number;
  let count = 0;
  for (const word of order) {
    if ((points[word] as number) > 0) continue;
    const plan = plans[word] as Plan;
    let best = 0;
    for (const { low, high, share } of plan.ranges) {
      if (share <= best) continue;
      const at = firstNotBelow(terms, start, end, low);
      if (at < end && (terms[at] as number) < high) best = share;
    }
    for (let at = start; plan.bent.length > 0 && at < end; at += 1) {
      const run = runOf(plan.bent, terms[at] as number);
      if (run !== undefined && run.share > best) best = run.share;
    }
    points[word] = best * counted.body;
    positions[word] = -1;
    if (best > 0) count += 1;
  }
  return count;
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
