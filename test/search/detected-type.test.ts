import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { SearchPageAnswer } from "@vitrine/client";
import { product, type RowJson } from "../support/catalog.ts";
import { startShop } from "../support/shop.ts";

const french: Readonly<Record<string, object>> = {
  Boots: { title: "Bottes", product_type: "Bottes" },
  Care: { title: "Cire pour bottes", product_type: "Soin" },
};
const typed = (first: number, count: number, title: string, type: string): readonly RowJson[] =>
  Array.from({ length: count }, (_, index) => ({
    ...product(first + index, `p${first + index}`, `${title} ${index}`, [{ id: 1_000 + first + index, price: 100 }]),
    product_type: type,
    ...(french[type] === undefined ? {} : { translations: { fr: french[type] } }),
  }));
const rows = [
  ...typed(100, 12, "Alpine boots", "Boots"),
  ...typed(200, 3, "Wax for boots", "Care"),
  ...typed(300, 6, "Wool hat", "Hats"),
  ...typed(400, 6, "Leather notebook cover", "Covers"),
  ...typed(500, 2, "Notebook", "Notebooks"),
];
const shop = await startShop({ rows, hasTheme: false, config: { locales: { default: "en", others: ["fr"] } } });
after(() => shop.close());
const client = shop.client();

async function detected(query: string, prefix = ""): Promise<SearchPageAnswer["detected_type"]> {
  const reply = await client.get(`${prefix}/search.json?q=${query}`);
  assert.equal(reply.status, 200, reply.text);
  return reply.json<SearchPageAnswer>().detected_type;
}

test("a search that names a type of nearly all best results returns it with its filter", async () => {
  const type = { value: "Boots", label: "Boots", count: 12, param_name: "filter.p.product_type" };
  assert.deepEqual(await detected("boots"), type);
  assert.deepEqual(await detected("alpine+boot"), type);
  assert.deepEqual(await detected("bottes", "/fr"), { ...type, label: "Bottes" });
});

test("no type is returned if it is not named, not shared, the only one, or selected", async () => {
  for (const query of ["wool", "notebook", "alpine", "hats", "boots&filter.p.product_type=Boots"])
    assert.equal(await detected(query), undefined, query);
});

test("the results page of the default theme shows the type as a chip that selects it", async () => {
  const page = (await client.get("/search?q=boots")).text;
  assert.match(page, /href="\/search\?q=boots&amp;filter\.p\.product_type=Boots"[^>]*>Product type: Boots \(12\)</);
  assert.doesNotMatch((await client.get("/search?q=boots&filter.p.product_type=Boots")).text, /class="detected"/);
});
