import { createSharedUint8, createSharedUint16, createSharedUint32 } from "../arrays/shared-arrays.ts";
import { findTrieNode, packTrie, type Trie } from "./trie.ts";

/**
 * Concatenated texts, as UTF-16 units:
 *
 *     units   s n o w s n o w b o a r d s u n
 *     starts  0       4                 13    16
 *
 * If the texts are sorted by unit (as `<` sorts strings), they form a dictionary. The ordinal of a text is its id, and
 * texts with a common prefix are adjacent.
 */
export interface TextTable {
  readonly units: Uint16Array;
  readonly starts: Uint32Array;
}

export interface Dictionary extends TextTable {
  /** Number of units that each text has in common with the previous text, at most 255. */
  readonly commonPrefixes: Uint8Array;
  /** Trie of the first letters of all texts. */
  readonly trie: Trie;
}

/** A range of ordinals from `low` to `high` (exclusive). */
export interface Range {
  readonly low: number;
  readonly high: number;
}

export function packTexts(texts: readonly string[]): TextTable {
  const starts = createSharedUint32(texts.length + 1);
  let length = 0;
  texts.forEach((text, index) => {
    starts[index] = length;
    length += text.length;
  });
  starts[texts.length] = length;
  const units = createSharedUint16(length);
  let position = 0;
  for (const text of texts)
    for (let index = 0; index < text.length; index += 1) units[position++] = text.charCodeAt(index);
  return { units, starts };
}

/** @param sortedTexts texts in ascending order; duplicates are adjacent */
export function packDictionary(sortedTexts: readonly string[]): Dictionary {
  return createDictionary(packTexts(sortedTexts));
}

/** @param order ordinals of the texts in sorted order */
export function packSortedTexts(texts: TextTable, order: Uint32Array): Dictionary {
  const starts = createSharedUint32(order.length + 1);
  const units = createSharedUint16(texts.starts[order.length] as number);
  let length = 0;
  for (let ordinal = 0; ordinal < order.length; ordinal += 1) {
    const text = order[ordinal] as number;
    const end = texts.starts[text + 1] as number;
    for (let unit = texts.starts[text] as number; unit < end; unit += 1) units[length++] = texts.units[unit] as number;
    starts[ordinal + 1] = length;
  }
  return createDictionary({ units, starts });
}

function createDictionary(sortedTable: TextTable): Dictionary {
  const { units, starts } = sortedTable;
  const commonPrefixes = createSharedUint8(countTexts(sortedTable));
  for (let ordinal = 1; ordinal < commonPrefixes.length; ordinal += 1) {
    const previousStart = starts[ordinal - 1] as number;
    const start = starts[ordinal] as number;
    const maxLength = Math.min(start - previousStart, (starts[ordinal + 1] as number) - start, 255);
    let commonPrefixLength = 0;
    while (
      commonPrefixLength < maxLength &&
      units[previousStart + commonPrefixLength] === units[start + commonPrefixLength]
    )
      commonPrefixLength += 1;
    commonPrefixes[ordinal] = commonPrefixLength;
  }
  return { ...sortedTable, commonPrefixes, trie: packTrie(units, starts, commonPrefixes) };
}

export function countTexts(texts: TextTable): number {
  return texts.starts.length - 1;
}

export function getText({ units, starts }: TextTable, ordinal: number): string {
  // `Reflect.apply` takes a third of the time of spreading the typed array, which uses its iterator.
  return Reflect.apply(String.fromCharCode, undefined, units.subarray(starts[ordinal], starts[ordinal + 1]));
}

/** Returns the ordinal of a text, or -1. Duplicate texts have the ordinal of the first. */
export function findText(dictionary: Dictionary, text: string): number {
  if (text === "") return countTexts(dictionary) > 0 && dictionary.starts[1] === 0 ? 0 : -1;
  const node = findTrieNode(dictionary.trie, text);
  const end = node % 0x4000000;
  // If the text exists, it is the first of the texts that begin with it.
  const low = lowerBound(dictionary, text, Math.floor(node / 0x4000000), end);
  return low < end && compareText(dictionary, low, text) === 0 ? low : -1;
}

/** Returns the range of the text that equals `text`; empty if there is none. */
export function findTextRange(dictionary: Dictionary, text: string): Range {
  const ordinal = findText(dictionary, text);
  return ordinal < 0 ? { low: 0, high: 0 } : { low: ordinal, high: ordinal + 1 };
}

export function isEmptyRange({ low, high }: Range): boolean {
  return low === high;
}

/** Returns the range of the texts that begin with a prefix. */
export function findPrefix(dictionary: Dictionary, prefix: string): Range {
  if (prefix === "") return { low: 0, high: countTexts(dictionary) };
  const node = findTrieNode(dictionary.trie, prefix);
  const from = Math.floor(node / 0x4000000);
  const end = node % 0x4000000;
  if (prefix.length <= dictionary.trie.levels.length || from === end) return { low: from, high: end };
  const low = lowerBound(dictionary, prefix, from, end);
  return { low, high: findPrefixEnd(dictionary, prefix, low, end) };
}

/**
 * Returns the end (exclusive) of the texts that begin with a prefix, between `from` and `end`. No text in this range
 * may sort before the prefix. Most results are near `from`, so the search starts with small steps.
 */
function findPrefixEnd(dictionary: TextTable, prefix: string, from: number, end: number): number {
  let low = from;
  let high = from;
  for (let step = 1; high < end && beginsWith(dictionary, high, prefix); step *= 2) {
    low = high + 1;
    high = Math.min(end, low + step);
  }
  while (low < high) {
    const middleIndex = (low + high) >>> 1;
    if (beginsWith(dictionary, middleIndex, prefix)) low = middleIndex + 1;
    else high = middleIndex;
  }
  return low;
}

function beginsWith({ units, starts }: TextTable, ordinal: number, prefix: string): boolean {
  const start = starts[ordinal] as number;
  if ((starts[ordinal + 1] as number) - start < prefix.length) return false;
  // Compare from the end, because texts in the range usually differ in their last letters.
  for (let index = prefix.length - 1; index >= 0; index -= 1)
    if (units[start + index] !== prefix.charCodeAt(index)) return false;
  return true;
}

/** Returns the range of the texts that sort from `from` to `to` (exclusive). */
export function findRange(dictionary: Dictionary, { from, to }: { readonly from: string; readonly to: string }): Range {
  const count = countTexts(dictionary);
  const low = lowerBound(dictionary, from, 0, count);
  return { low, high: lowerBound(dictionary, to, low, count) };
}

/** Returns the ordinals of the texts with a prefix that is not followed by a digit. */
export function findRangeWithoutDigit(dictionary: Dictionary, prefix: string): Range {
  const { low, high } = findPrefix(dictionary, prefix);
  return { low: lowerBound(dictionary, `${prefix}:`, low, high), high };
}

function lowerBound(dictionary: Dictionary, text: string, from: number, end: number): number {
  let low = from;
  let high = end;
  while (low < high) {
    const middleIndex = (low + high) >>> 1;
    if (compareText(dictionary, middleIndex, text) < 0) low = middleIndex + 1;
    else high = middleIndex;
  }
  return low;
}

/** Returns the length of a term if `text` starts with it and is longer, or else 0. */
export function getPrefixLength({ units, starts }: TextTable, ordinal: number, text: string): number {
  const start = starts[ordinal] as number;
  const length = (starts[ordinal + 1] as number) - start;
  if (length >= text.length) return 0;
  for (let index = 0; index < length; index += 1) if (units[start + index] !== text.charCodeAt(index)) return 0;
  return length;
}

function compareText({ units, starts }: TextTable, ordinal: number, text: string): number {
  const start = starts[ordinal] as number;
  const length = (starts[ordinal + 1] as number) - start;
  const commonPrefixLength = Math.min(length, text.length);
  for (let index = 0; index < commonPrefixLength; index += 1) {
    const difference = (units[start + index] as number) - text.charCodeAt(index);
    if (difference !== 0) return difference;
  }
  return length - text.length;
}
