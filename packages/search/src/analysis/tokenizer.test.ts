import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { anyText } from "../../../../test/support/any-text.ts";
import { splitChunks } from "../slow-chunks.fixture.ts";
import { hasDigit } from "./chunks.ts";
import { afterSeparatorFlag, digitFlag, gramFlag, Tokenizer } from "./tokenizer.ts";

const runCount = Number(process.env.VITRINE_ROUNDS ?? 500);
const textParts = [
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
  fc.array(fc.constantFrom(...textParts), { maxLength: 30 }).map((parts) => parts.join("")),
  anyText(),
);

test("the tokenizer returns the chunks of splitChunks, regardless of earlier texts", () => {
  const tokenizer = new Tokenizer();
  const readTokens = (input: string, isQuery: boolean) => {
    tokenizer.read(input, isQuery);
    const { units, starts, ends, chunkStartTokens: firstTokens, separatorSets: gaps } = tokenizer;
    return Array.from({ length: tokenizer.chunkCount }, (_, chunk) => {
      const flags = tokenizer.chunkFlags[chunk] ?? 0;
      const from = firstTokens[chunk] ?? 0;
      const texts = Array.from(ends.subarray(from, firstTokens[chunk + 1]), (end, token) =>
        String.fromCharCode(...units.subarray(starts[from + token], end)),
      );
      const isGrams = (flags & gramFlag) > 0;
      const surroundingGaps = [...gaps.subarray(from, (firstTokens[chunk + 1] ?? 0) + 1)];
      return {
        texts,
        around: surroundingGaps,
        isGrams,
        isAfterBreak: (flags & afterSeparatorFlag) > 0,
        hasDigit: (flags & digitFlag) > 0,
      };
    });
  };
  const splitTokens = (input: string, isQuery: boolean) =>
    splitChunks(input, isQuery).map((chunk) => {
      const texts = chunk.map((token) => token.text);
      const isGrams = chunk.some((token) => token.isGram);
      const surroundingGaps = [...chunk.map((token) => token.separatorBefore), chunk.at(-1)?.separatorAfter];
      return {
        texts,
        around: surroundingGaps,
        isGrams,
        isAfterBreak: chunk[0]?.isAfterBreak === true,
        hasDigit: !isGrams && texts.some(hasDigit),
      };
    });
  fc.assert(
    fc.property(text, fc.boolean(), (input, isQuery) => {
      assert.deepEqual(readTokens(input, isQuery), splitTokens(input, isQuery));
    }),
    { numRuns: runCount },
  );
  const longText = "a.".repeat(5_000);
  assert.deepEqual(readTokens(longText, false), splitTokens(longText, false));
});
