import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { TopK } from "./top-k.ts";

test("keeps what sorting everything and cutting would keep", () => {
  const scores = fc.array(fc.integer({ min: -5, max: 5 }), { maxLength: 200 });
  fc.assert(
    fc.property(scores, fc.integer({ min: 0, max: 12 }), (offers, k) => {
      const top = new TopK(k);
      offers.forEach((score, index) => {
        top.offer(score, (index * 7) % 1009);
      });
      const expected = offers
        .map((score, index) => ({ number: (index * 7) % 1009, score }))
        .sort((one, other) => other.score - one.score || one.number - other.number)
        .slice(0, k);
      assert.deepEqual(top.take(), expected);
    }),
  );
});
