import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { test } from "node:test";
import { foldText } from "../fold.ts";
import { maxEndingLetters } from "../inflections.ts";
import { findUnit } from "../units.ts";
import type { LanguageData } from "./language.ts";
import { languageOf, languages } from "./registry.ts";

test("each language has a file named by its code, is registered, and is found by any of its locales", () => {
  const files = readdirSync(import.meta.dirname).filter((name) => /^[a-z]{2}\.json$/.test(name));
  assert.deepEqual(
    languages.map(({ code }) => code),
    files.map((name) => basename(name, ".json")).sort(),
  );
  for (const language of languages)
    for (const locale of [language.code, `${language.code}-XX`, language.code.toUpperCase()])
      assert.equal(languageOf(locale), language);
  assert.equal(languageOf("no"), languageOf("nb"));
  assert.equal(languageOf("xx"), undefined);
});

test("each language file contains only known fields and units", () => {
  for (const name of readdirSync(import.meta.dirname).filter((file) => file.endsWith(".json"))) {
    const data: LanguageData = JSON.parse(readFileSync(new URL(name, import.meta.url), "utf8"));
    for (const field of Object.keys(data)) assert.ok(field in fields, `${name}: ${field}`);
    for (const unit of Object.keys(data.units ?? {})) assert.equal(findUnit(unit)?.symbol, unit, name);
  }
});

const fields: Readonly<Record<keyof LanguageData, true>> = {
  code: true,
  articles: true,
  plurals: true,
  proclitics: true,
  digraphs: true,
  variants: true,
  keyboard: true,
  compoundLinks: true,
  compoundDrops: true,
  endsWithNoun: true,
  startsWithNoun: true,
  phraseBreaks: true,
  purposes: true,
  localPurposes: true,
  additions: true,
  fillers: true,
  functionWords: true,
  units: true,
  times: true,
  packs: true,
  sizes: true,
  priceLimits: true,
  negations: true,
  absences: true,
};

test("words of language files are folded, as the lookup requires", () => {
  for (const {
    articles,
    plurals,
    compoundLinks,
    phraseBreaks,
    purposes,
    localPurposes,
    additions,
    functionWords,
    units,
    times,
    packs,
    sizes,
    priceLimits,
    negations,
    absences,
  } of languages)
    for (const word of [
      articles,
      plurals?.flat(),
      compoundLinks,
      phraseBreaks,
      purposes,
      localPurposes,
      additions,
      functionWords,
      times,
      packs,
      sizes,
      priceLimits,
      negations,
      absences,
      Object.values(units ?? {}).flat(),
    ].flatMap((list) => list ?? []))
      assert.equal(word, foldText(word));
});

test("no plural ending is longer than the compared endings", () => {
  for (const { plurals } of languages)
    for (const ending of plurals?.flat() ?? []) assert.ok(ending.length <= maxEndingLetters, ending);
});
