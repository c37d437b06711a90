import assert from "node:assert/strict";
import { test } from "node:test";
import { createSegmentBuilder } from "../index/leaf-builder.ts";
import { fields, schema } from "../schema.fixture.ts";
import { createSearcher } from "../searcher.ts";

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
    { title: "Prom dresses and shoes", body: "" },
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
