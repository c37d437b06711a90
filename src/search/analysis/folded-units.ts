import { fold, joiner, kindOfUnit, wordCharacter } from "./chunks.ts";

/** By UTF-16 unit: what it is folded to, whatever stands beside it; or one of the values below, which nothing is folded to.
 *  Units other than those of ASCII are found out when first met (see `severalOf`). */
export const foldedUnits = new Uint16Array(0x10000);
/** It may become another beside others, or its script is cut otherwise: the text is to be folded as a whole. */
export const notAlone = 1;
/** It becomes several units, or none, or is not known yet. */
export const several = 2;

/** Kinds of folded units, `joiner` of analysis.ts besides; what is `letter` or above is token of a word. */
export const whiteSpace = 1;
const punctuation = 3;
export const letter = 4;
export const digit = 5;

/** Units of folded texts that neither change what stands beside them nor are changed by it, in scripts that write with spaces:
 *  Latin, Greek, Cyrillic, Hebrew, Arabic, and what is no letter. */
const calm =
  /^[\x00-\u02ff\u0370-\u0482\u048a-\u052f\u05d0-\u05ea\u0621-\u063a\u0641-\u064a\u0660-\u0669\u2010-\u2027\u2030-\u205e\u20a0-\u20c0\u2100-\u23ff\u2500-\u27bf]*$/;
const severals = new Map<number, string>();

for (let unit = 0; unit < 0x80; unit += 1) learn(unit);
for (let unit = 0x80; unit < 0x10000; unit += 1) foldedUnits[unit] = several;

/** What a unit is folded to; undefined where that depends on what stands beside it. Learns it for the next time. */
export function severalOf(unit: number): string | undefined {
  return severals.get(unit) ?? learn(unit);
}

function learn(unit: number): string | undefined {
  const folded = fold(String.fromCharCode(unit));
  if (!calm.test(folded)) {
    foldedUnits[unit] = notAlone;
    return undefined;
  }
  if (folded.length === 1 && folded.charCodeAt(0) > several) foldedUnits[unit] = folded.charCodeAt(0);
  else severals.set(unit, folded);
  return folded;
}

/** By folded unit; 0: not known yet. */
const kinds = new Uint8Array(0x10000);

export function kindOfFolded(unit: number): number {
  const known = kinds[unit] as number;
  return known === 0 ? learnKind(unit) : known;
}

function learnKind(unit: number): number {
  const character = String.fromCharCode(unit);
  const known = kindOfUnit(unit);
  const kind =
    known === wordCharacter
      ? /\p{N}/u.test(character)
        ? digit
        : letter
      : known === joiner
        ? joiner
        : /\s/.test(character)
          ? whiteSpace
          : punctuation;
  kinds[unit] = kind;
  return kind;
}
