import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { chunks, hasDigit } from "./chunks.ts";
import { afterBreak, ofGrams, Tokenizer, withDigit } from "./tokenizer.ts";

const rounds = Number(process.env.VITRINE_ROUNDS ?? 1_000);
const pieces = [
  ..."aZsT09 éßŁĳſΣςİıЖйאإ٣東カｶ゙ก่́̈\u00ad\u200b\u0345½™²…ﬁ№．''’`´-–—._/&+,;()\"”″′\t\u00a0\u3000\n\0\u0001\u0002😀\ud800",
  "men's",
  '27"',
  "1,5",
  "6'2\"",
  "4'x8'",
  "1'000",
  "27''",
  "5/8″",
  "1½",
  ".5 ",
  "50 %",
  "#8",
  "4 × 8",
  "°",
  "don’t",
  "x".repeat(59),
];
const text = fc.oneof(
  fc.array(fc.constantFrom(...pieces), { maxLength: 30 }).map((found) => found.join("")),
  fc.string({ unit: "binary" }),
);

test("a text is read in the chunks into which it is cut, whatever was read before", () => {
  const tokenizer = new Tokenizer();
  const readAll = (given: string) => {
    tokenizer.read(given);
    const { units, starts, ends, firstTokens, gaps } = tokenizer;
    return Array.from({ length: tokenizer.chunks }, (_, chunk) => {
      const flags = tokenizer.flags[chunk] ?? 0;
      const from = firstTokens[chunk] ?? 0;
      const texts = Array.from(ends.subarray(from, firstTokens[chunk + 1]), (end, token) =>
        String.fromCharCode(...units.subarray(starts[from + token], end)),
      );
      const isGrams = (flags & ofGrams) > 0;
      const around = [...gaps.subarray(from, (firstTokens[chunk + 1] ?? 0) + 1)];
      return { texts, around, isGrams, isAfterBreak: (flags & afterBreak) > 0, hasDigit: (flags & withDigit) > 0 };
    });
  };
  const cut = (given: string) =>
    chunks(given).map((chunk) => {
      const texts = chunk.map((token) => token.text);
      const isGrams = chunk.some((token) => token.isGram);
      const around = [...chunk.map((token) => token.before), chunk.at(-1)?.after];
      return { texts, around, isGrams, isAfterBreak: chunk[0]?.isAfterBreak === true, hasDigit: texts.some(hasDigit) };
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
