import type { Variant, WeightUnit } from "./product.ts";

/** What a unit weighs, in grams. */
export const gramsPerUnit: Readonly<Record<WeightUnit | "g", number>> = {
  g: 1,
  kg: 1_000,
  oz: 28.349_523_125,
  lb: 453.592_37,
};

/** A variant's weight in its own unit, to four decimals. */
export function weightInUnit({ grams, weightUnit }: Pick<Variant, "grams" | "weightUnit">): number {
  return Math.round((grams / gramsPerUnit[weightUnit ?? "g"]) * 10_000) / 10_000;
}
