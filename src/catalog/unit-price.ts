/** A quantity with its unit, such as 750 ml. */
export interface Measure {
  readonly value: number;
  readonly unit: MeasureUnit;
}

/** Content of a variant, and the reference quantity of its unit price, such as 750 ml and 1 liter. */
export interface UnitPriceMeasure {
  readonly quantity: Measure;
  readonly reference: Measure;
}

export type MeasureUnit = keyof typeof units;

/** For each unit, its dimension and its size in the smallest unit of that dimension. */
const units = {
  mg: ["weight", 1],
  g: ["weight", 1_000],
  kg: ["weight", 1_000_000],
  oz: ["weight", 28_349.523_125],
  lb: ["weight", 453_592.37],
  ml: ["volume", 1],
  cl: ["volume", 10],
  l: ["volume", 1_000],
  m3: ["volume", 1_000_000],
  floz: ["volume", 29.573_529_562_5],
  pt: ["volume", 473.176_473],
  qt: ["volume", 946.352_946],
  gal: ["volume", 3_785.411_784],
  mm: ["dimension", 1],
  cm: ["dimension", 10],
  m: ["dimension", 1_000],
  in: ["dimension", 25.4],
  ft: ["dimension", 304.8],
  yd: ["dimension", 914.4],
  m2: ["area", 1],
  ft2: ["area", 0.092_903_04],
  item: ["count", 1],
} as const satisfies Readonly<Record<string, readonly [kind: string, size: number]>>;

export const unitsOfMeasure = Object.keys(units) as readonly MeasureUnit[];

/** Returns the dimension of a unit, such as "weight" or "volume". */
export function getDimension(unit: MeasureUnit): string {
  return units[unit][0];
}

/** Returns whether both measures have the same dimension and are positive. */
export function isUnitPriceMeasure({ quantity, reference }: UnitPriceMeasure): boolean {
  return getDimension(quantity.unit) === getDimension(reference.unit) && quantity.value > 0 && reference.value > 0;
}

/** Returns the price of the reference quantity in minor units.  @param price price of the variant in minor units */
export function computeUnitPrice(price: number, { quantity, reference }: UnitPriceMeasure): number {
  const [packageAmount, referenceAmount] = [quantity, reference].map(({ value, unit }) => value * units[unit][1]);
  return Math.round((price * (referenceAmount ?? 0)) / (packageAmount ?? 1));
}

export type WeightUnit = "kg" | "lb" | "oz";

export const gramsPerUnit: Readonly<Record<WeightUnit | "g", number>> = {
  g: 1,
  kg: 1_000,
  oz: 28.349_523_125,
  lb: 453.592_37,
};

/** Returns a variant's weight in its display unit, rounded to four decimals. */
export function convertWeight({ grams, weightUnit }: { grams: number; weightUnit?: WeightUnit }): number {
  return Math.round((grams / gramsPerUnit[weightUnit ?? "g"]) * 10_000) / 10_000;
}
