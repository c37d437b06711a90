import { isDigit } from "./chunks.ts";

/** Whether two neighbouring words of a document are known by their joined form too: `t shirt`, `wi fi`, `27 inch`. Other words
 *  that stand joined in a query are cut when it is read (see `wordBreaks`).
 *  @param one where the first word begins in the units; the other one at `other` */
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

/** Letters of a word that may be a unit, and digits of a number before it. */
const longestUnit = 10;
const longestNumber = 7;

/** Letters of the first word when a word of a query is cut: `deckshoes` may be said `deck shoes`; and of the second, where it is
 *  no longer being typed. */
export const shortestBreak = 3;

/** The matchKinds a word can be cut in two. @param isPrefix its end may be still to come */
export function wordBreaks(word: string, isPrefix: boolean): readonly (readonly [string, string])[] {
  const found: [string, string][] = [];
  const last = word.length - (isPrefix ? 1 : shortestBreak);
  for (let at = shortestBreak; at <= last; at += 1) found.push([word.slice(0, at), word.slice(at)]);
  return found;
}
