import { sharedUint8, sharedUint16, sharedUint32 } from "../arrays/shared-arrays.ts";
import { findTrieNode, packTrie, type Trie } from "./trie.ts";

/**
 * Concatenated texts, as UTF-16 units:
 *
 *     units   s n o w s n o w b o a r d s u n
 *     starts  0       4                 13    16
 *
 * Sorted by unit (as `<` sorts strings), they are a dictionary: a text is identified by its ordinal, and texts with a
 * common prefix are adjacent.
 */
export interface Texts {
  readonly units: Uint16Array;
  readonly starts: Uint32Array;
}

export interface Dictionary extends Texts {
  /** By text: number of units in common with the previous text, at most 255. */
  readonly commonPrefixes: Uint8Array;
  /** The first letters of all texts. */
  readonly trie: Trie;
}

/** Ordinals `low` up to, not including, `high`. */
export interface Range {
  readonly low: number;
  readonly high: number;
}

export function packTexts(texts: readonly string[]): Texts {
  const starts = sharedUint32(texts.length + 1);
  let length = 0;
  texts.forEach((text, index) => {
    starts[index] = length;
    length += text.length;
  });
  starts[texts.length] = length;
  const units = sharedUint16(length);
  let at = 0;
  for (const text of texts) for (let index = 0; index < text.length; index += 1) units[at++] = text.charCodeAt(index);
  return { units, starts };
}

/** @param sorted texts in ascending order; equal ones are neighbours */
export function packDictionary(sorted: readonly string[]): Dictionary {
  return dictionaryOf(packTexts(sorted));
}

/** @param order ordinals of the texts, sorted */
export function packInOrder(texts: Texts, order: Uint32Array): Dictionary {
  const starts = sharedUint32(order.length + 1);
  const units = sharedUint16(texts.starts[order.length] as number);
  let end = 0;
  for (let ordinal = 0; ordinal < order.length; ordinal += 1) {
    const text = order[ordinal] as number;
    const to = texts.starts[text + 1] as number;
    for (let at = texts.starts[text] as number; at < to; at += 1) units[end++] = texts.units[at] as number;
    starts[ordinal + 1] = end;
  }
  return dictionaryOf({ units, starts });
}

function dictionaryOf(sorted: Texts): Dictionary {
  const { units, starts } = sorted;
  const commonPrefixes = sharedUint8(textCount(sorted));
  for (let ordinal = 1; ordinal < commonPrefixes.length; ordinal += 1) {
    const before = starts[ordinal - 1] as number;
    const start = starts[ordinal] as number;
    const maxLength = Math.min(start - before, (starts[ordinal + 1] as number) - start, 255);
    let common = 0;
    while (common < maxLength && units[before + common] === units[start + common]) common += 1;
    commonPrefixes[ordinal] = common;
  }
  return { ...sorted, commonPrefixes, trie: packTrie(units, starts, commonPrefixes) };
}

export function textCount(texts: Texts): number {
  return texts.starts.length - 1;
}

export function textAt({ units, starts }: Texts, ordinal: number): string {
  // Spreading a typed array uses its iterator, which takes three times as long.
  return Reflect.apply(String.fromCharCode, undefined, units.subarray(starts[ordinal], starts[ordinal + 1]));
}

/** Ordinal of a text, the first of equal ones, or -1. */
export function findText(dictionary: Dictionary, text: string): number {
  if (text === "") return textCount(dictionary) > 0 && dictionary.starts[1] === 0 ? 0 : -1;
  const node = findTrieNode(dictionary.trie, text);
  const to = node % 0x4000000;
  // The text itself sorts first of those with it as prefix.
  const low = firstNotBelow(dictionary, text, Math.floor(node / 0x4000000), to);
  return low < to && compare(dictionary, low, text) === 0 ? low : -1;
}

/** Ordinals of all texts with a prefix; the text itself is first. */
export function prefixRange(dictionary: Dictionary, prefix: string): Range {
  if (prefix === "") return { low: 0, high: textCount(dictionary) };
  const node = findTrieNode(dictionary.trie, prefix);
  const from = Math.floor(node / 0x4000000);
  const to = node % 0x4000000;
  if (prefix.length <= dictionary.trie.levels.length || from === to) return { low: from, high: to };
  const low = firstNotBelow(dictionary, prefix, from, to);
  return { low, high: endOfPrefix(dictionary, prefix, low, to) };
}

/**
 * The first text from `from` up to `to` without the prefix, provided that none between sorts before the prefix. Most
 * ranges are narrow: the search proceeds in growing steps.
 */
function endOfPrefix(dictionary: Texts, prefix: string, from: number, to: number): number {
  let low = from;
  let high = from;
  for (let step = 1; high < to && beginsWith(dictionary, high, prefix); step *= 2) {
    low = high + 1;
    high = Math.min(to, low + step);
  }
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (beginsWith(dictionary, middle, prefix)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function beginsWith({ units, starts }: Texts, ordinal: number, prefix: string): boolean {
  const start = starts[ordinal] as number;
  if ((starts[ordinal + 1] as number) - start < prefix.length) return false;
  // The last letters are the ones that differ.
  for (let index = prefix.length - 1; index >= 0; index -= 1)
    if (units[start + index] !== prefix.charCodeAt(index)) return false;
  return true;
}

/** Ordinals of the texts from one up to another (exclusive). */
export function rangeBetween(
  dictionary: Dictionary,
  { from, to }: { readonly from: string; readonly to: string },
): Range {
  const count = textCount(dictionary);
  const low = firstNotBelow(dictionary, from, 0, count);
  return { low, high: firstNotBelow(dictionary, to, low, count) };
}

/**
 * Ordinals of the texts that end with one of the words, or contain it if `anywhere` is set, after a prefix that may be
 * a word: three or more letters, one of them a vowel. Scans all texts, some hundred thousand per millisecond.
 * @param words not empty strings
 */
export function termsWithin({ units, starts }: Texts, words: readonly string[], anywhere: boolean): number[] {
  const found: number[] = [];
  const lasts = new Uint8Array(0x10000);
  for (const word of words) lasts[word.charCodeAt(word.length - 1)] = 1;
  const least = Math.min(...words.map(({ length }) => length)) + shortestBeginning;
  for (let ordinal = 0; ordinal + 1 < starts.length; ordinal += 1) {
    const start = starts[ordinal] as number;
    const end = starts[ordinal + 1] as number;
    if (end - start < least || (!anywhere && lasts[units[end - 1] as number] === 0)) continue;
    for (let to = end; to >= start + least && (anywhere || to === end); to -= 1) {
      if (lasts[units[to - 1] as number] === 0) continue;
      const word = words.find((one) => endsAt(units, start, to, one));
      if (word === undefined || !hasVowel(units, start, to - word.length)) continue;
      found.push(ordinal);
      break;
    }
  }
  return found;
}

/** Letters before a word in a longer one, at least. */
const shortestBeginning = 3;

function endsAt(units: Uint16Array, start: number, to: number, word: string): boolean {
  if (to - word.length < start + shortestBeginning) return false;
  for (let index = 1; index <= word.length; index += 1)
    if (units[to - index] !== word.charCodeAt(word.length - index)) return false;
  return true;
}

function hasVowel(units: Uint16Array, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if (/[aeiouy]/.test(String.fromCharCode(units[at] as number))) return true;
  return false;
}

/** Ordinals of the texts with a prefix whose next character sorts after the digits, as letters do. */
export function withoutDigitBehind(dictionary: Dictionary, prefix: string): Range {
  const { low, high } = prefixRange(dictionary, prefix);
  return { low: firstNotBelow(dictionary, `${prefix}:`, low, high), high };
}

function firstNotBelow(dictionary: Dictionary, text: string, from: number, to: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(dictionary, middle, text) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function compare({ units, starts }: Texts, ordinal: number, text: string): number {
  const start = starts[ordinal] as number;
  const length = (starts[ordinal + 1] as number) - start;
  const common = Math.min(length, text.length);
  for (let index = 0; index < common; index += 1) {
    const difference = (units[start + index] as number) - text.charCodeAt(index);
    if (difference !== 0) return difference;
  }
  return length - text.length;
}
