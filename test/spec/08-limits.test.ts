import assert from "node:assert/strict";
import { test } from "node:test";
import { add, assertCartError, readCart } from "../support/assertions.ts";
import { variant } from "../support/catalog.ts";
import type { MutationJson } from "../support/replies.ts";
import { startShop } from "../support/shop.ts";

const shop = await startShop();

test("8 at most 5 sections are rendered per request, extra ids are ignored, on every cart endpoint", async () => {
  const client = shop.client();
  await add(client, variant.tracked);
  const query = "?sections=one,one,two,three,four,five,six,seven";
  const replies = [
    await client.get(`/cart.js${query}`),
    await client.post(`/cart/add.js${query}`, { id: variant.tracked }),
    await client.post(`/cart/change.js${query}`, { line: 1, quantity: 1 }),
    await client.post(`/cart/update.js${query}`, { updates: [1] }),
    await client.post(`/cart/clear.js${query}`, {}),
  ];
  for (const reply of replies) {
    assert.deepEqual(Object.keys(reply.json<MutationJson>().sections ?? {}), ["one", "two", "three", "four", "five"]);
  }
});

test("8 cart responses carry no-store cache headers, errors too", async () => {
  const client = shop.client();
  const replies = [
    await client.get("/cart.js"),
    await client.get("/cart.json"),
    await client.get("/api/csrf"),
    await client.get("/cart"),
    await client.post("/cart/add.js", { id: variant.tracked }),
    await client.post("/cart/add.js", { id: variant.unknown }),
    await client.post("/cart/add.js", { id: variant.soldOut }),
    await client.post("/cart/change.js", { line: 1, quantity: 2 }),
    await client.post("/cart/update.js", { note: "x" }),
    await client.post("/cart/clear.js", {}),
    await client.post("/api/cart/buyNowCheckout", { item: { product: { variantId: variant.tracked } } }),
    await client.post("/cart/add.js", {}, { "x-csrf-token": "bad" }),
    await client.send("PUT", "/cart.js"),
    await client.get("/no-such-page"),
    await client.get("/search/suggest.json"),
  ];
  for (const [index, reply] of replies.entries()) {
    assert.match(String(reply.headers["cache-control"]), /no-store/, `reply ${index}`);
  }
});

test("8 responses never have CORS headers", async () => {
  const client = shop.client();
  const cross = { origin: "https://other.test", "access-control-request-method": "POST" };
  for (const path of ["/cart.js", "/search/suggest.json?q=a", "/", "/api/csrf", "/cart/add.js"]) {
    for (const method of ["GET", "OPTIONS"]) {
      const { headers } = await client.send(method, path, { headers: cross });
      assert.deepEqual(
        Object.keys(headers).filter((name) => name.startsWith("access-control")),
        [],
        `${method} ${path}`,
      );
    }
  }
});

test("8 a body of more than 64 KiB is 413 payload_too_large", async () => {
  const client = shop.client();
  const bodyOfLength = (length: number): string => {
    const start = `{"note":"ok","pad":"`;
    return `${start}${"x".repeat(length - start.length - 2)}"}`;
  };
  assert.equal((await client.post("/cart/update.js", bodyOfLength(65_536))).status, 200);
  assertCartError(await client.post("/cart/update.js", bodyOfLength(65_537)), 413, "payload_too_large");
  assert.equal((await readCart(client)).note, "ok");
});

test("8 the merchant configures cart.maxQuantity, cart.maxLines and cart.cookieDays", async () => {
  const small = await startShop({ config: { cart: { maxLines: 2, maxQuantity: 5, cookieDays: 3 } } });
  try {
    const client = small.client();
    const first = await client.post("/cart/add.js", { id: variant.unlimited, quantity: 5 });
    assert.match(String(first.headers["set-cookie"]), /max-age=259200/i);
    assertCartError(await client.post("/cart/add.js", { id: variant.tracked, quantity: 6 }), 400, "validation_failed");
    assert.equal((await add(client, variant.tracked, 5)).line_count, 2);
    assertCartError(await client.post("/cart/add.js", { id: variant.backorder }), 400, "validation_failed");
    assert.equal((await readCart(client)).line_count, 2);
  } finally {
    await small.close();
  }
});
