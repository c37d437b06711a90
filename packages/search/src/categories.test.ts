import assert from "node:assert/strict";
import { test } from "node:test";
import { createSegmentBuilder } from "./index/leaf-builder.ts";
import { fields, schema } from "./schema.fixture.ts";
import type { Query, SearchDocument, SearchIndex } from "./search-index.ts";
import { createSearcher } from "./searcher.ts";

type Product = readonly [title: string, category: string];

/** Shoes and curtains. "sneaker" occurs in shoes only and "purple" in both, and no sneaker is purple. */
const catalogue: readonly Product[] = [
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

function documentsOf(products: readonly Product[]): SearchDocument[] {
  return products.map(([title, category], externalId) => ({
    externalId,
    type: 0,
    available: true,
    popularity: 0,
    locale: "en",
    fields: [[fields.title, title], ...(category === "" ? [] : [[fields.productType, category] as const])],
  }));
}

/** @param cuts indices of the documents at which a further segment starts */
function open(products: readonly Product[], cuts: readonly number[] = []): SearchIndex {
  const documents = documentsOf(products);
  const bounds = [0, ...cuts, documents.length];
  const segments = bounds.slice(1).map((to, at) => {
    const builder = createSegmentBuilder(schema, "en");
    for (const document of documents.slice(bounds[at], to)) builder.add(document);
    return builder.finish();
  });
  return createSearcher(schema).open(segments, { synonyms: [], popular: [] });
}

const query = (text: string): Query => ({
  text,
  locale: "en",
  limits: new Map([[0, 20]]),
  typos: false,
  unavailable: "last",
});

function titlesOf(index: SearchIndex, text: string): string[] {
  return (index.search(query(text)).get(0) ?? []).map(({ externalId }) => catalogue[externalId]?.[0] ?? "");
}

test("where no product holds all words, those of the kind that the words mean come before others that hold as much", () => {
  const found = titlesOf(open(catalogue), "purple sneaker");
  const of = (title: string) => found.indexOf(title);
  assert.ok(of("Trainer Mika purple") >= 0);
  assert.ok(of("Trainer Mika purple") < of("Curtain Vela purple"));
  assert.ok(of("Trainer Mika purple") < of("Curtain Sol purple"));
  // These products have no categories.
  const unknown = catalogue.map(([title]): Product => [title, ""]);
  const among = titlesOf(open(unknown), "purple sneaker");
  assert.ok(among.indexOf("Trainer Mika purple") > among.indexOf("Curtain Vela purple"));
});

test("categories bring nothing that holds no word", () => {
  assert.deepEqual(titlesOf(open(catalogue), "sneaker zzz").sort(), [
    "Sneaker Kori",
    "Sneaker Lumi",
    "Sneaker Ovo",
    "Sneaker Runa",
  ]);
  assert.deepEqual(titlesOf(open(catalogue), "kayak zzz"), []);
});

test("a product's category is a reason of its own, and the reasons add up", () => {
  const index = open(catalogue);
  const [sneaker, curtain] = [0, 4].map((externalId) => index.explain(query("purple sneaker"), externalId));
  const reason = sneaker?.parts.find((part) => part.reason.includes("category"));
  assert.match(reason?.reason ?? "", /^\+ [6-9]\d% for its category/);
  const others = sneaker?.parts.filter((part) => part.reason.includes('"sneaker" is')) ?? [];
  assert.ok((reason?.score ?? 0) > 0.6 * (others[0]?.score ?? 0));
  const weaker = curtain?.parts.find((part) => part.reason.includes("category"));
  assert.ok((weaker?.score ?? 0) < (reason?.score ?? 0));
});

test("hits and scores are the same in however many segments the products lie", () => {
  const whole = open(catalogue).search(query("purple sneaker"));
  for (const cuts of [[4], [1, 7], [2, 3, 9]])
    assert.deepEqual(open(catalogue, cuts).search(query("purple sneaker")), whole, `${cuts}`);
});

test("of a word that thousands hold a sample tells what they are", () => {
  const many = Array.from(
    { length: 6_000 },
    (_, at): Product => [
      at % 3 === 0 ? `Sneaker ${at}` : at % 3 === 1 ? `Curtain ${at}` : `Lamp ${at}`,
      ["Shoes", "Curtains", "Lamps"][at % 3] as string,
    ],
  );
  const index = open([...many, ["Trainer purple", "Shoes"], ["Lamp purple", "Lamps"], ["Shade purple", "Curtains"]]);
  const reasons = [6_000, 6_001, 6_002].map((externalId) =>
    index
      .explain(query("purple sneaker"), externalId)
      ?.parts.some(({ reason }) => /^\+ 9\d% for its category/.test(reason)),
  );
  assert.deepEqual(reasons, [true, false, false]);
});
