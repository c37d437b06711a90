import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { HeaviestFirstIterator } from "./phrase-lookup.ts";
import { packPhrases } from "./phrases.ts";

test("ordinals of a range are sorted by descending weight, then ascending", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(6), { maxLength: 70 }), fc.nat(70), fc.nat(70), (weights, bound, otherBound) => {
      const low = Math.min(bound, otherBound, weights.length);
      const high = Math.min(Math.max(bound, otherBound), weights.length);
      const phrases = packPhrases(
        new Map(weights.map((weight, index) => [String.fromCharCode(0x4e00 + index), weight])),
      );
      const expected = weights.map((weight, ordinal) => ({ weight, ordinal })).slice(low, high);
      expected.sort((a, b) => b.weight - a.weight || a.ordinal - b.ordinal);
      const ordinals = new HeaviestFirstIterator(phrases, { low, high });
      const actual: number[] = [];
      for (let next = ordinals.next(); next >= 0; next = ordinals.next()) actual.push(next);
      assert.equal(ordinals.next(), -1);
      assert.deepEqual(
        actual,
        expected.map(({ ordinal }) => ordinal),
      );
    }),
  );
});
