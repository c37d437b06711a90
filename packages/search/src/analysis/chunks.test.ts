import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { anyText } from "../../../../test/support/any-text.ts";
import { maxTermLength, truncateQuery } from "./chunks.ts";
import { foldText } from "./fold.ts";
import { Tokenizer } from "./tokenizer.ts";

const tokenizer = new Tokenizer();

function wordsOf(text: string, forQuery = false): string[][] {
  const words: string[][] = [];
  for (const token of tokenizer.listTokens(text, forQuery)) {
    words[token.chunk] ??= [];
    words[token.chunk]?.push(token.text);
  }
  return words;
}

test("folding ignores case, accents, width, ligatures and invisible characters", () => {
  assert.equal(foldText("CRÈME Brûlée"), "creme brulee");
  assert.equal(foldText("Ｔ－ＳＨＩＲＴ"), "t-shirt");
  assert.equal(foldText("Straße Øre œuf"), "strasse ore oeuf");
  assert.equal(foldText("so\u00adfa\u200b"), "sofa");
  assert.equal(foldText("ﾎﾟｹｯﾄ"), foldText("ポケット"));
  assert.equal(foldText("ポケット"), foldText("ぽけっと"));
  assert.equal(foldText("ΟΔΟΣ"), foldText("οδος"));
});

test("folding converts the digits of other scripts", () => {
  assert.equal(foldText("١ ۲ ३ ৪ ๕ ៦"), "1 2 3 4 5 6");
});

test("Devanagari and Thai spellings that shoppers interchange are equal", () => {
  for (const [text, otherText] of [
    ["हिंदी", "हिन्दी"],
    ["शैंपू", "शैम्पू"],
    ["मूँग", "मूंग"],
    ["साड़ी", "साडी"],
    ["कॉफ़ी", "कॉफी"],
    ["साड़ियाँ", "साड़ियां"],
    ["เเชมพู", "แชมพู"],
    ["นำ้ปลา", "น้ำปลา"],
  ] as const)
    assert.equal(foldText(text), foldText(otherText));
  assert.ok(foldText("शैम्पू").startsWith(foldText("शैं")));
  assert.notEqual(foldText("संसार"), foldText("ससार"));
});

test("folding preserves marks that distinguish words", () => {
  assert.notEqual(foldText("が"), foldText("か"));
  assert.notEqual(foldText("ที่"), foldText("ท"));
});

test("a chunk is split at punctuation", () => {
  assert.deepEqual(wordsOf("NOR.0707-60 t-shirt"), [
    ["nor", "0707", "60"],
    ["t", "shirt"],
  ]);
  assert.deepEqual(wordsOf("Men's don't l'eau"), [["mens"], ["dont"], ["l", "eau"]]);
  assert.deepEqual(wordsOf("Core™2, (Duo)"), [["core"], ["2"], ["duo"]]);
});

test("the code of a thread is one word, and a dimension is not", () => {
  assert.deepEqual(wordsOf("M6×20 bolt"), [["m6x20"], ["bolt"]]);
  assert.deepEqual(wordsOf("4 × 8 ft"), [["4"], ["8"], ["ft"]]);
  assert.deepEqual(wordsOf("6 × M8"), [["6"], ["m8"]]);
});

test("scripts without spaces are split into pairs, separately from Latin words", () => {
  assert.deepEqual(wordsOf("東京タワー"), [["東京", "京た", "たわ", "わー", "ー"]]);
  assert.deepEqual(wordsOf("東京", true), [["東京"]]);
  assert.deepEqual(wordsOf("東", true), [["東"]]);
  assert.deepEqual(wordsOf("解析pdf"), [["解析", "析"], ["pdf"]]);
  assert.deepEqual(wordsOf("노트북", true), [["노트", "트북"]]);
});

test("a query is truncated to 256 code points, and no code point is split", () => {
  assert.equal(truncateQuery("a".repeat(10_000)).length, 256);
  assert.equal([...truncateQuery("😀".repeat(300))].length, 256);
  assert.ok(truncateQuery("😀".repeat(300)).isWellFormed());
});

test("analysis never throws, and no term exceeds the maximum length", () => {
  fc.assert(
    fc.property(fc.oneof(anyText(), fc.string({ unit: "grapheme" })), fc.string(), (text, suffix) => {
      for (const token of tokenizer.listTokens(`${text}\ud800${suffix}`))
        assert.ok(token.text.length > 0 && token.text.length <= maxTermLength);
    }),
  );
});

test("folding is idempotent", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      assert.deepEqual(wordsOf(foldText(text)), wordsOf(text));
    }),
  );
});

test("ASCII words are split the same before and after other characters", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "z", "Q", "0", "9", " "), maxLength: 80 });
  fc.assert(
    fc.property(word, fc.boolean(), (text, forQuery) => {
      assert.deepEqual(wordsOf(` ${text}`, forQuery), wordsOf(`é ${text}`, forQuery).slice(1));
    }),
  );
});
