import { isDigit } from "./chunks.ts";

/** Whether two neighbouring words of a document are also indexed as one term: `t shirt`, `wi fi`, `4 k`; but no two numbers, since "1 2" is not
 *  12. Other pairs are found by breaking the word of the query (see `wordBreaks`), and units by the quantity that they say with a number.
 *  @param one where the first word begins in `units`  @param other where the second one does */
export function isShingled(
  units: Uint16Array,
  one: number,
  oneLength: number,
  other: number,
  otherLength: number,
): boolean {
  const isShort = oneLength === 1 || otherLength === 1 || (oneLength === 2 && otherLength === 2);
  if (!isShort) return false;
  return !(isDigit(units[one + oneLength - 1] as number) && isDigit(units[other] as number));
}

/** Letters of the first part of a broken word (`deckshoes` for `deck shoes`) at least, and of the second part where the word is whole. */
export const shortestBreak = 3;

/** The ways to break a word into words that a document may say one after the other: in two between letters, and wherever letters and digits
 *  meet (`iphone13`, `rtx3080ti`); never between digits.  @param isPrefix more letters may follow */
export function wordBreaks(word: string, isPrefix: boolean): readonly (readonly [string, string, ...string[]])[] {
  const found: [string, string, ...string[]][] = [];
  const borders: number[] = [];
  for (let at = 1; at < word.length; at += 1) {
    const [before, after] = [isDigit(word.charCodeAt(at - 1)), isDigit(word.charCodeAt(at))];
    if (before !== after) borders.push(at);
    else if (before || at < shortestBreak || (!isPrefix && at > word.length - shortestBreak)) continue;
    found.push([word.slice(0, at), word.slice(at)]);
  }
  if (borders.length > maxBorders) return found;
  for (const [index, first] of borders.entries())
    for (const second of borders.slice(index + 1))
      found.push([word.slice(0, first), word.slice(first, second), word.slice(second)]);
  return found;
}

/** Places where letters and digits meet in a word up to which it is broken in three. */
const maxBorders = 3;
