import { characterClass, characterClasses, unspacedLetters } from "./character-classes.ts";
import { isDigit } from "./chunks.ts";

// Functions that interpret a character of a folded text by its neighbors. They read up to four units after the text.

const { inchMark, prime, apostrophe, gram } = characterClass;

/** Words that replace the inch and foot marks after a number. */
export const inchToken = "inch";
export const footToken = "ft";

/** Returns the number of UTF-16 units of the character at a position, or 0 if the character is in no gram. */
export function getGramLength(units: Uint16Array, position: number, end: number): number {
  const unit = units[position] as number;
  if (position >= end || characterClasses[unit] !== gram) return 0;
  if (unit < 0xd800 || unit >= 0xe000) return 1;
  const character = String.fromCharCode(unit, units[position + 1] as number);
  return character.search(unspacedLetters) === 0 ? 2 : 0;
}

/** Returns the end of the characters from `from` on that are in grams. */
export function findGramsEnd(units: Uint16Array, from: number, end: number): number {
  let position = from;
  for (let length = -1; length !== 0; position += length) length = getGramLength(units, position, end);
  return position;
}

/** Returns whether a comma is part of a number ("1,5 l", "1,000") and not a separator. */
export function isDecimalComma(units: Uint16Array, position: number): boolean {
  return isDigit(units[position - 1] as number) && isDigit(units[position + 1] as number);
}

/** Returns whether the letter after an apostrophe belongs to the word before the apostrophe (`men's`, `don't`). */
export function isSilentApostrophe(units: Uint16Array, position: number): boolean {
  const nextUnit = units[position + 1] as number;
  return (nextUnit === 0x73 || nextUnit === 0x74) && !isLetterOrNumber(units, position + 2);
}

/**
 * Returns the length of an inch or foot mark at `position`, or 0 if there is none. `"` and `''` mean inches, and `'`
 * means feet.
 * @param start start of the token before the mark
 * @param end end of that token (exclusive)
 */
export function readInchMarkLength(units: Uint16Array, start: number, end: number, position: number): number {
  const characterKind = characterClasses[units[position] as number] as number;
  if (characterKind !== apostrophe && characterKind !== inchMark && characterKind !== prime) return 0;
  if (!endsInNumber(units, start, end)) return 0;
  const nextUnit = units[position + 1] as number;
  if (characterKind === inchMark) return isDigit(nextUnit) ? 0 : 1;
  if (characterClasses[nextUnit] === characterKind && !isDigit(units[position + 2] as number)) return 2;
  if (nextUnit === 0x78 && isDigit(units[position + 2] as number)) return 1;
  let digitsEnd = position + 1;
  while (digitsEnd < position + 3 && isDigit(units[digitsEnd] as number)) digitsEnd += 1;
  return isLetterOrNumber(units, digitsEnd) ? 0 : 1;
}

function endsInNumber(units: Uint16Array, start: number, end: number): boolean {
  let digitsStart = end;
  while (digitsStart > start && isDigit(units[digitsStart - 1] as number)) digitsStart -= 1;
  if (digitsStart === end) return false;
  if (digitsStart === start) return true;
  if (units[digitsStart - 1] !== 0x78) return false;
  return digitsStart - 1 === start || isDigit(units[digitsStart - 2] as number);
}

function isLetterOrNumber(units: Uint16Array, position: number): boolean {
  const unit = units[position] as number;
  if (unit < 0xd800 || unit >= 0xe000) return (characterClasses[unit] as number) >= gram;
  return /^[\p{L}\p{M}\p{N}]/u.test(String.fromCharCode(unit, units[position + 1] as number));
}
