import assert from "node:assert/strict";
import { test } from "node:test";
import { processorTime } from "../../../test/support/processor-time.ts";
import { createSegmentBuilder } from "./index/leaf-builder.ts";
import { deleteDocuments } from "./index/segment.ts";
import { fields, schema } from "./schema.fixture.ts";
import type { Query, SearchDocument, SearchIndex } from "./search-index.ts";
import { createSearcher } from "./searcher.ts";

const searcher = createSearcher(schema);

type DocumentInput = Partial<Omit<SearchDocument, "fields">> & { title: string; otherFields?: [number, string][] };

function createDocuments(inputs: readonly (string | DocumentInput)[]): SearchDocument[] {
  return inputs.map((input, number) => {
    const { title, otherFields = [], ...otherProperties } = typeof input === "string" ? { title: input } : input;
    return {
      externalId: number,
      type: 0,
      available: true,
      popularity: 0,
      locale: "en",
      fields: [[fields.title, title], ...otherFields],
      ...otherProperties,
    };
  });
}

function createSegment(inputs: readonly (string | DocumentInput)[]) {
  const builder = createSegmentBuilder(schema, "en");
  for (const document of createDocuments(inputs)) builder.add(document);
  return builder.finish();
}

function createIndex(
  inputs: readonly (string | DocumentInput)[],
  synonyms: readonly (readonly string[])[] = [],
): SearchIndex {
  return searcher.open([createSegment(inputs)], { synonyms, popular: [] });
}

function searchIds(index: SearchIndex, text: string, options: Partial<Query> = {}): number[] {
  const query: Query = { text, locale: "en", limits: new Map([[0, 20]]), typos: true, unavailable: "last", ...options };
  return (index.search(query).get(0) ?? []).map((hit) => hit.externalId);
}

test("a code matches with any punctuation, completely, by prefix and by parts", () => {
  const index = createIndex([
    { title: "Lamp", otherFields: [[fields.sku, "NOR.0707-60"]] },
    { title: "Chair", otherFields: [[fields.sku, "NOR.0708-60"]] },
  ]);
  for (const text of ["NOR.0707-60", "nor070760", "nor0707", "NOR-0707", "0707-60", "070760", "nor.0707"])
    assert.deepEqual(searchIds(index, text), [0], text);
  assert.deepEqual(searchIds(index, "nor 0707 60"), [0, 1], "the other code contains two of the three words");
  assert.deepEqual(searchIds(index, "lamp NOR.0708-60"), [0, 1], "one product is a lamp, the other has the code");
  assert.deepEqual(searchIds(index, "NOR.0709-60"), [], "a code does not match by a part of it");
});

test("t-shirt, tshirt and t shirt are one word, in queries and in documents", () => {
  const index = createIndex(["Blue t-shirt", "Blue tshirt", "Blue t shirt", "Blue sweater"]);
  for (const text of ["t-shirt", "tshirt", "t shirt", "T-SHIRT", "tshi", "t-sh"])
    assert.deepEqual(searchIds(index, text).sort(), [0, 1, 2], text);
  assert.deepEqual(searchIds(index, "blue tshirt").slice(0, 3).sort(), [0, 1, 2]);
});

test("a number and its unit match joined and separate", () => {
  const index = createIndex(["Monitor 27 inch", "Monitor 27inch", "Monitor 24 inch"]);
  assert.deepEqual(searchIds(index, "27inch").sort(), [0, 1]);
  assert.deepEqual(searchIds(index, "27 inch").slice(0, 2).sort(), [0, 1]);
});

test("one or two characters of Chinese, Japanese, Korean and Thai match a word inside a text", () => {
  const index = createIndex(["防水运动手表", "スノーボード用ブーツ", "노트북가방", "เสื้อยืดคอกลม", "解析pdf"]);
  assert.deepEqual(searchIds(index, "手表"), [0]);
  assert.deepEqual(searchIds(index, "表"), [0]);
  assert.deepEqual(searchIds(index, "ブーツ"), [1]);
  assert.deepEqual(searchIds(index, "ｽﾉｰﾎﾞｰﾄﾞ"), [1]);
  assert.deepEqual(searchIds(index, "가방"), [2]);
  assert.deepEqual(searchIds(index, "ยืด"), [3]);
  assert.deepEqual(searchIds(index, "pdf"), [4]);
  assert.deepEqual(searchIds(index, "解析pdf"), [4]);
});

test("a misspelled word matches, a different number does not", () => {
  const index = createIndex(["Headphones", "Snowboard", "Film 2000"]);
  assert.deepEqual(searchIds(index, "haedphone"), [0]);
  assert.deepEqual(searchIds(index, "hedphonse"), [0]);
  assert.deepEqual(searchIds(index, "snwo"), [1]);
  assert.deepEqual(searchIds(index, "nsow"), [1]);
  assert.deepEqual(searchIds(index, "2001"), []);
  assert.deepEqual(searchIds(index, "haedphone", { typos: false }), []);
});

test("accents and plurals do not affect matching", () => {
  const index = createIndex(["Crème brûlée dish", "Shoe rack", "Blueberry jam"]);
  assert.deepEqual(searchIds(index, "creme brulee"), [0]);
  assert.deepEqual(searchIds(index, "shoes rack"), [1]);
  assert.deepEqual(searchIds(index, "blueberries"), [2]);
  assert.deepEqual(searchIds(index, "shoeracks"), [1]);
});

test("typing more letters narrows the results: no removed document returns", () => {
  const index = createIndex(
    [
      ..."Snowboard;Snow boots;Show jumping;Stow bag;Dress;Dresses;Blueberry;Blueberries;Berry spoon;T shirt".split(
        ";",
      ),
      ..."T-shirt;Sofa bed;Couch;Snow board bag;Glass;Glasses;Boxes;Box".split(";"),
    ],
    [["sofa", "couch"]],
  );
  for (const word of ["snowboard", "dresses", "blueberries", "tshirt", "t-shirt", "sofas", "glasses", "boxes"]) {
    let previousIds: number[] | undefined;
    for (let length = 1; length <= word.length; length += 1) {
      const foundIds = searchIds(index, word.slice(0, length));
      if (foundIds.length === 0) break;
      const returningIds = foundIds.filter((number) => previousIds !== undefined && !previousIds.includes(number));
      assert.deepEqual(returningIds, [], word.slice(0, length));
      previousIds = foundIds;
    }
  }
});

test("documents with all words precede those that lack some, ordered by the rarity of the words that they contain", () => {
  const index = createIndex(["Red shoe", "Red hat", "Blue shoe", "Red sock", "Green shoe", "Red coat", "Umbrella"]);
  const query: Query = { text: "", locale: "en", limits: new Map([[0, 20]]), typos: true, unavailable: "last" };
  const searchMissing = (text: string) =>
    (index.search({ ...query, text }).get(0) ?? []).map(({ externalId, missing }) => [externalId, missing]);
  assert.deepEqual(searchMissing("red shoe").slice(0, 4), [
    [0, 0],
    [2, 1],
    [4, 1],
    [1, 1],
  ]);
  assert.deepEqual(searchMissing("red shoe zzzz").slice(0, 2), [
    [0, 1],
    [2, 2],
  ]);
  assert.deepEqual(searchMissing("umbrella red")[0], [6, 1], "the rarer word comes first");
  assert.match(JSON.stringify(index.explain({ ...query, text: "red shoe zzzz" }, 0)), /zzzz.* is missing/);
  assert.match(JSON.stringify(index.explain({ ...query, text: "red shoe" }, 1)), /lacks a word/);
  assert.equal(index.explain({ ...query, text: "red shoe zzzz" }, 6), undefined);
});

test("an absent product does not match by a function word, a letter, a prefix or a misspelling", () => {
  const index = createIndex(["Ring for the hand", "Ring t 5", "Shirley ring", "Gold ring with shims"]);
  for (const text of ["t-shirt", "shirt for the beach", "shir blouse", "brand the", "blouse sh", "5 socks"])
    assert.deepEqual(searchIds(index, text), [], text);
  for (const text of ["kilt ri", "blouse r"]) assert.deepEqual(searchIds(index, text), [], text);
  assert.deepEqual(searchIds(index, "blouse shirl"), [2], "a prefix of the word that is being typed");
  assert.deepEqual(searchIds(index, "the"), [0]);
  assert.deepEqual(searchIds(index, "t"), [0, 1].slice(1).concat(0));
  assert.deepEqual(searchIds(index, "hand of the ring")[0], 0);
});

test("a document with words similar to all query words does not precede one that contains most of them", () => {
  const index = createIndex(["Enclosure with rack and shock absorber", "Shoe rack", "Enclosed space", "Black shoes"]);
  assert.equal(searchIds(index, "enclosed shoe rack")[0], 1);
  assert.equal(searchIds(index, "black shows")[0], 3);
});

test("a function word that a document lacks does not count as missing", () => {
  const index = createIndex(["Phone case", "Case for the case", "Phone"]);
  const query: Query = {
    text: "case for phone",
    locale: "en",
    limits: new Map([[0, 20]]),
    typos: true,
    unavailable: "last",
  };
  assert.deepEqual(
    (index.search(query).get(0) ?? []).map(({ externalId, missing }) => [externalId, missing]),
    [
      [0, 0],
      [1, 1],
      [2, 1],
    ],
  );
});

test("title has more weight than vendor, tags, codes, options and description", () => {
  const fieldOrder = [fields.title, fields.vendor, fields.tag, fields.sku, fields.variantTitle, fields.body];
  const index = createIndex(
    fieldOrder
      .map(
        (field): DocumentInput => ({
          title: field === fields.title ? "Thing acme" : "Thing",
          otherFields: field === fields.title ? [] : [[field, "acme"]],
        }),
      )
      .reverse(),
  );
  assert.deepEqual(searchIds(index, "acme"), [5, 4, 3, 2, 1, 0]);
});

test("unavailable documents come last, or are hidden", () => {
  const index = createIndex([
    { title: "Shoe", available: false, popularity: 1 },
    "Leather shoe",
    { title: "Shoe", popularity: 0.5 },
  ]);
  assert.deepEqual(searchIds(index, "shoe"), [2, 1, 0]);
  assert.deepEqual(searchIds(index, "shoe", { unavailable: "hide" }), [2, 1]);
  assert.deepEqual(searchIds(index, "shoe", { unavailable: "show" }), [0, 2, 1]);
});

test("a search can be limited to some fields", () => {
  const index = createIndex(["Acme", { title: "Shoe", otherFields: [[fields.vendor, "Acme"]] }]);
  assert.deepEqual(searchIds(index, "acme", { fields: 1 << fields.vendor }), [1]);
  assert.deepEqual(searchIds(index, "shoe", { fields: 1 << fields.vendor }), []);
});

test("synonyms work in both directions, also as phrases", () => {
  const index = createIndex(
    ["Sofa", "Couch cover", "Cell phone case", "Mobile holder"],
    [
      ["sofa", "couch"],
      ["cell phone", "mobile"],
    ],
  );
  assert.deepEqual(searchIds(index, "sofa"), [0, 1]);
  assert.deepEqual(searchIds(index, "couches").sort(), [0, 1]);
  assert.deepEqual(searchIds(index, "cell phone"), [2, 3]);
  assert.deepEqual(searchIds(index, "mobile"), [3, 2]);
});

test("a locale finds its own documents, and untranslated ones of the default language", () => {
  const builder = createSegmentBuilder(schema, "en");
  const localDocuments = createDocuments(["Shoe", "Boot"]);
  for (const document of localDocuments) builder.add(document);
  for (const document of createDocuments([{ title: "Chaussure", locale: "fr" }])) builder.add(document);
  const segment = builder.finish();
  const index = searcher.open([segment], { synonyms: [], popular: [] });
  assert.deepEqual(searchIds(index, "chaussure", { locale: "fr" }), [0]);
  assert.deepEqual(searchIds(index, "shoe", { locale: "fr" }), []);
  assert.deepEqual(searchIds(index, "boot", { locale: "fr" }), [1]);
  assert.deepEqual(searchIds(index, "chaussure"), []);
  assert.deepEqual(searchIds(index, "boot", { locale: "constructor" }), [1]);
});

test("a segment can be cloned to another thread", () => {
  const segment = structuredClone(createSegment(["Snowboard", "Shoe"]));
  const index = searcher.open([deleteDocuments(segment, [1])], { synonyms: [], popular: [] });
  assert.deepEqual(searchIds(index, "sno"), [0]);
  assert.deepEqual(searchIds(index, "shoe"), []);
});

test("the champions of a frequent letter equal the best of all documents, despite deleted, rejected and unavailable ones", () => {
  const inputs = Array.from({ length: 6_000 }, (_, number) => ({
    title: `${number % 3 === 0 ? "Very " : ""}s${number.toString(36)} thing`,
    popularity: ((number * 7919) % 1000) / 1000,
    available: number % 5 !== 0,
  }));
  const segment = createSegment(inputs);
  const removedIds = inputs.map((_, number) => number).filter((number) => (number * 31) % 7 === 0);
  const index = searcher.open([deleteDocuments(segment, removedIds)], { synonyms: [], popular: [] });
  const accept = (number: number) => number % 11 !== 0;
  for (const unavailable of ["last", "hide", "show"] as const)
    for (let round = 0; round < 2; round += 1)
      assert.deepEqual(
        searchIds(index, "s", { accept, unavailable }),
        searchIds(index, "s", { accept, unavailable, limits: new Map([[0, 6_000]]) }).slice(0, 20),
      );
});

test("very long and unusual texts are processed in time", () => {
  const index = createIndex(["Shoe", "東京"]);
  const oddTexts = [
    "\u0000",
    "\ud800",
    "%",
    "* OR 1=1 --",
    "\ufdfa".repeat(5_000),
    `e${"\u0301".repeat(2_500)}`,
    "<b>",
    "\u200b",
  ];
  for (const text of [...oddTexts, "a".repeat(10_000), "a b ".repeat(2_500), "東".repeat(10_000), "-".repeat(10_000)]) {
    const start = processorTime();
    searchIds(index, text);
    index.complete(text, "en", 10);
    assert.ok(processorTime() - start < 500, text.slice(0, 20));
  }
  assert.deepEqual(searchIds(index, "...!"), []);
});

test("if the document with most words is rejected, those with one word less are found, for frequent words too", () => {
  const inputs = Array.from({ length: 2_600 }, (_, number) => ({
    title: number % 2 === 0 ? "Alpha beta" : "Gamma beta",
  }));
  const index = createIndex([...inputs, { title: "Alpha beta gamma" }, { title: "Rare alpha", popularity: 1 }]);
  const foundIds = searchIds(index, "alpha beta gamma rare", { accept: (number) => number !== 2_600 });
  assert.equal(foundIds[0], 2_601);
  assert.equal(foundIds.length, 20);
});
