import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { byRule, largestWithin } from "./quantity.ts";

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
    fc.property(rules, fc.integer({ min: 1, max: 100 }), fc.integer({ min: 0, max: 100 }), (rule, wanted, current) => {
      const allowed = Array.from({ length: 200 }, (_, step) => rule.min + step * rule.increment).filter(
        (one) => one <= (rule.max ?? 1_000),
      );
      const lower = allowed.findLast((one) => one <= wanted) ?? allowed.find((one) => one < current) ?? 0;
      const higher = allowed.find((one) => one >= wanted) ?? allowed.at(-1);
      const expected = wanted > current ? higher : wanted < current ? lower : current;
      assert.equal(byRule(wanted, rule, current), expected);
      assert.equal(largestWithin(wanted, rule), allowed.findLast((one) => one <= wanted) ?? 0);
    }),
  );
});
