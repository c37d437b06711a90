import { widened } from "./phrase-words.ts";

/** Runs of two words and more, counted. A run is known by its number and made of a *left* (a word, or the run before its last
 *  word) and that last word:
 *
 *      "snow boots"       left: word snow          word: boots
 *      "snow boots kids"  left: run "snow boots"   word: kids
 *
 *  A left has a lower number than the runs it begins. When there are too many, rare ones are forgotten. */
export interface RunTable {
  readonly count: number;
  /** Number of a run, -1 where it is not known. */
  find(left: Left, word: number): number;
  /** The same, made where it is not known. */
  make(left: Left, word: number): number;
  left(run: number): Left;
  word(run: number): number;
  /** By run: times met in titles, and points of texts that are the run as a whole. */
  readonly met: Uint32Array;
  readonly wholes: Uint32Array;
  /** By run: 1 where it is all of a title. */
  readonly titles: Uint8Array;
  /** Forgets rare runs if there are too many; numbers change. */
  tidy(): void;
}

/** A word, or a run with `isRun` added. */
export type Left = number;
export const isRun = 0x80000000;

export function createRunTable(maxRuns: number): RunTable {
  let count = 0;
  let lefts = new Uint32Array(1 << 10);
  let words = new Uint32Array(1 << 10);
  let met = new Uint32Array(1 << 10);
  let wholes = new Uint32Array(1 << 10);
  let titles = new Uint8Array(1 << 10);
  /** Hash -> number + 1; 0: free. Twice as many as runs, at least. */
  let slots = new Uint32Array(1 << 11);
  /** Runs met no more often are forgotten first. */
  let rare = 1;

  const slotOf = (left: Left, word: number): number => {
    const mask = slots.length - 1;
    let slot = hashOf(left, word) & mask;
    for (;;) {
      const run = slots[slot] as number;
      if (run === 0 || (lefts[run - 1] === left && words[run - 1] === word)) return slot;
      slot = (slot + 1) & mask;
    }
  };
  const place = (): void => {
    for (let run = 0; run < count; run += 1) slots[slotOf(lefts[run] as number, words[run] as number)] = run + 1;
  };
  const forget = (): void => {
    const moved = new Uint32Array(count);
    for (let run = count - 1; run >= 0; run -= 1) {
      if ((met[run] as number) + (wholes[run] as number) > rare) moved[run] = 1;
      const left = lefts[run] as number;
      if (moved[run] === 1 && left >= isRun) moved[left - isRun] = 1;
    }
    let kept = 0;
    for (let run = 0; run < count; run += 1) {
      if (moved[run] === 0) continue;
      const left = lefts[run] as number;
      lefts[kept] = left >= isRun ? isRun + (moved[left - isRun] as number) : left;
      words[kept] = words[run] as number;
      met[kept] = met[run] as number;
      wholes[kept] = wholes[run] as number;
      titles[kept] = titles[run] as number;
      moved[run] = kept;
      kept += 1;
    }
    met.fill(0, kept, count);
    wholes.fill(0, kept, count);
    titles.fill(0, kept, count);
    count = kept;
    slots.fill(0);
    place();
  };
  return {
    get count() {
      return count;
    },
    get met() {
      return met;
    },
    get wholes() {
      return wholes;
    },
    get titles() {
      return titles;
    },
    find: (left, word) => (slots[slotOf(left, word)] as number) - 1,
    make(left, word) {
      let slot = slotOf(left, word);
      const known = slots[slot] as number;
      if (known !== 0) return known - 1;
      if (count === lefts.length) {
        lefts = widened(lefts);
        words = widened(words);
        met = widened(met);
        wholes = widened(wholes);
        titles = widened(titles);
        slots = new Uint32Array(slots.length * 2);
        place();
        slot = slotOf(left, word);
      }
      lefts[count] = left;
      words[count] = word;
      count += 1;
      slots[slot] = count;
      return count - 1;
    },
    left: (run) => lefts[run] as number,
    word: (run) => words[run] as number,
    tidy() {
      while (count > maxRuns) {
        forget();
        // Where few are rare, the bar rises until half the room is free.
        if (count > maxRuns / 2) rare *= 2;
      }
    },
  };
}

function hashOf(left: Left, word: number): number {
  let hash = Math.imul(left ^ (left >>> 16), 0x9e3779b1) ^ Math.imul(word + 0x7f4a7c15, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}
