import { isDigit } from "../analysis/chunks.ts";
import { collectWords } from "../analysis/languages/registry.ts";
import { doubleCapacity, release } from "../arrays/shared-arrays.ts";
import { TermTable, textOfUnits } from "../terms/term-table.ts";

/**
 * Counts of runs of two or more words. A run has a number and consists of a prefix (a word, or the run before its last
 * word) and its last word:
 *
 *     "snow boots"       prefix: word snow          last word: boots
 *     "snow boots kids"  prefix: run "snow boots"   last word: kids
 *
 * A prefix has a lower number than the runs that start with it. Rare runs are dropped if there are too many.
 */
export interface RunTable {
  readonly count: number;
  /** Returns the number of a run, or -1 if it is unknown. */
  find(left: Left, word: number): number;
  /** Returns the number of a run, which is added if it is unknown. */
  make(left: Left, word: number): number;
  left(run: number): Left;
  word(run: number): number;
  /** Returns the number of occurrences in titles. */
  met(run: number): number;
  meet(run: number, times: number): void;
  /** Returns the weight of texts that equal the run. */
  wholes(run: number): number;
  addWhole(run: number, points: number): void;
  /** Returns whether the run is a complete title. */
  isTitle(run: number): boolean;
  markTitle(run: number): void;
  /** Drops rare runs if there are too many.  @returns whether runs were dropped, which changes run numbers */
  compact(): boolean;
}

/** Prefix of a run: a word number, or a run number plus `runFlag`. */
export type Left = number;
export const isRun = 0x80000000;

export function createRunTable(maxRuns: number): RunTable {
  let count = 0;
  /** Four values per run that are read together: prefix, last word, count and full-text weight. */
  let runs = new Uint32Array(1 << 12);
  let titles = new Uint8Array(1 << 10);
  /** Hash table of run numbers plus one; 0 marks a free slot. It has at least twice as many slots as runs. */
  let slots = new Uint32Array(1 << 11);
  /** Maximum count of the runs that are dropped first when the table is full. */
  let rare = 1;

  const slotOf = (left: Left, word: number): number => {
    const mask = slots.length - 1;
    let slot = hashOf(left, word) & mask;
    for (;;) {
      const run = slots[slot] as number;
      if (run === 0 || (runs[run * 4 - 4] === left && runs[run * 4 - 3] === word)) return slot;
      slot = (slot + 1) & mask;
    }
  };
  const rehash = (): void => {
    for (let run = 0; run < count; run += 1)
      slots[slotOf(runs[run * 4] as number, runs[run * 4 + 1] as number)] = run + 1;
  };
  const forget = (): void => {
    const moved = new Uint32Array(count);
    for (let run = count - 1; run >= 0; run -= 1) {
      if ((runs[run * 4 + 2] as number) + (runs[run * 4 + 3] as number) > rare) moved[run] = 1;
      const left = runs[run * 4] as number;
      if (moved[run] === 1 && left >= isRun) moved[left - isRun] = 1;
    }
    let stored = 0;
    for (let run = 0; run < count; run += 1) {
      if (moved[run] === 0) continue;
      const left = runs[run * 4] as number;
      runs.copyWithin(stored * 4, run * 4, run * 4 + 4);
      if (left >= isRun) runs[stored * 4] = isRun + (moved[left - isRun] as number);
      titles[stored] = titles[run] as number;
      moved[run] = stored;
      stored += 1;
    }
    runs.fill(0, stored * 4, count * 4);
    titles.fill(0, stored, count);
    count = stored;
    slots.fill(0);
    rehash();
  };
  return {
    get count() {
      return count;
    },
    met: (run) => runs[run * 4 + 2] as number,
    meet(run, times) {
      runs[run * 4 + 2] = (runs[run * 4 + 2] as number) + times;
    },
    wholes: (run) => runs[run * 4 + 3] as number,
    addWhole(run, points) {
      runs[run * 4 + 3] = (runs[run * 4 + 3] as number) + points;
    },
    isTitle: (run) => titles[run] === 1,
    markTitle(run) {
      titles[run] = 1;
    },
    find: (left, word) => (slots[slotOf(left, word)] as number) - 1,
    make(left, word) {
      let slot = slotOf(left, word);
      const known = slots[slot] as number;
      if (known !== 0) return known - 1;
      if (count === titles.length) {
        runs = doubleCapacity(runs);
        titles = doubleCapacity(titles);
        release(slots);
        slots = new Uint32Array(titles.length * 2);
        rehash();
        slot = slotOf(left, word);
      }
      runs[count * 4] = left;
      runs[count * 4 + 1] = word;
      count += 1;
      slots[slot] = count;
      return count - 1;
    },
    left: (run) => runs[run * 4] as number,
    word: (run) => runs[run * 4 + 1] as number,
    compact() {
      if (count <= maxRuns) return false;
      while (count > maxRuns) {
        forget();
        // If few runs are rare, the limit rises until half of the capacity is free.
        if (count > maxRuns / 2) rare *= 2;
      }
      return true;
    },
  };
}

function hashOf(left: Left, word: number): number {
  let hash = Math.imul(left ^ (left >>> 16), 0x9e3779b1) ^ Math.imul(word + 0x7f4a7c15, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/** The numbered words of titles, with the same counts as runs (see `RunTable`). */
export interface WordList {
  readonly count: number;
  /**
   * Returns the number of the word in units `start` to `end` (exclusive), or -1 if it is unknown and the list is full.
   */
  number(units: Uint16Array, start: number, end: number): number;
  /** Returns whether a phrase may start and end with a word. Fillers, numbers and single letters cannot. */
  isEdge(word: number): boolean;
  /** Returns the length of a word in UTF-16 units. */
  length(word: number): number;
  text(word: number): string;
  met(word: number): number;
  meet(word: number, times: number): void;
  wholes(word: number): number;
  addWhole(word: number, points: number): void;
}

/** Maximum number of words. Words that first occur later are rare. */
const maxWords = 1 << 20;
const fillers = collectWords((language) => language.fillers);

export function createWordList(): WordList {
  const table = new TermTable(maxWords);
  /** Four values per word that are read together: count, full-text weight, length, and 1 for an edge. */
  let counts = new Uint32Array(1 << 12);
  return {
    get count() {
      return table.size;
    },
    number(units, start, end) {
      const known = table.size;
      const word = table.add(units, start, end);
      if (word < known) return word;
      if (word * 4 === counts.length) counts = doubleCapacity(counts);
      counts[word * 4 + 2] = end - start;
      counts[word * 4 + 3] = isGoodEdge(units, start, end) ? 1 : 0;
      return word;
    },
    isEdge: (word) => counts[word * 4 + 3] === 1,
    length: (word) => counts[word * 4 + 2] as number,
    text: (word) => table.textAt(word),
    met: (word) => counts[word * 4] as number,
    meet(word, times) {
      counts[word * 4] = (counts[word * 4] as number) + times;
    },
    wholes: (word) => counts[word * 4 + 1] as number,
    addWhole(word, points) {
      counts[word * 4 + 1] = (counts[word * 4 + 1] as number) + points;
    },
  };
}

function isGoodEdge(units: Uint16Array, start: number, end: number): boolean {
  let isAscii = true;
  for (let index = start; index < end; index += 1) {
    const unit = units[index] as number;
    if (isDigit(unit)) return false;
    if (unit > 0x7f) isAscii = false;
  }
  if (isAscii && end - start < 3) return false;
  const word = textOfUnits(units, start, end);
  if (fillers.has(word)) return false;
  return isAscii || (/\p{L}/u.test(word) && !/\p{N}/u.test(word));
}
