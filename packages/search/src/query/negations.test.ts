import assert from "node:assert/strict";
import { test } from "node:test";
import { createSegmentBuilder } from "../index/leaf-builder.ts";
import { fields, schema } from "../schema.fixture.ts";
import type { SearchIndex } from "../search-index.ts";
import { createSearcher } from "../searcher.ts";

const searcher = createSearcher(schema);

function createIndex(locale: string, titles: readonly string[]): SearchIndex {
  const builder = createSegmentBuilder(schema, locale);
  for (const [externalId, title] of titles.entries())
    builder.add({ externalId, locale, fields: [[fields.title, title]], phrases: "runs" });
  return searcher.open([builder.finish()]);
}

/** Returns the titles that a search finds, best first, with the number of missing words if a title lacks any. */
function searchTitles(locale: string, text: string, titles: readonly string[]): string[] {
  const hits =
    createIndex(locale, titles)
      .search({ text, locale, limits: new Map([[0, 20]]) })
      .get(0) ?? [];
  return hits.map(({ externalId, missing }) => `${titles[externalId]}${missing > 0 ? ` −${missing}` : ""}`);
}

test("products that lack a negated word come first, then products that do not mention it, and others are not found", () => {
  const titles = [
    "Zahnpasta mit Fluorid",
    "Zahnpasta fluoridfrei",
    "Zahnpasta mild",
    "Zahnpasta ohne Fluorid",
    "Seife",
  ];
  const expected = ["Zahnpasta ohne Fluorid", "Zahnpasta fluoridfrei", "Zahnpasta mild −1"];
  assert.deepEqual(searchTitles("de", "zahnpasta ohne fluorid", titles), expected);
  const [first, second] = searchTitles("de", "zahnpasta ohne flourid", titles);
  assert.deepEqual([first, second].toSorted(), expected.slice(0, 2).toSorted(), "a misspelled word is negated, too");
});

test("titles state in many ways that a product lacks something", () => {
  for (const [locale, text, lacking, containing] of [
    ["en", "candy without sugar", "Sugar free candy", "Candy with sugar"],
    ["en", "candy no sugar", "Candy, zero sugar", "Sugar candy"],
    ["en", "non-dairy drink", "Dairy & gluten free drink", "Dairy drink"],
    ["en", "dress without sleeves", "Sleeveless dress", "Dress, wide sleeve"],
    ["de", "tee ohne zucker", "Tee frei von Zucker", "Tee mit Zuckerrohr"],
    ["de", "nudeln ohne ei", "Nudeln, eifrei", "Nudeln mit Eiern"],
    ["de", "schokolade ohne milch", "Schokolade ohne Nüsse, ohne Milch", "Schokolade Vollmilch, Milch"],
    ["es", "galletas sin azúcar", "Galletas 0% azúcares", "Galletas con azúcar"],
    ["fr", "biscuits sans sucre", "Biscuits zéro sucre", "Biscuits au sucre"],
    ["it", "pasta senza glutine", "Pasta senza glutine", "Pasta con glutine"],
    ["nl", "thee zonder suiker", "Suikervrije thee", "Thee met suiker"],
    ["de", "shampoo ohne silikone", "Shampoo silikonfrei", "Shampoo mit Silikon"],
  ] as const)
    assert.deepEqual(
      searchTitles(locale, text, [containing, lacking]).filter((title) => !title.includes("−")),
      [lacking],
      text,
    );
});

test("a word in a title several times is negated each time", () => {
  const titles = ["Pan sin gluten y sin lactosa", "Pan sin gluten con lactosa", "Pan con gluten"];
  assert.deepEqual(searchTitles("es", "pan sin gluten sin lactosa", titles)[0], titles[0]);
  assert.ok(!searchTitles("es", "pan sin gluten sin lactosa", titles).join().includes("Pan con gluten"));
});

test("a number after an abbreviation of number is not negated", () => {
  assert.deepEqual(searchTitles("en", "perfume no 5", ["Perfume No. 5", "Perfume 5"])[0], "Perfume No. 5");
});

test("each completion of a negation has a result", () => {
  const index = createIndex("es", ["Bizcocho azúcar sin gluten", "Chicles sin azúcar"]);
  for (const text of ["sin", "sin a", "sin g", "sin azúcar", "bizcocho sin a"])
    for (const completion of index.complete(text, "es", 10)) {
      const hits = index.search({ text: completion, locale: "es", limits: new Map([[0, 1]]) }).get(0) ?? [];
      assert.equal(hits.length, 1, `${text}: ${completion}`);
    }
});
