import assert from "node:assert/strict";
import { test } from "node:test";
import { createSegmentBuilder } from "../index/leaf-builder.ts";
import { fields, schema } from "../schema.fixture.ts";
import type { Query, SearchDocument } from "../search-index.ts";
import { createSearcher } from "../searcher.ts";
import { searchExhaustively } from "../slow-search.fixture.ts";

const searcher = createSearcher(schema);

/** Creates documents from titles with optional descriptions. */
function createDocuments(texts: readonly (readonly [string, string?])[]): SearchDocument[] {
  return texts.map(([title, description], externalId) => ({
    externalId,
    type: 0,
    available: true,
    popularity: 0,
    locale: "en",
    fields: [[fields.title, title], ...(description === undefined ? [] : [[fields.body, description] as const])],
  }));
}

/** Returns the external ids of the first ten hits. Asserts that a slow reference search finds the same hits. */
function searchFirstTen(documents: readonly SearchDocument[], text: string): number[] {
  const builder = createSegmentBuilder(schema, "en");
  for (const document of documents) builder.add(document);
  const index = searcher.open([builder.finish()], { synonyms: [], popular: [] });
  const query: Query = { text, locale: "en", limits: new Map([[0, 10]]), typos: true, unavailable: "last" };
  const actualHits = index.search(query).get(0) ?? [];
  const expectedHits = searchExhaustively(documents, documents, query).get(0) ?? [];
  assert.deepEqual(
    actualHits.map(({ words: _, ...hit }) => hit),
    expectedHits.map(({ tier: _, ...hit }) => hit),
  );
  return actualHits.map(({ externalId }) => externalId);
}

const cartridges = Array.from({ length: 220 }, (_, number) => [`Toner cartridge ${number}`] as const);
const goldRings = Array.from({ length: 220 }, (_, number) => [`Gold ring ${number}`] as const);

test("a misspelling that also occurs in a description does not count as a word", () => {
  const documents = createDocuments([["Printer", "with toner cartrige"], ...cartridges]);
  assert.equal(searchFirstTen(documents, "toner cartrige").length, 10);
  assert.equal(searchFirstTen(documents, "cartrige").length, 10);
});

test("a short word in a description counts as a word, because too many others are similar", () => {
  const documents = createDocuments([["Watch", "made for golf"], ...goldRings]);
  assert.deepEqual(searchFirstTen(documents, "golf"), [0]);
});

test("a finished word that equals no indexed word may be a prefix or a misspelling", () => {
  const documents = createDocuments([["Wall calendar"], ["Data cable"], ["Cap"]]);
  assert.deepEqual(searchFirstTen(documents, "cale da"), [1]);
  assert.deepEqual(searchFirstTen(documents, "cale wall"), [0]);
  assert.deepEqual(searchFirstTen(documents, "cale"), [0]);
});

test("for a misspelled word, a complete word precedes a prefix match", () => {
  assert.deepEqual(
    searchFirstTen(createDocuments([["Blackberry phone"], ["Phone, dark, black"]]), "phone blakc"),
    [1, 0],
  );
});

test("if every word is misspelled, descriptions do not match", () => {
  const documents = createDocuments([["Strap", "for a while, to be worn daily on the watch"], ["White watch"]]);
  assert.deepEqual(searchFirstTen(documents, "white dael watch"), [1, 0]);
});

test("in a description, a misspelling matches only a complete word with the same first letters", () => {
  const documents = createDocuments([
    ["Armchair", "soft to the touch, resists damp, with a seat for meals and a straightener"],
  ]);
  for (const text of ["couch", "lamp", "lamp ", "metal", "metal "])
    assert.deepEqual(searchFirstTen(documents, text), [], text);
  for (const text of ["straigtener", "straightner ", "starightener"])
    assert.deepEqual(searchFirstTen(documents, text), [0], text);
});
