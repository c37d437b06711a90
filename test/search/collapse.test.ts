import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import type { SearchPageAnswer, SuggestAnswer } from "@vitrine/client";
import { createKeyring } from "../../src/security/keyring.ts";
import { createSearchKey } from "../../src/security/search-key.ts";
import { product, type RowJson } from "../support/catalog.ts";
import { send } from "../support/client.ts";
import { createApiToken } from "../support/command.ts";
import { startShop, testSecret } from "../support/shop.ts";
import { until } from "../support/until.ts";

const paints = ["white", "red", "blue"].flatMap((color, colorIndex) =>
  ["1 l", "2.5 l", "5 l", "10 l"].map((size, sizeIndex): RowJson => {
    const number = colorIndex * 4 + sizeIndex;
    const price = (sizeIndex + 1) * 1_000;
    return {
      ...product(100 + number, `paint-${color}-${sizeIndex}`, `Paint, ${color}, ${size}`, [
        { id: 1_000 + number, price, inventory_quantity: 5 },
      ]),
      vendor: "Sol",
      product_type: "Paints",
    };
  }),
);
const rows: readonly RowJson[] = [
  ...paints,
  product(1, "brush", "Paint brush", [{ id: 11, price: 500 }]),
  product(2, "roller", "Paint roller", [{ id: 21, price: 700 }]),
  product(3, "tray", "Paint tray", [{ id: 31, price: 300 }]),
];
const start = (collapse: boolean) =>
  startShop({
    rows,
    config: { search: { collapse, origins: ["https://app.example"] } },
    themeFiles: {
      "templates/search.liquid":
        "{{ search.results_count }}|{% paginate search.results by 50 %}{% for p in search.results %}{{ p.handle }}:{{ p.collapsed_count }}:{{ p.collapsed_url }},{% endfor %}{% endpaginate %}|{% for f in search.filters %}{% for v in f.active_values %}{{ v.param_name }}={{ v.value }}:{{ v.label }}:{{ v.url_to_remove }}{% endfor %}{% endfor %}",
      "sections/found.liquid":
        "{% for p in predictive_search.resources.products %}{{ p.handle }}:{{ p.collapsed_count }},{% endfor %}",
    },
  });
const [shop, plainShop] = await Promise.all([start(true), start(false)]);
after(() => Promise.all([shop.close(), plainShop.close()]));
const client = shop.client();

interface Found {
  readonly handle: string;
  readonly title: string;
  readonly collapsed_count?: number;
  readonly collapsed_url?: string | null;
}

async function suggest(q: string, from = client): Promise<readonly Found[]> {
  const reply = await from.get(`/search/suggest.json?q=${encodeURIComponent(q)}&type=product`);
  assert.equal(reply.status, 200, reply.text);
  return reply.json<SuggestAnswer>().resources.results.products as readonly Found[];
}

async function search(path: string, from = client): Promise<Omit<SearchPageAnswer, "results"> & { results: Found[] }> {
  const reply = await from.get(path);
  assert.equal(reply.status, 200, reply.text);
  return reply.json<Omit<SearchPageAnswer, "results"> & { results: Found[] }>();
}

const handles = (found: readonly Found[]): readonly string[] => found.map(({ handle }) => handle);

test("products that differ in size and color are one result, with the number of the others", async () => {
  const found = await suggest("paint");
  assert.equal(found.length, 4);
  assert.equal(found.filter(({ handle }) => handle.startsWith("paint-")).length, 1);
  for (const { handle, collapsed_count, collapsed_url } of found) {
    const isPaint = handle.startsWith("paint-");
    assert.equal(collapsed_count, isPaint ? 11 : 0);
    assert.equal(collapsed_url, isPaint ? `/search?q=paint&filter.p.group=${handle}` : null);
  }
});

test("the number of the others contains only products that match the filters of a search key", async () => {
  const keyring = createKeyring([testSecret]);
  for (const [filters, expectedCount] of [
    ["filter.v.price.lte=20", 5],
    ["filter.v.price.lte=15&filter.p.vendor=Sol", 2],
    ["filter.p.vendor=Harbour", undefined],
  ] as const) {
    const key = createSearchKey(keyring, filters, Date.now() + 60_000);
    const { results } = await search(`/search.json?q=paint&key=${key}`);
    const count = results.find(({ handle }) => handle.startsWith("paint-"))?.collapsed_count;
    assert.equal(count, expectedCount, filters);
  }
});

test("the result is the product that the search describes best", async () => {
  for (const [q, handle] of [
    ["paint 5 l", "paint-white-2"],
    ["paint red 10 l", "paint-red-3"],
    ["blue paint", "paint-blue-0"],
  ] as const) {
    const [first] = await suggest(q);
    assert.equal(first?.handle, handle);
    const [best] = await suggest(q, plainShop.client());
    assert.equal(first?.handle, best?.handle, q);
  }
});

test("suggestions and the results page show the same products in the same order", async () => {
  for (const q of ["paint", "paint red", "paint 5 l", "pai"])
    assert.deepEqual(
      handles((await search(`/search.json?q=${encodeURIComponent(q)}&type=product`)).results),
      handles(await suggest(q)),
    );
});

test("counts and pages count results, and filter values count products", async () => {
  const first = await search("/search.json?q=paint&type=product&limit=3");
  assert.deepEqual([first.results_count, first.complete_results_count, first.pages], [4, 4, 2]);
  const second = await search("/search.json?q=paint&type=product&limit=3&page=2");
  assert.equal(second.results.length, 1);
  assert.equal(new Set([...handles(first.results), ...handles(second.results)]).size, 4);
  const types = first.facets.find(({ param_name }) => param_name === "filter.p.product_type");
  assert.deepEqual(
    types?.values?.map(({ value, count }) => [value, count]),
    [
      ["Goods", 3],
      ["Paints", 12],
    ],
  );
  const filtered = await search("/search.json?q=paint&filter.p.product_type=Paints");
  assert.equal(filtered.results_count, 1);
  assert.equal(filtered.results[0]?.collapsed_count, 11);
});

test("filters and sort orders apply before products are collapsed", async () => {
  const dear = await search("/search.json?q=paint&filter.v.price.gte=40");
  assert.deepEqual([dear.results_count, /^paint-\w+-3$/.test(dear.results[0]?.handle ?? "")], [1, true]);
  const dearest = await search("/search.json?q=paint&sort_by=price-descending");
  assert.match(dearest.results[0]?.handle ?? "", /^paint-\w+-3$/);
  const cheapest = await search("/search.json?q=paint&type=product&sort_by=price-ascending");
  assert.match(cheapest.results.at(-1)?.handle ?? "", /^paint-\w+-0$/);
});

test("the link lists every product of the group: matches first, then the others", async () => {
  const group = await search("/search.json?q=paint+red&filter.p.group=paint-blue-3");
  assert.deepEqual([group.results_count, group.complete_results_count], [12, 4]);
  assert.ok(group.results.slice(0, 4).every(({ handle }) => handle.startsWith("paint-red-")));
  assert.deepEqual(new Set(handles(group.results)), new Set(paints.map(({ handle }) => handle)));
  assert.ok(group.results.every(({ collapsed_count }) => collapsed_count === 0));
  const narrow = await search("/search.json?q=paint+red&filter.p.group=paint-blue-3&filter.v.price.lte=10");
  assert.deepEqual(new Set(handles(narrow.results)), new Set(["paint-red-0", "paint-white-0", "paint-blue-0"]));
  assert.equal((await search("/search.json?q=paint&filter.p.group=nobody")).results_count, 0);
});

test("templates show the number, the link, and a filter that can be removed", async () => {
  const text = (await client.get("/search?q=paint&type=product")).text.replaceAll("&amp;", "&");
  assert.match(text, /4\|.*paint-\w+-\d:11:\/search\?q=paint&filter\.p\.group=paint-\w+-\d,/);
  assert.match(text, /brush:0:,/);
  const group = (await client.get("/search?q=paint&filter.p.group=paint-red-0")).text.replaceAll("&amp;", "&");
  assert.match(group, /12\|.*filter\.p\.group=paint-red-0:Paint, red, 1 l:\/search\?q=paint/);
  const section = (await client.get("/search/suggest?q=paint&section_id=found")).text;
  assert.match(section, /paint-\w+-\d:11,/);
});

test("a search by fields lists every product", async () => {
  assert.equal((await search("/search.json?q=product_type:Paints")).results_count, 12);
});

test("without the setting, results have no groups", async () => {
  const page = await search("/search.json?q=paint&type=product&filter.p.group=paint-red-0", plainShop.client());
  assert.equal(page.results_count, 15);
  assert.ok(!("collapsed_count" in (page.results[0] ?? {})));
  assert.ok(!("collapsed_count" in ((await suggest("paint", plainShop.client()))[0] ?? {})));
});

test("another product of the group replaces one that has just sold out", async () => {
  const [best] = await suggest("paint red");
  const number = paints.findIndex(({ handle }) => handle === best?.handle);
  const token = await createApiToken(shop, "stock:write");
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const body = JSON.stringify({ variant_id: 1_000 + number, quantity: 0 });
  assert.equal((await send(shop.origin, "POST", "/admin/stock", { headers, body })).status, 200);
  await until(async () => (await suggest("paint red"))[0]?.handle !== best?.handle);
  const [next] = await suggest("paint red");
  assert.match(next?.handle ?? "", /^paint-red-/);
  const page = await search("/search.json?q=paint+red&type=product");
  assert.equal(page.results[0]?.handle, next?.handle);
  assert.equal(page.results_count, 4);
  // The replacement matches the filters, too.
  const cheap = await search("/search.json?q=paint+red&filter.v.price.lte=10");
  assert.match(cheap.results[0]?.handle ?? "", /^paint-\w+-0$/);
});

test("pinned products stay, and hidden products do not count", async () => {
  const folder = join(shop.storeDir, "search");
  await mkdir(folder);
  await writeFile(join(folder, "pins.txt"), "paint: paint-blue-1, paint-red-2\n");
  await until(async () => handles(await suggest("paint"))[0] === "paint-blue-1");
  assert.deepEqual(handles(await suggest("paint")).slice(0, 2), ["paint-blue-1", "paint-red-2"]);
  assert.equal((await suggest("paint")).length, 5);
  await writeFile(join(folder, "hides.txt"), "*: paint-white-0, paint-white-1\n");
  await until(async () => (await suggest("paint"))[0]?.collapsed_count === 9);
  assert.equal((await search("/search.json?q=paint&filter.p.group=paint-red-0")).results_count, 10);
});
