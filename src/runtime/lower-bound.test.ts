import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { lowerBound } from "./lower-bound.ts";

test("lowerBound finds the index that a linear search finds", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 20 })),
      fc.integer({ min: -1, max: 21 }),
      fc.nat(5),
      (values, target, skip) => {
        const sortedValues = values.sort((a, b) => a - b);
        const from = Math.min(skip, sortedValues.length);
        const foundIndex = sortedValues.findIndex((value, index) => index >= from && value >= target);
        const expected = foundIndex < 0 ? sortedValues.length : foundIndex;
        assert.equal(
          lowerBound(from, sortedValues.length, (index) => (sortedValues[index] ?? 0) < target),
          expected,
        );
      },
    ),
  );
});
