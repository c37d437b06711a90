import { decodeUnits } from "../arrays/utf16.ts";

/** By UTF-16 unit of the basic plane: the class of its character. Entries of surrogates have no meaning. */
export type CharacterTable = ArrayLike<number>;

/**
 * Creates a table of character classes in some milliseconds: characters of a class are found by runs, not one by one.
 * @param classes each with a global pattern that matches runs of its characters; the first class of a character applies
 * @param otherwise class of all other characters
 */
export function characterTable(classes: readonly (readonly [RegExp, number])[], otherwise: number): CharacterTable {
  const table = new Uint8Array(0x10000).fill(otherwise);
  const all = basicPlane();
  for (const [pattern, value] of classes.toReversed())
    for (const { 0: run, index } of all.matchAll(pattern)) table.fill(value, index, index + run.length);
  return table;
}

/** Every character of the basic plane at the index of its code; NUL in place of surrogates. */
function basicPlane(): string {
  const units = Uint16Array.from({ length: 0x10000 }, (_, unit) => (unit >= 0xd800 && unit < 0xe000 ? 0 : unit));
  return decodeUnits(units);
}
