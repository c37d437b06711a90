import assert from "node:assert/strict";
import { test } from "node:test";
import { assertCartError, assertMutated } from "../support/assertions.ts";
import { variant } from "../support/catalog.ts";
import { startShop } from "../support/shop.ts";

const shop = await startShop({ config: { trustProxy: true } });

test("5 behind a trusted TLS proxy cookies are Secure and the cart cookie is __Host-cart", async () => {
  const client = shop.client();
  const https = { "x-forwarded-proto": "https", origin: shop.origin.replace("http:", "https:") };
  const csrf = await client.get("/api/csrf", https);
  assert.match(String(csrf.headers["set-cookie"]), /csrf_token=[^;]+;.*secure/i);
  const reply = await client.post("/cart/add.js", { id: variant.tracked }, https);
  assertMutated(reply);
  const line = (reply.headers["set-cookie"] ?? []).find((text) => text.startsWith("__Host-cart="));
  assert.match(String(line), /secure/i);
  assert.doesNotMatch(String(line), /domain=/i);
  const bare = await client.get("/cart.js", { "x-forwarded-proto": "https" });
  assert.equal(bare.json<{ item_count: number }>().item_count, 1);
});

test("5 over HTTPS a sibling site cannot plant the cookie of the express cart or the second cookie of the token", async () => {
  const client = shop.client();
  const https = { "x-forwarded-proto": "https", origin: shop.origin.replace("http:", "https:") };
  const body = { item: { product: { variantId: variant.tracked } } };
  const csrf = await client.get("/api/csrf", https);
  const bought = await client.post("/api/cart/buyNowCheckout", body, https);
  const lines = [...(csrf.headers["set-cookie"] ?? []), ...(bought.headers["set-cookie"] ?? [])];
  for (const name of ["__Host-visitor", "__Host-buy_now"]) {
    const line = lines.find((text) => text.startsWith(`${name}=`)) ?? "";
    assert.match(line, /; Path=\/;.*HttpOnly; Secure/, name);
    assert.doesNotMatch(line, /domain=/i);
  }
  const again = await client.post("/api/cart/buyNowCheckout", body, https);
  assert.deepEqual(again.json(), bought.json(), "the cookie opens the same express cart");
});

test("5 without trustProxy forwarded headers are ignored", async () => {
  const plain = await startShop();
  try {
    const forwarded = { "x-forwarded-proto": "https", "x-forwarded-host": "evil.test" };
    const reply = await plain.client().post("/cart/add.js", { id: variant.tracked }, forwarded);
    assertMutated(reply);
    assert.ok((reply.headers["set-cookie"] ?? []).some((text) => text.startsWith("cart=")));
    const evil = { ...forwarded, origin: "https://evil.test" };
    assertCartError(
      await plain.client().post("/cart/add.js", { id: variant.tracked }, evil),
      403,
      "csrf_origin_blocked",
    );
    assert.ok(!(await plain.client().get("/", forwarded)).text.includes("evil.test"));
  } finally {
    await plain.close();
  }
});

test("5 a page over HTTPS loads nothing over HTTP, and a page over HTTP may", async () => {
  const client = shop.client();
  const policy = async (headers: Record<string, string>) =>
    String((await client.get("/", headers)).headers["content-security-policy"]);
  assert.match(await policy({}), /img-src 'self' data: http: https:;/);
  assert.match(await policy({ "x-forwarded-proto": "https" }), /img-src 'self' data: https:;/);
});
