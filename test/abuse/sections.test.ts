import assert from "node:assert/strict";
import { test } from "node:test";
import { assertMutated, readCart } from "../support/assertions.ts";
import { variant } from "../support/catalog.ts";
import { processorTime } from "../support/processor-time.ts";
import type { MutationJson } from "../support/replies.ts";
import { startShop } from "../support/shop.ts";
import { assertPost, assertReply, victim } from "./abuse-row.ts";

const shop = await startShop();
const client = await victim(shop);
const e = encodeURIComponent;

async function sections(query: string): Promise<Readonly<Record<string, string | null>>> {
  const started = processorTime();
  const reply = await client.get(`/cart.js?${query}`);
  assertReply(reply, { status: 200 }, processorTime() - started);
  return reply.json<MutationJson>().sections ?? {};
}

const hostile = [
  "https://evil.test/",
  "//evil.test",
  "///evil.test",
  "/\\evil.test",
  "\\/evil",
  "/\t/evil.test",
  "/\n/evil.test",
  "/\r/evil.test",
  "javascript:alert(1)",
  "foo",
  " //evil.test",
  "/%09/evil.test",
  "/%0a",
  "/%0D",
  "/%00x",
  "/a%7f",
  "/%c2%85",
  "/\u0085",
  "/%2e%2e//evil.test",
  "/..//evil.test",
  "/.//evil.test",
  "/a/../..//evil.test",
  `/${"x".repeat(5_000)}`,
  "/\0",
  "data:text/html,x",
  "http:/evil.test",
  "%2f%2fevil.test",
  "/\u007f",
];
for (const url of hostile) {
  test(`N1, N2, N4 sections_url ${JSON.stringify(url).slice(0, 40)}`, async () => {
    const expected = { status: 400, error: "invalid_sections_url" };
    await assertPost(client, `/cart/add.js?sections=one&sections_url=${e(url)}`, { id: variant.unlimited }, expected);
    await assertPost(client, "/cart/add.js", { id: variant.unlimited, sections: "one", sections_url: url }, expected);
  });
}

for (const url of [1, [], {}, ["/cart"], true]) {
  test(`N1 sections_url ${JSON.stringify(url)} in the body never causes a 5xx, and nothing is added`, async () => {
    await assertPost(client, "/cart/add.js", { id: variant.unlimited, sections_url: url }, { status: 400 });
  });
}

for (const url of [
  "/%2f%2fevil.test",
  "/%5cevil.test",
  "/@evil.test",
  "/a?x=//evil.test#f",
  "/a?b=%0a",
  "/products/%ff",
  "/products/%E0%A4%A",
]) {
  test(`N3 sections_url ${url} is a plain path or rejected, never a redirect`, async () => {
    const reply = await client.get(`/cart.js?sections=context&sections_url=${e(url)}`);
    assertReply(reply, { status: [200, 400] });
    assert.equal(reply.headers.location, undefined);
    if (reply.status === 200) assert.match(String(reply.json<MutationJson>().sections?.context), /type=404|type=index/);
  });
}

test("N6, N7 of very many requested sections only the first five are rendered", async () => {
  assert.deepEqual(Object.keys(await sections(`sections=${"one,".repeat(1_500)}two`)), ["one", "two"]);
  const ids = Array.from({ length: 5_000 }, (_, n) => `x${n}`);
  const started = processorTime();
  const reply = await client.post("/cart/update.js", { note: "", sections: ids });
  assert.equal(Object.keys(assertMutated(reply).sections ?? {}).length, 5);
  assert.ok(processorTime() - started < 500);
});

test("N8 unknown, traversing and odd ids are null under that key as an own property", async () => {
  for (const id of [
    "../../etc/passwd",
    "toString",
    "hasOwnProperty",
    "one.liquid",
    "sections/one",
    "\u0000",
    '"><script>',
  ]) {
    const found = await sections(`sections=${e(id)},one`);
    assert.ok(Object.hasOwn(found, id), id);
    assert.equal(found[id], null);
    assert.match(String(found.one), /<p>one<\/p>/);
  }
});

test("N9 section parameters of unexpected types are ignored or rejected", async () => {
  const odd = [
    { section_ids: {} },
    { section_ids: [1, null, {}] },
    { section_ids: "a" },
    { sections: 1 },
    { sections: [["one"]] },
    { section_id: [] },
    { sections: null },
  ];
  for (const more of odd) {
    const reply = await client.post("/cart/update.js", { note: "", ...more });
    assertReply(reply, { status: [200, 400] });
  }
  for (const query of [
    "sections[]=one",
    "sections[a]=one",
    "section_ids[__proto__]=x",
    "section_ids[]=",
    "sections=",
    "sections=,,,",
  ]) {
    assertReply(await client.get(`/cart.js?${query}`), { status: [200, 400] });
  }
});

test("N11 endless and recursive sections are null, the write applies, and the others are rendered", async () => {
  const shopper = await victim(shop);
  const started = processorTime();
  const reply = await shopper.post("/cart/add.js?sections=endless,enormous,recursive,one", { id: variant.unlimited });
  const { sections: map } = assertMutated(reply);
  assert.deepEqual([map?.endless, map?.enormous, map?.recursive], [null, null, null]);
  assert.match(String(map?.one), /<p>one<\/p>/);
  assert.ok(processorTime() - started < 3_000);
  assert.equal((await readCart(shopper)).item_count, 3);
});

test("N12 a title with markup and Liquid is escaped and not evaluated", async () => {
  const shopper = shop.client();
  const reply = await shopper.post("/cart/add.js?sections=cart-count", { id: 101 });
  const html = String(assertMutated(reply).sections?.["cart-count"]);
  assert.ok(html.includes("&lt;b&gt;") && html.includes("{{ 7 | times: 7 }}"), html);
  assert.ok(!html.includes("<b>"));
  assert.ok(!reply.text.includes("<b>") || JSON.parse(reply.text).item_count === 1);
});

test("N13 a section cannot reach internals of its objects or files outside the theme", async () => {
  const found = await sections("sections=nosy,escape");
  assert.match(String(found.nosy), /<p>\[\]<\/p>/);
  assert.ok(!String(found.escape).includes("root:"));
});
