import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Discount } from "./discount.ts";
import { computePercentage, prorate } from "./prorate.ts";
import { computeTotals, payFromBalances } from "./totals.ts";

const amounts = fc.array(fc.integer({ min: 0, max: 2 ** 45 }), { minLength: 1, maxLength: 12 });

test("allocation preserves the total, and no share exceeds its weight or differs by a unit or more from the exact one", () => {
  fc.assert(
    fc.property(amounts, fc.double({ min: 0, max: 1, noNaN: true }), (weights, part) => {
      const sum = weights.reduce((a, b) => a + b, 0);
      const total = Math.floor(sum * part);
      const shares = prorate(total, weights);
      assert.equal(
        shares.reduce((a, b) => a + b, 0),
        sum === 0 ? 0 : total,
      );
      shares.forEach((share, index) => {
        const weight = weights[index] ?? 0;
        assert.ok(share >= 0 && share <= weight);
        if (sum > 0) assert.ok(Math.abs(share - Number((BigInt(total) * BigInt(weight)) / BigInt(sum))) <= 1);
      });
    }),
  );
});

test("a percentage is exact to the unit, halves rounded up", () => {
  assert.equal(computePercentage(1_005, 10), 101);
  assert.equal(computePercentage(1_004, 10), 100);
  assert.equal(computePercentage(9_007_199_254_740_991, 100), 9_007_199_254_740_991);
  assert.equal(computePercentage(1_000, 12.5), 125);
});

test("the sums of a cart are exact to the unit, with any discount", () => {
  const discounts = fc.array(
    fc.record({
      isPercentage: fc.boolean(),
      isPerLine: fc.boolean(),
      value: fc.integer({ min: 0, max: 100 }),
      forCart: fc.boolean(),
      every: fc.integer({ min: 1, max: 3 }),
    }),
    { maxLength: 5 },
  );
  fc.assert(
    fc.property(amounts, discounts, (lines, specs) => {
      const discountEntries = specs.map((spec, index) => ({ spec, discount: discountOf(index, spec) }));
      const totals = computeTotals(
        lines.map((amount, index) => ({
          amount,
          discountSet: new Set(
            discountEntries
              .filter(({ spec }) => !spec.forCart && index % spec.every === 0)
              .map(({ discount }) => discount),
          ),
        })),
        discountEntries.filter(({ spec }) => !spec.forCart).map(({ discount }) => discount),
        discountEntries.filter(({ spec }) => spec.forCart).map(({ discount }) => discount),
      );
      const finalAmounts = lines.map(
        (amount, index) => amount - (totals.lineAllocations[index] ?? []).reduce((sum, share) => sum + share.amount, 0),
      );
      assert.ok(finalAmounts.every((finalAmount) => finalAmount >= 0 && Number.isSafeInteger(finalAmount)));
      assert.equal(
        finalAmounts.reduce((a, b) => a + b, 0),
        totals.subtotal,
      );
      assert.equal(totals.subtotal - totals.totalDiscount, totals.total);
      assert.equal(
        totals.cartAllocations.reduce((sum, share) => sum + share.amount, 0),
        totals.totalDiscount,
      );
      assert.ok(totals.total >= 0);
      const shares = totals.cartShares.map((list) => list.reduce((sum, share) => sum + share.amount, 0));
      assert.ok(shares.every((share, index) => share <= (finalAmounts[index] ?? 0)));
      for (const { discount, amount } of totals.cartAllocations) {
        const discountShares = totals.cartShares.flat().filter((share) => share.discount === discount);
        assert.equal(
          discountShares.reduce((sum, share) => sum + share.amount, 0),
          amount,
        );
      }
    }),
  );
});

test("the amount due decreases by each balance and is never negative", () => {
  assert.deepEqual(payFromBalances(100, [30, 200, 5]), { payments: [30, 70, 0], amountDue: 0 });
  assert.deepEqual(payFromBalances(100, [30]), { payments: [30], amountDue: 70 });
});

function discountOf(
  index: number,
  { isPercentage, isPerLine, value }: Pick<Discount, "isPerLine" | "value"> & { readonly isPercentage: boolean },
): Discount {
  return {
    kind: "discount",
    id: String(index),
    title: `Discount ${index}`,
    valueType: isPercentage ? "percentage" : "fixed_amount",
    value,
    isPerLine: isPerLine === true,
    minimumSubtotal: 0,
    products: [],
    collections: [],
  };
}
