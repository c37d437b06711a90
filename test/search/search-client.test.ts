import assert from "node:assert/strict";
import { test } from "node:test";
import { createSearchClient, type SearchClientOptions } from "../../client/search-client.js";
import { product, type RowJson } from "../support/catalog.ts";
import { startShop } from "../support/shop.ts";

interface Result {
  readonly hits: readonly {
    readonly objectID: string;
    readonly url: string;
    readonly _highlightResult: Readonly<Record<string, { readonly value: string; readonly matchLevel: string }>>;
    readonly _snippetResult: Readonly<Record<string, { readonly value: string }>>;
  }[];
  readonly nbHits: number;
  readonly nbPages: number;
  readonly page: number;
  readonly index: string;
  readonly facets: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly facets_stats: Readonly<Record<string, { readonly min: number; readonly max: number }>>;
}

const offer = (id: number, price: number) => [{ id, price }];
const rows: readonly RowJson[] = [
  {
    ...product(1, "oak-chair", "Oak chair", offer(11, 5_000)),
    ...{ vendor: "Ansty", product_type: "Seats", tags: ["-10%", "new"] },
    description: "<p>One two three four five six &amp; seven eight chair nine ten eleven.</p>",
  },
  { ...product(2, "elm-chair", "Élm Chair", offer(21, 7_000)), vendor: "Cobb", product_type: "Seats", tags: ["new"] },
  { ...product(3, "lamp", "Steel lamp", offer(31, 3_000)), vendor: "Cobb", product_type: "Lights" },
  { ...product(4, "isu", "木の椅子", offer(41, 3_000)), vendor: "Dunn", product_type: "Seats" },
  { kind: "page", id: 9, handle: "chair-care", title: "Chair care", content: "" },
];
const shop = await startShop({ rows });
const urls: string[] = [];

function createClient(options: SearchClientOptions = {}) {
  const countingFetch = (url: string): Promise<Response> => {
    urls.push(url);
    return fetch(url);
  };
  const client = createSearchClient({ origin: shop.origin, fetch: countingFetch, ...options });
  return async (...requests: readonly object[]): Promise<readonly Result[]> => (await client.search(requests)).results;
}

const search = createClient();
const idsOf = ({ hits }: Result): readonly string[] => hits.map(({ objectID }) => objectID);

test("an empty query finds all products, with facets, statistics and pages", async () => {
  const params = { query: "", hitsPerPage: 3, page: 1, facets: ["vendor", "type", "price", "unknown"] };
  const [result] = await search({ indexName: "product:price-descending", params });
  assert.ok(result);
  assert.deepEqual([result.nbHits, result.nbPages, result.page, result.hits.length], [4, 2, 1, 1]);
  assert.deepEqual(result.facets, {
    vendor: { Cobb: 2, Ansty: 1, Dunn: 1 },
    type: { Seats: 3, Lights: 1 },
    price: {},
  });
  assert.deepEqual(result.facets_stats, { price: { min: 0, max: 70 } });
  assert.equal(result.index, "product:price-descending");
});

test("filters of facets and prices apply", async () => {
  const find = async (params: object): Promise<readonly string[]> => {
    const [result] = await search({ indexName: "product", params: { query: "", ...params } });
    return [...(result ? idsOf(result) : [])].sort();
  };
  assert.deepEqual(await find({ facetFilters: [["vendor:Ansty", "vendor:Dunn"]] }), ["1", "4"]);
  assert.deepEqual(await find({ facetFilters: ["vendor:Cobb", ["product_type:Seats"]] }), ["2"]);
  assert.deepEqual(await find({ facetFilters: ["tags:\\-10%"] }), ["1"]);
  assert.deepEqual(await find({ facetFilters: [["availability:true"]] }), ["1", "2", "3", "4"]);
  assert.deepEqual(await find({ numericFilters: ["price>=31", "price<=60"] }), ["1"]);
  assert.deepEqual(await find({ numericFilters: [["price=70"]] }), ["2"]);
});

test("conjunctive, excluded, and mixed facet filters, numeric filters, and filter expressions apply", async () => {
  const find = async (params: object, find = search): Promise<string> => {
    const [result] = await find({ indexName: "product", params: { query: "", ...params } });
    return [...(result ? idsOf(result) : [])].sort().join();
  };
  const mapped = createClient({ attributes: { brand: "vendor", "sale price": "price" } });
  const cases: readonly (readonly [params: object, ids: string])[] = [
    [{ facetFilters: ["tag:new", "tag:--10%"] }, "2"],
    [{ facetFilters: ["tag:new", "tag:\\-10%"] }, "1"],
    [{ facetFilters: ["vendor:-Cobb"] }, "1,4"],
    [{ facetFilters: [["vendor:-Cobb", "type:Lights"]] }, "1,3,4"],
    [{ facetFilters: [["vendor:Ansty", "tag:new"], "vendor:-Ansty"] }, "2"],
    [
      {
        facetFilters: [
          ["vendor:Ansty", "vendor:Cobb"],
          ["vendor:Cobb", "vendor:Dunn"],
        ],
      },
      "2,3",
    ],
    [{ numericFilters: ["price>30"] }, "1,2"],
    [{ numericFilters: [["price<50", "price:60 TO 70"]] }, "2,3,4"],
    [{ numericFilters: ["price>=30", "price>=50", "price!=70"] }, "1"],
    [{ filters: "vendor:cobb AND (price < 50 OR NOT type:Seats)" }, "3"],
    [{ filters: "price:50 TO 70 AND NOT tag:'-10%'", facetFilters: ["tag:new"] }, "2"],
    [{ filters: '"vendor:Ansty" OR product_type:"Lights"' }, "1,3"],
    [{ filters: "new", numericFilters: ["price<=60"] }, "1"],
    [{ filters: "NOT availability:true" }, ""],
  ];
  for (const [params, ids] of cases) assert.equal(await find(params), ids, JSON.stringify(params));
  assert.equal(await find({ filters: `brand:Cobb AND "sale price">30` }, mapped), "2");
  assert.equal(await find({ filters: `'brand:Ansty' OR brand: "Dunn"` }, mapped), "1,4");
});

test("the counts of a conjunctive facet include only products with the selected values", async () => {
  const find = async (facetFilters: readonly unknown[]) => {
    const [result] = await search({ indexName: "product", params: { query: "", facets: ["tag"], facetFilters } });
    return result?.facets.tag;
  };
  assert.deepEqual(await find(["tag:\\-10%"]), { "-10%": 1, new: 1 });
  assert.deepEqual(await find([["tag:\\-10%"]]), { new: 2, "-10%": 1 });
});

test("parameters that would change the results are rejected with a message, not ignored", async () => {
  for (const [params, message] of [
    [{ aroundLatLng: "1,2" }, /"aroundLatLng" is not supported/],
    [{ facetFilters: ["rating:5"] }, /no filter "rating"/],
    [{ filters: "rating:5" }, /no filter "rating"/],
    [{ filters: "vendor:a AND tag:b OR tag:c" }, /combines AND and OR: put one of them in parentheses/],
    [{ filters: "vendor:a<score=2>" }, /has a score, which is not supported/],
    [{ numericFilters: ["price about 10"] }, /"price about 10" is not supported/],
  ] as const)
    await assert.rejects(search({ indexName: "product", params }), message);
  await assert.rejects(search({ indexName: "lamps", params: {} }), /Invalid option for type parameter/);
});

test("many searches are one request, and query suggestions another", async () => {
  urls.length = 0;
  const results = await search(
    { indexName: "product", params: { query: "chair", hitsPerPage: 0 } },
    { indexName: "query", query: "ch" },
    { indexName: "page", query: "chair" },
  );
  assert.equal(urls.length, 2);
  assert.deepEqual(results.map(({ nbHits }) => nbHits).with(1, 0), [2, 0, 1]);
  assert.ok((results[1]?.hits.length ?? 0) > 0);
  assert.deepEqual(results[0]?.hits, []);
  urls.length = 0;
  await search(...Array.from({ length: 11 }, () => ({ indexName: "product", params: { query: "chair" } })));
  assert.equal(urls.length, 2);
});

test("typed words are marked in texts, whatever their case, accents and script", async () => {
  const params = { highlightPreTag: "[", highlightPostTag: "]", attributesToSnippet: ["description:4"] };
  const marked = async (query: string, handle: string, name = "title"): Promise<unknown> => {
    const [result] = await search({ indexName: "product", params: { query, ...params } });
    const hit = result?.hits.find(({ url }) => url === `${shop.origin}/products/${handle}`);
    const { value, matchLevel } = hit?._highlightResult[name] ?? {};
    return [value, matchLevel, hit?._snippetResult[name]?.value];
  };
  assert.deepEqual(await marked("elm cha", "elm-chair"), ["[Élm] [Cha]ir", "full", undefined]);
  assert.deepEqual(await marked("chair", "elm-chair"), ["Élm [Chair]", "full", undefined]);
  assert.deepEqual(await marked("椅子", "isu"), ["木の[椅子]", "full", undefined]);
  assert.deepEqual(await marked("oak chair", "oak-chair", "description"), [
    "One two three four five six & seven eight [chair] nine ten eleven.",
    "partial",
    "…seven eight [chair] nine…",
  ]);
  assert.deepEqual(await marked("", "lamp"), ["Steel lamp", "none", undefined]);
});

test("names of a front end are mapped to those of the shop", async () => {
  const mapped = createClient({
    indexes: { items: "product", items_by_price: "product:price-ascending" },
    attributes: { brand: "vendor" },
    parameters: { "resources[type]": "product" },
    toHit: ({ id, title }) => ({ objectID: `item ${id}`, name: title }),
  });
  const [result] = await mapped({ indexName: "items_by_price", params: { query: "chair", facets: "brand" } });
  assert.ok(result);
  assert.deepEqual(idsOf(result), ["item 1", "item 2"]);
  assert.deepEqual(result.facets, { brand: { Ansty: 1, Cobb: 1 } });
  assert.equal(result.hits[0]?._highlightResult.name?.value, "Oak <em>chair</em>");
});

test("values of a facet are searched, apart from its own selection", async () => {
  const { searchForFacetValues } = createSearchClient({ origin: shop.origin });
  const params = { facetName: "vendor", facetQuery: "co", facetFilters: [["vendor:Ansty"]], highlightPreTag: "[" };
  const [answer] = await searchForFacetValues([{ indexName: "product", params: { ...params, highlightPostTag: "]" } }]);
  assert.deepEqual(answer, {
    facetHits: [{ value: "Cobb", count: 2, highlighted: "[Co]bb" }],
    exhaustiveFacetsCount: true,
  });
});
