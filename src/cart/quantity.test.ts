import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { applyQuantityRule, computeLargestAllowedQuantity } from "./quantity.ts";

const rules = fc
  .record({
    min: fc.integer({ min: 1, max: 12 }),
    increment: fc.integer({ min: 1, max: 12 }),
    more: fc.option(fc.integer({ min: 0, max: 40 }), { nil: undefined }),
  })
  .map(({ min, increment, more }) => ({
    min,
    increment,
    ...(more === undefined ? {} : { max: min + Math.floor(more / increment) * increment }),
  }));

test("a quantity rule rounds increases up and decreases down, to 0 below its minimum", () => {
  fc.assert(
    fc.property(
      rules,
      fc.integer({ min: 1, max: 100 }),
      fc.integer({ min: 0, max: 100 }),
      (rule, requested, current) => {
        const allowedQuantities = Array.from({ length: 200 }, (_, step) => rule.min + step * rule.increment).filter(
          (quantity) => quantity <= (rule.max ?? 1_000),
        );
        const lowerQuantity =
          allowedQuantities.findLast((quantity) => quantity <= requested) ??
          allowedQuantities.find((quantity) => quantity < current) ??
          0;
        const higherQuantity = allowedQuantities.find((quantity) => quantity >= requested) ?? allowedQuantities.at(-1);
        const expectedQuantity = requested > current ? higherQuantity : requested < current ? lowerQuantity : current;
        assert.equal(applyQuantityRule(requested, rule, current), expectedQuantity);
        assert.equal(
          computeLargestAllowedQuantity(requested, rule),
          allowedQuantities.findLast((quantity) => quantity <= requested) ?? 0,
        );
      },
    ),
  );
});
