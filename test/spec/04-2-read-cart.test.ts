import assert from "node:assert/strict";
import { test } from "node:test";
import { add } from "../support/assertions.ts";
import { variant } from "../support/catalog.ts";
import { placeOrder } from "../support/orders.ts";
import type { CartJson, MutationJson } from "../support/replies.ts";
import { startShop } from "../support/shop.ts";

const shop = await startShop();

for (const path of ["/cart.js", "/cart.json", "/fr/cart.js", "/ja/cart.json"]) {
  test(`4.2 GET ${path} returns the cart object`, async () => {
    const client = shop.client();
    await add(client, variant.tracked, 2);
    const reply = await client.get(path);
    assert.equal(reply.status, 200);
    assert.match(String(reply.headers["content-type"]), /^application\/json/);
    const cart = reply.json<CartJson>();
    assert.deepEqual([cart.item_count, cart.total_price_cents], [2, 24_000]);
  });
}

test("4.2 /cart.js and /cart.json are the same handler", async () => {
  const client = shop.client();
  await add(client, variant.tracked);
  assert.equal((await client.get("/cart.json")).text, (await client.get("/cart.js")).text);
});

test("4.2 section parameters add a sections map, which is otherwise absent", async () => {
  const client = shop.client();
  await add(client, variant.tracked, 2);
  assert.equal((await client.get("/cart.js")).json<MutationJson>().sections, undefined);
  const { sections } = (await client.get("/cart.json?sections=cart-count")).json<MutationJson>();
  assert.match(String(sections?.["cart-count"]), /count=2 total=24000/);
});

test("4.2 a read creates no cart and sets no cart cookie", async () => {
  const client = shop.client();
  const first = await client.get("/cart.js");
  assert.ok(!(first.headers["set-cookie"] ?? []).some((line) => line.startsWith("cart=")));
  assert.equal((await client.get("/cart.js")).json<CartJson>().id, null);
});

test("4.2 HEAD works on every GET path, and other methods are 405 with Allow", async () => {
  const client = shop.client();
  const head = await client.send("HEAD", "/cart.js");
  assert.deepEqual([head.status, head.text], [200, ""]);
  const put = await client.send("PUT", "/cart.js", { headers: { "x-csrf-token": await client.token() } });
  assert.equal(put.status, 405);
  assert.match(String(put.headers.allow), /GET/);
});

test("4.2 conditional and range requests get the full response", async () => {
  const client = shop.client();
  await add(client, variant.tracked);
  const plain = await client.get("/cart.js");
  for (const headers of [
    { "if-none-match": "*" },
    { "if-none-match": String(plain.headers.etag) },
    { range: "bytes=0-3" },
  ]) {
    const reply = await client.get("/cart.js", headers);
    assert.deepEqual([reply.status, reply.text], [200, plain.text]);
  }
});

test("4.2 a gift card that another order has used up is absent from the next read", async () => {
  const usual = await startShop({ hasTheme: false });
  const [reader, buyer] = [usual.client(), usual.client()];
  for (const client of [reader, buyer])
    await client.post("/cart/add.js", { id: variant.unlimited, gift_cards: "GIFT-AAAA-1234" });
  const due = async () => (await reader.get("/cart.js")).json<CartJson>().amount_due_cents;
  assert.deepEqual([await due(), await due()], [999, 999]);
  await placeOrder(buyer);
  const reply = await reader.get("/cart.js");
  assert.equal(reply.json<CartJson>().amount_due_cents, 1_999);
  assert.equal(reply.json<MutationJson>().issues[0]?.code, "gift_card_not_applicable");
});
