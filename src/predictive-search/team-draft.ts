import { DAY_MS } from "../runtime/durations.ts";
import { hashFnv1a } from "../runtime/hash.ts";

/** One list that combines the products of two rankings. */
export interface Interleaving {
  /** Document numbers, in the order that the shopper sees. */
  readonly numbers: readonly number[];
  /** The products that the draft contributed. The live rules contributed the others. */
  readonly draftProducts: ReadonlySet<number>;
}

/**
 * Number of test groups of visitors. Each group has its own sequence of three coin tosses. Each toss decides whether
 * the live rules or the draft contribute the first product of a pair. A response is therefore cached in at most eight
 * versions. All eight possible sequences are used, so that neither ranking has an advantage.
 */
export const GROUP_COUNT = 8;
const COIN_FLIP_COUNT = 3;

/**
 * Returns the visitor's test group on a day (UTC). It changes daily, so that the results of different days are
 * independent.
 */
export function assignTestGroup(visitor: string, now: number): number {
  const hash = hashFnv1a(`${Math.floor(now / DAY_MS)} ${visitor}`);
  return (hash ^ (hash >>> 16)) & (GROUP_COUNT - 1);
}

/**
 * Combines two rankings by team-draft interleaving: the rankings take turns, and each contributes its best product that
 * is not in the list yet. A coin toss decides which ranking is first in each pair of turns (Radlinski, Kurup and
 * Joachims, "How does clickthrough data reflect retrieval quality?", CIKM 2008).
 * @param testGroup test group, from 0 to `GROUP_COUNT` - 1. Its bits are the coin tosses
 */
export function interleave(liveNumbers: readonly number[], draft: readonly number[], testGroup: number): Interleaving {
  const numbers: number[] = [];
  const addedNumbers = new Set<number>();
  const draftNumbers = new Set<number>();
  const length = Math.max(liveNumbers.length, draft.length);
  let [livePosition, draftPosition] = [0, 0];
  while (numbers.length < length) {
    while (addedNumbers.has(liveNumbers[livePosition] as number)) livePosition += 1;
    while (addedNumbers.has(draft[draftPosition] as number)) draftPosition += 1;
    const liveHitCount = numbers.length - draftNumbers.size;
    const isDraftPickedFirst = ((testGroup >> (liveHitCount % COIN_FLIP_COUNT)) & 1) === 1;
    const isDraftNext = draftNumbers.size === liveHitCount ? isDraftPickedFirst : draftNumbers.size < liveHitCount;
    const number = isDraftNext
      ? (draft[draftPosition] ?? liveNumbers[livePosition])
      : (liveNumbers[livePosition] ?? draft[draftPosition]);
    if (number === undefined) break;
    if (number === draft[draftPosition] && (isDraftNext || liveNumbers[livePosition] === undefined))
      draftNumbers.add(number);
    numbers.push(number);
    addedNumbers.add(number);
  }
  return { numbers, draftProducts: draftNumbers };
}
