import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { basename } from "node:path";
import { test } from "node:test";
import { fold } from "../fold.ts";
import { longestEnding } from "../inflections.ts";
import { languageOf, languages } from "./registry.ts";

test("each language has a file named by its code, is registered, and is found by any of its locales", () => {
  const files = readdirSync(import.meta.dirname).filter((name) => /^[a-z]{2}\.ts$/.test(name));
  assert.deepEqual(
    languages.map(({ code }) => code),
    files.map((name) => basename(name, ".ts")).sort(),
  );
  for (const language of languages)
    for (const locale of [language.code, `${language.code}-XX`, language.code.toUpperCase()])
      assert.equal(languageOf(locale), language);
  assert.equal(languageOf("xx"), undefined);
});

test("words of languages are folded, since folded words are looked up in them", () => {
  for (const {
    articles,
    plurals,
    compoundLinks,
    phraseBreaks,
    purposes,
    functionWords,
    units,
    times,
    packs,
  } of languages)
    for (const word of [
      articles,
      plurals?.flat(),
      compoundLinks,
      phraseBreaks,
      purposes,
      functionWords,
      times,
      packs,
      Object.values(units ?? {}).flat(),
    ].flatMap((list) => list ?? []))
      assert.equal(word, fold(word));
});

test("no ending of a plural is longer than what pairs of words are compared by", () => {
  for (const { plurals } of languages)
    for (const ending of plurals?.flat() ?? []) assert.ok(ending.length <= longestEnding, ending);
});
