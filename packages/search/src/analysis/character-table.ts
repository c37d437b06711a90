import { decodeUnits } from "../arrays/utf16.ts";

/** Class of each UTF-16 unit of the basic plane. Entries of surrogates have no meaning. */
export type CharacterTable = ArrayLike<number>;

/**
 * Creates a table of character classes in a few milliseconds. Characters are matched in runs, not one by one.
 * @param classes pairs of a class and a global pattern that matches runs of its characters; the first match applies
 * @param defaultClass class of all other characters
 */
export function buildCharacterTable(
  classes: readonly (readonly [RegExp, number])[],
  defaultClass: number,
): CharacterTable {
  const table = new Uint8Array(0x10000).fill(defaultClass);
  const allCharacters = listBasicPlane();
  for (const [pattern, value] of classes.toReversed())
    for (const { 0: run, index } of allCharacters.matchAll(pattern)) table.fill(value, index, index + run.length);
  return table;
}

/** Returns all characters of the basic plane, each at the index of its code, with NUL instead of surrogates. */
function listBasicPlane(): string {
  const units = Uint16Array.from({ length: 0x10000 }, (_, unit) => (unit >= 0xd800 && unit < 0xe000 ? 0 : unit));
  return decodeUnits(units);
}
