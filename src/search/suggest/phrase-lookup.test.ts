import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { heaviest } from "./phrase-lookup.ts";
import { packPhrases } from "./phrases.ts";

test("ordinals of a range come by weight, then in order, as sorting the range gives them", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(6), { maxLength: 70 }), fc.nat(70), fc.nat(70), (weights, one, other) => {
      const low = Math.min(one, other, weights.length);
      const high = Math.min(Math.max(one, other), weights.length);
      const phrases = packPhrases(new Map(weights.map((weight, at) => [String.fromCharCode(0x4e00 + at), weight])));
      const slow = weights.map((weight, ordinal) => ({ weight, ordinal })).slice(low, high);
      slow.sort((a, b) => b.weight - a.weight || a.ordinal - b.ordinal);
      assert.deepEqual(
        [...heaviest(phrases, { low, high })],
        slow.map(({ ordinal }) => ordinal),
      );
    }),
  );
});
