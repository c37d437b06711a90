import { isDigit } from "./chunks.ts";
import { languages } from "./languages/registry.ts";

interface Unit {
  /** The unit in which quantities are indexed. */
  readonly base: string;
  /** How many of the base unit it is. */
  readonly factor: number;
}

/** Units by their symbols and abbreviations in any language. The first is the one by which languages name the unit. */
const symbols = [
  ["ml", 1, "ml"],
  ["ml", 10, "cl"],
  ["ml", 100, "dl"],
  ["ml", 1000, "l lt ltr"],
  ["g", 1, "g gr"],
  ["g", 1000, "kg"],
  ["mm", 1, "mm"],
  ["mm", 10, "cm"],
  ["mm", 1000, "m"],
  ["inch", 1, "in"],
  ["ft", 1, "ft"],
  ["w", 1, "w"],
  ["w", 1000, "kw"],
  ["v", 1, "v"],
  ["gb", 1, "gb"],
  ["gb", 1000, "tb"],
  ["hz", 1, "hz"],
] as const;

const units: ReadonlyMap<string, Unit> = new Map(
  symbols.flatMap(([base, factor, written]) => {
    const names = written.split(" ");
    const inLanguages = languages.flatMap((language) => language.units?.[names[0] ?? ""] ?? []);
    return [...names, ...inLanguages].map((name): [string, Unit] => [name, { base, factor }]);
  }),
);

/** Parts of a number and its unit: "1", "5l" of `1.5l`; "27", "inch". */
export const maxQuantityTokens = 3;

/** Whether a word may be the last of a quantity: a unit, or a number and a unit. */
export function endsInUnit(word: string): boolean {
  return units.has(ending.exec(word)?.[2] ?? "");
}

const ending = /^([0-9]*)([a-z]+)$/;

/** The term for the quantity that words say, whatever unit they say it in: "1 l", "1000ml" and "100 cl" are "1000ml". Undefined where the words
 *  say none, or more than one. */
export function quantity(words: readonly string[]): string | undefined {
  const first = words[0]?.charCodeAt(0) ?? 0;
  if (!isDigit(first)) return undefined;
  const last = words.at(-1) ?? "";
  const ended = ending.exec(last);
  const unit = units.get(ended?.[2] ?? "");
  if (unit === undefined) return undefined;
  const externalIds = words.slice(0, -1);
  if (ended?.[1] !== "") externalIds.push(ended?.[1] ?? "");
  const [whole, fraction] = externalIds;
  if (whole === undefined || externalIds.length > 2 || !externalIds.every((number) => /^[0-9]{1,7}$/.test(number)))
    return undefined;
  // Three digits behind a point or comma are thousands ("1,000 ml"); fewer are a fraction.
  const value = Number(fraction === undefined || fraction.length === 3 ? externalIds.join("") : `${whole}.${fraction}`);
  return `${Math.round(value * unit.factor * 1000) / 1000}${unit.base}`;
}
