import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { after, test } from "node:test";
import { sendChanges } from "../../examples/sync/change.ts";
import { fromMedusa, type MedusaEvent, type MedusaProduct } from "../../examples/sync/medusa.ts";
import { createReceiver } from "../../examples/sync/receiver.ts";
import { fromVendure, type VendureProduct } from "../../examples/sync/vendure.ts";
import type { WooVariation } from "../../examples/sync/woocommerce.ts";
import { rows } from "../support/catalog.ts";
import { createApiToken } from "../support/command.ts";
import { startShop } from "../support/shop.ts";
import { until } from "../support/until.ts";

const shop = await startShop({ rows });
const store = { origin: shop.origin, token: await createApiToken(shop, "catalog:write", "stock:write") };
const secret = "only for tests";

const fixture = (name: string): Promise<string> =>
  readFile(new URL(`../../examples/sync/fixtures/${name}.json`, import.meta.url), "utf8");
const fixtureJson = async <T>(name: string): Promise<T> => JSON.parse(await fixture(name)) as T;

const variations = await fixtureJson<readonly WooVariation[]>("woocommerce-variations");
const receiver = createReceiver(store, {
  decimals: 2,
  shopify: { secret, memory: { variants: new Map(), levels: new Map() } },
  woocommerce: { secret, variations: async () => variations },
});
await new Promise<void>((done) => receiver.listen(0, "127.0.0.1", done));
after(() => receiver.close());
const address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;

let deliveries = 0;
/** Sends a webhook like the other system.  @returns the status of the receiver */
async function deliver(
  system: "shopify" | "woocommerce",
  topic: string,
  body: string,
  { key = secret, delivery = "" } = {},
): Promise<number> {
  deliveries += 1;
  const id = delivery || `delivery-${deliveries}`;
  const signature = createHmac("sha256", key).update(body).digest("base64");
  const headers: Record<string, string> =
    system === "shopify"
      ? { "x-shopify-topic": topic, "x-shopify-hmac-sha256": signature, "x-shopify-webhook-id": id }
      : { "x-wc-webhook-topic": topic, "x-wc-webhook-signature": signature, "x-wc-webhook-delivery-id": id };
  return (await fetch(`${address}/${system}`, { method: "POST", headers, body })).status;
}

interface Shown {
  readonly title: string;
  readonly vendor: string;
  readonly available: boolean;
  readonly variants: readonly Readonly<Record<string, unknown>>[];
}

/** Waits until the shop shows a product that meets the condition, and returns it. */
async function shown(handle: string, isRight: (product: Shown | undefined) => boolean): Promise<Shown | undefined> {
  const { product } = await until(async () => {
    const reply = await shop.client().get(`/products/${handle}.js`);
    const found = reply.status === 200 ? (reply.json<unknown>() as Shown) : undefined;
    assert.ok(isRight(found), JSON.stringify(found));
    return { product: found };
  }, `${handle} is shown as expected`);
  return product;
}

const left = async (variantId: string | number): Promise<number> => {
  const { status, body } = await fetch(`${store.origin}/admin/stock`, {
    method: "POST",
    headers: { authorization: `Bearer ${store.token}`, "content-type": "application/json" },
    body: JSON.stringify({ variant_id: variantId, adjust: 0 }),
  }).then(async (answer) => ({ status: answer.status, body: await answer.text() }));
  assert.equal(status, 200, body);
  return (JSON.parse(body) as { lines: { available: number }[] }).lines[0]?.available ?? Number.NaN;
};

test("webhooks of Shopify create a product, update its stock by location, and delete it", async () => {
  const update = await fixture("shopify-products-update");
  assert.equal(await deliver("shopify", "products/create", update, { key: "another" }), 401);
  assert.equal((await shop.client().get("/products/fisher-jumper.js")).status, 404);

  assert.equal(await deliver("shopify", "products/create", update), 200);
  const product = await shown("fisher-jumper", (one) => one !== undefined);
  assert.equal(product?.title, "Fisher Jumper");
  assert.deepEqual(
    product?.variants.map(({ title, price, compare_at_price, sku, available }) => [
      title,
      price,
      compare_at_price,
      sku,
      available,
    ]),
    [
      ["Small", 7_999, 8_999, "FJ-S", true],
      ["Medium", 7_999, null, "FJ-M", true],
    ],
  );
  const small = "642667041472713922";
  const level = await fixtureJson<Record<string, unknown>>("shopify-inventory-levels-update");
  assert.equal(await deliver("shopify", "inventory_levels/update", JSON.stringify(level)), 200);
  assert.equal(await left(small), 4);
  const second = { ...level, location_id: 9_002, available: 2 };
  assert.equal(await deliver("shopify", "inventory_levels/update", JSON.stringify(second), { delivery: "twice" }), 200);
  assert.equal(await deliver("shopify", "inventory_levels/update", JSON.stringify(second), { delivery: "twice" }), 200);
  assert.equal(await left(small), 6);
  assert.equal(await deliver("shopify", "app/uninstalled", "{}"), 200, "what is of no interest is taken");

  assert.equal(await deliver("shopify", "products/delete", await fixture("shopify-products-delete")), 200);
  await shown("fisher-jumper", (one) => one === undefined);
});

test("WooCommerce: a product with variations, untracked stock, and deletion", async () => {
  const update = await fixture("woocommerce-product-updated");
  assert.equal(await deliver("woocommerce", "product.updated", update, { key: "another" }), 401);
  assert.equal(await deliver("woocommerce", "product.updated", update), 200);
  const product = await shown("deck-shoe", (one) => one !== undefined);
  assert.deepEqual(
    product?.variants.map(({ id, title, price, compare_at_price, weight, available }) => [
      id,
      title,
      price,
      compare_at_price,
      weight,
      available,
    ]),
    [
      [801, "Navy", 4_950, 5_900, 800, true],
      [802, "Tan", 5_900, null, 800, false],
    ],
  );
  assert.equal(await left(801), 3);
  assert.equal(await deliver("woocommerce", "product.deleted", await fixture("woocommerce-product-deleted")), 200);
  await shown("deck-shoe", (one) => one === undefined);
});

test("Medusa: an event makes the recipe read and send the product; a missing product is deleted", async () => {
  const { event } = await fixtureJson<{ event: MedusaEvent }>("medusa-product-updated");
  let product: MedusaProduct | undefined = await fixtureJson<MedusaProduct>("medusa-product");
  const options = { currency: "usd", decimals: 2, product: async () => product };
  await sendChanges(store, await fromMedusa(event, options), "medusa-1");
  const lamp = await shown("storm-lamp", (one) => one !== undefined);
  assert.deepEqual(
    lamp?.variants.map(({ id, title, price, available }) => [id, title, price, available]),
    [["variant_01J0BRASS", "Brass", 6_450, true]],
    "the tin one has no price in dollars",
  );
  assert.equal(await left("variant_01J0BRASS"), 7);
  product = undefined;
  await sendChanges(store, await fromMedusa(event, options), "medusa-2");
  await shown("storm-lamp", (one) => one === undefined);
});

test("Vendure: events of products or variants send the products, and deletions delete them", async () => {
  const product = await fixtureJson<VendureProduct>("vendure-product");
  const options = { product: async () => product };
  await sendChanges(store, await fromVendure({ productIds: [42, 42], type: "updated" }, options), "vendure-1");
  const oar = await shown("oak-oar", (one) => one !== undefined);
  assert.equal(oar?.vendor, "Skerry");
  assert.deepEqual(
    oar?.variants.map(({ id, title, price, sku }) => [id, title, price, sku]),
    [["variant-42", "2 m", 6_000, "OO-2"]],
  );
  assert.equal(await left("variant-42"), 7);
  await sendChanges(store, await fromVendure({ productIds: ["42"], type: "deleted" }, options), "vendure-2");
  await shown("oak-oar", (one) => one === undefined);
});

test("a line that the store rejects is reported and not sent again", async () => {
  await assert.rejects(
    sendChanges(store, [{ path: "/admin/stock", lines: [{ variant_id: "none", quantity: 1 }] }], "wrong"),
    /400.*there is no variant none/,
  );
});
