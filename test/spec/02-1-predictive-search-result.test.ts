import assert from "node:assert/strict";
import { test } from "node:test";
import { type Bucket, buckets, type SuggestJson } from "../support/replies.ts";
import { startShop } from "../support/shop.ts";

const shop = await startShop();
const client = shop.client();

async function results(query: string): Promise<SuggestJson["resources"]["results"]> {
  const reply = await client.get(`/search/suggest.json?${query}`);
  assert.equal(reply.status, 200, reply.text);
  return reply.json<SuggestJson>().resources.results;
}

test("2.1 the body has the shape { resources: { results: six arrays } }", async () => {
  const reply = await client.get("/search/suggest.json?q=rain");
  const body = reply.json<SuggestJson>();
  assert.deepEqual(Object.keys(body), ["resources"]);
  assert.deepEqual(Object.keys(body.resources), ["results"]);
  assert.deepEqual(Object.keys(body.resources.results).sort(), [...buckets].sort());
  for (const bucket of buckets) assert.ok(Array.isArray(body.resources.results[bucket]), bucket);
});

const bucketOfType: Readonly<Record<string, Bucket>> = {
  query: "queries",
  product: "products",
  collection: "collections",
  page: "pages",
  article: "articles",
  bundle: "bundles",
};

for (const [type, bucket] of Object.entries(bucketOfType)) {
  test(`2.1 a request for ${type} only fills ${bucket} and returns the five other arrays empty`, async () => {
    const found = await results(`q=rain&resources[type]=${type}`);
    for (const other of buckets) {
      if (other === bucket) assert.ok(found[other].length > 0, `${other} has results`);
      else assert.deepEqual(found[other], []);
    }
  });
}

test("2.1 all six arrays are present in an empty result", async () => {
  const found = await results("q=zzqqxxyy");
  for (const bucket of buckets) assert.deepEqual(found[bucket], []);
});

test("2.1 queries: text, styled_text and url, the path to the results page for that phrase", async () => {
  const { queries } = await results("q=rain&type=query");
  for (const query of queries) {
    assert.equal(typeof query.text, "string");
    assert.equal(query.styled_text.replaceAll(/<\/?(mark|span)>/g, ""), escapeHtml(query.text));
    const url = new URL(query.url, "http://shop.test");
    assert.equal(url.pathname, "/search");
    assert.equal(url.searchParams.get("q"), query.text);
    assert.ok(query.url.startsWith("/search?q="));
  }
});

test("2.1 queries: styled_text marks the typed text", async () => {
  const { queries } = await results("q=sno&type=query");
  const query = queries.find(({ text }) => text.toLowerCase().startsWith("snowboard"));
  assert.ok(query, "the catalogue's own phrase is suggested");
  assert.match(query.styled_text.toLowerCase(), /^<mark>sno<\/mark><span>wboard/);
});

test("2.1 queries: every suggestion has results", async () => {
  for (const typed of ["rai", "sig", "can", "har"]) {
    const { queries } = await results(`q=${typed}&type=query`);
    for (const { text } of queries) {
      const found = await results(`q=${encodeURIComponent(text)}&type=product,collection,page,article,bundle`);
      assert.ok(
        buckets.some((bucket) => found[bucket].length > 0),
        `"${text}" finds something`,
      );
    }
  }
});

test("2.1 products: the object of theme templates, with title, url, featured_image and price fields", async () => {
  const { products } = await results("q=raincoat&type=product");
  const found = products[0] as unknown as Record<string, unknown>;
  assert.equal(found.title, "Harbour Raincoat");
  assert.equal(String(found.url).split("?")[0], "/products/harbour-raincoat");
  const { handle, vendor, type, available, price, price_min, price_max, price_cents, price_min_cents } = found;
  assert.deepEqual(
    { handle, vendor, type, available, price, price_min, price_max, price_cents, price_min_cents },
    {
      handle: "harbour-raincoat",
      vendor: "Norrland",
      type: "Coats",
      available: true,
      price: 12_000,
      price_min: 12_000,
      price_max: 12_500,
      price_cents: 12_000,
      price_min_cents: 12_000,
    },
  );
  assert.equal(String(found.id), "1");
  assert.match(String(found.body), /Keeps the spray out/);
  assert.deepEqual(found.tags, ["rain", "yellow"]);
  const image = found.featured_image as Record<string, unknown>;
  assert.match(String(image.url), /raincoat\.png/);
  assert.equal(image.alt, "A yellow raincoat");
  assert.deepEqual([image.width, image.height], [800, 600]);
  assert.ok(Math.abs(Number(image.aspect_ratio) - 4 / 3) < 0.01);
  assert.match(String(found.image), /raincoat\.png/);
  assert.equal((found.variants as unknown[]).length, 2);
});

test("2.1 products: compare_at prices are integers in the minor unit, also with _cents", async () => {
  const { products } = await results("q=canvas+tote&type=product");
  const found = products[0] as unknown as Record<string, unknown>;
  assert.equal(found.compare_at_price_min, 2_499);
  assert.equal(found.compare_at_price_max, 2_499);
  assert.equal(found.compare_at_price_max_cents, 2_499);
});

test("2.1 collections, pages and articles: id, title, handle, url and body", async () => {
  const found = await results("q=rain&type=collection,page,article&limit_scope=each");
  const [collection, page, article] = [found.collections[0], found.pages[0], found.articles[0]];
  assert.deepEqual(
    [collection, page, article].map((one) => [String(one?.id), one?.title, one?.handle.split("/").at(-1), one?.url]),
    [
      ["301", "Rainwear", "rainwear", "/collections/rainwear"],
      ["401", "Rain care", "rain-care", "/pages/rain-care"],
      ["501", "Rain at sea", "rain-at-sea", "/blogs/journal/rain-at-sea"],
    ],
  );
  for (const one of [collection, page, article]) assert.ok(one !== undefined && "body" in one);
  assert.ok(article !== undefined && "author" in article && "published_at" in article);
});

test("2.1 bundles: live offers of both kinds, with id, name, title, handle, type and url", async () => {
  const rainy = (await results("q=rainy&type=bundle")).bundles[0];
  assert.deepEqual(pick(rainy), {
    id: "601",
    name: "Rainy Day",
    title: "Rainy Day offer",
    handle: "rainy-day",
    type: "box_builder",
    url: "/bundles/rainy-day",
  });
  const pair = (await results("q=flag+pair&type=bundle")).bundles[0];
  assert.equal(pair?.type, "frequently_bought_together");
});

test("2.1 bundles: ended, future and unpublished ones and those with an unpublished product are not live", async () => {
  const { bundles } = await results("q=rain&type=bundle");
  assert.deepEqual(
    bundles.map(({ handle }) => handle),
    ["rainy-day"],
  );
});

test("2.1 urls include the locale's prefix on a localized path", async () => {
  const reply = await client.get("/fr/search/suggest.json?q=imper&type=product,query");
  const { products, queries } = reply.json<SuggestJson>().resources.results;
  assert.equal(products[0]?.title, "Imperméable du port");
  assert.ok(products[0]?.url.startsWith("/fr/products/harbour-raincoat"));
  for (const { url } of queries) assert.ok(url.startsWith("/fr/search?q="), url);
});

function pick(bundle: SuggestJson["resources"]["results"]["bundles"][number] | undefined): Record<string, unknown> {
  const { id, name, title, handle, type, url } = bundle ?? ({} as Record<string, unknown>);
  return { id: String(id), name, title, handle, type, url };
}

function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}
