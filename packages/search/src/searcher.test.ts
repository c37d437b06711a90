import assert from "node:assert/strict";
import { test } from "node:test";
import { createSegmentBuilder } from "./index/leaf-builder.ts";
import { deleteDocuments } from "./index/segment.ts";
import { schema } from "./schema.fixture.ts";
import type { Schema } from "./schema.ts";
import type { Query, SearchDocument, SearchIndex } from "./search-index.ts";
import { createSearcher } from "./searcher.ts";

const words = "snow board boots jacket winter red blue wool cotton hat scarf glove sled ski pole wax tuning bag".split(
  " ",
);

/** Creates documents with random titles of the words, different for each seed. */
function documents(count: number, seed: number): SearchDocument[] {
  return Array.from({ length: count }, (_, number) => {
    const pick = (nth: number) => words[(number * (nth * 13 + seed) + nth * 7 + seed) % words.length] as string;
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

function segmentOf(count: number, seed: number) {
  const builder = createSegmentBuilder(schema, "en");
  for (const document of documents(count, seed)) builder.add(document);
  return deleteDocuments(builder.finish(), [seed, seed + 3]);
}

const options = { synonyms: [["hat", "scarf"]], popular: [] };
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

function query(text: string, accept?: Query["accept"]): Query {
  return {
    text,
    locale: "en",
    limits: new Map([[0, 10]]),
    typos: true,
    unavailable: "last",
    ...(accept === undefined ? {} : { accept }),
  };
}

function ask(index: SearchIndex, text: string, accept?: Query["accept"]): string {
  const hits = index.search(query(text, accept)).get(0) ?? [];
  const why = hits[0] === undefined ? undefined : index.explain(query(text, accept), hits[0].externalId);
  return JSON.stringify([hits, why, index.complete(text, "en", 5)]);
}

test("a search inside the accept of another changes the answer of neither, in one searcher or in two", () => {
  const [first, second] = [segmentOf(400, 1), segmentOf(3_000, 2)];
  const alone = [first, second].map((segment) => createSearcher(schema).open([segment], options));
  const said = alone.map((index) => texts.map((text) => ask(index, text)));
  const shared = createSearcher(schema);
  const older = shared.open([first], options);
  const both = shared.open([first, second], options);
  const newest = shared.open([second], options);
  const pairs: [SearchIndex, SearchIndex, readonly string[] | undefined][] = [
    [createSearcher(schema).open([first], options), createSearcher(schema).open([second], options), said[1]],
    [newest, newest, said[1]],
    [older, newest, said[1]],
    [newest, older, said[0]],
  ];
  for (const [outer, inner, wanted] of pairs)
    for (const [at, text] of texts.entries()) {
      const plain = ask(outer, text);
      let asked = 0;
      const nested = ask(outer, text, () => {
        const other = (at + asked) % texts.length;
        if (asked < 24) assert.equal(ask(inner, texts[other] as string), wanted?.[other]);
        both.findsExactly(query(text));
        asked += 1;
        return true;
      });
      assert.equal(nested, plain);
      assert.ok(asked > 0 || text.includes("zzz"));
    }
});

test("an accept that throws leaves the searcher as it was", () => {
  const index = createSearcher(schema).open([segmentOf(400, 1)], options);
  const before = texts.map((text) => ask(index, text));
  for (const text of texts)
    assert.throws(() =>
      index.search(
        query(text, () => {
          index.search(query("snow"));
          throw new Error("refused");
        }),
      ),
    );
  assert.deepEqual(
    texts.map((text) => ask(index, text)),
    before,
  );
});

test("indexes that follow one another use the memory of those before, and an earlier one goes on answering", () => {
  const searcher = createSearcher(schema);
  const first = segmentOf(2_000, 1);
  const earlier = searcher.open([first], options);
  const before = texts.map((text) => ask(earlier, text));
  const segment = segmentOf(34_000, 2);
  let reserved = 0;
  for (let revision = 0; revision < 12; revision += 1) {
    const index = searcher.open([structuredClone(segment)], options);
    for (const text of texts) index.search(query(text));
    assert.deepEqual(
      texts.map((text) => ask(earlier, text)),
      before,
    );
    if (revision === 1) reserved = searcher.bitSetBytes;
  }
  assert.equal(searcher.bitSetBytes, reserved);
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
  const index = createSearcher(books).open([builder.finish()], options);
  const found = (text: string, more: Partial<Query> = {}) =>
    index
      .search({ ...query(text), ...more })
      .get(0)
      ?.map((hit) => hit.externalId);
  const why = (text: string, number: number) => index.explain(query(text), number)?.parts[0]?.reason;
  assert.deepEqual(found("islands"), [1, 0]);
  assert.deepEqual(found("islands", { fields: 1 << 2 }), [0]);
  assert.deepEqual(found("978316"), [1]);
  assert.equal(why("sailors", 0), '"sailors" is "sailors" in audience');
  assert.equal(why("978", 1), '"978" is "978" in ISBN');
  assert.equal(why("charts", 0), '"charts" is "charts" in blurb');
  const wrong: [Schema, RegExp][] = [
    [{ ...books, fields: books.fields.slice(1) }, /one title, which is first/],
    [{ ...books, fields: books.fields.slice(0, 2) }, /one body, which is last/],
    [{ ...books, purpose: { label: "audience", weight: 0 } }, /"audience" is 0: give a whole number from 1 to 255/],
  ];
  for (const [schema, message] of wrong) assert.throws(() => createSearcher(schema), message);
});
