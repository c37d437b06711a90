import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { HeaviestFirstIterator } from "./heaviest-first-iterator.ts";
import { packPhrases } from "./phrases.ts";

test("ordinals of a range are sorted by descending weight, then ascending", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(6), { maxLength: 70 }), fc.nat(70), fc.nat(70), (weights, bound, otherBound) => {
      const low = Math.min(bound, otherBound, weights.length);
      const high = Math.min(Math.max(bound, otherBound), weights.length);
      const phrases = packPhrases(
        new Map(weights.map((weight, index) => [String.fromCharCode(0x4e00 + index), weight])),
      );
      const expectedPhrases = weights.map((weight, ordinal) => ({ weight, ordinal })).slice(low, high);
      expectedPhrases.sort((a, b) => b.weight - a.weight || a.ordinal - b.ordinal);
      const ordinals = new HeaviestFirstIterator(phrases, { low, high });
      const actualOrdinals: number[] = [];
      for (let nextOrdinal = ordinals.next(); nextOrdinal >= 0; nextOrdinal = ordinals.next())
        actualOrdinals.push(nextOrdinal);
      assert.equal(ordinals.next(), -1);
      assert.deepEqual(
        actualOrdinals,
        expectedPhrases.map(({ ordinal }) => ordinal),
      );
    }),
  );
});
