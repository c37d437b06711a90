import assert from "node:assert/strict";
import { test } from "node:test";
import { variant } from "../support/catalog.ts";
import { address, checkoutOf, submit } from "../support/checkout-page.ts";
import type { Client } from "../support/client.ts";
import { createApiToken, runCommand } from "../support/command.ts";
import { startShop } from "../support/shop.ts";

const shop = await startShop({ hasTheme: false, config: { console: true } });
const orders = (...args: readonly string[]) => runCommand(shop, "orders", ...args);

/** Returns a client that is signed in to the console. */
async function signIn(): Promise<Client> {
  const merchant = shop.client();
  await merchant.send("POST", "/admin/login", {
    headers: { "content-type": "application/x-www-form-urlencoded", origin: shop.origin },
    body: new URLSearchParams({ token: await createApiToken(shop, "console") }).toString(),
  });
  return merchant;
}

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
  assert.match(csv, /^\ufeffnumber,.*,properties,note,order_refunded,invoices,order_discount,order_balance\r\n/);
  const merchant = await signIn();
  const { text } = await merchant.get(`/admin/orders/${number}`);
  assert.match(
    text,
    /<div class="muted"><bdi>Engraving: Ann<\/bdi><\/div><div class="muted"><bdi>Gift text: With &lt;love&gt;, from\nBen<\/bdi>/,
  );
  assert.ok(
    csv.includes(',"Engraving: Ann\nGift text: With <love>, from\nBen\n_source: ad",Ring twice,0.00,,0.00,0.00\r\n'),
    csv,
  );
});

test("a nested line follows its parent in every view of the order", async () => {
  const client = shop.client();
  const nested = { id: variant.notShipped, parent_id: variant.tracked };
  await client.post("/cart/add.js", { items: [{ id: variant.tracked }, { id: variant.unlimited }, nested] });
  const checkout = await checkoutOf(client);
  const reply = await submit(client, checkout, { ...address, order: "" });
  const { text: orderPage } = await client.get(String(reply.headers.location));
  for (const page of [checkout.page, orderPage]) {
    const lines = page.split(/<li class="line/).slice(1);
    assert.deepEqual(
      lines.map((line) => line.startsWith(" line--nested")),
      [false, true, false],
    );
    assert.match(lines[1] ?? "", /<span class="visually-hidden">Belongs to: Harbour Raincoat<\/span>/);
  }
  const number = /#(1\d{3})\b/.exec(orderPage)?.[1] ?? "";
  assert.match((await orders("show", number)).out, / 1 x Harbour Raincoat.*\n {2}\+ 1 x .*\n {2}1 x /);
  const json = (await orders("export")).out.split("\n").find((line) => line.includes(`"number":${number}`)) ?? "";
  const { items } = JSON.parse(json) as {
    readonly items: readonly { readonly key: string; readonly parent_key: unknown }[];
  };
  assert.deepEqual(
    items.map(({ parent_key }) => parent_key),
    [null, items[0]?.key, null],
  );
  const merchant = await signIn();
  const { text: slip } = await merchant.get(`/admin/orders/${number}/packing-slip`);
  assert.match(slip, /Harbour Raincoat.*<th scope="row">\+ /);
  assert.match((await merchant.get(`/admin/orders/${number}`)).text, /<th scope="row"><a [^>]+>\+ /);
});

test("an express order has its line properties", async () => {
  const client = shop.client();
  const product = { variantId: variant.unlimited, properties: { Engraving: "Ann" } };
  const { checkout_url: url } = (await client.post("/api/cart/buyNowCheckout", { item: { product } })).json<{
    checkout_url: string;
  }>();
  assert.match((await client.get(url)).text, /<bdi>Engraving<\/bdi>: <bdi>Ann<\/bdi>/);
});
