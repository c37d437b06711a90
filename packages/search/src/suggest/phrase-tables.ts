import { isDigit } from "../analysis/chunks.ts";
import { isFiller } from "../analysis/particles.ts";
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
  prefixOf(sequenceId: number): SequencePrefix;
  lastWordOf(sequenceId: number): number;
  /** Returns how often a word sequence occurs in titles. */
  getCount(sequenceId: number): number;
  addCount(sequenceId: number, occurrences: number): void;
  /** Returns the total weight of the vendors, types and titles that equal a word sequence. */
  completeTextWeightOf(sequenceId: number): number;
  addFullText(sequenceId: number, addedWeight: number): void;
  /** Returns whether a word sequence is a complete title. */
  isTitle(sequenceId: number): boolean;
  markTitle(sequenceId: number): void;
  /**
   * Drops rare word sequences if there are too many.
   * @returns whether any were dropped, which changes the numbers of the remaining sequences
   */
  compact(): boolean;
}

/** Beginning of a word sequence: the number of a word, or the number of a shorter sequence plus `sequencePrefixFlag`. */
export type SequencePrefix = number;
export const sequencePrefixFlag = 0x80000000;

export function createPhraseTable(maxSequences: number): SequenceTable {
  let sequenceCount = 0;
  /**
   * Four values per word sequence that are read together: prefix, last word, number of occurrences in titles, and
   * weight as a complete vendor, type or title.
   */
  let sequenceRecords = new Uint32Array(1 << 12);
  let isTitleFlags = new Uint8Array(1 << 10);
  /**
   * Hash table of the numbers of word sequences, plus one. 0 marks a free slot. At least half of the slots are free.
   */
  let slots = new Uint32Array(1 << 11);
  /** Word sequences with at most this count are rare. They are dropped first when the table is full. */
  let maxRareOccurrences = 1;

  const findSlot = (prefix: SequencePrefix, word: number): number => {
    const slotMask = slots.length - 1;
    let slot = hashPhrase(prefix, word) & slotMask;
    for (;;) {
      const sequenceId = slots[slot] as number;
      if (
        sequenceId === 0 ||
        (sequenceRecords[sequenceId * 4 - 4] === prefix && sequenceRecords[sequenceId * 4 - 3] === word)
      )
        return slot;
      slot = (slot + 1) & slotMask;
    }
  };
  const rebuildHashTable = (): void => {
    for (let sequenceId = 0; sequenceId < sequenceCount; sequenceId += 1)
      slots[findSlot(sequenceRecords[sequenceId * 4] as number, sequenceRecords[sequenceId * 4 + 1] as number)] =
        sequenceId + 1;
  };
  const dropRarePhrases = (): void => {
    const newIndices = new Uint32Array(sequenceCount);
    for (let sequenceId = sequenceCount - 1; sequenceId >= 0; sequenceId -= 1) {
      if (
        (sequenceRecords[sequenceId * 4 + 2] as number) + (sequenceRecords[sequenceId * 4 + 3] as number) >
        maxRareOccurrences
      )
        newIndices[sequenceId] = 1;
      const prefix = sequenceRecords[sequenceId * 4] as number;
      if (newIndices[sequenceId] === 1 && prefix >= sequencePrefixFlag) newIndices[prefix - sequencePrefixFlag] = 1;
    }
    let storedCount = 0;
    for (let sequenceId = 0; sequenceId < sequenceCount; sequenceId += 1) {
      if (newIndices[sequenceId] === 0) continue;
      const prefix = sequenceRecords[sequenceId * 4] as number;
      sequenceRecords.copyWithin(storedCount * 4, sequenceId * 4, sequenceId * 4 + 4);
      if (prefix >= sequencePrefixFlag)
        sequenceRecords[storedCount * 4] = sequencePrefixFlag + (newIndices[prefix - sequencePrefixFlag] as number);
      isTitleFlags[storedCount] = isTitleFlags[sequenceId] as number;
      newIndices[sequenceId] = storedCount;
      storedCount += 1;
    }
    sequenceRecords.fill(0, storedCount * 4, sequenceCount * 4);
    isTitleFlags.fill(0, storedCount, sequenceCount);
    sequenceCount = storedCount;
    slots.fill(0);
    rebuildHashTable();
  };
  return {
    get count() {
      return sequenceCount;
    },
    getCount: (sequenceId) => sequenceRecords[sequenceId * 4 + 2] as number,
    addCount(sequenceId, occurrences) {
      sequenceRecords[sequenceId * 4 + 2] = (sequenceRecords[sequenceId * 4 + 2] as number) + occurrences;
    },
    completeTextWeightOf: (sequenceId) => sequenceRecords[sequenceId * 4 + 3] as number,
    addFullText(sequenceId, addedWeight) {
      sequenceRecords[sequenceId * 4 + 3] = (sequenceRecords[sequenceId * 4 + 3] as number) + addedWeight;
    },
    isTitle: (sequenceId) => isTitleFlags[sequenceId] === 1,
    markTitle(sequenceId) {
      isTitleFlags[sequenceId] = 1;
    },
    find: (prefix, word) => (slots[findSlot(prefix, word)] as number) - 1,
    findOrAdd(prefix, word) {
      let slot = findSlot(prefix, word);
      const slotValue = slots[slot] as number;
      if (slotValue !== 0) return slotValue - 1;
      if (sequenceCount === isTitleFlags.length) {
        sequenceRecords = growArray(sequenceRecords);
        isTitleFlags = growArray(isTitleFlags);
        releaseBuffer(slots);
        slots = new Uint32Array(isTitleFlags.length * 2);
        rebuildHashTable();
        slot = findSlot(prefix, word);
      }
      sequenceRecords[sequenceCount * 4] = prefix;
      sequenceRecords[sequenceCount * 4 + 1] = word;
      sequenceCount += 1;
      slots[slot] = sequenceCount;
      return sequenceCount - 1;
    },
    prefixOf: (sequenceId) => sequenceRecords[sequenceId * 4] as number,
    lastWordOf: (sequenceId) => sequenceRecords[sequenceId * 4 + 1] as number,
    compact() {
      if (sequenceCount <= maxSequences) return false;
      while (sequenceCount > maxSequences) {
        dropRarePhrases();
        // If too few word sequences are rare, the limit rises until half of the capacity is free.
        if (sequenceCount > maxSequences / 2) maxRareOccurrences *= 2;
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
  findOrAddWord(units: Uint16Array, start: number, end: number): number;
  /** Returns whether a phrase may start and end with a word: false for fillers ("the"), numbers and short words. */
  mayStartOrEndPhrase(word: number): boolean;
  /** Returns the length of a word in UTF-16 units. */
  lengthOf(word: number): number;
  textOf(word: number): string;
  getCount(word: number): number;
  addCount(word: number, occurrences: number): void;
  completeTextWeightOf(word: number): number;
  addFullText(word: number, addedWeight: number): void;
}

/** Maximum number of words. Words that first occur later are rare. */
const maxWords = 1 << 20;

/** @param locale language of the titles */
export function createWordList(locale: string): WordList {
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
    findOrAddWord(units, start, end) {
      const previousSize = table.size;
      const word = table.add(units, start, end);
      if (word < previousSize) return word;
      if (word * 4 === counts.length) counts = growArray(counts);
      counts[word * 4 + 2] = end - start;
      counts[word * 4 + 3] = isEdgeWord(units, start, end, locale) ? 1 : 0;
      return word;
    },
    mayStartOrEndPhrase: (word) => counts[word * 4 + 3] === 1,
    lengthOf: (word) => counts[word * 4 + 2] as number,
    textOf: (word) => table.textAt(word),
    getCount: (word) => counts[word * 4] as number,
    addCount(word, occurrences) {
      counts[word * 4] = (counts[word * 4] as number) + occurrences;
    },
    completeTextWeightOf: (word) => counts[word * 4 + 1] as number,
    addFullText(word, addedWeight) {
      counts[word * 4 + 1] = (counts[word * 4 + 1] as number) + addedWeight;
    },
  };
}

function isEdgeWord(units: Uint16Array, start: number, end: number, locale: string): boolean {
  let isAscii = true;
  for (let index = start; index < end; index += 1) {
    const unit = units[index] as number;
    if (isDigit(unit)) return false;
    if (unit > 0x7f) isAscii = false;
  }
  if (isAscii && end - start < 3) return false;
  const word = decodeText(units, start, end);
  if (isFiller(word, locale)) return false;
  return isAscii || (/\p{L}/u.test(word) && !/\p{N}/u.test(word));
}
