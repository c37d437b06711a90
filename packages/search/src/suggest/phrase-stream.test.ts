import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { PhraseSet } from "./phrase-set.ts";
import { PhraseStream } from "./phrase-stream.ts";
import { packPhrases } from "./phrases.ts";

test("phrases of several ranges are sorted by descending weight, then by set, then by ordinal", () => {
  const rangeOfPhrases = fc.tuple(fc.array(fc.nat(6), { maxLength: 70 }), fc.nat(70), fc.nat(70));
  fc.assert(
    fc.property(fc.array(rangeOfPhrases, { maxLength: 3 }), (rangesOfPhrases) => {
      const stream = new PhraseStream();
      const expectedPhrases = rangesOfPhrases.flatMap(([weights, bound, otherBound], setIndex) => {
        const low = Math.min(bound, otherBound, weights.length);
        const high = Math.min(Math.max(bound, otherBound), weights.length);
        const texts = weights.map((_, index) => `${setIndex}${String.fromCharCode(0x4e00 + index)}`);
        const phrases = packPhrases(weights.map((weight, index) => [texts[index] as string, weight]));
        stream.add(new PhraseSet(phrases, { maxUncertainWeight: 0 }), { low, high });
        return weights
          .map((weight, ordinal) => ({ weight, ordinal, setIndex, text: texts[ordinal] as string }))
          .slice(low, high);
      });
      expectedPhrases.sort((a, b) => b.weight - a.weight || a.setIndex - b.setIndex || a.ordinal - b.ordinal);
      const actualTexts = expectedPhrases.map(() => stream.next()?.text);
      assert.deepEqual(
        actualTexts,
        expectedPhrases.map(({ text }) => text),
      );
      assert.equal(stream.next(), undefined);
      assert.equal(stream.next(), undefined);
    }),
  );
});
