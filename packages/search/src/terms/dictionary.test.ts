import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { findText, packDictionary, prefixRange, textAt, textCount } from "./dictionary.ts";

const word = fc.string({ unit: fc.constantFrom("a", "b", "c", "é", "東"), maxLength: 6 });
const sortedWords = fc.uniqueArray(word, { maxLength: 200 }).map((texts) => texts.sort());

test("every text is found at its ordinal, others nowhere", () => {
  fc.assert(
    fc.property(sortedWords, word, (texts, other) => {
      const dictionary = packDictionary(texts);
      assert.equal(textCount(dictionary), texts.length);
      texts.forEach((text, ordinal) => {
        assert.equal(textAt(dictionary, ordinal), text);
        assert.equal(findText(dictionary, text), ordinal);
      });
      assert.equal(findText(dictionary, other), texts.indexOf(other));
    }),
  );
});

test("a prefix range holds exactly the texts that begin with it", () => {
  fc.assert(
    fc.property(sortedWords, word, (texts, prefix) => {
      const { low, high } = prefixRange(packDictionary(texts), prefix);
      assert.deepEqual(
        texts.slice(low, high),
        texts.filter((text) => text.startsWith(prefix)),
      );
    }),
  );
});

test("commonPrefixes tell how much each text boosts with the one before", () => {
  fc.assert(
    fc.property(sortedWords, (texts) => {
      const { commonPrefixes } = packDictionary(texts);
      texts.forEach((text, ordinal) => {
        let common = 0;
        const before = texts[ordinal - 1] ?? "";
        while (common < text.length && common < before.length && text[common] === before[common]) common += 1;
        assert.equal(commonPrefixes[ordinal], common);
      });
    }),
  );
});
