import assert from "node:assert/strict";
import { test } from "node:test";
import { createSegmentBuilder } from "./index/leaf-builder.ts";
import { deleteDocuments } from "./index/segment.ts";
import { schema } from "./schema.fixture.ts";
import type { Schema } from "./schema.ts";
import type { Query, SearchDocument, SearchIndex } from "./search-index.ts";
import { createSearcher } from "./searcher.ts";

const vocabulary =
  "snow board boots jacket winter red blue wool cotton hat scarf glove sled ski pole wax tuning bag".split(" ");

/** Creates documents with random titles of the words, different for each seed. */
function createDocuments(count: number, seed: number): SearchDocument[] {
  return Array.from({ length: count }, (_, number) => {
    const pick = (nth: number) =>
      vocabulary[(number * (nth * 13 + seed) + nth * 7 + seed) % vocabulary.length] as string;
    return {
      externalId: number,
      type: 0,
      available: (number + seed) % 5 !== 0,
      popularity: ((number * 37 + seed) % 101) / 101,
      locale: "en",
      fields: [
        [0, `${pick(1)} ${pick(2)} ${pick(3)}`],
        [8, `${pick(4)} ${pick(5)}`],
      ],
    };
  });
}

function createSegment(count: number, seed: number) {
  const builder = createSegmentBuilder(schema, "en");
  for (const document of createDocuments(count, seed)) builder.add(document);
  return deleteDocuments(builder.finish(), [seed, seed + 3]);
}

const indexOptions = { synonyms: [["hat", "scarf"]], popular: [] };
const texts = [
  "s",
  "sn",
  "snow b",
  "snow board w",
  "wool snow red zzz",
  "jakcet",
  "red blue wool cotton",
  "hat winter",
];

function createQuery(text: string, accept?: Query["accept"]): Query {
  return {
    text,
    locale: "en",
    limits: new Map([[0, 10]]),
    typos: true,
    unavailable: "last",
    ...(accept === undefined ? {} : { accept }),
  };
}

function describeResults(index: SearchIndex, text: string, accept?: Query["accept"]): string {
  const hits = index.search(createQuery(text, accept)).get(0) ?? [];
  const explanation = hits[0] === undefined ? undefined : index.explain(createQuery(text, accept), hits[0].externalId);
  return JSON.stringify([hits, explanation, index.complete(text, "en", 5)]);
}

test("a search inside the accept function of another changes neither result, in one searcher or in two", () => {
  const [firstSegment, secondSegment] = [createSegment(400, 1), createSegment(3_000, 2)];
  const separateIndexes = [firstSegment, secondSegment].map((segment) =>
    createSearcher(schema).open([segment], indexOptions),
  );
  const expectedResults = separateIndexes.map((index) => texts.map((text) => describeResults(index, text)));
  const sharedSearcher = createSearcher(schema);
  const olderIndex = sharedSearcher.open([firstSegment], indexOptions);
  const combinedIndex = sharedSearcher.open([firstSegment, secondSegment], indexOptions);
  const newestIndex = sharedSearcher.open([secondSegment], indexOptions);
  const pairs: [SearchIndex, SearchIndex, readonly string[] | undefined][] = [
    [
      createSearcher(schema).open([firstSegment], indexOptions),
      createSearcher(schema).open([secondSegment], indexOptions),
      expectedResults[1],
    ],
    [newestIndex, newestIndex, expectedResults[1]],
    [olderIndex, newestIndex, expectedResults[1]],
    [newestIndex, olderIndex, expectedResults[0]],
  ];
  for (const [outerIndex, innerIndex, expected] of pairs)
    for (const [textIndex, text] of texts.entries()) {
      const plainResult = describeResults(outerIndex, text);
      let callCount = 0;
      const nestedResult = describeResults(outerIndex, text, () => {
        const otherIndex = (textIndex + callCount) % texts.length;
        if (callCount < 24)
          assert.equal(describeResults(innerIndex, texts[otherIndex] as string), expected?.[otherIndex]);
        combinedIndex.findsExactly(createQuery(text));
        callCount += 1;
        return true;
      });
      assert.equal(nestedResult, plainResult);
      assert.ok(callCount > 0 || text.includes("zzz"));
    }
});

test("an accept function that throws does not affect later searches", () => {
  const index = createSearcher(schema).open([createSegment(400, 1)], indexOptions);
  const resultsBefore = texts.map((text) => describeResults(index, text));
  for (const text of texts)
    assert.throws(() =>
      index.search(
        createQuery(text, () => {
          index.search(createQuery("snow"));
          throw new Error("refused");
        }),
      ),
    );
  assert.deepEqual(
    texts.map((text) => describeResults(index, text)),
    resultsBefore,
  );
});

test("later indexes reuse the memory of earlier ones, and an earlier index remains usable", () => {
  const searcher = createSearcher(schema);
  const firstSegment = createSegment(2_000, 1);
  const earlierIndex = searcher.open([firstSegment], indexOptions);
  const resultsBefore = texts.map((text) => describeResults(earlierIndex, text));
  const segment = createSegment(34_000, 2);
  let reservedBytes = 0;
  for (let revision = 0; revision < 12; revision += 1) {
    const index = searcher.open([structuredClone(segment)], indexOptions);
    for (const text of texts) index.search(createQuery(text));
    assert.deepEqual(
      texts.map((text) => describeResults(earlierIndex, text)),
      resultsBefore,
    );
    if (revision === 1) reservedBytes = searcher.bitSetBytes;
  }
  assert.equal(searcher.bitSetBytes, reservedBytes);
});

test("a schema defines the fields, their names and their weights", () => {
  const books: Schema = {
    fields: [
      { label: "name", weight: 90, kind: "title" },
      { label: "ISBN", weight: 40, kind: "code" },
      { label: "blurb", weight: 5, kind: "body" },
    ],
    purpose: { label: "audience", weight: 60 },
  };
  const builder = createSegmentBuilder(books, "en");
  const book = { type: 0, available: true, popularity: 0, locale: "en" };
  builder.add({
    ...book,
    externalId: 0,
    fields: [
      [0, "Atlas for sailors"],
      [2, "Charts of islands"],
    ],
  });
  builder.add({
    ...book,
    externalId: 1,
    fields: [
      [0, "Islands"],
      [1, "978 3 16"],
    ],
  });
  const index = createSearcher(books).open([builder.finish()], indexOptions);
  const searchIds = (text: string, queryOptions: Partial<Query> = {}) =>
    index
      .search({ ...createQuery(text), ...queryOptions })
      .get(0)
      ?.map((hit) => hit.externalId);
  const firstReasonOf = (text: string, number: number) => index.explain(createQuery(text), number)?.parts[0]?.reason;
  assert.deepEqual(searchIds("islands"), [1, 0]);
  assert.deepEqual(searchIds("islands", { fields: 1 << 2 }), [0]);
  assert.deepEqual(searchIds("978316"), [1]);
  assert.equal(firstReasonOf("sailors", 0), '"sailors" in audience');
  assert.equal(firstReasonOf("978", 1), '"978" in ISBN');
  assert.equal(firstReasonOf("charts", 0), '"charts" in blurb');
  const invalidSchemas: [Schema, RegExp][] = [
    [{ ...books, fields: books.fields.slice(1) }, /one title, which is first/],
    [{ ...books, fields: books.fields.slice(0, 2) }, /one body, which is last/],
    [{ ...books, purpose: { label: "audience", weight: 0 } }, /"audience" is 0: give a whole number from 1 to 255/],
  ];
  for (const [schema, message] of invalidSchemas) assert.throws(() => createSearcher(schema), message);
});
