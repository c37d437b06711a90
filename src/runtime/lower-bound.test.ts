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
      (values, wanted, skip) => {
        const ascending = values.sort((one, other) => one - other);
        const from = Math.min(skip, ascending.length);
        const found = ascending.findIndex((value, index) => index >= from && value >= wanted);
        const expected = found < 0 ? ascending.length : found;
        assert.equal(
          lowerBound(from, ascending.length, (index) => (ascending[index] ?? 0) < wanted),
          expected,
        );
      },
    ),
  );
});
