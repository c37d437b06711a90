import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { anyText } from "../../../../test/support/any-text.ts";
import { packTexts } from "./dictionary.ts";
import { sortTexts } from "./text-order.ts";

test("sortTexts equals the sort order of strings, for any letters", () => {
  const textOfFewLetters = fc.string({ unit: fc.constantFrom("a", "b", "\0", "\ud800", "東"), maxLength: 30 });
  const textOfManyLetters = anyText({ maxLength: 12 });
  for (const text of [textOfFewLetters, textOfManyLetters])
    fc.assert(
      fc.property(fc.uniqueArray(text, { maxLength: 200 }), (texts) => {
        const order = Array.from(sortTexts(packTexts(texts)), (ordinal) => texts[ordinal]);
        assert.deepEqual(order, [...texts].sort());
      }),
    );
});

test("texts with a long common prefix are sorted", () => {
  const texts = Array.from({ length: 2_000 }, (_, index) => `${"x".repeat(50)}${(index * 7_919) % 2_000}`);
  const order = Array.from(sortTexts(packTexts(texts)), (ordinal) => texts[ordinal]);
  assert.deepEqual(order, texts.sort());
  assert.deepEqual([...sortTexts(packTexts([]))], []);
  assert.deepEqual([...sortTexts(packTexts([""]))], [0]);
});
