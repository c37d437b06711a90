import { countWords, setBit } from "../arrays/bits.ts";
import type { TextTable } from "./dictionary.ts";

/**
 * Index of the pairs of letters in texts. It finds the texts that contain a word after at least three letters, without
 * a scan of all texts.
 *
 * The texts are divided into blocks of eight. A hash assigns each pair of letters to one of 256 rows of bits. Bit n of a
 * row is set if a text of block n contains a pair of this row. A word can only be in blocks whose bits are set in the
 * rows of all its pairs. The index takes four bytes per text.
 */
export class BigramIndex {
  readonly #texts: TextTable;
  readonly #rows: Uint32Array;
  /** Number of elements of `#rows` for one row. */
  readonly #rowLength: number;

  constructor(texts: TextTable) {
    const { units, starts } = texts;
    const textCount = starts.length - 1;
    this.#texts = texts;
    this.#rowLength = countWords(Math.ceil(textCount / blockTexts));
    this.#rows = new Uint32Array(rowCount * this.#rowLength);
    for (let text = 0; text < textCount; text += 1) {
      const block = Math.floor(text / blockTexts);
      const end = (starts[text + 1] as number) - 1;
      for (let unit = (starts[text] as number) + minLettersBeforeWord; unit < end; unit += 1) {
        const row = hashPair(units[unit] as number, units[unit + 1] as number);
        setBit(this.#rows, block, row * this.#rowLength);
      }
    }
  }

  /**
   * Returns the ordinals of the texts that end with one of the words, or contain one if `matchesAnywhere` is set. The
   * letters before the word must look like a word: at least three letters with a vowel.
   * @param words strings of at least two units
   */
  findContaining(words: readonly string[], matchesAnywhere: boolean): number[] {
    const { starts } = this.#texts;
    const ordinals: number[] = [];
    const rowStarts = words.map((word) =>
      Array.from(
        { length: word.length - 1 },
        (_, index) => hashPair(word.charCodeAt(index), word.charCodeAt(index + 1)) * this.#rowLength,
      ),
    );
    for (let element = 0; element < this.#rowLength; element += 1)
      for (let blocks = this.#findBlocks(rowStarts, element); blocks !== 0; blocks &= blocks - 1) {
        const firstText = (element * 32 + 31 - Math.clz32(blocks & -blocks)) * blockTexts;
        const end = Math.min(firstText + blockTexts, starts.length - 1);
        for (let text = firstText; text < end; text += 1)
          if (words.some((word) => this.#containsWord(text, word, matchesAnywhere))) ordinals.push(text);
      }
    return ordinals;
  }

  /** Returns the blocks of one element of the rows that may contain a word, as bits. */
  #findBlocks(rowStarts: readonly (readonly number[])[], element: number): number {
    let blocks = 0;
    for (const starts of rowStarts) {
      let wordBlocks = -1;
      for (const start of starts) wordBlocks &= this.#rows[start + element] as number;
      blocks |= wordBlocks;
    }
    return blocks;
  }

  #containsWord(text: number, word: string, matchesAnywhere: boolean): boolean {
    const { units, starts } = this.#texts;
    const from = (starts[text] as number) + minLettersBeforeWord;
    const last = (starts[text + 1] as number) - word.length;
    for (let wordStart = matchesAnywhere ? from : Math.max(from, last); wordStart <= last; wordStart += 1) {
      let length = 0;
      while (length < word.length && units[wordStart + length] === word.charCodeAt(length)) length += 1;
      if (length === word.length && hasVowel(units, starts[text] as number, wordStart)) return true;
    }
    return false;
  }
}

const blockTexts = 8;
const rowCount = 256;
/** Minimum number of letters before a word that is found within a longer word. */
const minLettersBeforeWord = 3;

function hashPair(unit: number, nextUnit: number): number {
  return (unit * 37 + nextUnit) & (rowCount - 1);
}

function hasVowel(units: Uint16Array, from: number, end: number): boolean {
  for (let unit = from; unit < end; unit += 1)
    if (/[aeiouy]/.test(String.fromCharCode(units[unit] as number))) return true;
  return false;
}
