import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { SearchPageAnswer, SuggestAnswer } from "@vitrine/client";
import { product, type RowJson } from "../support/catalog.ts";
import { searchPageOf } from "../support/search-page.ts";
import { startShop } from "../support/shop.ts";

const coat: RowJson = {
  ...product(1, "coat", "Raincoat", [
    { id: 11, options: ["Red"], price: 100, sku: "RC.1-R" },
    { id: 12, options: ["Navy"], price: 100, sku: "RC.1-N", image: "navy.png" },
  ]),
  options: ["Color"],
  images: [{ src: "red.png" }, { src: "navy.png" }],
  translations: { fr: { title: "Imperméable", option_values: { Red: "Rouge", Navy: "Marine" } } },
};
const boots: RowJson = {
  ...product(3, "boots", "Boots", [
    { id: 31, options: ["41"], price: 100 },
    { id: 32, options: ["42"], price: 100 },
  ]),
  options: ["Size"],
};
const shirt: RowJson = {
  ...product(4, "shirt", "Polo shirt", [
    { id: 41, options: ["S"], price: 100 },
    { id: 42, options: ["M"], price: 100 },
    { id: 43, options: ["X-Large"], price: 100 },
  ]),
  options: ["Size"],
};
const shown =
  "{% for p in items %}{{ p.matched_variant.url }} {% for v in p.variants %}{{ v.matched | json }} {% endfor %}{% endfor %}";
const shop = await startShop({
  rows: [coat, product(2, "hat", "Rain hat", [{ id: 21, price: 50 }]), boots, shirt],
  config: { locales: { default: "en", others: ["fr"] } },
  themeFiles: {
    ...searchPageOf(shown.replace("items", "search.results")),
    "sections/typed.liquid": shown.replace("items", "predictive_search.resources.products"),
  },
});
after(() => shop.close());
const client = shop.client();

type Found = {
  readonly matched_variant?: { readonly id: number; readonly url: string; readonly image: string | null };
};

async function matched(q: string, prefix = ""): Promise<readonly (Found["matched_variant"] | undefined)[]> {
  const parameters = `q=${encodeURIComponent(q)}&type=product`;
  const suggested = (await client.get(`${prefix}/search/suggest.json?${parameters}`)).json<SuggestAnswer>();
  const page = (await client.get(`${prefix}/search.json?${parameters}`)).json<SearchPageAnswer>();
  const variants = (suggested.resources.results.products as readonly Found[]).map((found) => found.matched_variant);
  assert.deepEqual(
    (page.results as readonly Found[]).map((found) => found.matched_variant),
    variants,
  );
  return variants;
}

test("a search that names an option value or SKU returns the variant with its link and image", async () => {
  for (const q of ["raincoat navy", "RC.1-N"]) {
    const [variant] = await matched(q);
    assert.deepEqual([variant?.id, variant?.url, variant?.image], [12, "/products/coat?variant=12", "navy.png"], q);
  }
  assert.equal((await matched("imperméable rouge", "/fr"))[0]?.url, "/fr/products/coat?variant=11");
});

test("a search that names no variant returns none", async () => {
  assert.deepEqual(await matched("raincoat"), [undefined]);
  assert.ok(
    !(
      "matched_variant" in
      ((await client.get("/search/suggest.json?q=rain&type=product")).json<SuggestAnswer>().resources.results
        .products[0] ?? {})
    ),
  );
});

test("templates read the variant, and whether each variant matched", async () => {
  const page = await client.get("/search?q=raincoat+navy&section_id=main");
  assert.match(page.text, /\/products\/coat\?variant=12 false true/);
  const section = await client.get("/search/suggest?q=raincoat+navy&section_id=typed&type=product");
  assert.match(section.text, /\/products\/coat\?variant=12 false true/);
  assert.match((await client.get("/search?q=raincoat&section_id=main")).text, / null null/);
});

test("4.1 search: a size with the name of its option finds the product and its variant, without a notice", async () => {
  for (const [q, id] of [
    ["boots size 42", 32],
    ["boots sz. 42", 32],
    ["polo shirt size m", 42],
    ["polo shirt sz. M", 42],
    ["polo shirt size x-large", 43],
  ] as const) {
    assert.deepEqual(
      (await matched(q)).map((variant) => variant?.id),
      [id],
      q,
    );
    const suggested = await client.get(`/search/suggest.json?q=${encodeURIComponent(q)}&type=product`);
    assert.equal(suggested.json<SuggestAnswer>().notice, undefined, q);
  }
});
