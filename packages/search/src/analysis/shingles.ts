import { isDigit } from "./chunks.ts";

/**
 * Returns whether two neighboring words of a document are also indexed as one term, such as `t shirt`, `wi fi` and `4
 * k`. This applies to very short words, but not to two numbers, because "1 2" is not 12.
 * @param firstWordStart start of the first word in `units`
 * @param secondWordStart start of the second word in `units`
 */
export function isIndexedAsShingle(
  units: Uint16Array,
  firstWordStart: number,
  firstWordLength: number,
  secondWordStart: number,
  secondWordLength: number,
): boolean {
  const areWordsShort =
    firstWordLength === 1 || secondWordLength === 1 || (firstWordLength === 2 && secondWordLength === 2);
  if (!areWordsShort) return false;
  return !(isDigit(units[firstWordStart + firstWordLength - 1] as number) && isDigit(units[secondWordStart] as number));
}

/**
 * Minimum number of letters in each part when a word is split, such as `deckshoes` into `deck shoes`. The last part of
 * an incomplete word may be shorter.
 */
export const minSplitLetters = 3;
/** Minimum number of letters in a word whose second part may have another form: `light bulb` for `lightbulbs`. */
export const minInflectedSplitLetters = 7;

/**
 * Returns the ways to split a query word into two to five words: between two letters, or between letters and digits
 * (`iphone 13`, `rtx 3080 ti`). Two digits are split only in a code of letters and at least three digits (`hu 719 7 x`),
 * and in a part number, which is written in groups of three (`5q0 804 372 a`, `0 258 986 507`).
 * @param isPrefix whether more letters may follow
 */
export function listWordBreaks(word: string, isPrefix: boolean): readonly (readonly [string, string, ...string[]])[] {
  const wordParts: [string, string, ...string[]][] = [];
  const digitBoundaries: number[] = [];
  for (let position = 1; position < word.length; position += 1) {
    const [isDigitBefore, isDigitAfter] = [isDigit(word.charCodeAt(position - 1)), isDigit(word.charCodeAt(position))];
    if (isDigitBefore !== isDigitAfter) digitBoundaries.push(position);
    else if (isDigitBefore || position < minSplitLetters || (!isPrefix && position > word.length - minSplitLetters))
      continue;
    wordParts.push([word.slice(0, position), word.slice(position)]);
  }
  if (partNumberPattern.test(word)) {
    const groupings = word.length % 3 === 0 ? [groupsFromLeft] : [groupsFromLeft, groupsFromRight];
    for (const groups of groupings) wordParts.push(word.match(groups) as [string, string, ...string[]]);
  }
  if (digitBoundaries.length === 0) return wordParts;
  const [, letters = "", digits = "", suffix = ""] = /^([a-z]+)([0-9]{3,})([a-z]*)$/.exec(word) ?? [];
  for (let position = 1; position < digits.length; position += 1) {
    const parts = [digits.slice(0, position), digits.slice(position), suffix].filter((part) => part !== "");
    wordParts.push([letters, ...(parts as [string, ...string[]])]);
  }
  if (digitBoundaries.length > maxWordBorders) return wordParts;
  for (const [index, firstBoundary] of digitBoundaries.entries())
    for (const secondBoundary of digitBoundaries.slice(index + 1))
      wordParts.push([
        word.slice(0, firstBoundary),
        word.slice(firstBoundary, secondBoundary),
        word.slice(secondBoundary),
      ]);
  return wordParts;
}

/** Matches a part number, and other long words that start with a digit. */
const partNumberPattern = /^[0-9][0-9a-z]{6,13}$/;
const groupsFromLeft = /.{1,3}/g;
const groupsFromRight = /.{1,3}(?=(?:.{3})*$)/g;

/** A word with more borders than this between letters and digits is not split into three parts. */
const maxWordBorders = 3;
