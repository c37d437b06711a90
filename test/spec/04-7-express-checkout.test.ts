import assert from "node:assert/strict";
import { test } from "node:test";
import { add, assertCartError, assertInvalid, readCart } from "../support/assertions.ts";
import { variant } from "../support/catalog.ts";
import type { Client } from "../support/client.ts";
import { startShop } from "../support/shop.ts";

const shop = await startShop({
  themeFiles: {
    "templates/checkout.liquid": "{% section 'summary' %}",
    "sections/summary.liquid":
      "{% for item in checkout.items %}<li>{{ item.title }} x {{ item.quantity }}</li>{% endfor %}<p>due {{ checkout.amount_due_cents }}</p>",
  },
});

const path = "/api/cart/buyNowCheckout";
const item = (variantId: unknown, quantity?: unknown): object => ({ item: { product: { variantId, quantity } } });

async function checkoutUrl(client: Client, body: object, at = path): Promise<string> {
  const reply = await client.post(at, body);
  assert.equal(reply.status, 200, reply.text);
  assert.match(String(reply.headers["cache-control"]), /no-store/);
  return reply.json<{ checkout_url: string }>().checkout_url;
}

test("4.7 properties may be numbers and booleans, and codes null, as openapi.yaml specifies", async () => {
  const product = { variantId: variant.tracked, properties: { Name: "Ann", Count: 2, Gift: true } };
  const sent = await shop.client().post(path, { item: { product, discountCode: null }, discountCode: null });
  assert.equal(sent.status, 200, sent.text);
  const codes = { id: variant.tracked, properties: null, discount: null, gift_cards: null };
  assert.equal((await shop.client().post("/cart/add.js", codes)).status, 200);
});

test("4.7 the response is only { checkout_url }, a path /checkout/<id> with an unguessable id", async () => {
  const reply = await shop.client().post(path, item(variant.tracked, 1));
  assert.deepEqual(Object.keys(reply.json()), ["checkout_url"]);
  assert.match(reply.json<{ checkout_url: string }>().checkout_url, /^\/checkout\/[A-Za-z0-9_-]{22,}$/);
});

test("4.7 the checkout page shows the single line", async () => {
  const client = shop.client();
  const url = await checkoutUrl(client, item(variant.tracked, 2));
  const page = await client.get(url);
  assert.equal(page.status, 200);
  assert.match(page.text, /Harbour Raincoat.* x 2/);
  assert.match(String(page.headers["cache-control"]), /no-store/);
});

test("4.7 CSRF is enforced like on the other POST routes", async () => {
  const client = shop.client();
  assertCartError(await client.post(path, item(variant.tracked), { "x-csrf-token": undefined }), 403, "csrf_missing");
});

test("4.7 the main cart is neither read nor changed", async () => {
  const client = shop.client();
  await add(client, variant.scarce, 3);
  const before = await client.get("/cart.js");
  const url = await checkoutUrl(client, item(variant.scarce, 3));
  assert.equal((await client.get("/cart.js")).text, before.text);
  assert.doesNotMatch((await client.get(url)).text, /x 6/);
});

test("4.7 express checkout creates no main cart for a shopper without one", async () => {
  const client = shop.client();
  await checkoutUrl(client, item(variant.tracked));
  assert.equal((await readCart(client)).id, null);
  assert.ok(!client.cookies.has("cart"));
});

test("4.7 the express cart is stored in a separate signed buy_now cookie", async () => {
  const client = shop.client();
  const reply = await client.post(path, item(variant.tracked));
  const [line] = (reply.headers["set-cookie"] ?? []).filter((text) => text.startsWith("buy_now="));
  assert.match(String(line), /httponly/i);
  assert.match(String(line), /samesite=lax/i);
  assert.match(String(line), /path=\//i);
});

test("4.7 a second call reuses the checkout and replaces its line", async () => {
  const client = shop.client();
  const first = await checkoutUrl(client, item(variant.tracked, 2));
  assert.equal(await checkoutUrl(client, item(variant.unlimited, 5)), first);
  const page = (await client.get(first)).text;
  assert.match(page, /Canvas Tote x 5/);
  assert.doesNotMatch(page, /Harbour Raincoat/);
});

test("4.7 each shopper has a separate checkout", async () => {
  const body = item(variant.tracked);
  assert.notEqual(await checkoutUrl(shop.client(), body), await checkoutUrl(shop.client(), body));
});

test("4.7 quantity defaults to 1, and ids and quantities may be strings", async () => {
  const client = shop.client();
  assert.match((await client.get(await checkoutUrl(client, item(variant.unlimited)))).text, /x 1</);
  assert.match((await client.get(await checkoutUrl(client, item(String(variant.unlimited), "4")))).text, /x 4</);
});

test("4.7 discountCode is an optional string, at the top of the body or inside item", async () => {
  const client = shop.client();
  const top = await checkoutUrl(client, { ...item(variant.tracked), discountCode: "TENOFF" });
  assert.match((await client.get(top)).text, /due 10800</);
  const inside = { item: { product: { variantId: variant.tracked }, discountCode: "FIVE" } };
  assert.match((await client.get(await checkoutUrl(client, inside))).text, /due 11500</);
  assert.match((await client.get(await checkoutUrl(client, item(variant.tracked)))).text, /due 12000</);
});

test("4.7 an unknown discount code does not prevent the sale", async () => {
  await checkoutUrl(shop.client(), { ...item(variant.tracked), discountCode: "NOSUCH" });
});

test("4.7 checkout_url has the locale prefix of the request", async () => {
  const client = shop.client();
  const url = await checkoutUrl(client, item(variant.tracked), `/fr${path}`);
  assert.match(url, /^\/fr\/checkout\/[A-Za-z0-9_-]{22,}$/);
  assert.match((await client.get(url)).text, /Imperméable du port/);
});

const invalid: readonly (readonly [object, string])[] = [
  [{}, "item.product.variantId"],
  [{ item: null }, "item.product.variantId"],
  [{ item: [] }, "item.product.variantId"],
  [{ item: "x" }, "item.product.variantId"],
  [{ item: {} }, "item.product.variantId"],
  [{ item: { product: null } }, "item.product.variantId"],
  [{ item: { product: {} } }, "item.product.variantId"],
  [{ item: { product: [] } }, "item.product.variantId"],
  [item(null), "item.product.variantId"],
  [item(""), "item.product.variantId"],
  [item([11]), "item.product.variantId"],
  [item(true), "item.product.variantId"],
  [item(variant.unknown), "item.product.variantId"],
  [item(variant.unpublished), "item.product.variantId"],
  [item(variant.tracked, 0), "item.product.quantity"],
  [item(variant.tracked, -1), "item.product.quantity"],
  [item(variant.tracked, 1.5), "item.product.quantity"],
  [item(variant.tracked, null), "item.product.quantity"],
  [item(variant.tracked, "x"), "item.product.quantity"],
  [item(variant.tracked, 2 ** 53), "item.product.quantity"],
  [{ ...item(variant.tracked), discountCode: 1 }, "discountCode"],
  [{ item: { product: { variantId: variant.tracked }, discountCode: {} } }, "item.discountCode"],
  [{ ...item(variant.tracked), cartId: "x" }, "cartId"],
  [{ item: { product: { variantId: variant.tracked, cartId: null } } }, "cartId"],
];
for (const [body, field] of invalid) {
  test(`4.7 item is validated like an add: ${JSON.stringify(body)}`, async () => {
    assertInvalid(await shop.client().post(path, body), field);
  });
}

test("4.7 out of stock, too little stock and products for members are rejected like an add, without a checkout_url", async () => {
  const client = shop.client();
  const cases = [
    [item(variant.soldOut), 422, "out_of_stock"],
    [item(variant.tracked, 11), 422, "insufficient_stock"],
    [item(variant.membersOnly), 401, "customer_required"],
  ] as const;
  for (const [body, status, error] of cases) {
    assert.ok(!("checkout_url" in assertCartError(await client.post(path, body), status, error)));
  }
});

test("4.7 an unknown checkout is a 404 page", async () => {
  const reply = await shop.client().get(`/checkout/${"x".repeat(22)}`);
  assert.equal(reply.status, 404);
  assert.match(String(reply.headers["content-type"]), /^text\/html/);
});

test("4.7 with checkout.handoffUrl the checkout continues at that URL", async () => {
  const other = await startShop({ config: { checkout: { handoffUrl: "https://pay.example/start?checkout={id}" } } });
  try {
    const client = other.client();
    const url = await checkoutUrl(client, item(variant.tracked));
    const page = await client.get(url);
    const target = `https://pay.example/start?checkout=${url.split("/").at(-1)}`;
    const isHandedOff = page.headers.location === target || page.text.includes(target.replaceAll("&", "&amp;"));
    assert.ok(isHandedOff, `${page.status} ${page.headers.location}`);
  } finally {
    await other.close();
  }
});
