import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { chunks, hasDigit } from "./analysis.ts";
import { afterBreak, ChunkReader, ofGrams, withDigit } from "./chunk-reader.ts";

const rounds = Number(process.env.VITRINE_ROUNDS ?? 2_000);
const pieces = [
  ..."aZsT09 éßŁĳſΣςİıЖйאإ٣東カｶ゙ก่́̈\u00ad\u200b\u0345½™²…ﬁ№．''’`´-–—._/&+,;()\"”″′\t\u00a0\u3000\n\0\u0001\u0002😀\ud800",
  "men's",
  '27"',
  "1,5",
  "don’t",
  "x".repeat(59),
];
const text = fc.oneof(
  fc.array(fc.constantFrom(...pieces), { maxLength: 30 }).map((found) => found.join("")),
  fc.string({ unit: "binary" }),
);

test("a text is read in the chunks into which it is cut, whatever was read before", () => {
  const reader = new ChunkReader();
  const readAll = (given: string) => {
    reader.read(given);
    const { units, starts, ends, firstParts } = reader;
    return Array.from({ length: reader.chunks }, (_, chunk) => {
      const traits = reader.traits[chunk] ?? 0;
      const from = firstParts[chunk] ?? 0;
      const texts = Array.from(ends.subarray(from, firstParts[chunk + 1]), (end, part) =>
        String.fromCharCode(...units.subarray(starts[from + part], end)),
      );
      const isGrams = (traits & ofGrams) > 0;
      return { texts, isGrams, isAfterBreak: (traits & afterBreak) > 0, hasDigit: (traits & withDigit) > 0 };
    });
  };
  const cut = (given: string) =>
    chunks(given).map((chunk) => {
      const texts = chunk.map((part) => part.text);
      const isGrams = chunk.some((part) => part.isGram);
      return { texts, isGrams, isAfterBreak: chunk[0]?.isAfterBreak === true, hasDigit: texts.some(hasDigit) };
    });
  fc.assert(
    fc.property(text, (given) => {
      assert.deepEqual(readAll(given), cut(given));
    }),
    { numRuns: rounds },
  );
  const long = "a.".repeat(5_000);
  assert.deepEqual(readAll(long), cut(long));
});
