import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { BigramIndex } from "./bigram-index.ts";
import { packDictionary } from "./dictionary.ts";

test("texts with one of several words after a beginning with a vowel are those that a comparison of all positions finds", () => {
  const longText = fc.string({ unit: fc.constantFrom("a", "b", "c", "é", "ţ"), maxLength: 9 });
  const someTexts = fc.uniqueArray(longText, { maxLength: 700, size: "max" }).map((texts) => texts.sort());
  const someWords = fc.array(fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 2, maxLength: 4 }), {
    maxLength: 3,
  });
  fc.assert(
    fc.property(someTexts, someWords, fc.boolean(), (texts, words, matchesAnywhere) => {
      const isFound = (text: string) =>
        words.some((part) =>
          Array.from(text, (_, start) => start).some(
            (start) =>
              start >= 3 &&
              (matchesAnywhere ? text.startsWith(part, start) : text.slice(start) === part) &&
              text.slice(0, start).includes("a"),
          ),
        );
      assert.deepEqual(
        new BigramIndex(packDictionary(texts)).findContaining(words, matchesAnywhere).map((ordinal) => texts[ordinal]),
        texts.filter(isFound),
      );
    }),
  );
});
