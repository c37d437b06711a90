import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Discount } from "./discount.ts";
import { type PromotionLine, selectDiscounts, selectRewardUnits } from "./promotions.ts";

const base = { kind: "discount", id: "1", title: "", minimumSubtotal: 0, products: [], collections: [] } as const;

test("buy X, get Y reduces the same units as giving them one by one to the cheapest item", () => {
  const line = fc.record({
    quantity: fc.integer({ min: 1, max: 7 }),
    price: fc.integer({ min: 0, max: 3 }),
    isTarget: fc.boolean(),
    isBought: fc.boolean(),
  });
  const count = fc.integer({ min: 1, max: 4 });
  fc.assert(
    fc.property(fc.array(line, { maxLength: 6 }), count, count, fc.boolean(), (lines, buys, gets, isOwn) => {
      const buy = { quantity: buys, products: isOwn ? ["x"] : [], collections: [] };
      const units = selectRewardUnits({ buy, get: { quantity: gets, percentage: 100 } }, lines);
      assert.deepEqual(units, giveOneByOne(lines, buys, gets, isOwn));
    }),
  );
});

/** Forms groups from single units, and gives the units of all groups to the cheapest items. */
function giveOneByOne(lines: readonly PromotionLine[], buys: number, gets: number, isOwn: boolean): readonly number[] {
  const single = lines.flatMap((line, index) => Array.from({ length: line.quantity }, () => ({ ...line, index })));
  const payable = single.filter(({ isTarget, isBought }) => (isOwn ? isBought : isTarget));
  let gifts = 0;
  for (let left = payable.length; left >= (isOwn ? buys : buys + gets); left -= isOwn ? buys : buys + gets)
    gifts += gets;
  const given = single
    .filter(({ isTarget, isBought }) => isTarget && !(isOwn && isBought))
    .sort((a, b) => a.price - b.price || a.index - b.index)
    .slice(0, gifts);
  return lines.map((_, index) => given.filter((unit) => unit.index === index).length);
}

test("a discount that does not combine applies alone if it takes off more than the others together", () => {
  const discount = (id: string, value: number, combines = true): Discount => ({
    ...{ ...base, id, valueType: "fixed_amount", value },
    ...(combines ? {} : { combines }),
  });
  const select = (...discounts: readonly Discount[]): readonly string[] =>
    selectDiscounts(discounts, (list) => list.reduce((sum, { value }) => sum + value, 0)).map(({ id }) => id);
  const [small, middle] = [discount("small", 5), discount("middle", 10)];
  assert.deepEqual(select(small, middle), ["small", "middle"]);
  assert.deepEqual(select(small, middle, discount("alone", 14, false)), ["small", "middle"]);
  assert.deepEqual(select(small, middle, discount("alone", 16, false)), ["alone"]);
  const freeShipping: Discount = { ...base, id: "shipping", valueType: "free_shipping", value: 0, combines: false };
  assert.deepEqual(select(freeShipping), ["shipping"]);
});
