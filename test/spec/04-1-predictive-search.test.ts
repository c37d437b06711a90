import assert from "node:assert/strict";
import { test } from "node:test";
import type { Reply } from "../support/client.ts";
import { buckets, type SuggestJson } from "../support/replies.ts";
import { startShop } from "../support/shop.ts";

const shop = await startShop();
const client = shop.client();

async function results(query: string): Promise<SuggestJson["resources"]["results"]> {
  const reply = await client.get(`/search/suggest.json?${query}`);
  assert.equal(reply.status, 200, `${query}: ${reply.text}`);
  return reply.json<SuggestJson>().resources.results;
}

async function count(query: string): Promise<number> {
  const found = await results(query);
  return buckets.reduce((sum, bucket) => sum + found[bucket].length, 0);
}

async function errorOf(query: string): Promise<string> {
  const reply = await client.get(`/search/suggest.json?${query}`);
  assert.equal(reply.status, 422, `${query}: ${reply.text}`);
  return reply.json<{ description: string }>().description;
}

test('4.1 GET /search/suggest returns the rendered section in <div id="store-section-<section_id>">', async () => {
  const reply = await client.get("/search/suggest?q=rain&section_id=predictive-search");
  assert.equal(reply.status, 200);
  assert.match(String(reply.headers["content-type"]), /^text\/html/);
  assert.ok(reply.text.trim().startsWith('<div id="store-section-predictive-search">'), reply.text);
  assert.ok(reply.text.trim().endsWith("</div>"));
  assert.match(reply.text, /product Harbour Raincoat /);
});

test("4.1 GET /search/suggest.json returns the JSON body", async () => {
  const reply = await client.get("/search/suggest.json?q=rain");
  assert.equal(reply.status, 200);
  assert.match(String(reply.headers["content-type"]), /^application\/json/);
  assert.equal(reply.json<SuggestJson>().resources.results.products[0]?.title, "Harbour Raincoat");
});

test("4.1 both endpoints accept the same query parameters", async () => {
  const query = "q=signal&resources[type]=product&resources[limit]=3&resources[limit_scope]=each";
  const html = (await client.get(`/search/suggest?section_id=predictive-search&${query}`)).text;
  assert.equal(html.match(/<li>product /g)?.length, 3);
  assert.equal((await results(query)).products.length, 3);
});

const aliases: readonly (readonly [string, string, string])[] = [
  ["resources[type]", "type", "page"],
  ["resources[limit]", "limit", "2"],
  ["resources[limit_scope]", "limit_scope", "each"],
];
for (const [bracketed, flat, value] of aliases) {
  test(`4.1 ${bracketed} and its alias ${flat} are both accepted, also percent-encoded`, async () => {
    const plain = await results("q=signal");
    const expected = await results(`q=signal&${bracketed}=${value}`);
    assert.notDeepEqual(expected, plain, "the parameter changes the response");
    assert.deepEqual(await results(`q=signal&${flat}=${value}`), expected);
    assert.deepEqual(await results(`q=signal&${encodeURIComponent(bracketed)}=${value}`), expected);
  });
}

test("4.1 the bracketed parameter takes precedence over the flat one, and the first of repeated ones applies", async () => {
  assert.equal(await count("q=signal&type=product&limit=5&resources[limit]=2"), 2);
  assert.equal(await count("q=signal&type=product&limit=3&limit=4"), 3);
  assert.equal((await results("q=raincoat&q=tote&type=product")).products[0]?.title, "Harbour Raincoat");
  assert.equal(await count("q=signal&type=product&limit=abc&resources[limit]=2"), 2);
});

for (const query of ["", "q=", "q=%20%20", "q=%09%0A", "q=%00", "q=%E3%80%80", "q", "Q=rain"]) {
  test(`4.1 q is required: "?${query}" is 422`, async () => {
    assert.equal(await errorOf(query), "Missing q param");
  });
}

test("4.1 q: matching uses its first 256 code points", async () => {
  const long = `raincoat ${"%20".repeat(260)}zzqqxx`;
  assert.equal((await results(`q=${long.replace(" ", "%20")}&type=product`)).products[0]?.title, "Harbour Raincoat");
});

test("4.1 resources[type] defaults to query,product,collection,page,bundle", async () => {
  const found = await results("q=rain&resources[limit_scope]=each");
  const nonEmpty = buckets.filter((bucket) => found[bucket].length > 0);
  assert.deepEqual(nonEmpty, ["queries", "products", "collections", "pages", "bundles"]);
});

for (const type of ["product", "collection", "page", "article", "bundle", "query"]) {
  test(`4.1 resources[type] allows ${type}`, async () => {
    assert.ok((await count(`q=rain&resources[type]=${type}`)) > 0);
  });
}

test("4.1 resources[type] is a comma-separated list, trimmed and deduplicated", async () => {
  const found = await results("q=rain&type=page,%20article%20,page");
  assert.deepEqual(
    buckets.filter((bucket) => found[bucket].length > 0),
    ["pages", "articles"],
  );
});

for (const type of [
  "foo",
  "product,foo",
  "Product",
  "products",
  "",
  "product,,page",
  ",",
  "__proto__",
  "constructor",
  "toString",
]) {
  test(`4.1 resources[type] "${type}" is 422 "Invalid option for type parameter"`, async () => {
    assert.match(await errorOf(`q=rain&resources[type]=${type}`), /Invalid option for type parameter/);
    assert.match(await errorOf(`q=rain&type=${type}`), /Invalid option for type parameter/);
  });
}

test("4.1 resources[limit] defaults to 10", async () => {
  assert.equal(await count("q=signal&type=product"), 10);
  assert.equal(await count("q=signal&type=product&limit=10"), 10);
});

for (const limit of [1, 2, 9, 10]) {
  test(`4.1 resources[limit]=${limit} is in range`, async () => {
    assert.equal(await count(`q=signal&type=product&resources[limit]=${limit}`), limit);
  });
}

const badLimits = [
  "0",
  "11",
  "-1",
  "1.5",
  "1e1",
  "0x5",
  "abc",
  "NaN",
  "",
  "%D9%A3",
  "5%20",
  "%205",
  "%2B5",
  "99999999999999999999",
];
for (const limit of badLimits) {
  test(`4.1 resources[limit]=${limit || "(empty)"} is 422`, async () => {
    assert.equal(await errorOf(`q=rain&resources[limit]=${limit}`), "Invalid option for limit parameter");
    assert.equal(await errorOf(`q=rain&limit=${limit}`), "Invalid option for limit parameter");
  });
}

test("4.1 limit_scope all, the default: limit caps the total across types", async () => {
  for (const limit of [1, 3, 5, 10]) {
    const all = await results(
      `q=rain&type=query,product,collection,page,article,bundle&limit=${limit}&limit_scope=all`,
    );
    assert.deepEqual(await results(`q=rain&type=query,product,collection,page,article,bundle&limit=${limit}`), all);
    const total = buckets.reduce((sum, bucket) => sum + all[bucket].length, 0);
    assert.ok(total <= limit, `${total} of ${limit}`);
  }
});

test("4.1 limit_scope all: the limit is filled while there are matches", async () => {
  const each = await count("q=signal&type=product,collection&limit_scope=each");
  assert.ok(each > 10);
  assert.equal(await count("q=signal&type=product,collection&limit=10"), 10);
});

test("4.1 limit_scope all: every type with a match gets a slot in the contract's order, while slots remain", async () => {
  const types = "page,article,bundle,collection,query,product";
  const three = await results(`q=rain&type=${types}&limit=3`);
  assert.deepEqual(
    buckets.filter((bucket) => three[bucket].length > 0),
    ["queries", "products", "collections"],
  );
  const six = await results(`q=rain&type=${types}&limit=6`);
  for (const bucket of buckets) assert.equal(six[bucket].length, 1, bucket);
});

test("4.1 limit_scope each: limit applies per type", async () => {
  const found = await results("q=rain&type=product,collection,page,article,bundle,query&limit=1&limit_scope=each");
  for (const bucket of buckets) assert.equal(found[bucket].length, 1, bucket);
  assert.equal((await results("q=signal&type=product,collection&limit=10&limit_scope=each")).products.length, 10);
});

for (const scope of ["ALL", "some", "", "all,each"]) {
  test(`4.1 limit_scope "${scope}" is 422`, async () => {
    assert.equal(await errorOf(`q=rain&resources[limit_scope]=${scope}`), "Invalid option for limit_scope parameter");
  });
}

test("4.1 section_id is required for /search/suggest and names the section", async () => {
  const reply = await client.get("/search/suggest?q=rain&section_id=one");
  assert.equal(reply.text.replaceAll(/\s/g, ""), '<divid="store-section-one"><p>one</p></div>');
  assert.equal((await client.get("/search/suggest?q=rain")).status, 422);
});

test("4.1 section_id is ignored by the JSON endpoint", async () => {
  assert.deepEqual(await results("q=rain&section_id=no-such-section"), await results("q=rain"));
});

test("4.1 type query returns completed search terms, type bundle live offers", async () => {
  const found = await results("q=rai&type=query,bundle");
  assert.ok(found.queries.every(({ text }) => typeof text === "string"));
  assert.deepEqual(
    found.bundles.map(({ handle }) => handle),
    ["rainy-day"],
  );
});

test("4.1 section mode renders predictive_search with the same results", async () => {
  const html = (await client.get("/search/suggest?q=rain&type=product,page&section_id=predictive-search")).text;
  const found = await results("q=rain&type=product,page");
  const titles = [...html.matchAll(/<li>(product|page) (.*?) \//g)].map((match) => match[2]);
  assert.deepEqual(
    titles,
    [...found.products, ...found.pages].map(({ title }) => title),
  );
});

test("4.1 /search/suggest renders in the context of the search page", async () => {
  const reply = await client.get("/search/suggest?q=rain&section_id=context");
  assert.match(reply.text, /type=search /);
});

const order: readonly (readonly [string, string])[] = [
  ["type=foo&limit=0&limit_scope=x", "Missing q param"],
  ["q=a&type=foo&limit=0&limit_scope=x", "Invalid option for type parameter"],
  ["q=a&limit=0&limit_scope=x", "Invalid option for limit parameter"],
  ["q=a&limit_scope=x", "Invalid option for limit_scope parameter"],
];
for (const [query, detail] of order) {
  test(`4.1 parameters are checked in order: ?${query} reports "${detail}"`, async () => {
    assert.equal(await errorOf(query), detail);
    const html = await client.get(`/search/suggest?${query}`);
    assert.equal(html.text, `Invalid parameter error: ${detail}`);
  });
}

test("4.1 responses depend only on path and query: no cookie read or set, an ETag, always revalidated", async () => {
  const plain = await shop.client().get("/search/suggest.json?q=rain");
  for (const headers of [
    { cookie: "cart=forged; csrf_token=x" },
    { "accept-language": "fr" },
    { "x-forwarded-host": "evil.test" },
  ]) {
    const reply = await client.get("/search/suggest.json?q=rain", headers);
    assert.equal(reply.text, plain.text);
    assertPublic(reply);
    assert.equal(reply.headers.etag, plain.headers.etag);
  }
  const again = await client.get("/search/suggest.json?q=rain", { "if-none-match": String(plain.headers.etag) });
  assert.deepEqual([again.status, again.text], [304, ""]);
});

test("4.1 a section that reads the cart is not cacheable", async () => {
  assertPublic(await client.get("/search/suggest?q=rain&section_id=predictive-search"));
  const reply = await client.get("/search/suggest?q=rain&section_id=cart-count");
  assert.match(String(reply.headers["cache-control"]), /no-store/);
});

function assertPublic(reply: Reply): void {
  assert.equal(reply.headers["set-cookie"], undefined);
  assert.equal(reply.headers["cache-control"], "public, max-age=0, must-revalidate");
  assert.ok(reply.headers.etag);
}
