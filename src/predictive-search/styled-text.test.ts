import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createTextFormatter } from "./styled-text.ts";

const formatTypedText = (text: string, typed: string): string => createTextFormatter(typed)(text);

test("typed text is marked, other text is not", () => {
  assert.equal(formatTypedText("snowboard", "sno"), "<mark>sno</mark><span>wboard</span>");
  assert.equal(formatTypedText("snowboard", "SNOWBOARD"), "<mark>snowboard</mark>");
  assert.equal(formatTypedText("snow boots", "snow bo"), "<mark>snow bo</mark><span>ots</span>");
  assert.equal(formatTypedText("blue snow boots", "sno"), "<span>blue </span><mark>sno</mark><span>w boots</span>");
  assert.equal(formatTypedText("crème brûlée", "creme br"), "<mark>crème br</mark><span>ûlée</span>");
  assert.equal(formatTypedText("snowboard", "snwo"), "<span>snowboard</span>");
});

test("text is HTML-escaped", () => {
  assert.equal(formatTypedText("rock & roll's", "rock"), "<mark>rock</mark><span> &amp; roll&#39;s</span>");
  assert.doesNotMatch(formatTypedText('<img src=x onerror="1">', "<img"), /<img|"/);
});

test("without its tags, the result is the input text, for any typed text", () => {
  const textOf = (html: string) =>
    html
      .replace(/<\/?(?:mark|span)>/g, "")
      .replace(
        /&(lt|gt|quot|#39|amp);/g,
        (_, name: string) => ({ lt: "<", gt: ">", quot: '"', "#39": "'" })[name] ?? "&",
      );
  const text = fc.oneof(fc.string({ unit: "grapheme" }), fc.string({ unit: fc.constantFrom(..."aß éＡ<>&'\" ﬁか゚") }));
  fc.assert(
    fc.property(text, text, (suggestion, typed) => {
      assert.equal(textOf(formatTypedText(suggestion, typed)), suggestion);
    }),
    { numRuns: 1_000 },
  );
});

test("the fast path for ASCII words marks like the general one", () => {
  const words = fc.array(fc.string({ unit: fc.constantFrom(..."abA1 -'"), maxLength: 8 }), { maxLength: 5 });
  fc.assert(
    fc.property(words, words, (suggestedWords, typed) => {
      const suggestion = suggestedWords.join(" ");
      const addAccents = (text: string) => text.replaceAll("a", "ä").replaceAll("A", "Ä");
      assert.equal(
        addAccents(formatTypedText(suggestion, typed.join(" ")))
          .replaceAll("mÄrk", "mark")
          .replaceAll("märk", "mark")
          .replaceAll("spän", "span"),
        formatTypedText(addAccents(suggestion), typed.join(" ")),
      );
    }),
    { numRuns: 1_000 },
  );
});
