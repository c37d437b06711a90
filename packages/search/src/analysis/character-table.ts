import { decodeUtf16 } from "../arrays/utf16.ts";

/**
 * Creates a table with the class of each UTF-16 code unit, and the class of NUL for surrogates. Matching runs of
 * characters is faster than testing each character.
 * @param classes pairs of a class and a global pattern that matches runs of its characters; the first match applies
 * @param defaultClass class of characters that no pattern matches
 */
export function buildCharacterTable(classes: readonly (readonly [RegExp, number])[], defaultClass: number): Uint8Array {
  const table = new Uint8Array(0x10000).fill(defaultClass);
  const allCharacters = listUtf16Units();
  for (const [pattern, value] of classes.toReversed())
    for (const { 0: run, index } of allCharacters.matchAll(pattern)) table.fill(value, index, index + run.length);
  return table;
}

/** Returns a string of all 65,536 UTF-16 code units in ascending order. Surrogates are replaced by NUL. */
function listUtf16Units(): string {
  const units = new Uint16Array(0x10000).map((_, unit) => (unit >= 0xd800 && unit < 0xe000 ? 0 : unit));
  return decodeUtf16(units);
}
