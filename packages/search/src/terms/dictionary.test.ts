import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { countTexts, findPrefix, findText, getText, packDictionary } from "./dictionary.ts";

const word = fc.string({ unit: fc.constantFrom("a", "b", "c", "é", "東"), maxLength: 6 });
const sortedWords = fc.uniqueArray(word, { maxLength: 200 }).map((texts) => texts.sort());

test("every text is found at its ordinal, and other texts are not found", () => {
  fc.assert(
    fc.property(sortedWords, word, (texts, otherWord) => {
      const dictionary = packDictionary(texts);
      assert.equal(countTexts(dictionary), texts.length);
      texts.forEach((text, ordinal) => {
        assert.equal(getText(dictionary, ordinal), text);
        assert.equal(findText(dictionary, text), ordinal);
      });
      assert.equal(findText(dictionary, otherWord), texts.indexOf(otherWord));
    }),
  );
});

test("a prefix range contains exactly the texts that start with the prefix", () => {
  fc.assert(
    fc.property(sortedWords, word, (texts, prefix) => {
      const { low, high } = findPrefix(packDictionary(texts), prefix);
      assert.deepEqual(
        texts.slice(low, high),
        texts.filter((text) => text.startsWith(prefix)),
      );
    }),
  );
});

test("commonPrefixes contains the number of letters that each text shares with the previous one", () => {
  fc.assert(
    fc.property(sortedWords, (texts) => {
      const { commonPrefixes } = packDictionary(texts);
      texts.forEach((text, ordinal) => {
        let commonLength = 0;
        const previousText = texts[ordinal - 1] ?? "";
        while (
          commonLength < text.length &&
          commonLength < previousText.length &&
          text[commonLength] === previousText[commonLength]
        )
          commonLength += 1;
        assert.equal(commonPrefixes[ordinal], commonLength);
      });
    }),
  );
});
