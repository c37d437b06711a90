import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { request as openRequest } from "node:http";
import { after, test } from "node:test";
import { createApp } from "../../src/app.ts";
import { add, assertCartError, assertInvalid, assertMutated, readCart, summary } from "../support/assertions.ts";
import { variant } from "../support/catalog.ts";
import { type Client, createClient, type Headers, type Reply } from "../support/client.ts";
import { makeStore, startShop, testSecret } from "../support/shop.ts";
import { freshDatabase } from "../support/test-database.ts";

const DAY = 86_400_000;
let ahead = 0;
const shop = await startShop({ now: () => Date.now() + ahead });

const keyed = (key: string): Headers => ({ "idempotency-key": key });
const buyNowPath = "/api/cart/buyNowCheckout";
const buyNowBody = (quantity: number): object => ({
  item: { product: { variantId: variant.unlimited, quantity } },
});

const writes: readonly (readonly [string, object])[] = [
  ["/cart/add.js", { id: variant.unlimited, quantity: 2 }],
  ["/cart/change.js", { line: 1, quantity: 5 }],
  ["/cart/update.js", { updates: { [variant.notShipped]: 3 }, note: "By the door" }],
  ["/cart/clear.js", {}],
];

for (const [path, body] of writes) {
  test(`5 Idempotency-Key ${path}: a write sent three times, with a lost first response, is applied once and gets equal responses`, async () => {
    const client = shop.client();
    const before = await add(client, variant.backorder, 3);
    await sendAndHangUp(client, path, body, "once");
    const second = await client.post(path, body, keyed("once"));
    const third = await client.post(path, body, keyed("once"));
    assert.equal(assertMutated(second).revision, before.revision + 1);
    assert.equal(third.text, second.text);
    const { cart } = assertMutated(second);
    assert.deepEqual(await readCart(client), cart);
  });

  test(`5 Idempotency-Key ${path}: three concurrent requests are applied once`, async () => {
    const client = shop.client();
    const before = await add(client, variant.backorder, 3);
    const three = await Promise.all([1, 2, 3].map(() => client.post(path, body, keyed("at-once"))));
    assert.equal(new Set(three.map(({ text }) => text)).size, 1);
    assert.equal((await readCart(client)).revision, before.revision + 1);
  });
}

test("5 Idempotency-Key: a first add with a lost response creates one cart, which the next response returns", async () => {
  const client = shop.client();
  const body = { id: variant.unlimited, quantity: 2 };
  await sendAndHangUp(client, "/cart/add.js", body, "first");
  assert.ok(!client.cookies.has("cart"));
  // The clock moves past the time in which first writes of one visitor share a cart without a key.
  ahead = 60_000;
  const second = await client.post("/cart/add.js", body, keyed("first"));
  const third = await client.post("/cart/add.js", body, keyed("first"));
  ahead = 0;
  assert.equal(third.text, second.text);
  assert.deepEqual(summary(await readCart(client)), [[String(variant.unlimited), 2]]);
});

test("5 Idempotency-Key: concurrent first adds with one key create one cart with one addition", async () => {
  const token = await shop.client().token();
  const body = JSON.stringify({ id: variant.unlimited, quantity: 1 });
  const headers = { "x-csrf-token": token, "content-type": "application/json", cookie: `csrf_token=${token}` };
  const tabs = Array.from({ length: 8 }, () => createClient(shop.origin));
  const replies = await Promise.all(
    tabs.map((tab) => tab.send("POST", "/cart/add.js", { headers: { ...headers, ...keyed("tabs") }, body })),
  );
  assert.equal(new Set(replies.map(({ text }) => text)).size, 1);
  assert.deepEqual(
    (await Promise.all(tabs.map(readCart))).map((cart) => cart.item_count),
    tabs.map(() => 1),
  );
});

test("5 Idempotency-Key: an express checkout is created once, and its keys are separate from the cart's", async () => {
  const client = shop.client();
  await sendAndHangUp(client, buyNowPath, buyNowBody(2), "express");
  const replies: Reply[] = [];
  for (let n = 0; n < 3; n += 1) replies.push(await client.post(buyNowPath, buyNowBody(2), keyed("express")));
  assert.equal(new Set(replies.map(({ text }) => text)).size, 1);
  assertMutated(await client.post("/cart/add.js", { id: variant.unlimited }, keyed("express")));
  assertCartError(await client.post(buyNowPath, buyNowBody(3), keyed("express")), 409, "idempotency_conflict");
  const atOnce = shop.client();
  await atOnce.token();
  const headers = { cookie: `csrf_token=${await atOnce.token()}`, ...keyed("express-at-once") };
  const many = await Promise.all([1, 2, 3].map(() => atOnce.post(buyNowPath, buyNowBody(1), headers)));
  assert.equal(new Set(many.map(({ text }) => text)).size, 1);
});

test("5 Idempotency-Key: a repeat returns the first response, even if the cart has changed or would reject it", async () => {
  const client = shop.client();
  const first = await client.post("/cart/add.js", { id: variant.scarce, quantity: 3 }, keyed("all-of-them"));
  const again = await client.post("/cart/add.js", { id: variant.scarce, quantity: 3 }, keyed("all-of-them"));
  assert.equal(again.text, first.text);
  const revision = assertMutated(first).revision;
  const only = { ...keyed("only-if"), "if-match": `"${revision}"` };
  const noted = await client.post("/cart/update.js", { note: "Ring" }, only);
  assert.equal((await client.post("/cart/update.js", { note: "Ring" }, only)).text, noted.text);
  await add(client, variant.unlimited, 4);
  assert.equal((await client.post("/cart/update.js", { note: "Ring" }, only)).text, noted.text);
  assert.equal((await readCart(client)).item_count, 7);
});

test("5 Idempotency-Key: a write that changes nothing is stored too", async () => {
  const client = shop.client();
  const cleared = await client.post("/cart/clear.js", {}, keyed("clear-nothing"));
  assert.equal(assertMutated(cleared).id, null);
  await add(client, variant.unlimited, 2);
  assert.equal((await client.post("/cart/clear.js", {}, keyed("clear-nothing"))).text, cleared.text);
  const same = await client.post("/cart/change.js", { line: 1, quantity: 2 }, keyed("same"));
  assertMutated(await client.post("/cart/change.js", { line: 1, quantity: 5 }));
  assert.equal((await client.post("/cart/change.js", { line: 1, quantity: 2 }, keyed("same"))).text, same.text);
  assert.equal((await readCart(client)).item_count, 5);
});

test("5 Idempotency-Key: a reused key with another body or path is 409 idempotency_conflict, and nothing is changed", async () => {
  const client = shop.client();
  await client.post("/cart/add.js", { id: variant.unlimited, quantity: 2 }, keyed("taken"));
  const before = await readCart(client);
  const others: readonly (readonly [string, object])[] = [
    ["/cart/add.js", { id: variant.unlimited, quantity: 3 }],
    ["/cart/add", { id: variant.unlimited, quantity: 2 }],
    ["/fr/cart/add.js", { id: variant.unlimited, quantity: 2 }],
    ["/cart/clear.js", {}],
  ];
  for (const [path, body] of others)
    assertCartError(await client.post(path, body, keyed("taken")), 409, "idempotency_conflict");
  assert.deepEqual(await readCart(client), before);
  const otherShopper = shop.client();
  assertMutated(await otherShopper.post("/cart/add.js", { id: variant.unlimited, quantity: 3 }, keyed("taken")));
});

test("5 Idempotency-Key: the query of a repeat may request other sections, which show the current cart", async () => {
  const client = shop.client();
  const body = { id: variant.unlimited, quantity: 2 };
  const first = assertMutated(await client.post("/cart/add.js", body, keyed("sections")));
  await add(client, variant.unlimited, 1);
  const path = "/cart/add.js?sections=cart-count";
  const { sections, ...again } = assertMutated(await client.post(path, body, keyed("sections")));
  assert.deepEqual(again, first);
  assert.match(String(sections?.["cart-count"]), /3/);
});

test("5 Idempotency-Key: an error is not stored", async () => {
  const client = shop.client();
  await add(client, variant.scarce, 2);
  const more = { id: variant.scarce, quantity: 2 };
  assertCartError(await client.post("/cart/add.js", more, keyed("retry")), 422, "insufficient_stock");
  assertMutated(await client.post("/cart/change.js", { line: 1, quantity: 1 }));
  assert.equal(assertMutated(await client.post("/cart/add.js", more, keyed("retry"))).item_count, 3);
});

test("5 Idempotency-Key: a key expires after a day", async () => {
  const client = shop.client();
  const body = { id: variant.unlimited, quantity: 1 };
  const first = await client.post("/cart/add.js", body, keyed("daily"));
  ahead = DAY - 60_000;
  assert.equal((await client.post("/cart/add.js", body, keyed("daily"))).text, first.text);
  ahead = DAY + 60_000;
  assert.equal(assertMutated(await client.post("/cart/add.js", body, keyed("daily"))).item_count, 2);
  assert.equal(assertMutated(await client.post("/cart/add.js", body, keyed("daily"))).item_count, 2);
  ahead = 0;
});

for (const [name, key] of [
  ["empty", ""],
  ["with a blank", "a b"],
  ["longer than 255", "k".repeat(256)],
  ["not ASCII", "cl\u00e9"],
  ["not visible", "tab\t!"],
  ["repeated", ["a", "b"]],
] as const) {
  test(`5 Idempotency-Key: a key that is ${name} is validation_failed, and nothing is changed`, async () => {
    const client = shop.client();
    const headers = { "idempotency-key": key };
    assertInvalid(await client.post("/cart/add.js", { id: variant.unlimited }, headers), "Idempotency-Key", "format");
    assertInvalid(await client.post(buyNowPath, buyNowBody(1), headers), "Idempotency-Key", "format");
    assert.equal((await readCart(client)).id, null);
  });
}

test("5 Idempotency-Key: any 255 visible characters are a valid key", async () => {
  const client = shop.client();
  const key = '"!~,;=/\\%00<>'.padEnd(255, "x");
  for (let n = 0; n < 2; n += 1)
    assert.equal(assertMutated(await client.post("/cart/add.js", { id: variant.unlimited }, keyed(key))).item_count, 1);
});

test("5 Idempotency-Key: a write that changes nothing on a deleted cart is answered at once, and a repeat equally", async () => {
  const client = shop.client();
  const body = { note: "" };
  // The visitor already used the key for the cart that it created.
  await client.post("/cart/update.js", { note: "Ring" }, keyed("gone"));
  client.cookies.set("cart", shop.app.shop.keys.sign("cart", "a-deleted-cart", Date.now() + DAY));
  const first = await client.post("/cart/update.js", body, keyed("gone"));
  assert.equal(assertMutated(first).revision, 0);
  await add(client, variant.unlimited, 2);
  assert.equal((await client.post("/cart/update.js", body, keyed("gone"))).text, first.text);
});

test("5 Idempotency-Key: a very large cart stores only the newest responses, and an older key is rejected", async () => {
  const client = shop.client();
  const text = (): string =>
    randomBytes(375)
      .toString("hex")
      .slice(0, 1_000 - 250);
  const properties = (): object => Object.fromEntries(Array.from({ length: 14 }, (_, n) => [`p${n}`, text()]));
  for (let n = 0; n < 6; n += 1)
    assertMutated(await client.post("/cart/add.js", { id: variant.unlimited, properties: properties() }));
  const replies: Reply[] = [];
  const write = (n: number): Promise<Reply> =>
    client.post("/cart/change.js", { line: 1, quantity: n + 2 }, keyed(`large-${n}`));
  for (let n = 0; n < 40; n += 1) replies.push(await write(n));
  const last = await readCart(client);
  for (const n of [30, 39]) assert.equal((await write(n)).text, replies[n]?.text);
  assertCartError(await write(0), 409, "idempotency_conflict");
  assert.deepEqual(await readCart(client), last);
});

test("5 Idempotency-Key: two servers on one PostgreSQL database apply a write once", async (context) => {
  const { databaseUrl } = await freshDatabase();
  if (databaseUrl === undefined) return context.skip("an SQLite file has one server");
  const nodes: string[] = [];
  for (let n = 0; n < 2; n += 1) {
    const storeDir = await makeStore({});
    const app = await createApp({ storeDir, secret: testSecret, logLevel: "silent", databaseUrl });
    after(() => app.close().then(() => rm(storeDir, { recursive: true, force: true })));
    nodes.push(await app.listen("127.0.0.1", 0));
  }
  const tabs = Array.from({ length: 8 }, (_, n) => createClient(nodes[n % 2] ?? ""));
  const first = tabs[0] as Client;
  await first.token();
  for (const tab of tabs) for (const [name, value] of first.cookies) tab.cookies.set(name, value);
  for (let round = 0; round < 10; round += 1) {
    const replies: readonly Reply[] = await Promise.all(
      tabs.map((tab) => tab.post("/cart/add.js", { id: variant.unlimited, quantity: 1 }, keyed(`round-${round}`))),
    );
    for (const reply of replies) assert.equal(assertMutated(reply).item_count, round + 1);
    assert.equal(new Set(replies.map(({ text }) => text)).size, 1);
  }
});

/**
 * Sends a write with a key, and closes the connection when the response begins. The write is applied, but the client
 * cannot know.
 */
async function sendAndHangUp(client: Client, path: string, body: object, key: string): Promise<void> {
  const token = await client.token();
  const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const headers = { "content-type": "application/json", "x-csrf-token": token, "idempotency-key": key, cookie };
  await new Promise<void>((resolve) => {
    const outgoing = openRequest(`${shop.origin}${path}`, { method: "POST", headers, agent: false });
    outgoing.on("response", () => outgoing.destroy());
    outgoing.on("error", () => {});
    outgoing.on("close", resolve);
    outgoing.end(JSON.stringify(body));
  });
}
