import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createSegmentBuilder } from "../index/leaf-builder.ts";
import { fields, schema } from "../schema.fixture.ts";
import { createSearcher } from "../searcher.ts";
import { areForms, forms } from "./inflections.ts";
import { languages } from "./languages/registry.ts";

const searcher = createSearcher(schema);

/** Returns the titles that match all words of a search, best first. */
function found(locale: string, titles: readonly string[], text: string): string[] {
  const builder = createSegmentBuilder(schema, locale);
  titles.forEach((title, number) => {
    builder.add({
      externalId: number,
      type: 0,
      available: true,
      popularity: 0,
      locale,
      fields: [[fields.title, title]],
    });
  });
  const index = searcher.open([builder.finish()], { synonyms: [], popular: [] });
  const hits = index.search({ text, locale, limits: new Map([[0, 10]]), typos: true, unavailable: "last" }).get(0);
  return (hits ?? []).filter(({ missing }) => missing === 0).map(({ externalId: number }) => titles[number] as string);
}

test("one is found by many and many by one, as a shop's language writes them", () => {
  assert.deepEqual(found("en", ["Berry jam"], "berries jam"), ["Berry jam"]);
  assert.deepEqual(found("de", ["Tage im Bad"], "tag bad"), ["Tage im Bad"]);
  assert.deepEqual(found("de", ["Tag am Meer"], "tage meer"), ["Tag am Meer"]);
  assert.deepEqual(found("fr", ["Manteaux de pluie"], "manteau pluie"), ["Manteaux de pluie"]);
});

test("endings belong to the words that take them", () => {
  const brow = "Brow pencil, for who has no use for mascara";
  assert.deepEqual(found("de", ["Brown mascara", brow], "brow mascara"), [brow, "Brown mascara"]);
  assert.deepEqual(found("de", ["Tafel und Gabeln"], "gabel tafel"), ["Tafel und Gabeln"]);
  assert.deepEqual(found("da", ["Kjole til damer"], "dame kjole"), ["Kjole til damer"]);
});

test("an article has no plural: what looks like one is a misspelt word", () => {
  assert.ok(found("de", ["Der Handschuh", "Deer Handschuh"], "dere handschuh").includes("Deer Handschuh"));
  assert.ok(found("fr", ["Les gants", "Lens gants"], "less gants").includes("Lens gants"));
});

test("two words are forms of one where either is among the forms of the other, in each language", () => {
  for (const { code, plurals = [] } of languages) {
    const ending = fc.constantFrom("", "s", "es", "e", "y", "i", "ie", "ies", "x", "sh", "d", ...plurals.flat());
    const stem = fc.constantFrom("", "b", "ba", "bad", "lamp", "bus", "fox", "berr", "handschuh", "cas");
    const word = fc.tuple(stem, ending).map((parts) => parts.join(""));
    fc.assert(
      fc.property(word, word, (one, other) => {
        const isFormOf = (form: string, text: string) => forms({ text, isGram: false }, code).includes(form);
        assert.equal(areForms(one, other, code), isFormOf(one, other) || isFormOf(other, one), `${one} ${other}`);
      }),
      { numRuns: 2_000 },
    );
  }
});
