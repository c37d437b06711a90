import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import type { SearchPageAnswer } from "@vitrine/client";
import { product, type RowJson } from "../support/catalog.ts";
import { send } from "../support/client.ts";
import { createApiToken } from "../support/command.ts";
import type { SuggestJson } from "../support/replies.ts";
import { searchPageOf } from "../support/search-page.ts";
import { startShop } from "../support/shop.ts";

const one = (id: number, more: object = {}) => [{ id, price: 100, ...more }];
const rows: readonly RowJson[] = [
  product(1, "oak-table", "Oak table", one(11, { inventory_quantity: 0 })),
  ...Array.from({ length: 12 }, (_, index) =>
    product(100 + index, `chair-${index}`, `Oak chair ${index}`, one(1000 + index)),
  ),
  product(2, "glass-table", "Glass table", one(21)),
  product(4, "elm-stool", "Elm stool", one(41, { inventory_quantity: 1 })),
  product(5, "elm-bench", "Elm bench", one(51)),
  product(3, "ring", "Ring for the finger", one(31)),
  { kind: "collection", id: 7, handle: "tables", title: "Tables of glass", products: ["glass-table"] },
  { kind: "page", id: 8, handle: "care", title: "Care of oak", content: "" },
];
const main =
  "{% paginate search.results by 10 %}{{ search.complete_results_count }}/{{ search.results_count }}/{{ paginate.pages }}:{% for one in search.results %} {{ one.handle }}{% endfor %}{% endpaginate %}";
const shop = await startShop({
  rows,
  themeFiles: searchPageOf(main),
});
const client = shop.client();

async function suggested(query: string): Promise<SuggestJson["resources"]["results"]> {
  const reply = await client.get(`/search/suggest.json?${query}`);
  assert.equal(reply.status, 200, reply.text);
  return reply.json<SuggestJson>().resources.results;
}

async function found(q: string, page = 1, more = ""): Promise<string> {
  const reply = await client.get(`/search?q=${encodeURIComponent(q)}&page=${page}&section_id=main${more}`);
  return reply.text.replace(/<[^>]*>/g, "").trim();
}

test("partial matches fill up the requested number, after complete ones, sold out or not", async () => {
  const { products } = await suggested("q=oak+table&resources[type]=product");
  assert.equal(products.length, 10);
  assert.deepEqual(
    products.slice(0, 2).map(({ handle }) => handle),
    ["oak-table", "glass-table"],
  );
});

test("words without any match find nothing", async () => {
  for (const q of ["t-shirt", "mug for the", "brandx the", "r2-d2 for"])
    assert.deepEqual((await suggested(`q=${encodeURIComponent(q)}&resources[type]=product`)).products, [], q);
  assert.equal((await suggested("q=the&resources[type]=product")).products.length, 1);
});

test("partial matches take the slots that no complete match of another type needs", async () => {
  const shared = await suggested("q=oak+chair&type=product,collection,page&limit=10&limit_scope=all");
  assert.deepEqual([shared.products.length, shared.collections.length, shared.pages.length], [10, 0, 0]);
  const filled = await suggested("q=glass+table&type=product,collection,page&limit=4&limit_scope=all");
  assert.deepEqual(
    [filled.products, filled.collections, filled.pages].map((some) => some.map(({ handle }) => handle)),
    [["glass-table", "oak-table"], ["tables"], []],
  );
});

test("the results page counts complete matches and all listed ones", async () => {
  assert.match(await found("oak table"), /^1\/16\/2: oak-table glass-table tables /);
  assert.match(await found("oak table", 2), /^1\/16\/2: /);
  assert.match(await found("oak"), /^14\/14\/2: /);
  assert.equal(await found("sofa"), "0/0/1:");
});

test("a search sorted by price lists complete matches of every kind before partial matches", async () => {
  const first = await found("oak care", 1, "&sort_by=price-ascending");
  assert.match(first, /^1\/14\/2: care chair-/);
  assert.match(await found("tables glass", 1, "&sort_by=price-descending"), /^2\/3\/1: glass-table tables oak-table$/);
  const json = (await client.get("/search.json?q=oak+care&sort_by=price-ascending")).json<SearchPageAnswer>();
  assert.deepEqual([json.results[0]?.handle, json.complete_results_count], ["care", 1]);
});

test("a complete match that has just sold out stays before partial matches", async () => {
  const token = await createApiToken(shop, "stock:write");
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const body = JSON.stringify({ variant_id: 41, quantity: 0 });
  assert.equal((await send(shop.origin, "POST", "/admin/stock", { headers, body })).status, 200);
  const listed = async (): Promise<readonly string[]> => {
    const { products } = await suggested("q=elm+stool&resources[type]=product");
    return [...products.map(({ handle }) => handle), await found("elm stool")];
  };
  while (!(await suggested("q=elm+stool")).products.some(({ available }) => !available)) await setTimeout(20);
  assert.deepEqual(await listed(), ["elm-stool", "elm-bench", "1/2/1: elm-stool elm-bench"]);
});
