import type { Discount } from "./discount.ts";
import { percentageOf, prorate } from "./prorate.ts";

/** One line before discounts, and the applicable discounts that target it. */
export interface LineAmount {
  /** Minor units: unit price times quantity. */
  readonly amount: number;
  readonly targets: ReadonlySet<Discount>;
}

export interface Allocation {
  readonly discount: Discount;
  /** Minor units, 1 or more. */
  readonly amount: number;
}

/** Totals of a cart; minor units. subtotal = sum of (amount - its allocations); total = subtotal - cart allocations. */
export interface Totals {
  /** One list for each line. */
  readonly lineAllocations: readonly (readonly Allocation[])[];
  readonly subtotal: number;
  readonly cartAllocations: readonly Allocation[];
  /** The cart's allocations split over the lines without loss, one list for each line. */
  readonly cartShares: readonly (readonly Allocation[])[];
  readonly totalDiscount: number;
  readonly total: number;
}

/**
 * Applies the discounts in sequence, each to the remaining amounts: first those for lines, per line or prorated over
 * their lines without loss, then those for the entire cart. No amount becomes negative.
 * @param discounts the applicable ones, in order
 * @param forCart those for the entire cart
 */
export function computeTotals(
  lines: readonly LineAmount[],
  discounts: readonly Discount[],
  forCart: readonly Discount[],
): Totals {
  const left = lines.map((line) => line.amount);
  const lineAllocations: Allocation[][] = lines.map(() => []);
  for (const discount of discounts) {
    const weights = lines.map((line, index) => (line.targets.has(discount) ? (left[index] ?? 0) : 0));
    const shares =
      discount.isPerLine === true
        ? weights.map((weight) => discounted(discount, weight))
        : prorate(discounted(discount, sum(weights)), weights);
    take(discount, shares, left, lineAllocations);
  }
  const subtotal = sum(left);
  let total = subtotal;
  const cartAllocations: Allocation[] = [];
  const cartShares: Allocation[][] = lines.map(() => []);
  for (const discount of forCart) {
    const amount = discounted(discount, total);
    if (amount === 0) continue;
    total -= amount;
    cartAllocations.push({ discount, amount });
    take(discount, prorate(amount, left), left, cartShares);
  }
  return { lineAllocations, subtotal, cartAllocations, cartShares, totalDiscount: subtotal - total, total };
}

/**
 * Pays the amount due from several balances in sequence; each pays at most its balance.
 * @returns the amount paid by each, and the remaining amount, never negative; minor units
 */
export function payWith(
  due: number,
  balances: readonly number[],
): { readonly paid: readonly number[]; readonly due: number } {
  let left = due;
  const paid = balances.map((balance) => {
    const amount = Math.min(left, Math.max(0, balance));
    left -= amount;
    return amount;
  });
  return { paid, due: left };
}

/** Subtracts each line's share and records it. */
function take(
  discount: Discount,
  shares: readonly number[],
  left: number[],
  allocations: readonly Allocation[][],
): void {
  shares.forEach((amount, index) => {
    if (amount === 0) return;
    left[index] = (left[index] ?? 0) - amount;
    allocations[index]?.push({ discount, amount });
  });
}

function discounted(discount: Discount, amount: number): number {
  const discounted = discount.valueType === "percentage" ? percentageOf(amount, discount.value) : discount.value;
  return Math.min(amount, discounted);
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((a, b) => a + b, 0);
}
