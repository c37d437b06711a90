import { isDigit } from "./chunks.ts";
import type { UnitSymbol } from "./languages/language.ts";
import { languages } from "./languages/registry.ts";

export interface Unit {
  readonly symbol: UnitSymbol;
  /** Multiplier that converts to the base unit of the family, such as 1,000 for kg in a family of g. */
  readonly factor: number;
  readonly family: Family;
}

/** Convertible units of one system. Metric and imperial units are not converted: rounded values are never equal. */
export interface Family {
  /** Units in which quantities are indexed, ascending. */
  readonly indexed: readonly { readonly symbol: UnitSymbol; readonly factor: number }[];
  /** Whether a number without a unit has that of the next number: "4 x 8 ft", but not "6 x 330 ml". */
  readonly isOfSides: boolean;
}

type Row = readonly [symbol: UnitSymbol, factor: number, names: string];

/**
 * One family per entry: symbol, size in the first unit, further names for any language. A `*` after the names:
 * quantities are indexed in that unit if the value is an integer; else in the first. Names in one language are in its
 * file.
 */
const families: readonly (readonly Row[])[] = [
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

const byName: ReadonlyMap<string, Unit> = new Map(
  families.flatMap((rows) => {
    const indexed = rows
      .filter(([, factor, names]) => factor === 1 || names.endsWith("*"))
      .map(([symbol, factor]) => ({ symbol, factor }));
    const first = rows[0]?.[0] ?? "";
    const family: Family = { indexed, isOfSides: first === "mm" || first === "inch" };
    return rows.flatMap(([symbol, factor, names]) => {
      const written = names.split(" ").filter((name) => name !== "*" && name !== "");
      const inLanguages = languages.flatMap((language) => language.units?.[symbol] ?? []);
      return [symbol, ...written.map((name) => name.replace("_", " ")), ...inLanguages].map((name): [string, Unit] => [
        name,
        { symbol, factor, family },
      ]);
    });
  }),
);

/** Returns the unit of a name of one word, or of two separated by a space, or undefined. */
export function unitOf(name: string): Unit | undefined {
  return byName.get(name);
}

/** Whether a term ends in a unit: a unit, or a number and a unit. */
export function endsInUnit(term: string): boolean {
  return byName.has(/^[0-9.]*([a-z]+[23]?)$/.exec(term)?.[1] ?? "");
}

/** First words of names of two words. */
const beginnings = wordsBeforeBlank([...byName.keys()]);

export function mayBeginUnit(word: string): boolean {
  return beginnings.has(word);
}

/** Words between numbers that mean a dimension, like `x`: "4 by 8". */
const timesWords: ReadonlySet<string> = new Set(["x", ...languages.flatMap(({ times }) => times ?? [])]);

export function isTimesWord(word: string): boolean {
  return timesWords.has(word);
}

/** Words before the number of items in a pack: "pack of" 6. */
const packPhrases: ReadonlySet<string> = new Set(languages.flatMap(({ packs }) => packs ?? []));

export function isPackPhrase(first: string, second: string): boolean {
  return packPhrases.has(`${first} ${second}`);
}

/** Abbreviations of "number" in any language: "No. 8", "Nr. 8", "n° 8". */
const numberWords: ReadonlySet<string> = new Set(["no", "nr", "num", "nro", "n"]);

export function isNumberWord(word: string): boolean {
  return numberWords.has(word);
}

const wordsOfUnits: ReadonlySet<string> = new Set(
  [...byName.keys(), ...packPhrases, ...timesWords, ...numberWords].flatMap((name) => name.split(" ")),
);

/** Whether a word means something before or behind a number. */
export function isMeasureWord(word: string): boolean {
  return wordsOfUnits.has(word);
}

/** By the code of the first letter of words with a meaning next to a number: their lengths, as bits. */
const measureLengths = lengthsByFirst(wordsOfUnits);

/**
 * Returns false only if the characters after digits in a token are certainly not a unit, its start, or the x of a
 * dimension.
 * @param end index behind the token
 */
export function mayBeMeasure(units: ArrayLike<number>, at: number, end: number): boolean {
  const first = units[at] as number;
  if (first >= measureLengths.length || first === letterX) return true;
  let to = at + 1;
  while (to < end && !isDigit(units[to] as number)) to += 1;
  // "4ftx8ft" is one token: its x is not part of the unit.
  const length = (to < end && units[to - 1] === letterX ? to - 1 : end) - at;
  return length < 32 && ((measureLengths[first] as number) & (1 << length)) !== 0;
}

function lengthsByFirst(words: Iterable<string>): ArrayLike<number> {
  const lengths = new Uint32Array(0x80);
  for (const word of words) {
    const first = word.charCodeAt(0);
    if (first < lengths.length) lengths[first] = (lengths[first] as number) | (1 << word.length);
  }
  return lengths;
}

/** The x of a dimension, as a UTF-16 unit. */
export const letterX = 0x78;

function wordsBeforeBlank(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.filter((name) => name.includes(" ")).map((name) => name.slice(0, name.indexOf(" "))));
}
