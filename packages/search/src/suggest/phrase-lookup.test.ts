import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { HeaviestFirst } from "./phrase-lookup.ts";
import { packPhrases } from "./phrases.ts";

test("ordinals of a range come by weight, then in order, as sorting the range gives them", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(6), { maxLength: 70 }), fc.nat(70), fc.nat(70), (weights, one, other) => {
      const low = Math.min(one, other, weights.length);
      const high = Math.min(Math.max(one, other), weights.length);
      const phrases = packPhrases(new Map(weights.map((weight, at) => [String.fromCharCode(0x4e00 + at), weight])));
      const slow = weights.map((weight, ordinal) => ({ weight, ordinal })).slice(low, high);
      slow.sort((a, b) => b.weight - a.weight || a.ordinal - b.ordinal);
      const ordinals = new HeaviestFirst(phrases, { low, high });
      const found: number[] = [];
      for (let next = ordinals.next(); next >= 0; next = ordinals.next()) found.push(next);
      assert.equal(ordinals.next(), -1);
      assert.deepEqual(
        found,
        slow.map(({ ordinal }) => ordinal),
      );
    }),
  );
});
