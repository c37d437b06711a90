import assert from "node:assert/strict";
import { test } from "node:test";
import { add, assertInvalid, assertMutated, readCart } from "../support/assertions.ts";
import { variant } from "../support/catalog.ts";
import { startShop } from "../support/shop.ts";

const shop = await startShop();

for (const path of ["/cart/clear.js", "/cart/clear", "/ja/cart/clear.js"]) {
  test(`4.6 POST ${path} with an empty object removes every line and returns the emptied cart`, async () => {
    const client = shop.client();
    await add(client, variant.tracked, 2);
    await add(client, variant.unlimited);
    const cart = assertMutated(await client.post(path, {}));
    assert.deepEqual([cart.items, cart.item_count, cart.total_price_cents], [[], 0, 0]);
    assert.deepEqual((await readCart(client)).items, []);
  });
}

test("4.6 a cleared cart can be filled again", async () => {
  const client = shop.client();
  await add(client, variant.tracked);
  await client.post("/cart/clear.js", {});
  assert.equal((await add(client, variant.unlimited)).item_count, 1);
});

test("4.6 clear also works without a body", async () => {
  const client = shop.client();
  await add(client, variant.tracked);
  assert.equal(assertMutated(await client.post("/cart/clear.js", "")).item_count, 0);
  await add(client, variant.tracked);
  const bare = await client.send("POST", "/cart/clear.js", { headers: { "x-csrf-token": await client.token() } });
  assert.equal(assertMutated(bare).item_count, 0);
});

test("4.6 clear preserves note and codes", async () => {
  const client = shop.client();
  await add(client, variant.tracked);
  assertMutated(await client.post("/cart/update.js", { note: "Hello", discount: "TENOFF" }));
  const cart = assertMutated(await client.post("/cart/clear.js", {}));
  assert.equal(cart.note, "Hello");
  assert.deepEqual(
    cart.discount_codes.map(({ code }) => code),
    ["TENOFF"],
  );
});

test("4.6 clear succeeds on a cart that was never created", async () => {
  assert.equal(assertMutated(await shop.client().post("/cart/clear.js", {})).item_count, 0);
});

for (const body of ["[]", '"x"', "null", "{", "1"]) {
  test(`4.6 clear rejects ${body} and removes nothing`, async () => {
    const client = shop.client();
    await add(client, variant.tracked);
    assertInvalid(await client.post("/cart/clear.js", body), "body");
    assert.equal((await readCart(client)).item_count, 1);
  });
}
