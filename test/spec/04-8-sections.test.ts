import assert from "node:assert/strict";
import { test } from "node:test";
import { add, assertCartError, assertMutated, readCart } from "../support/assertions.ts";
import { variant } from "../support/catalog.ts";
import type { Client, Headers, Reply } from "../support/client.ts";
import type { MutationJson } from "../support/replies.ts";
import { startShop } from "../support/shop.ts";

const shop = await startShop();

type Sections = Readonly<Record<string, string | null>>;

function sectionsOf(reply: Reply): Sections {
  assert.equal(reply.status, 200, reply.text);
  const { sections } = reply.json<MutationJson>();
  assert.ok(sections, "there is a sections map");
  return sections;
}

async function read(query: string, headers: Headers = {}): Promise<Sections> {
  return sectionsOf(await shop.client().get(`/cart.js?${query}`, headers));
}

const writes: readonly (readonly [string, object])[] = [
  ["/cart/add", { id: variant.tracked, quantity: 1 }],
  ["/cart/add.js", { id: variant.tracked, quantity: 1 }],
  ["/cart/change", { line: 1, quantity: 2 }],
  ["/cart/change.js", { line: 1, quantity: 2 }],
  ["/cart/update", { updates: [2] }],
  ["/cart/update.js", { updates: [2] }],
  ["/cart/clear", {}],
  ["/cart/clear.js", {}],
];
for (const [path, body] of writes) {
  test(`4.8 POST ${path} renders sections from the cart after the write`, async () => {
    const client = shop.client();
    await add(client, variant.tracked, 1);
    const reply = await client.post(`${path}?sections=cart-count,one`, body);
    const { item_count } = assertMutated(reply);
    const sections = sectionsOf(reply);
    assert.deepEqual(Object.keys(sections), ["cart-count", "one"]);
    assert.match(String(sections["cart-count"]), new RegExp(`count=${item_count} `));
  });
}

test("4.8 GET /cart.js and /cart.json render sections", async () => {
  const client = shop.client();
  await add(client, variant.unlimited, 4);
  for (const path of ["/cart.js", "/cart.json"]) {
    assert.match(
      String(sectionsOf(await client.get(`${path}?sections=cart-count`))["cart-count"]),
      /count=4 total=7996/,
    );
  }
});

test('4.8 each HTML is wrapped in <div id="store-section-<section_id>">', async () => {
  const html = String((await read("sections=one")).one);
  assert.equal(html.replaceAll(/\s/g, ""), '<divid="store-section-one"><p>one</p></div>');
});

const spellings: readonly (readonly [string, readonly string[]])[] = [
  ["sections=one,two", ["one", "two"]],
  ["sections=one,%20two%20", ["one", "two"]],
  ["section_ids=one,two", ["one", "two"]],
  ["section_ids[]=one&section_ids[]=two", ["one", "two"]],
  ["section_id=one", ["one"]],
  ["section_id=three&section_ids[]=two&sections=one", ["one", "two", "three"]],
  ["sections=one,one,two&section_id=one", ["one", "two"]],
  ["section_ids[0]=one&section_ids[1]=two&sections[0]=three&sections[x]=four", ["three", "one", "two"]],
];
for (const [query, ids] of spellings) {
  test(`4.8 section parameters in the query: ${query}`, async () => {
    assert.deepEqual(Object.keys(await read(query)), ids);
  });
}

const bodies: readonly (readonly [object, readonly string[]])[] = [
  [{ sections: "one,two" }, ["one", "two"]],
  [{ sections: ["one", "two"] }, ["one", "two"]],
  [{ section_ids: ["one", "two"] }, ["one", "two"]],
  [{ section_id: "one" }, ["one"]],
  [{ sections: ["one"], section_ids: ["two"], section_id: "three" }, ["one", "two", "three"]],
  [{ sections: 1, section_ids: [1, null, {}, "one"], section_id: {} }, ["one"]],
];
for (const [body, ids] of bodies) {
  test(`4.8 section parameters in the body: ${JSON.stringify(body)}`, async () => {
    const reply = await shop.client().post("/cart/update.js", { note: "x", ...body });
    assert.deepEqual(Object.keys(sectionsOf(reply)), ids);
  });
}

const failed = ["no-such-section", "../layout/theme", "__proto__", "constructor", "endless", "enormous", "recursive"];
for (const id of failed) {
  test(`4.8 a section that fails to render is null: ${id}`, async () => {
    const client = shop.client();
    const reply = await client.post(`/cart/add.js?sections=${encodeURIComponent(id)},one`, { id: variant.unlimited });
    const sections = sectionsOf(reply);
    assert.ok(Object.hasOwn(sections, id));
    assert.equal(sections[id], null);
    assert.match(String(sections.one), /<p>one<\/p>/);
    assert.equal((await readCart(client)).item_count, 1, "the write is applied");
  });
}

async function context(query: string, headers: Headers = {}): Promise<string> {
  return String((await read(`sections=context&${query}`, headers)).context);
}

const contexts: readonly (readonly [string, RegExp])[] = [
  ["/", /type=index locale=en path=\/ /],
  ["/products/harbour-raincoat", /type=product locale=en .*product=Harbour Raincoat/],
  ["/products/harbour-raincoat?variant=12#x", /type=product /],
  ["/collections/rainwear", /type=collection .*collection=Rainwear/],
  ["/cart", /type=cart /],
  ["/search?q=x", /type=search /],
  ["/pages/rain-care", /type=page /],
  ["/fr/products/harbour-raincoat", /type=product locale=fr .*product=Imperméable du port/],
  ["/no/such/page", /type=404 /],
  ["/%2f%2fevil.com", /type=404 /],
  ["/@evil.com", /type=404 /],
];
for (const [url, expected] of contexts) {
  test(`4.8 sections_url ${url} is the context in which the sections render`, async () => {
    assert.match(await context(`sections_url=${encodeURIComponent(url)}`), expected);
  });
}

test("4.8 sections_url may be in the body", async () => {
  const reply = await shop.client().post("/cart/update.js", { note: "", sections: "context", sections_url: "/cart" });
  assert.match(String(sectionsOf(reply).context), /type=cart /);
});

test("4.8 section parameters that are null in the body are absent", async () => {
  const absent = { sections: null, section_ids: null, section_id: null, sections_url: null };
  const client = shop.client();
  for (const [path, body] of [
    ["/cart/add.js", { id: variant.unlimited }],
    ["/cart/change.js", { line: 1, quantity: 2 }],
    ["/cart/update.js", { note: null, attributes: null }],
    ["/cart/clear.js", {}],
  ] as const) {
    const reply = await client.post(path, { ...body, ...absent });
    assert.equal(reply.status, 200, reply.text);
    assert.equal(reply.json().sections, undefined, path);
  }
});

test("4.8 a section of the context page's template is found by its id in the template", async () => {
  const sections = await read("sections=main&sections_url=/products/harbour-raincoat");
  assert.match(String(sections.main), /^<div id="store-section-main">[\s\S]*type=product /);
});

test("4.8 a section of a section group is found by its id", async () => {
  assert.match(String((await read("sections=top")).top), /<p>routes \/search\/suggest \/search<\/p>/);
});

test("4.8 sections_url defaults to the referring page", async () => {
  const referer = `${shop.origin}/products/harbour-raincoat`;
  assert.match(await context("", { referer }), /type=product /);
  assert.match(await context("sections_url=/cart", { referer }), /type=cart /);
});

test("4.8 without a referring page of the same origin sections_url defaults to /", async () => {
  for (const referer of [undefined, "https://evil.test/products/harbour-raincoat", "nonsense", "//evil.test/cart"]) {
    assert.match(await context("", { referer }), /type=index /);
  }
});

const badUrls = [
  "",
  "foo",
  "https://evil.test/",
  "//evil.test",
  "///evil.test",
  "/\\evil.test",
  "\\/evil.test",
  "javascript:alert(1)",
  " //evil.test",
  "/\t/evil.test",
  "/a\nb",
  "/a\r\nb",
  "/a\0b",
  "/..//evil.test",
  "/.//evil.test",
  "/a/../..//evil.test",
  "/%09/evil.test",
  "/%00",
  `/${"x".repeat(2_048)}`,
];
for (const url of badUrls) {
  const name = JSON.stringify(url.length > 40 ? `${url.slice(0, 20)}...` : url);
  test(`4.8 sections_url ${name} is not a path of the store: 400 invalid_sections_url before any change`, async () => {
    const client: Client = shop.client();
    await add(client, variant.unlimited);
    const before = (await client.get("/cart.js")).text;
    const query = `sections=one&sections_url=${encodeURIComponent(url)}`;
    assertCartError(await client.post(`/cart/add.js?${query}`, { id: variant.unlimited }), 400, "invalid_sections_url");
    const inBody = { id: variant.unlimited, sections: "one", sections_url: url };
    assertCartError(await client.post("/cart/add.js", inBody), 400, "invalid_sections_url");
    assertCartError(await client.get(`/cart.js?${query}`), 400, "invalid_sections_url");
    assertCartError(await client.get(`/cart.js?sections_url=${encodeURIComponent(url)}`), 400, "invalid_sections_url");
    assert.equal((await client.get("/cart.js")).text, before);
  });
}
