import { isDigit } from "./chunks.ts";
import type { UnitSymbol } from "./languages/language.ts";
import { collectWords, languages } from "./languages/registry.ts";

export interface Unit {
  readonly symbol: UnitSymbol;
  /** Size of the unit, measured in the first unit of its family: 12 for ft, because the first unit is the inch. */
  readonly factor: number;
  readonly family: UnitFamily;
}

/**
 * Units that are converted to each other, such as mm, cm and m. Metric and imperial units are in different families,
 * because rounded values are never equal.
 */
export interface UnitFamily {
  /** Units in which quantities are indexed, in ascending order of size. */
  readonly indexedUnits: readonly { readonly symbol: UnitSymbol; readonly factor: number }[];
  /** Whether a number without a unit has the unit of the next number: true for "4 x 8 ft", false for "6 x 330 ml". */
  readonly sharesDimensionUnit: boolean;
}

type UnitRow = readonly [symbol: UnitSymbol, factor: number, names: string];

/**
 * Unit families. Each row has a unit's symbol, its size in the first unit of the family, and its names in any language.
 * A quantity is indexed in the largest unit marked with `*` in which it is an integer, or otherwise in the first unit.
 * Language files contain further names.
 */
const unitFamilies: readonly (readonly UnitRow[])[] = [
  [
    ["mm", 1, "*"],
    ["cm", 10, "*"],
    ["m", 1_000, "*"],
    ["km", 1_000_000, "*"],
  ],
  [["micron", 1, "microns μm *"]],
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
    ["ug", 1, "mcg μg *"],
    ["mg", 1_000, "*"],
    ["g", 1_000_000, "gr *"],
    ["kg", 1_000_000_000, "kgs *"],
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
  [
    ["ohm", 1, "ohms ω *"],
    ["kohm", 1_000, "kω k_ohm k_ω *"],
  ],
  [
    ["pf", 1, "*"],
    ["nf", 1_000, "*"],
    ["uf", 1_000_000, "μf mfd *"],
  ],
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
    const family: UnitFamily = { indexedUnits, sharesDimensionUnit: firstSymbol === "mm" || firstSymbol === "inch" };
    return rows.flatMap(([symbol, factor, names]) => {
      const listedNames = names.split(" ").filter((name) => name !== "*" && name !== "");
      const localizedNames = languages.flatMap((language) => language.units?.[symbol] ?? []);
      return [symbol, ...listedNames.map((name) => name.replace("_", " ")), ...localizedNames].map(
        (name): [string, Unit] => [name, { symbol, factor, family }],
      );
    });
  }),
);

/** Returns the unit with a name of one or two words, or undefined if there is none. */
export function findUnit(name: string): Unit | undefined {
  return unitsByName.get(name);
}

/**
 * Returns a unit's name that starts with a prefix of at least three letters, such as "liter" for "lite". Returns
 * undefined if there is none, or if names of different units start with the prefix.
 */
export function completeUnitName(prefix: string): string | undefined {
  return unitNamesByPrefix.get(prefix);
}

const minUnitPrefixLetters = 3;
const unitNamesByPrefix = collectUnitPrefixes();

function collectUnitPrefixes(): ReadonlyMap<string, string | undefined> {
  const names = new Map<string, string | undefined>();
  for (const [name, { symbol }] of unitsByName)
    for (let length = minUnitPrefixLetters; length <= name.length; length += 1) {
      const prefix = name.slice(0, length);
      if (!names.has(prefix)) names.set(prefix, name);
      else if (findUnit(names.get(prefix) ?? "")?.symbol !== symbol) names.set(prefix, undefined);
    }
  return names;
}

/** Formats a quantity in the largest unit in which it is an integer, or in the smallest unit: "1500ml" for 1.5 l. */
export function formatQuantity(value: number, { family, factor }: Unit): string {
  const amount = Math.round(value * factor * 1000) / 1000;
  for (let index = family.indexedUnits.length - 1; index > 0; index -= 1) {
    const { symbol, factor: unitSize } = family.indexedUnits[index] as Unit;
    if (amount >= unitSize && amount % unitSize === 0) return `${amount / unitSize}${symbol}`;
  }
  return `${amount}${family.indexedUnits[0]?.symbol}`;
}

/** Formats a number as a term, with at most four decimals. */
export function formatNumber(value: number): string {
  return String(Math.round(value * 10_000) / 10_000);
}

/** Returns whether a term is a unit or ends in one, such as "ml" and "500ml". */
export function endsInUnit(term: string): boolean {
  return unitsByName.has(/^[0-9.]*([a-z]+[23]?)$/.exec(term)?.[1] ?? "");
}

/** First words of unit names with two words, such as "fl" of "fl oz". */
const firstWords = firstWordsOf([...unitsByName.keys()]);

export function mayStartUnit(word: string): boolean {
  return firstWords.has(word);
}

/** Words that separate the sides of a dimension, such as "x" and "by" in "4 by 8". */
const multiplicationWords: ReadonlySet<string> = new Set(["x", ...languages.flatMap(({ times }) => times ?? [])]);

export function isTimesSign(word: string): boolean {
  return multiplicationWords.has(word);
}

/** Phrases before the number of items in a pack, such as "pack of" in "pack of 6". */
const packSizePhrases: ReadonlySet<string> = new Set(languages.flatMap(({ packs }) => packs ?? []));

export function isPackSizePhrase(firstWord: string, secondWord: string): boolean {
  return packSizePhrases.has(`${firstWord} ${secondWord}`);
}

/** "Number" and its abbreviations in any language: "number 8", "No. 8", "Nr. 8", "n° 8". */
const numberWords: ReadonlySet<string> = new Set(["no", "nr", "num", "nro", "n", "number", "nummer", "numero"]);

export function isNumberWord(word: string): boolean {
  return numberWords.has(word);
}

const sizeWords = collectWords(({ sizes }) => sizes);

/** Returns whether a word precedes the number of a size: "size 8", "Größe 8", "Gr. 8", "T. 38". */
export function isSizeWord(word: string, isBeforePoint: boolean): boolean {
  return sizeWords.has(word) || (isBeforePoint && sizeWords.has(`${word}.`));
}

const measureWords: ReadonlySet<string> = new Set(
  [...unitsByName.keys(), ...packSizePhrases, ...multiplicationWords, ...numberWords, ...sizeWords].flatMap((name) =>
    name.replace(/\.$/, "").split(" "),
  ),
);

/** Returns whether a word has a special meaning next to a number, such as a unit or the words "pack of". */
export function isMeasureWord(word: string): boolean {
  return measureWords.has(word);
}

/**
 * Lengths of all units and similar words ("ml", "pack"), as a bit mask for each first character. Bit n is set if a word
 * with this first character has n letters.
 */
const unitLengthsByLetter = collectLengthMasks(measureWords);

/**
 * Fast check whether the characters after the digits of a token may be a unit, the start of a unit, or the x of a
 * dimension. It may return true for other characters too.
 * @param end index after the token
 */
export function mayBeUnit(units: ArrayLike<number>, start: number, end: number): boolean {
  const firstCodeUnit = units[start] as number;
  if (firstCodeUnit >= unitLengthsByLetter.length || firstCodeUnit === letterX) return true;
  let unitEnd = start + 1;
  while (unitEnd < end && !isDigit(units[unitEnd] as number)) unitEnd += 1;
  // In "4ftx8ft", the first x separates the sides and is not part of the unit.
  const length = (unitEnd < end && units[unitEnd - 1] === letterX ? unitEnd - 1 : end) - start;
  return length < 32 && ((unitLengthsByLetter[firstCodeUnit] as number) & (1 << length)) !== 0;
}

function collectLengthMasks(words: Iterable<string>): ArrayLike<number> {
  const lengths = new Uint32Array(0x80);
  for (const word of words) {
    const firstLetter = word.charCodeAt(0);
    if (firstLetter < lengths.length) lengths[firstLetter] = (lengths[firstLetter] as number) | (1 << word.length);
  }
  return lengths;
}

/** UTF-16 unit of the letter x, which separates the sides of a dimension. */
export const letterX = 0x78;

function firstWordsOf(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.filter((name) => name.includes(" ")).map((name) => name.slice(0, name.indexOf(" "))));
}
