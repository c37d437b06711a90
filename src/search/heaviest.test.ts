import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { heaviest } from "./heaviest.ts";
import { packPhrases } from "./phrases.ts";

test("places of a range come by weight, then in order, as sorting the range gives them", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(6), { maxLength: 70 }), fc.nat(70), fc.nat(70), (weights, one, other) => {
      const low = Math.min(one, other, weights.length);
      const high = Math.min(Math.max(one, other), weights.length);
      const phrases = { ...packPhrases(new Map()), weights: Uint32Array.from(weights) };
      const slow = weights.map((weight, place) => ({ weight, place })).slice(low, high);
      slow.sort((a, b) => b.weight - a.weight || a.place - b.place);
      assert.deepEqual(
        [...heaviest(phrases, { low, high })],
        slow.map(({ place }) => place),
      );
    }),
  );
});
