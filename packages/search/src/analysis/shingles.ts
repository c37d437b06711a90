import { isDigit } from "./chunks.ts";

/**
 * Returns whether two neighboring words of a document are also indexed as one term: `t shirt`, `wi fi`, `4 k`; never
 * two numbers, since "1 2" is not 12. Other pairs are found by splitting the query's word (see `wordBreaks`), and units
 * by their quantity.
 * @param one start of the first word in `units`
 * @param other start of the second word
 */
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

/**
 * Minimum letters of the first part of a split word (`deckshoes` for `deck shoes`), and of the second part if the word
 * is complete.
 */
export const shortestBreak = 3;

/**
 * Splits of a word into consecutive words of a document: in two between letters, and at each border of letters and
 * digits (`iphone13`, `rtx3080ti`); never between digits.
 * @param isPrefix whether more letters may follow
 */
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

/** Maximum borders of letters and digits in a word that is split in three. */
const maxBorders = 3;
