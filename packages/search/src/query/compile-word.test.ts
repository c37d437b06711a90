import assert from "node:assert/strict";
import { test } from "node:test";
import { createSegmentBuilder } from "../index/leaf-builder.ts";
import { fields, schema } from "../schema.fixture.ts";
import { createSearcher } from "../searcher.ts";

test("a word with a misspelled title finds the products with the correct spelling too", () => {
  const builder = createSegmentBuilder(schema, "en");
  const add = (externalId: number, title: string) =>
    builder.add({ externalId, locale: "en", fields: [[fields.title, title]] });
  add(0, "Rechargable batteries");
  for (let number = 1; number <= 60; number += 1) add(number, `Rechargeable batteries ${number + 100}`);
  const index = createSearcher(schema).open([builder.finish()]);
  const search = (text: string) =>
    index.search({ text, locale: "en", limits: new Map([[0, 10]]), typos: true }).get(0) ?? [];
  const hits = search("rechargable batteries");
  assert.equal(hits[0]?.externalId, 0, "the product with the typed word is first");
  assert.equal(hits.length, 10);
  assert.ok(hits.every(({ missing }) => missing === 0));
  assert.ok(!search("rechargeable batteries").some(({ externalId }) => externalId === 0), "a frequent word is correct");
});

test("a prefix of a word is at most one edit away, a complete word two", () => {
  const builder = createSegmentBuilder(schema, "en");
  for (const [externalId, title] of ["Assortment of chocolates", "Passbook"].entries())
    builder.add({ externalId, locale: "en", fields: [[fields.title, title]] });
  const index = createSearcher(schema).open([builder.finish()]);
  const search = (text: string) =>
    index
      .search({ text, locale: "en", limits: new Map([[0, 20]]), typos: true })
      .get(0)
      ?.map(({ externalId }) => externalId);
  assert.deepEqual(search("passport"), [], 'two edits from the prefix "assort"');
  assert.deepEqual(search("asortmant"), [0], "two edits from the complete word");
  assert.deepEqual(search("assoortm"), [0], "one edit from a prefix");
});

test("a finished word matches longer words in titles, but not in descriptions", () => {
  const builder = createSegmentBuilder(schema, "en");
  const products = [
    { title: "Underwear set", body: "Long seams, prominent lace, for those who dressed up" },
    { title: "Prom dresses with shoes", body: "" },
    { title: "Promotional dress", body: "" },
  ];
  products.forEach(({ title, body }, externalId) => {
    const texts: [number, string][] = [
      [fields.title, title],
      [fields.body, body],
    ];
    builder.add({ externalId, locale: "en", fields: texts });
  });
  const index = createSearcher(schema).open([builder.finish()]);
  const search = (text: string) =>
    index
      .search({ text, locale: "en", limits: new Map([[0, 20]]) })
      .get(0)
      ?.map(({ externalId }) => externalId);
  assert.deepEqual(search("long prom dress"), [1, 2, 0], "words in titles precede longer words in a description");
  assert.deepEqual(search("prominent long"), [0], "a complete word of the description");
  assert.deepEqual(search("long promi"), [0], "the word that is being typed");
  assert.equal(search("promo dress")?.[0], 2, "a longer word of the title");
});
