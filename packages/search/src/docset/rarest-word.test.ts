import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createSegmentBuilder } from "../index/leaf-builder.ts";
import { deleteDocuments } from "../index/segment.ts";
import { fields, schema } from "../schema.fixture.ts";
import { createSearcher } from "../searcher.ts";

const words = "alder birch cedar fir juniper larch maple rowan".split(" ");
const text = (...chances: number[]) =>
  fc.array(fc.constantFrom(...words.flatMap((word, index) => new Array<string>(chances[index] ?? 1).fill(word))), {
    maxLength: 4,
  });

test("findsExactly equals a scan of all documents, for rare and frequent words", () => {
  const searcher = createSearcher(schema);
  const document = fc.record({ title: text(90, 90, 40, 9), body: text(40, 9, 90) });
  fc.assert(
    fc.property(
      fc.array(document, { minLength: 300, maxLength: 600, size: "max" }),
      fc.array(fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 4 }), { minLength: 8, maxLength: 8 }),
      fc.array(fc.nat(299), { maxLength: 20 }),
      fc.integer({ min: 1, max: 60 }),
      (documents, queries, deleted, acceptedInterval) => {
        const builder = createSegmentBuilder(schema, "en");
        for (const [externalId, { title, body }] of documents.entries())
          builder.add({
            externalId,
            type: 0,
            available: externalId % 3 > 0,
            popularity: 0,
            locale: "en",
            fields: [
              [fields.title, title.join(", ")],
              [fields.body, body.join(", ")],
            ],
          });
        const deletedIds = new Set(deleted);
        const segment = deleteDocuments(
          builder.finish(),
          [...deletedIds].sort((a, b) => a - b),
        );
        const index = searcher.open([segment], { synonyms: [], popular: [] });
        const accept = (externalId: number) => externalId % acceptedInterval === 0;
        for (const query of queries) {
          const isMatchFound = index.findsExactly({
            text: query.join(", "),
            locale: "en",
            limits: new Map(),
            typos: false,
            unavailable: "show",
            accept,
          });
          const isMatchExpected = documents.some(
            ({ title, body }, externalId) =>
              !deletedIds.has(externalId) &&
              accept(externalId) &&
              query.every((word) => title.includes(word) || body.includes(word)),
          );
          assert.equal(isMatchFound, isMatchExpected, query.join(" "));
        }
      },
    ),
    { numRuns: 40 },
  );
});
