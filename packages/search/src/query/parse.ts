import { hasDigit, isDigit, maxTermLength, truncateQuery } from "../analysis/chunks.ts";
import { composeCompounds } from "../analysis/compounds.ts";
import { listHangulCompletions } from "../analysis/hangul-keys.ts";
import { introducesPurpose } from "../analysis/particles.ts";
import { QuantityReader } from "../analysis/quantities.ts";
import type { Tokenizer } from "../analysis/tokenizer.ts";
import { completeUnitName, isMeasureWord } from "../analysis/units.ts";

export interface QueryWord {
  readonly text: string;
  /** The word as typed, if `text` is only its last part: "haarspulung" for "spulung". */
  readonly compound?: string;
  /**
   * Whether the word is an emoji or from a script without spaces. Such a word has no inflected forms and no
   * misspellings.
   */
  readonly isGram: boolean;
  /**
   * Whether terms that only start with this word match, too. This is true for the last word, which may be incomplete,
   * for emoji, and for a single character of a script without spaces.
   */
  readonly isPrefix: boolean;
  /** Number of the word's chunk. The words of one chunk were typed without a space between them. */
  readonly chunk: number;
  /** Whether the word is one of several grams that were typed without a space. */
  readonly isJoinedGram?: boolean;
  /** Whether the word continues the number in the previous word, like "5" in "1.5". */
  readonly continuesNumber?: boolean;
  /** Whether the word is one of several words of a quantity, like "5" in "5 in". */
  readonly isQuantityPart?: boolean;
  /**
   * Whether it is the last of several words, or the last one before a purpose ("case for iphone"). In English, it names
   * the product.
   */
  readonly namesProduct?: boolean;
  /** Quantities of the query that end with this word: the term under which each is indexed, and its words. */
  readonly quantities?: readonly { readonly term: string; readonly words: readonly string[] }[];
}

/** Maximum number of words in a query. Further words are ignored. */
export const maxWords = 16;

/** Parses a query to words. The result is empty if the text has no letter and no digit. */
export function parseQuery(tokenizer: Tokenizer, text: string): QueryWord[] {
  const truncatedText = truncateQuery(text);
  const words = plainQueryPattern.test(truncatedText)
    ? parseAsciiWords(truncatedText)
    : parseUnicodeWords(tokenizer, truncatedText);
  if (words.length < 2) return words;
  const purposeIndex = words.findIndex(({ text: word }, index) => index > 0 && introducesPurpose(word));
  const nameIndex = (purposeIndex < 0 ? words.length : purposeIndex) - 1;
  words[nameIndex] = { ...(words[nameIndex] as QueryWord), namesProduct: true };
  return words;
}

/** Fast path for queries of ASCII letters and spaces, which are the most common. Each run of letters is a word. */
const plainQueryPattern = /^[a-zA-Z ]*$/;

function parseAsciiWords(text: string): QueryWord[] {
  const words: QueryWord[] = [];
  const parts = text.toLowerCase().split(" ");
  let chunk = 0;
  for (let index = 0; index < parts.length; index += 1) {
    const word = (parts[index] as string).slice(0, maxTermLength);
    if (word === "") continue;
    words.push({ text: word, isGram: false, isPrefix: false, chunk });
    chunk += 1;
  }
  const lastWord = words.pop();
  if (lastWord === undefined) return words;
  // Remove repeated words.
  const distinctWords = words.filter(
    ({ text: otherText }, index) =>
      otherText !== lastWord.text &&
      !words.some((otherWord, otherIndex) => otherIndex > index && otherWord.text === otherText),
  );
  distinctWords.push({ ...lastWord, isPrefix: true });
  return distinctWords.length > maxWords ? distinctWords.slice(0, maxWords) : distinctWords;
}

function parseUnicodeWords(tokenizer: Tokenizer, query: string): QueryWord[] {
  const words = tokenizer.listTokens(query, true).map(({ text, isGram, chunk }, index, tokens): QueryWord => {
    const isJoinedGram = isGram && (tokens[index - 1]?.chunk === chunk || tokens[index + 1]?.chunk === chunk);
    const isPrefix = isGram && [...text].length === 1;
    return { text, isGram, isPrefix, chunk, ...(isJoinedGram && { isJoinedGram }) };
  });
  const lastWord = words.at(-1);
  if (lastWord !== undefined && (!lastWord.isGram || listHangulCompletions(lastWord.text).length > 0))
    words[words.length - 1] = { ...lastWord, isPrefix: true };
  if (tokenizer.numberCount > 0) addQuantities(words, tokenizer);
  for (const emoji of tokenizer.emoji) words.push({ text: emoji, isGram: true, isPrefix: true, chunk: -1 });
  // Remove repeated words.
  const distinctWords = words.filter(
    (word, index) => !words.some((otherWord, otherIndex) => otherIndex > index && otherWord.text === word.text),
  );
  return (
    distinctWords.length < words.length ? distinctWords.map((word) => addAllQuantities(word, words)) : distinctWords
  ).slice(0, maxWords);
}

/**
 * Returns the word with all quantities that end with one of its occurrences. In "4 ft x 8 ft", the word "ft" ends two
 * quantities.
 */
function addAllQuantities(word: QueryWord, words: readonly QueryWord[]): QueryWord {
  const quantities = words.flatMap((otherWord) => (otherWord.text === word.text ? (otherWord.quantities ?? []) : []));
  return quantities.length > 0 ? { ...word, quantities } : word;
}

/**
 * Marks the words that are part of a number or a quantity, and adds each quantity to its last word.
 * @param tokenizer tokenizer that has parsed the words last
 */
function addQuantities(words: QueryWord[], tokenizer: Tokenizer): void {
  const findMeasureWord = (token: number): string => {
    const text = words[token]?.text ?? "";
    if (isMeasureWord(text)) return text;
    return (token === words.length - 1 ? completeUnitName(text) : undefined) ?? "";
  };
  const reader = new QuantityReader(tokenizer, findMeasureWord, true);
  reader.read();
  for (let index = 0; index < words.length; index += 1)
    if (reader.isContinuation(index)) words[index] = { ...(words[index] as QueryWord), continuesNumber: true };
  for (const { term, from, to } of reader.quantities) {
    for (let index = from; to - from > 1 && index < to; index += 1)
      words[index] = { ...(words[index] as QueryWord), isQuantityPart: true };
    const lastWord = words[to - 1] as QueryWord;
    const quantity = { term, words: words.slice(from, to).map(({ text }) => text) };
    // "size 4" does not mean "4kg".
    const isPrefix = lastWord.isPrefix && !term.startsWith("@");
    words[to - 1] = { ...lastWord, isPrefix, quantities: [...(lastWord.quantities ?? []), quantity] };
  }
}

/** Several words of a query that may be one term in a document. */
export interface Shingle {
  readonly text: string;
  /** Indices of the words in ascending order. */
  readonly words: readonly number[];
  /** Whether the shingle is a quantity, which matches only the equal term. */
  readonly isQuantity: boolean;
}

/**
 * Returns the shingles of a query: each pair of neighbors (`t shirt` and `t-shirt` for `tshirt`), longer sequences
 * typed without spaces or next to digits (`iphone 13 pro`), compounds of neighbors, and quantities ("1 l" for
 * "1000ml").
 * @param locale language of the words
 */
export function findShingles(words: readonly QueryWord[], locale: string): Shingle[] {
  const shingles: Shingle[] = [];
  words.forEach(({ isGram, text: firstWord, quantities }, from) => {
    for (const { term, words: quantityWords } of quantities ?? []) {
      const wordIndices = words.flatMap(({ text }, index) => (quantityWords.includes(text) ? [index] : []));
      if (quantityWords.length > 1 || term !== firstWord)
        shingles.push({ text: term, words: wordIndices, isQuantity: true });
    }
    if (isGram) return;
    let text = firstWord;
    let canJoinWords = true;
    for (let to = from + 1; to < words.length; to += 1) {
      const previousWord = words[to - 1] as QueryWord;
      const word = words[to] as QueryWord;
      if (word.isGram || areSeparateNumbers(previousWord, word)) return;
      canJoinWords &&=
        word.chunk === previousWord.chunk || endsInDigit(previousWord.text) || beginsWithDigit(word.text);
      if (to > from + 1 && !canJoinWords) return;
      text += word.text;
      const wordIndices = listIndices(from, to);
      shingles.push({ text, words: wordIndices, isQuantity: false });
      if (to === from + 1)
        for (const compound of composeCompounds(firstWord, word.text, locale))
          shingles.push({ text: compound, words: wordIndices, isQuantity: false });
    }
  });
  return shingles;
}

function listIndices(from: number, lastIndex: number): number[] {
  const indices = [from];
  for (let index = from + 1; index <= lastIndex; index += 1) indices.push(index);
  return indices;
}

/**
 * Returns whether two neighbors are two numbers and not one code: "1.5" and "1 5" are not 15, but "0707 60" may be
 * 070760.
 */
function areSeparateNumbers(previousWord: QueryWord, word: QueryWord): boolean {
  if (word.continuesNumber === true) return true;
  if (previousWord.chunk === word.chunk || previousWord.text.length + word.text.length >= minCodeDigits) return false;
  return endsInDigit(previousWord.text) && isDigit(word.text.charCodeAt(0));
}

function beginsWithDigit(text: string): boolean {
  const unit = text.charCodeAt(0);
  return unit < 128 ? isDigit(unit) : hasDigit(text.charAt(0));
}

export function endsInDigit(text: string): boolean {
  return isDigit(text.charCodeAt(text.length - 1));
}

/** Minimum number of digits in a product code that is typed with a space, such as "0707 60". */
const minCodeDigits = 6;
