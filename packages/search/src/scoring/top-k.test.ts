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

test("of a number that is raised the best score counts", () => {
  const offers = fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: -5, max: 5 })), { maxLength: 60 });
  fc.assert(
    fc.property(offers, fc.integer({ min: 1, max: 12 }), (offered, k) => {
      const top = new TopK(k);
      const best = new Map<number, number>();
      for (const [number, score] of offered) {
        if (top.wants(score, number) && !top.raise(score, number)) top.offer(score, number);
        best.set(number, Math.max(score, best.get(number) ?? Number.NEGATIVE_INFINITY));
      }
      const expected = Array.from(best, ([number, score]) => ({ number, score }))
        .sort((one, other) => other.score - one.score || one.number - other.number)
        .slice(0, k);
      assert.deepEqual(top.take(), expected);
    }),
  );
});
