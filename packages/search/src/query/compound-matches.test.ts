import assert from "node:assert/strict";
import { test } from "node:test";
import { createSegmentBuilder } from "../index/leaf-builder.ts";
import { fields, schema } from "../schema.fixture.ts";
import type { Hit } from "../search-index.ts";
import { createSearcher } from "../searcher.ts";

const titles = ["Spülung mild", "Haar Kur", "Tee Fenchel", "Kräuter Tee Mischung", "Seife", "Gesichtsstift", "Gesicht"];
const builder = createSegmentBuilder(schema, "de");
for (const [externalId, title] of titles.entries())
  builder.add({ externalId, locale: "de", fields: [[fields.title, title]] });
const index = createSearcher(schema).open([builder.finish()]);
const search = (text: string, typos = true): readonly Hit[] =>
  index.search({ text, locale: "de", limits: new Map([[0, 10]]), typos }).get(0) ?? [];
const searchTitles = (text: string) => search(text).map(({ externalId }) => titles[externalId]);

test("a compound that no title contains finds its last part, as a similar word", () => {
  const [hit, ...others] = search("haarspülung");
  assert.equal(hit?.externalId, 0);
  assert.deepEqual(hit?.words, [{ word: "haarspulung", match: "corrected", term: "spulung", isLikely: false }]);
  assert.deepEqual(others, []);
  assert.deepEqual(searchTitles("milde haarspülung"), ["Spülung mild"]);
  assert.deepEqual(searchTitles("haarspülungen"), ["Spülung mild"], "the last part in the plural");
});

test("products with the other words of a search precede those with only the last part of a compound", () => {
  assert.deepEqual(searchTitles("fenchel haarspülung"), ["Tee Fenchel", "Spülung mild"]);
});

test("the last part of a compound is more likely than a word with two edits", () => {
  assert.deepEqual(searchTitles("gesichtsseife"), ["Seife"]);
});

test("the last part of a word is not searched without typos, or if the first part is unknown", () => {
  assert.deepEqual(search("haarspülung", false), []);
  assert.deepEqual(searchTitles("autospülung"), []);
});

test("after the products with a word, a search finds those with a longer word that ends with it", () => {
  const chairs = ["Draaistoel met stoel", "Eetkamerstoel zwart", "Stoelkussen", "Stoel wit", "Kruk zwart"];
  const leafBuilder = createSegmentBuilder(schema, "nl");
  for (const [externalId, title] of chairs.entries())
    leafBuilder.add({ externalId, locale: "nl", fields: [[fields.title, title]] });
  const chairIndex = createSearcher(schema).open([leafBuilder.finish()]);
  const find = (text: string) =>
    (chairIndex.search({ text, locale: "nl", limits: new Map([[0, 10]]) }).get(0) ?? []).map(
      ({ externalId, missing }) => {
        return `${chairs[externalId]}${missing > 0 ? ` without ${missing}` : ""}`;
      },
    );
  assert.deepEqual(find("stoel "), ["Stoel wit", "Draaistoel met stoel", "Stoelkussen", "Eetkamerstoel zwart"]);
  assert.equal(find("stoel zwart")[0], "Eetkamerstoel zwart");
});
test("a compound with a last part of three letters finds the separate words", () => {
  assert.deepEqual(searchTitles("fencheltee"), ["Tee Fenchel"]);
});

test("the last part of a compound raises products of the category that it names", () => {
  const leafBuilder = createSegmentBuilder(schema, "de");
  leafBuilder.add({ externalId: 0, locale: "de", fields: [[fields.title, "winter regenjacke"]] });
  leafBuilder.add({ externalId: 1, locale: "de", fields: [[fields.productType, "jacken"]] });
  const explanation = createSearcher(schema)
    .open([leafBuilder.finish()])
    .explain({ text: "winterjacke regenjacke", locale: "de", limits: new Map([[0, 10]]), typos: true }, 1);
  assert.ok(explanation?.parts.some(({ kind }) => kind === "category"));
});
