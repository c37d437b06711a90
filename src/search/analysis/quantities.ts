import { isDigit } from "./chunks.ts";

/** A number of units as one word, whatever unit it was said in: "1 l", "1000ml" and "100 cl" are "1000ml". */
interface Unit {
  readonly base: string;
  readonly factor: number;
}

const units: ReadonlyMap<string, Unit> = new Map(
  (
    [
      ["ml", 1, "ml milliliter millilitre milliliters millilitres"],
      ["ml", 10, "cl centiliter centilitre"],
      ["ml", 100, "dl deciliter decilitre"],
      ["ml", 1000, "l lt ltr liter litre liters litres litro litros litri"],
      ["g", 1, "g gr gram grams gramm gramme grammes gramos"],
      ["g", 1000, "kg kilo kilos kilogram kilograms kilogramm kilogramme"],
      ["mm", 1, "mm millimeter millimetre millimeters millimetres"],
      ["mm", 10, "cm centimeter centimetre centimeters centimetres"],
      ["mm", 1000, "m meter metre meters metres"],
      ["inch", 1, "in inch inches zoll pouce pouces pulgadas"],
      ["ft", 1, "ft foot feet"],
      ["w", 1, "w watt watts"],
      ["w", 1000, "kw kilowatt kilowatts"],
      ["v", 1, "v volt volts"],
      ["gb", 1, "gb gigabyte gigabytes"],
      ["gb", 1000, "tb terabyte terabytes"],
      ["hz", 1, "hz hertz"],
    ] as const
  ).flatMap(([base, factor, names]) => names.split(" ").map((name): [string, Unit] => [name, { base, factor }])),
);

/** Parts of a number and its unit: "1", "5l" of `1.5l`; "27", "inch". */
export const maxQuantityTokens = 3;

/** Whether a word may be the last of a quantity: a unit, or a number and a unit. */
export function endsInUnit(word: string): boolean {
  return units.has(ending.exec(word)?.[2] ?? "");
}

const ending = /^([0-9]*)([a-z]+)$/;

/** The one word for a quantity that these words say, all of them and nothing else; undefined where they say none. */
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
