import type { Discount } from "./discount.ts";
import { computePercentage, prorate } from "./prorate.ts";

/** Amount of a cart line before discounts, and the discounts that apply to the line. */
export interface LineAmount {
  /** Unit price times quantity, in minor units. */
  readonly amount: number;
  /** Total number of units of the line, and the number of reduced units for each discount "buy X, get Y". */
  readonly rewards?: { readonly quantity: number; readonly units: ReadonlyMap<Discount, number> };
  readonly discountSet: ReadonlySet<Discount>;
}

export interface Allocation {
  readonly discount: Discount;
  /** Amount in minor units, at least 1. */
  readonly amount: number;
}

/**
 * Totals of a cart, in minor units. An allocation is the amount that one discount takes off. subtotal = sum of each
 * line's amount minus its allocations; total = subtotal - cart allocations.
 */
export interface Totals {
  /** For each cart line, the amounts that discounts on this line take off. */
  readonly lineAllocations: readonly (readonly Allocation[])[];
  readonly subtotal: number;
  readonly cartAllocations: readonly Allocation[];
  /** For each cart line, its share of the discounts on the entire cart. */
  readonly cartShares: readonly (readonly Allocation[])[];
  readonly totalDiscount: number;
  readonly total: number;
}

/**
 * Applies discounts in sequence, each to the remaining amounts. Discounts on certain lines come first, then discounts
 * on the entire cart. If a discount is split between lines, the shares add up to its exact amount. No amount becomes
 * negative.
 * @param discounts discounts on certain lines, in order
 * @param cartDiscounts discounts on the entire cart, in order
 */
export function computeTotals(
  lines: readonly LineAmount[],
  discounts: readonly Discount[],
  cartDiscounts: readonly Discount[],
): Totals {
  const remainingAmounts = lines.map((line) => line.amount);
  const lineAllocations: Allocation[][] = lines.map(() => []);
  for (const discount of discounts) {
    const weights = lines.map((line, index) => (line.discountSet.has(discount) ? (remainingAmounts[index] ?? 0) : 0));
    const shares =
      discount.valueType === "buy_x_get_y"
        ? lines.map((line, index) =>
            computeDiscountAmount(discount, computeDiscountedPart(line, discount, weights[index] ?? 0)),
          )
        : discount.isPerLine === true
          ? weights.map((weight) => computeDiscountAmount(discount, weight))
          : prorate(computeDiscountAmount(discount, sumAmounts(weights)), weights);
    allocateDiscount(discount, shares, remainingAmounts, lineAllocations);
  }
  const subtotal = sumAmounts(remainingAmounts);
  let total = subtotal;
  const cartAllocations: Allocation[] = [];
  const cartShares: Allocation[][] = lines.map(() => []);
  for (const discount of cartDiscounts) {
    const amount = computeDiscountAmount(discount, total);
    if (amount === 0) continue;
    total -= amount;
    cartAllocations.push({ discount, amount });
    allocateDiscount(discount, prorate(amount, remainingAmounts), remainingAmounts, cartShares);
  }
  return { lineAllocations, subtotal, cartAllocations, cartShares, totalDiscount: subtotal - total, total };
}

/**
 * Pays the amount due from several balances in sequence. Each pays at most its balance.
 * @returns the amount that each balance pays, and the remaining amount, in minor units
 */
export function payFromBalances(
  amountDue: number,
  balances: readonly number[],
): { readonly payments: readonly number[]; readonly amountDue: number } {
  let remainingAmount = amountDue;
  const payments = balances.map((balance) => {
    const amount = Math.min(remainingAmount, Math.max(0, balance));
    remainingAmount -= amount;
    return amount;
  });
  return { payments, amountDue: remainingAmount };
}

/** Subtracts each line's share of a discount and records the share. */
function allocateDiscount(
  discount: Discount,
  shares: readonly number[],
  remainingAmounts: number[],
  allocations: readonly Allocation[][],
): void {
  shares.forEach((amount, index) => {
    if (amount === 0) return;
    remainingAmounts[index] = (remainingAmounts[index] ?? 0) - amount;
    allocations[index]?.push({ discount, amount });
  });
}

/** Returns the part of a line's amount that belongs to the units that a discount reduces. */
function computeDiscountedPart({ rewards }: LineAmount, discount: Discount, amount: number): number {
  const units = rewards?.units.get(discount) ?? 0;
  return units === 0 ? 0 : Math.min(amount, Math.round((amount / (rewards?.quantity ?? 1)) * units));
}

function computeDiscountAmount({ valueType, value, get }: Discount, amount: number): number {
  if (valueType === "buy_x_get_y") return computePercentage(amount, get?.percentage ?? 0);
  return Math.min(amount, valueType === "percentage" ? computePercentage(amount, value) : value);
}

function sumAmounts(amounts: readonly number[]): number {
  return amounts.reduce((a, b) => a + b, 0);
}
