import { isDigit } from "./chunks.ts";
import type { UnitSymbol } from "./languages/language.ts";
import { languages } from "./languages/registry.ts";

export interface Unit {
  readonly symbol: UnitSymbol;
  /** Multiplier that converts to the base unit of the family, such as 1,000 for kg in a family of g. */
  readonly factor: number;
  readonly family: UnitFamily;
}

/**
 * Convertible units of one system. Metric and imperial units are not converted, because rounded values are never equal.
 */
export interface UnitFamily {
  /** Units in which quantities are indexed, in ascending order. */
  readonly indexedUnits: readonly { readonly symbol: UnitSymbol; readonly factor: number }[];
  /** Whether a number without a unit has the unit of the next number: "4 x 8 ft", but not "6 x 330 ml". */
  readonly sharesUnitBetweenSides: boolean;
}

type UnitRow = readonly [symbol: UnitSymbol, factor: number, names: string];

/**
 * Unit families. A row has the symbol of a unit, its size in the first unit, and further names for any language. After
 * the names, `*` marks units in which quantities with an integer value are indexed. Other quantities are indexed in the
 * first unit. Names in one language are in the file of the language.
 */
const unitFamilies: readonly (readonly UnitRow[])[] = [
  [
    ["mm", 1, "*"],
    ["cm", 10, "*"],
    ["m", 1_000, "*"],
    ["km", 1_000_000, "*"],
  ],
  [
    ["inch", 1, "in *"],
    ["ft", 12, "*"],
    ["yd", 36, "yds"],
  ],
  [
    ["ml", 1, "cc ccm cm3 *"],
    ["cl", 10, ""],
    ["dl", 100, ""],
    ["l", 1_000, "lt ltr dm3 *"],
    ["m3", 1_000_000, "cbm *"],
  ],
  [
    ["floz", 1, "fl_oz *"],
    ["pt", 16, "pts"],
    ["qt", 32, "qts *"],
    ["gal", 128, "gals *"],
  ],
  [
    ["mg", 1, "*"],
    ["g", 1_000, "gr *"],
    ["kg", 1_000_000, "kgs *"],
  ],
  [
    ["oz", 1, "ozs *"],
    ["lb", 16, "lbs *"],
  ],
  [
    ["cm2", 1, "*"],
    ["m2", 10_000, "sqm qm sq_m *"],
  ],
  [
    ["sqin", 1, "in2 sq_in *"],
    ["sqft", 144, "ft2 sq_ft *"],
  ],
  [["cuin", 1, "cu_in *"]],
  [["cuft", 1, "ft3 cu_ft *"]],
  [["cuyd", 1, "cu_yd *"]],
  [
    ["w", 1, "*"],
    ["kw", 1_000, "*"],
  ],
  [["hp", 1, "*"]],
  [["btu", 1, "btus *"]],
  [
    ["va", 1, "*"],
    ["kva", 1_000, "*"],
  ],
  [
    ["wh", 1, "*"],
    ["kwh", 1_000, "*"],
  ],
  [
    ["v", 1, "vac vdc *"],
    ["kv", 1_000, "*"],
  ],
  [
    ["ma", 1, "*"],
    ["a", 1_000, "amp amps *"],
  ],
  [
    ["mah", 1, "*"],
    ["ah", 1_000, ""],
  ],
  [["ohm", 1, "ohms *"]],
  [["mb", 1, "*"]],
  [
    ["gb", 1, "*"],
    ["tb", 1_000, "*"],
  ],
  [
    ["hz", 1, "*"],
    ["khz", 1_000, "*"],
    ["mhz", 1_000_000, "*"],
    ["ghz", 1_000_000_000, "*"],
  ],
  [["mp", 1, "mpx mpix *"]],
  [["rpm", 1, "*"]],
  [["lm", 1, "*"]],
  [["k", 1, "*"]],
  [["psi", 1, "*"]],
  [["bar", 1, "*"]],
  [["db", 1, "*"]],
  [["awg", 1, "ga *"]],
  [["deg", 1, "*"]],
  [["percent", 1, "pct *"]],
  [["h", 1, "hr hrs *"]],
  [["pc", 1, "pcs pk pks pkg ct st stk set *"]],
];

const unitsByName: ReadonlyMap<string, Unit> = new Map(
  unitFamilies.flatMap((rows) => {
    const indexedUnits = rows
      .filter(([, factor, names]) => factor === 1 || names.endsWith("*"))
      .map(([symbol, factor]) => ({ symbol, factor }));
    const firstSymbol = rows[0]?.[0] ?? "";
    const family: UnitFamily = { indexedUnits, sharesUnitBetweenSides: firstSymbol === "mm" || firstSymbol === "inch" };
    return rows.flatMap(([symbol, factor, names]) => {
      const listedNames = names.split(" ").filter((name) => name !== "*" && name !== "");
      const localizedNames = languages.flatMap((language) => language.units?.[symbol] ?? []);
      return [symbol, ...listedNames.map((name) => name.replace("_", " ")), ...localizedNames].map(
        (name): [string, Unit] => [name, { symbol, factor, family }],
      );
    });
  }),
);

/** Returns the unit with a name of one word, or of two words separated by a space; undefined if there is none. */
export function unitOf(name: string): Unit | undefined {
  return unitsByName.get(name);
}

/** Returns whether a term is a unit, or a number with a unit. */
export function endsInUnit(term: string): boolean {
  return unitsByName.has(/^[0-9.]*([a-z]+[23]?)$/.exec(term)?.[1] ?? "");
}

/** First words of the names of two words. */
const firstWords = firstWordsOf([...unitsByName.keys()]);

export function mayBeginUnit(word: string): boolean {
  return firstWords.has(word);
}

/** Words between numbers that mean a dimension, like `x`: "4 by 8". */
const timesWords: ReadonlySet<string> = new Set(["x", ...languages.flatMap(({ times }) => times ?? [])]);

export function isTimesWord(word: string): boolean {
  return timesWords.has(word);
}

/** Phrases before the number of items in a pack: "pack of" 6. */
const packPhrases: ReadonlySet<string> = new Set(languages.flatMap(({ packs }) => packs ?? []));

export function isPackPhrase(firstWord: string, secondWord: string): boolean {
  return packPhrases.has(`${firstWord} ${secondWord}`);
}

/** Abbreviations of "number" in any language: "No. 8", "Nr. 8", "n° 8". */
const numberWords: ReadonlySet<string> = new Set(["no", "nr", "num", "nro", "n"]);

export function isNumberWord(word: string): boolean {
  return numberWords.has(word);
}

const measureWords: ReadonlySet<string> = new Set(
  [...unitsByName.keys(), ...packPhrases, ...timesWords, ...numberWords].flatMap((name) => name.split(" ")),
);

/** Returns whether a word has a meaning before or after a number. */
export function isMeasureWord(word: string): boolean {
  return measureWords.has(word);
}

/** Lengths, as bits, of the words with a meaning next to a number, by the code of their first letter. */
const measureLengths = lengthsByFirstLetter(measureWords);

/**
 * Returns whether the characters after digits in a token may be a unit, the start of a unit, or the x of a dimension.
 * False is certain, true is not.
 * @param end index after the token
 */
export function mayBeUnit(units: ArrayLike<number>, start: number, end: number): boolean {
  const firstUnit = units[start] as number;
  if (firstUnit >= measureLengths.length || firstUnit === letterX) return true;
  let unitEnd = start + 1;
  while (unitEnd < end && !isDigit(units[unitEnd] as number)) unitEnd += 1;
  // "4ftx8ft" is one token. Its x is not part of the unit.
  const length = (unitEnd < end && units[unitEnd - 1] === letterX ? unitEnd - 1 : end) - start;
  return length < 32 && ((measureLengths[firstUnit] as number) & (1 << length)) !== 0;
}

function lengthsByFirstLetter(words: Iterable<string>): ArrayLike<number> {
  const lengths = new Uint32Array(0x80);
  for (const word of words) {
    const firstLetter = word.charCodeAt(0);
    if (firstLetter < lengths.length) lengths[firstLetter] = (lengths[firstLetter] as number) | (1 << word.length);
  }
  return lengths;
}

/** Letter x of a dimension, as a UTF-16 unit. */
export const letterX = 0x78;

function firstWordsOf(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.filter((name) => name.includes(" ")).map((name) => name.slice(0, name.indexOf(" "))));
}
