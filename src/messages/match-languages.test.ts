import assert from "node:assert/strict";
import { test } from "node:test";
import { isSameLanguage, matchLanguages } from "./match-languages.ts";

const dawn =
  "bg cs da de el en es fi fr hr hu id it ja ko lt nb nl pl pt-BR pt-PT ro ru sk sl sv th tr vi zh-CN zh-TW".split(" ");

test("a locale matches its language, then the form of the language that its readers know best", () => {
  const expected = {
    pt: ["pt-BR", "pt-PT"],
    "pt-PT": ["pt-PT", "pt-BR"],
    "pt-AO": ["pt-PT", "pt-BR"],
    zh: ["zh-CN"],
    "zh-SG": ["zh-CN"],
    "zh-HK": ["zh-TW"],
    "zh-Hant": ["zh-TW"],
    no: ["nb"],
    nn: ["nb"],
    "de-CH": ["de"],
    he: [],
    "sr-Latn": [],
  };
  for (const [locale, languages] of Object.entries(expected)) assert.deepEqual(matchLanguages(locale, dawn), languages);
});

test("the exact code is first, then its parents, without regard to case", () => {
  assert.deepEqual(matchLanguages("fr-CA", ["fr", "FR-ca", "fr-FR"]), ["FR-ca", "fr", "fr-FR"]);
  assert.deepEqual(matchLanguages("zh-Hant-HK", ["zh", "zh-Hant", "zh-CN"]), ["zh-Hant", "zh"]);
  assert.deepEqual(matchLanguages("en-AU", ["en-US", "en-GB"]), ["en-GB", "en-US"]);
  assert.deepEqual(matchLanguages("nn", ["nb", "nn"]), ["nn", "nb"]);
});

test("an invalid code matches only itself", () => {
  assert.deepEqual(matchLanguages("en", ["x", "en_US", "en"]), ["en"]);
  assert.deepEqual(matchLanguages("x", ["x", "en"]), ["x"]);
});

test("codes with different regions or scripts name the same language", () => {
  assert.ok(isSameLanguage("pt", "pt-PT") && isSameLanguage("zh-TW", "zh"));
  assert.ok(!isSameLanguage("nn", "nb") && !isSameLanguage("en", "x"));
});
