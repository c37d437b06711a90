import assert from "node:assert/strict";
import { test } from "node:test";
import type { SearchPageAnswer } from "@vitrine/client";
import { product, type RowJson } from "../support/catalog.ts";
import { searchPageOf } from "../support/search-page.ts";
import { startShop } from "../support/shop.ts";

const one = (id: number, more: object = {}) => [{ id, price: id, ...more }];
const rows: readonly RowJson[] = [
  { ...product(1, "oak-chair", "Oak chair", one(11, { sku: "CH-1" })), vendor: "Ansty", tags: ["New in", "wood"] },
  { ...product(2, "oak-table", "Oak table", one(21, { inventory_quantity: 0 })), vendor: "Cobb & Co", tags: ["wood"] },
  {
    ...product(3, "elm-chair", "Elm chair", one(31)),
    vendor: "cobb & co",
    product_type: "Seats",
    tags: ["new in", "sale-10"],
  },
  { ...product(4, "steel-lamp", "Steel lamp", one(41)), vendor: "Dunn", product_type: "Lights" },
  { ...product(5, "hidden", "Hidden chair", one(51)), published: false, tags: ["wood"] },
  { kind: "page", id: 9, handle: "chair-care", title: "Chair care of oak", content: "" },
];
const shop = await startShop({
  rows,
  themeFiles: searchPageOf(
    "{% paginate search.results by 10 %}{% for p in search.results %}{{ p.handle }} {% endfor %}{% endpaginate %}{{ search.results_count }}",
  ),
});
const client = shop.client();

async function found(q: string, more = ""): Promise<string> {
  const query = `q=${encodeURIComponent(q)}${more}`;
  const page = (await client.get(`/search?${query}&section_id=main`)).text.replace(/<[^>]*>/g, "").trim();
  const json = (await client.get(`/search.json?${query}`)).json<SearchPageAnswer>();
  assert.equal([...json.results.map(({ handle }) => handle), json.results_count].join(" "), page, "JSON and Liquid");
  assert.equal(json.complete_results_count, json.results_count);
  return page;
}

const examples: readonly (readonly [string, string])[] = [
  ["id:1 OR id:3", "oak-chair elm-chair 2"],
  ["id:3 OR id:1 OR id:5 OR id:99 OR id:3", "elm-chair oak-chair 2"],
  ["id:4", "steel-lamp 1"],
  ["tag:wood", "oak-chair oak-table 2"],
  ['tag:"new in"', "oak-chair elm-chair 2"],
  ["tag:'New In' AND vendor:\"COBB & CO\"", "elm-chair 1"],
  ["tag:sale*", "elm-chair 1"],
  ["vendor:'cobb & co'", "oak-table elm-chair 2"],
  // Scripts of themes do not quote the vendor of a product.
  ["vendor:Cobb & Co -id:2", "elm-chair 1"],
  ["vendor:cobb", "oak-table elm-chair 2"],
  ["vendor:cob", "0"],
  ["tag:in", "0"],
  ["product_type:seats OR type:Lights", "elm-chair steel-lamp 2"],
  ["-tag:wood", "elm-chair steel-lamp 2"],
  ["NOT tag:wood -id:4", "elm-chair 1"],
  ["tag:wood -id:1", "oak-table 1"],
  ["chair tag:wood", "oak-chair 1"],
  ["tag:wood chair oak OR vendor:dunn", "oak-chair steel-lamp 2"],
  ["tag:wood -chair", "oak-table 1"],
  ["title:chair", "oak-chair elm-chair 2"],
  ["title:oak* -title:table", "oak-chair 1"],
  ["sku:CH-1", "oak-chair 1"],
  ["handle:steel-lamp", "steel-lamp 1"],
  ["tag:none", "0"],
  ["tag:", "0"],
];
for (const [q, expected] of examples)
  test(`4.1 search by fields: ${q}`, async () => {
    assert.equal(await found(q), expected);
  });

test("4.1 search by fields: filters, sort order, types and sold-out products work as for words", async () => {
  assert.equal(await found("tag:wood", "&sort_by=price-descending"), "oak-table oak-chair 2");
  assert.equal(await found("tag:wood", "&filter.p.vendor=Ansty"), "oak-chair 1");
  assert.equal(await found("tag:wood", "&type=page"), "0");
  const hiding = await client.get("/search.json?q=tag:wood&resources[options][unavailable_products]=hide");
  assert.deepEqual(
    hiding.json<SearchPageAnswer>().results.map(({ handle }) => handle),
    ["oak-chair"],
  );
});

test("4.1 OR, a hyphen and an unknown name before a colon are ordinary words", async () => {
  for (const q of ["oak OR elm", "chair -oak", "time:chair oak", "-", "OR", ":", "tag"])
    assert.equal((await client.get(`/search?q=${encodeURIComponent(q)}`)).status, 200, q);
  assert.match((await client.get("/search?q=oak%20-chair&section_id=main")).text, /oak-chair/);
});

test("4.1 suggestions for a search by fields are the first products of the results page", async () => {
  const suggest = async (q: string, more = ""): Promise<Readonly<Record<string, readonly { handle: string }[]>>> =>
    (await client.get(`/search/suggest.json?q=${encodeURIComponent(q)}${more}`)).json<{
      resources: { results: Readonly<Record<string, readonly { handle: string }[]>> };
    }>().resources.results;
  const cases = [
    ["product_type:Seats AND chair", "elm-chair"],
    ["product_type:Seats AND cha", "elm-chair"],
    ["product_type:Lights AND chair", ""],
    ["tag:wood", "oak-chair oak-table"],
    ["vendor:'cobb & co'", "oak-table elm-chair"],
  ] as const;
  for (const [q, handles] of cases) {
    const { products = [], ...others } = await suggest(q);
    assert.equal(products.map(({ handle }) => handle).join(" "), handles, q);
    assert.deepEqual(Object.values(others).flat(), [], q);
  }
  assert.equal((await suggest("tag:wood", "&limit=1")).products?.length, 1);
  assert.deepEqual((await suggest("tag:wood", "&type=page")).products, []);
  assert.deepEqual((await suggest("*")).products, []);
});
