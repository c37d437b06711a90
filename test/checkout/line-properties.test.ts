import assert from "node:assert/strict";
import { test } from "node:test";
import { variant } from "../support/catalog.ts";
import { address, checkoutOf, submit } from "../support/checkout-page.ts";
import { createApiToken, runCommand } from "../support/command.ts";
import { startShop } from "../support/shop.ts";

const shop = await startShop({ hasTheme: false, config: { console: true } });
const orders = (...args: readonly string[]) => runCommand(shop, "orders", ...args);

test("line properties and the cart note appear in every view of the order", async () => {
  const client = shop.client();
  const properties = { Engraving: "Ann", "Gift text": "With <love>, from\nBen", _source: "ad", Empty: "" };
  await client.post("/cart/add.js", { id: variant.unlimited, quantity: 1, properties });
  await client.post("/cart/update.js", { note: "Ring twice" });
  const checkout = await checkoutOf(client);
  const reply = await submit(client, checkout, { ...address, order: "" });
  const path = String(reply.headers.location);
  for (const page of [checkout.page, (await client.get(path)).text]) {
    assert.match(page, /<bdi>Engraving<\/bdi>: <bdi>Ann<\/bdi>/);
    assert.match(page, /<bdi>With &lt;love&gt;, from\nBen<\/bdi>/);
    assert.doesNotMatch(page, /_source|Empty/);
  }
  const number = /#(1\d{3})\b/.exec((await client.get(path)).text)?.[1] ?? "";
  const output = (await orders("show", number)).out;
  assert.match(output, /Engraving: Ann\n +Gift text: With <love>, from Ben\n +_source: ad\n {2}\S/);
  const csv = (await orders("export", "--format", "csv")).out;
  assert.match(csv, /,properties,note\r\n/);
  const merchant = shop.client();
  await merchant.send("POST", "/admin/login", {
    headers: { "content-type": "application/x-www-form-urlencoded", origin: shop.origin },
    body: new URLSearchParams({ token: await createApiToken(shop, "console") }).toString(),
  });
  const { text } = await merchant.get(`/admin/orders/${number}`);
  assert.match(
    text,
    /<div class="muted">Engraving: Ann<\/div><div class="muted">Gift text: With &lt;love&gt;, from\nBen<\/div>/,
  );
  assert.ok(csv.includes(',"Engraving: Ann\nGift text: With <love>, from\nBen\n_source: ad",Ring twice\r\n'), csv);
});

test("an express order has its line properties", async () => {
  const client = shop.client();
  const product = { variantId: variant.unlimited, properties: { Engraving: "Ann" } };
  const { checkout_url: url } = (await client.post("/api/cart/buyNowCheckout", { item: { product } })).json<{
    checkout_url: string;
  }>();
  assert.match((await client.get(url)).text, /<bdi>Engraving<\/bdi>: <bdi>Ann<\/bdi>/);
});
