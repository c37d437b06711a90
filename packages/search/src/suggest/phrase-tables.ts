import { isDigit } from "../analysis/chunks.ts";
import { collectWords } from "../analysis/languages/registry.ts";
import { growArray, releaseBuffer } from "../arrays/shared-arrays.ts";
import { decodeText, TermTable } from "../terms/term-table.ts";

/**
 * Counts word sequences (runs) of two or more words. A run has a number and consists of a prefix (a word, or the run
 * before its last word) and its last word:
 *
 *     "snow boots"       prefix: word snow          last word: boots
 *     "snow boots kids"  prefix: run "snow boots"   last word: kids
 *
 * A prefix has a lower number than the runs that start with it. Rare runs are dropped if there are too many.
 */
export interface SequenceTable {
  readonly count: number;
  /** Returns the number that identifies a word sequence (run), or -1 if the sequence is not stored. */
  find(prefix: SequencePrefix, word: number): number;
  /** Returns the number that identifies a word sequence (run). Adds the sequence if it is not stored. */
  findOrAdd(prefix: SequencePrefix, word: number): number;
  prefixOf(run: number): SequencePrefix;
  lastWordOf(run: number): number;
  /** Returns how often a word sequence occurs in titles. */
  countOf(run: number): number;
  addCount(run: number, occurrences: number): void;
  /** Returns the total weight of the vendors, types and titles that equal a word sequence. */
  fullTextWeightOf(run: number): number;
  addFullText(run: number, points: number): void;
  /** Returns whether a word sequence is a complete title. */
  isTitle(run: number): boolean;
  markTitle(run: number): void;
  /**
   * Drops rare word sequences if there are too many.
   * @returns whether any were dropped, which changes the numbers of the remaining sequences
   */
  compact(): boolean;
}

/** Beginning of a word sequence: the number of a word, or the number of a shorter sequence plus `wordRunFlag`. */
export type SequencePrefix = number;
export const wordRunFlag = 0x80000000;

export function createPhraseTable(maxRuns: number): SequenceTable {
  let wordRunCount = 0;
  /**
   * Four values per word sequence that are read together: prefix, last word, number of occurrences in titles, and
   * weight as a complete vendor, type or title.
   */
  let runs = new Uint32Array(1 << 12);
  let titleFlags = new Uint8Array(1 << 10);
  /**
   * Hash table of the numbers of word sequences, plus one. 0 marks a free slot. At least half of the slots are free.
   */
  let slots = new Uint32Array(1 << 11);
  /** Word sequences with at most this count are rare. They are dropped first when the table is full. */
  let maxRareOccurrences = 1;

  const findSlot = (prefix: SequencePrefix, word: number): number => {
    const mask = slots.length - 1;
    let slot = hashPhrase(prefix, word) & mask;
    for (;;) {
      const run = slots[slot] as number;
      if (run === 0 || (runs[run * 4 - 4] === prefix && runs[run * 4 - 3] === word)) return slot;
      slot = (slot + 1) & mask;
    }
  };
  const rehashSlots = (): void => {
    for (let run = 0; run < wordRunCount; run += 1)
      slots[findSlot(runs[run * 4] as number, runs[run * 4 + 1] as number)] = run + 1;
  };
  const dropRarePhrases = (): void => {
    const newNumbers = new Uint32Array(wordRunCount);
    for (let run = wordRunCount - 1; run >= 0; run -= 1) {
      if ((runs[run * 4 + 2] as number) + (runs[run * 4 + 3] as number) > maxRareOccurrences) newNumbers[run] = 1;
      const prefix = runs[run * 4] as number;
      if (newNumbers[run] === 1 && prefix >= wordRunFlag) newNumbers[prefix - wordRunFlag] = 1;
    }
    let storedCount = 0;
    for (let run = 0; run < wordRunCount; run += 1) {
      if (newNumbers[run] === 0) continue;
      const prefix = runs[run * 4] as number;
      runs.copyWithin(storedCount * 4, run * 4, run * 4 + 4);
      if (prefix >= wordRunFlag) runs[storedCount * 4] = wordRunFlag + (newNumbers[prefix - wordRunFlag] as number);
      titleFlags[storedCount] = titleFlags[run] as number;
      newNumbers[run] = storedCount;
      storedCount += 1;
    }
    runs.fill(0, storedCount * 4, wordRunCount * 4);
    titleFlags.fill(0, storedCount, wordRunCount);
    wordRunCount = storedCount;
    slots.fill(0);
    rehashSlots();
  };
  return {
    get count() {
      return wordRunCount;
    },
    countOf: (run) => runs[run * 4 + 2] as number,
    addCount(run, occurrences) {
      runs[run * 4 + 2] = (runs[run * 4 + 2] as number) + occurrences;
    },
    fullTextWeightOf: (run) => runs[run * 4 + 3] as number,
    addFullText(run, points) {
      runs[run * 4 + 3] = (runs[run * 4 + 3] as number) + points;
    },
    isTitle: (run) => titleFlags[run] === 1,
    markTitle(run) {
      titleFlags[run] = 1;
    },
    find: (prefix, word) => (slots[findSlot(prefix, word)] as number) - 1,
    findOrAdd(prefix, word) {
      let slot = findSlot(prefix, word);
      const existingRun = slots[slot] as number;
      if (existingRun !== 0) return existingRun - 1;
      if (wordRunCount === titleFlags.length) {
        runs = growArray(runs);
        titleFlags = growArray(titleFlags);
        releaseBuffer(slots);
        slots = new Uint32Array(titleFlags.length * 2);
        rehashSlots();
        slot = findSlot(prefix, word);
      }
      runs[wordRunCount * 4] = prefix;
      runs[wordRunCount * 4 + 1] = word;
      wordRunCount += 1;
      slots[slot] = wordRunCount;
      return wordRunCount - 1;
    },
    prefixOf: (run) => runs[run * 4] as number,
    lastWordOf: (run) => runs[run * 4 + 1] as number,
    compact() {
      if (wordRunCount <= maxRuns) return false;
      while (wordRunCount > maxRuns) {
        dropRarePhrases();
        // If too few word sequences are rare, the limit rises until half of the capacity is free.
        if (wordRunCount > maxRuns / 2) maxRareOccurrences *= 2;
      }
      return true;
    },
  };
}

function hashPhrase(prefix: SequencePrefix, word: number): number {
  let hash = Math.imul(prefix ^ (prefix >>> 16), 0x9e3779b1) ^ Math.imul(word + 0x7f4a7c15, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/** Numbers the words of titles and counts their occurrences. */
export interface WordList {
  readonly count: number;
  /**
   * Returns the number that identifies the word in `units` from `start` to `end` (exclusive). Adds the word if it is
   * new. Returns -1 if the list is full.
   */
  numberOf(units: Uint16Array, start: number, end: number): number;
  /** Returns whether a phrase may start and end with a word: false for fillers ("the"), numbers and short words. */
  isEdge(word: number): boolean;
  /** Returns the length of a word in UTF-16 units. */
  lengthOf(word: number): number;
  textOf(word: number): string;
  countOf(word: number): number;
  addCount(word: number, occurrences: number): void;
  fullTextWeightOf(word: number): number;
  addFullText(word: number, points: number): void;
}

/** Maximum number of words. Words that first occur later are rare. */
const maxWords = 1 << 20;
const fillerWords = collectWords((language) => language.fillers);

export function createWordList(): WordList {
  const table = new TermTable(maxWords);
  /**
   * Four values per word that are read together: number of occurrences in titles, weight as a complete vendor, type or
   * title, length, and 1 if a phrase may start and end with the word.
   */
  let counts = new Uint32Array(1 << 12);
  return {
    get count() {
      return table.size;
    },
    numberOf(units, start, end) {
      const previousSize = table.size;
      const word = table.add(units, start, end);
      if (word < previousSize) return word;
      if (word * 4 === counts.length) counts = growArray(counts);
      counts[word * 4 + 2] = end - start;
      counts[word * 4 + 3] = canBeEdge(units, start, end) ? 1 : 0;
      return word;
    },
    isEdge: (word) => counts[word * 4 + 3] === 1,
    lengthOf: (word) => counts[word * 4 + 2] as number,
    textOf: (word) => table.textAt(word),
    countOf: (word) => counts[word * 4] as number,
    addCount(word, occurrences) {
      counts[word * 4] = (counts[word * 4] as number) + occurrences;
    },
    fullTextWeightOf: (word) => counts[word * 4 + 1] as number,
    addFullText(word, points) {
      counts[word * 4 + 1] = (counts[word * 4 + 1] as number) + points;
    },
  };
}

function canBeEdge(units: Uint16Array, start: number, end: number): boolean {
  let isAscii = true;
  for (let index = start; index < end; index += 1) {
    const unit = units[index] as number;
    if (isDigit(unit)) return false;
    if (unit > 0x7f) isAscii = false;
  }
  if (isAscii && end - start < 3) return false;
  const word = decodeText(units, start, end);
  if (fillerWords.has(word)) return false;
  return isAscii || (/\p{L}/u.test(word) && !/\p{N}/u.test(word));
}
