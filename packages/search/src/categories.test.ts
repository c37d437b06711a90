import assert from "node:assert/strict";
import { test } from "node:test";
import { createSegmentBuilder } from "./index/leaf-builder.ts";
import { fields, schema } from "./schema.fixture.ts";
import type { Query, SearchDocument, SearchIndex } from "./search-index.ts";
import { createSearcher } from "./searcher.ts";

type Product = readonly [title: string, category: string];

/**
 * Products of two categories, shoes and curtains. Only shoes are called "sneaker". Both categories have purple
 * products, but no sneaker is purple.
 */
const catalog: readonly Product[] = [
  ["Sneaker Runa", "Shoes"],
  ["Sneaker Ovo", "Shoes"],
  ["Sneaker Lumi", "Shoes"],
  ["Sneaker Kori", "shoes "],
  ["Curtain Vela purple", "Curtains"],
  ["Curtain Sol purple", "Curtains"],
  ["Trainer Mika purple", "Shoes"],
  ["Curtain Tara green", "Curtains"],
  ["Curtain Ebba green", "Curtains"],
  ["Purple thing that nobody has put anywhere", ""],
];

function createDocuments(products: readonly Product[]): SearchDocument[] {
  return products.map(([title, category], externalId) => ({
    externalId,
    type: 0,
    available: true,
    popularity: 0,
    locale: "en",
    fields: [[fields.title, title], ...(category === "" ? [] : [[fields.productType, category] as const])],
  }));
}

/** @param segmentStarts indices of the documents at which another segment starts */
function openIndex(products: readonly Product[], segmentStarts: readonly number[] = []): SearchIndex {
  const documents = createDocuments(products);
  const segmentBounds = [0, ...segmentStarts, documents.length];
  const segments = segmentBounds.slice(1).map((to, index) => {
    const builder = createSegmentBuilder(schema, "en");
    for (const document of documents.slice(segmentBounds[index], to)) builder.add(document);
    return builder.finish();
  });
  return createSearcher(schema).open(segments, { synonyms: [], popular: [] });
}

const createQuery = (text: string): Query => ({
  text,
  locale: "en",
  limits: new Map([[0, 20]]),
  typos: false,
  unavailable: "last",
});

function searchTitles(index: SearchIndex, text: string): string[] {
  return (index.search(createQuery(text)).get(0) ?? []).map(({ externalId }) => catalog[externalId]?.[0] ?? "");
}

test("if no product contains all words, products of the category that the words suggest precede others with as many words", () => {
  const titles = searchTitles(openIndex(catalog), "purple sneaker");
  const rankOf = (title: string) => titles.indexOf(title);
  assert.ok(rankOf("Trainer Mika purple") >= 0);
  assert.ok(rankOf("Trainer Mika purple") < rankOf("Curtain Vela purple"));
  assert.ok(rankOf("Trainer Mika purple") < rankOf("Curtain Sol purple"));
  // Without categories, products are ordered by their words alone.
  const uncategorizedProducts = catalog.map(([title]): Product => [title, ""]);
  const uncategorizedTitles = searchTitles(openIndex(uncategorizedProducts), "purple sneaker");
  assert.ok(uncategorizedTitles.indexOf("Trainer Mika purple") > uncategorizedTitles.indexOf("Curtain Vela purple"));
});

test("a category adds no product without a word of the query", () => {
  assert.deepEqual(searchTitles(openIndex(catalog), "sneaker zzz").sort(), [
    "Sneaker Kori",
    "Sneaker Lumi",
    "Sneaker Ovo",
    "Sneaker Runa",
  ]);
  assert.deepEqual(searchTitles(openIndex(catalog), "kayak zzz"), []);
});

test("the category of a product is a separate reason in the explanation, and the scores of the reasons add up", () => {
  const index = openIndex(catalog);
  const [sneakerExplanation, curtainExplanation] = [0, 4].map((externalId) =>
    index.explain(createQuery("purple sneaker"), externalId),
  );
  const reason = sneakerExplanation?.parts.find((part) => part.reason.includes("category"));
  assert.match(reason?.reason ?? "", /category.*adds [6-9]\d%$/);
  const wordParts = sneakerExplanation?.parts.filter((part) => part.word === "sneaker") ?? [];
  assert.ok((reason?.score ?? 0) > 0.6 * (wordParts[0]?.score ?? 0));
  const weakerReason = curtainExplanation?.parts.find((part) => part.reason.includes("category"));
  const percentOf = (text = "") => Number(/(\d+)%/.exec(text)?.[1]);
  assert.ok(percentOf(weakerReason?.reason) < percentOf(reason?.reason));
});

test("hits and scores do not depend on the number of segments", () => {
  const expectedHits = openIndex(catalog).search(createQuery("purple sneaker"));
  for (const segmentStarts of [[4], [1, 7], [2, 3, 9]])
    assert.deepEqual(
      openIndex(catalog, segmentStarts).search(createQuery("purple sneaker")),
      expectedHits,
      `${segmentStarts}`,
    );
});

test("a sample determines the categories of a word in thousands of products", () => {
  const manyProducts = Array.from(
    { length: 6_000 },
    (_, index): Product => [
      index % 3 === 0 ? `Sneaker ${index}` : index % 3 === 1 ? `Curtain ${index}` : `Lamp ${index}`,
      ["Shoes", "Curtains", "Lamps"][index % 3] as string,
    ],
  );
  const index = openIndex([
    ...manyProducts,
    ["Trainer purple", "Shoes"],
    ["Lamp purple", "Lamps"],
    ["Shade purple", "Curtains"],
  ]);
  const reasons = [6_000, 6_001, 6_002].map((externalId) =>
    index
      .explain(createQuery("purple sneaker"), externalId)
      ?.parts.some(({ reason }) => /category.*adds 9\d%$/.test(reason)),
  );
  assert.deepEqual(reasons, [true, false, false]);
});
