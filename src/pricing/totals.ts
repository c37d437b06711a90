import type { Discount } from "./discount.ts";
import { percentageOf, prorate } from "./prorate.ts";

/** One line before discounts: what it costs, and which of the applicable discounts are for it. */
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

/** What a cart comes to; minor units. subtotal = sum of (amount - its allocations); total = subtotal - cart allocations. */
export interface Totals {
  /** One list for each line. */
  readonly lineAllocations: readonly (readonly Allocation[])[];
  readonly subtotal: number;
  readonly cartAllocations: readonly Allocation[];
  /** The cart's allocations as shares of the lines, one list for each line: nothing is lost or added. */
  readonly cartShares: readonly (readonly Allocation[])[];
  readonly totalDiscount: number;
  readonly total: number;
}

/** Applies the discounts one after the other, each to what the ones before it left: first those for lines, per line or prorated to
 *  their lines without loss, then those for the whole cart. Nothing falls below zero.
 *  @param discounts the applicable ones, in the order in which they apply  @param forCart those for the whole cart */
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

/** Takes amounts off what is due, one after the other; each gives at most what it holds.
 *  @returns what each gave, and what is still due, never negative; minor units */
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

/** Takes each line's share off what is left of it, and writes it down. */
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
  const wanted = discount.valueType === "percentage" ? percentageOf(amount, discount.value) : discount.value;
  return Math.min(amount, wanted);
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((a, b) => a + b, 0);
}
