import assert from "node:assert/strict";
import { test } from "node:test";
import { bundle, product, rows } from "../support/catalog.ts";
import type { SuggestJson } from "../support/replies.ts";
import { startShop } from "../support/shop.ts";

const shop = await startShop({
  rows: [
    ...rows,
    {
      ...product(9_300, "oilskin", "Oilskin", [
        { id: 9_301, options: ["S"], price: 4_000, compare_at_price: 5_000 },
        { id: 9_302, options: ["M"], price: 4_500 },
      ]),
      options: ["Size"],
      description: "<p>Waxed.</p>",
      images: [{ src: "oilskin.png", alt: "An oilskin", width: 800, height: 600 }, { src: "unmeasured.png" }],
    },
    { kind: "collection", id: 9_303, handle: "oilskins", title: "Oilskins", products: ["oilskin"], description: "Wet" },
    { kind: "page", id: 9_304, handle: "oilskin-care", title: "Oilskin care", content: "<p>Wax it.</p>" },
    {
      ...{ kind: "article", id: 9_305, handle: "oilskin-tale", title: "Oilskin tale", blog: "journal", author: "Ada" },
      ...{ content: "<p>Long.</p>", excerpt: "<p>Short.</p>", image: { src: "tale.png" } },
    },
    bundle(9_306, "oilskin-pair", "Oilskin pair", "box_builder", ["oilskin", "canvas-tote"]),
  ],
  themeFiles: { "sections/resources.liquid": "{{ predictive_search.resources | json }}" },
});
const client = shop.client();

async function section(query: string, prefix = ""): Promise<string> {
  const reply = await client.get(`${prefix}/search/suggest?section_id=predictive-search&${query}`);
  assert.equal(reply.status, 200, reply.text);
  return reply.text;
}

test("2.2 performed is true after a non-empty query has run", async () => {
  assert.match(await section("q=rain"), /performed=true/);
  assert.match(await section("q=zzqqxxyy"), /performed=true/);
});

test("2.2 terms are the submitted search terms", async () => {
  assert.match(await section("q=Rain+At%20Sea"), /terms=Rain At Sea</);
});

test("2.2 resources hold the same elements as the JSON", async () => {
  const query = "q=rain&resources[type]=query,product,collection,page,article,bundle&resources[limit_scope]=each";
  const html = await section(query);
  const json = (await client.get(`/search/suggest.json?${query}`)).json<SuggestJson>().resources.results;
  const titles = (one: { title?: string; text?: string; name?: string }, type: string): string =>
    `${type} ${type === "bundle" ? one.name : (one.text ?? one.title)} `;
  const expected = [
    ...json.queries.map((one) => titles(one, "query")),
    ...json.products.map((one) => titles(one, "product")),
    ...json.collections.map((one) => titles(one, "collection")),
    ...json.pages.map((one) => titles(one, "page")),
    ...json.articles.map((one) => titles(one, "article")),
    ...json.bundles.map((one) => titles(one, "bundle")),
  ];
  const rendered = [...html.matchAll(/<li>(.*?)<\/li>/g)].map((match) => match[1] ?? "");
  assert.equal(rendered.length, expected.length);
  for (const [index, start] of expected.entries()) {
    assert.ok(rendered[index]?.startsWith(start), `${rendered[index]} / ${start}`);
  }
  assert.ok(expected.length >= 6);
});

test("2.2 resources hold the same elements as the JSON: every field with the same value", async () => {
  const query = "q=oilskin&type=query,product,collection,page,article,bundle&limit_scope=each";
  const json = (await client.get(`/search/suggest.json?${query}`)).json<SuggestJson>().resources.results;
  const html = (await client.get(`/search/suggest?section_id=resources&${query}`)).text;
  const rendered = JSON.parse(html.replace(/^<div[^>]*>|<\/div>\s*$/g, ""));
  for (const [bucket, elements] of Object.entries(json)) {
    assert.ok(elements.length > 0, bucket);
    assertContains(rendered[bucket], elements, bucket);
  }
  const [found, article] = [json.products[0], json.articles[0]] as unknown as Record<string, unknown>[];
  assert.deepEqual([found?.compare_at_price_min, found?.compare_at_price_max], [5_000, 5_000]);
  assert.deepEqual([found?.body, found?.description, found?.content], Array(3).fill("<p>Waxed.</p>"));
  assert.equal(found?.image, "oilskin.png");
  assert.deepEqual([article?.handle, article?.summary_html], ["journal/oilskin-tale", "<p>Short.</p>"]);
  assert.match(json.queries[0]?.styled_text ?? "", /^<mark>/);
});

/** Asserts that `rendered` has everything that `json` has, except that a field without a value may be missing. */
function assertContains(rendered: unknown, json: unknown, path: string): void {
  if (typeof json !== "object" || json === null) {
    assert.equal(rendered ?? null, json, path);
    return;
  }
  assert.ok(typeof rendered === "object" && rendered !== null, path);
  if (Array.isArray(json)) assert.equal((rendered as unknown[]).length, json.length, path);
  for (const [name, value] of Object.entries(json))
    assertContains((rendered as Record<string, unknown>)[name], value, `${path}.${name}`);
}

test("2.2 resources: product url and price, bundle url and type equal those of the JSON", async () => {
  const html = await section("q=rain&type=product,bundle");
  assert.match(html, /product Harbour Raincoat \/products\/harbour-raincoat\S* 12000</);
  assert.match(html, /bundle Rainy Day \/bundles\/rainy-day box_builder</);
});

test("2.2 types are the resource types that were requested", async () => {
  assert.match(await section("q=rain&type=page,product"), /types=page,product</);
});

test("2.2 types without a type parameter are the default ones", async () => {
  const types = /types=(.*?)</
    .exec(await section("q=rain"))?.[1]
    ?.split(",")
    .sort();
  assert.deepEqual(types, ["bundle", "collection", "page", "product", "query"]);
});

test("2.2 on a localized path the elements are in its language", async () => {
  assert.match(await section("q=imper", "/fr"), /product Imperméable du port \/fr\/products\/harbour-raincoat/);
  assert.match(
    await section("q=%E3%83%AC%E3%82%A4%E3%83%B3%E3%82%B3%E3%83%BC%E3%83%88", "/ja"),
    /product 港のレインコート \/ja\/products/,
  );
});
