import { isDigit } from "./chunks.ts";

/** Whether two neighbouring words of a document are also indexed as one term: `t shirt`, `wi fi`, `27 inch`. Other pairs are found by
 *  breaking the word of the query (see `wordBreaks`).
 *  @param one where the first word begins in `units`  @param other where the second one does */
export function isShingled(
  units: Uint16Array,
  one: number,
  oneLength: number,
  other: number,
  otherLength: number,
): boolean {
  if (oneLength === 1 || otherLength === 1) return true;
  if (oneLength === 2 && otherLength === 2) return true;
  if (otherLength > longestUnit || oneLength > longestNumber) return false;
  for (let index = 0; index < oneLength; index += 1) if (!isDigit(units[one + index] as number)) return false;
  for (let index = 0; index < otherLength; index += 1) if (isDigit(units[other + index] as number)) return false;
  return true;
}

/** Letters of the longest word that may be a unit, and digits of the longest number before one. */
const longestUnit = 10;
const longestNumber = 7;

/** Letters of the first part of a broken word (`deckshoes` for `deck shoes`) at least, and of the second part where the word is whole. */
export const shortestBreak = 3;

/** The ways to break a word in two. @param isPrefix more letters may follow */
export function wordBreaks(word: string, isPrefix: boolean): readonly (readonly [string, string])[] {
  const found: [string, string][] = [];
  const last = word.length - (isPrefix ? 1 : shortestBreak);
  for (let at = shortestBreak; at <= last; at += 1) found.push([word.slice(0, at), word.slice(at)]);
  return found;
}
