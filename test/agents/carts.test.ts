import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { product, rows, variant } from "../support/catalog.ts";
import type { Reply } from "../support/client.ts";
import { createApiToken } from "../support/command.ts";
import { startShop } from "../support/shop.ts";
import {
  type AgentCart,
  buyBy,
  callRest,
  cartOf,
  codesOf,
  createAgentCart,
  submitOrder,
  type UcpMessage,
} from "../support/ucp.ts";
import { until } from "../support/until.ts";

const MINUTE = 60_000;
let now = Date.now();
const shop = await startShop({
  hasTheme: false,
  now: () => now,
  rows: [...rows, product(90, "kettle", "Kettle", [{ id: 900, price: 4_000, inventory_quantity: 50 }])],
  config: {
    shipping: {
      countries: ["DE", "FR"],
      rates: [
        { name: "Express", price: 1_500 },
        { name: "Standard", price: 500 },
      ],
    },
    tax: { pricesIncludeTax: false, rates: { DE: 10 } },
  },
});
const { origin } = shop;
const token = await createApiToken(shop, "catalog:write", "orders:write", "orders:read");

const totals = (cart: AgentCart) => Object.fromEntries(cart.totals.map(({ type, amount }) => [type, amount]));

async function setPrice(price: number): Promise<void> {
  const patch = { kind: "product", handle: "kettle", variants: [{ id: 900, price }] };
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/x-ndjson" };
  const reply = await shop.client().send("POST", "/admin/catalog", { headers, body: JSON.stringify({ patch }) });
  assert.equal(reply.status, 200, reply.text);
  const shownPrice = async () => (await shop.client().get("/products/kettle.js")).json<{ price: number }>().price;
  await until(async () => (await shownPrice()) === price);
}

/** Returns the signed values of the kettle. */
async function quoteOfKettle(): Promise<string> {
  const reply = await callRest(origin, "get_product", { id: "900" });
  return (
    reply.json<{ product: { variants: { metadata: { quote: string } }[] } }>().product.variants[0]?.metadata.quote ?? ""
  );
}

test("a cart has totals with delivery and taxes of the country, in the agent's language", async () => {
  const context = { address_country: "DE", language: "fr-CA" };
  const cart = await createAgentCart(origin, [{ id: variant.tracked, quantity: 2 }], context);
  assert.deepEqual(totals(cart), { subtotal: 24_000, fulfillment: 500, tax: 2_450, total: 26_950 });
  assert.match(JSON.stringify(cart.line_items), /Imperméable du port/);
  assert.match(cart.continue_url, /\/fr\/checkout\/.+\?quote=/);
  const french = await createAgentCart(origin, [{ id: variant.tracked }], { address_country: "fr" });
  assert.deepEqual(totals(french), { subtotal: 12_000, fulfillment: 500, total: 12_500 });
});

test("an update replaces the items, and keeps the keys of lines that remain", async () => {
  const cart = await createAgentCart(origin, [{ id: variant.tracked }, { id: variant.unlimited }]);
  const reply = await callRest(origin, "update_cart", cartOf([{ id: variant.unlimited, quantity: 3 }, { id: 900 }]), {
    id: cart.id,
  });
  const updated = reply.json<AgentCart>();
  assert.equal(updated.id, cart.id);
  assert.deepEqual(
    updated.line_items.map(({ item, quantity }) => [item.id, quantity]),
    [
      [String(variant.unlimited), 3],
      ["900", 1],
    ],
  );
  assert.equal(updated.line_items[0]?.id, cart.line_items[1]?.id);
  const read = await callRest(origin, "get_cart", undefined, { id: cart.id });
  assert.deepEqual(read.json<AgentCart>().line_items, updated.line_items);
});

test("a quantity above the stock is reduced with a warning, and an item without stock is an error", async () => {
  const cart = await createAgentCart(origin, [{ id: variant.scarce, quantity: 9 }]);
  assert.deepEqual([cart.line_items[0]?.quantity, cart.messages?.[0]?.code], [3, "inventory_cap"]);
  assert.equal(cart.messages?.[0]?.path, "$.line_items[0]");
  const soldOut = await callRest(origin, "create_cart", cartOf([{ id: 900 }, { id: variant.soldOut }]));
  const [message] = soldOut.json<{ messages: UcpMessage[] }>().messages;
  assert.deepEqual([soldOut.status, message?.code, message?.path], [200, "out_of_stock", "$.line_items[1].quantity"]);
});

test("a product for members needs an identity, which agents do not have", async () => {
  assert.deepEqual(codesOf(await callRest(origin, "create_cart", cartOf([{ id: variant.membersOnly }]))), [
    "identity_required",
  ]);
});

test("a canceled cart is not found", async () => {
  const { id } = await createAgentCart(origin, [{ id: 900 }]);
  const canceled = await callRest(origin, "cancel_cart", undefined, { id });
  assert.equal(canceled.json<AgentCart>().line_items.length, 1);
  for (const name of ["get_cart", "update_cart", "cancel_cart"] as const)
    assert.deepEqual(
      codesOf(await callRest(origin, name, name === "get_cart" ? undefined : cartOf([{ id: 900 }]), { id })),
      ["not_found"],
    );
});

test("a write with an idempotency key is applied once", async () => {
  const headers = { "idempotency-key": randomUUID() };
  const create = (): Promise<Reply> => callRest(origin, "create_cart", cartOf([{ id: 900 }]), { headers });
  const [first, second] = [await create(), await create()];
  assert.equal(first.text, second.text);
  const other = await callRest(origin, "create_cart", cartOf([{ id: 900, quantity: 2 }]), { headers });
  assert.deepEqual([other.status, other.json().code], [409, "idempotency_conflict"]);
  const { id } = first.json<AgentCart>();
  const weakKey = await callRest(origin, "create_cart", cartOf([{ id: 900 }]), { headers: { "idempotency-key": "1" } });
  assert.deepEqual(codesOf(weakKey), ["invalid_input"]);
  const updateKey = randomUUID();
  const update = (): Promise<Reply> =>
    callRest(origin, "update_cart", cartOf([{ id: 900, quantity: 4 }]), {
      id,
      headers: { "idempotency-key": updateKey },
    });
  const [updated] = [await update(), await callRest(origin, "update_cart", cartOf([{ id: 900, quantity: 5 }]), { id })];
  assert.equal((await update()).text, updated.text);
  const current = await callRest(origin, "get_cart", undefined, { id });
  assert.equal(current.json<AgentCart>().line_items[0]?.quantity, 5);
});

test("a signed price is valid for ten minutes and for the current values of its variant", async () => {
  await setPrice(4_000);
  const quote = await quoteOfKettle();
  await createAgentCart(origin, [{ id: 900, quote }]);
  const codes = async (id: number): Promise<readonly string[]> =>
    codesOf(await callRest(origin, "create_cart", cartOf([{ id, quote }])));
  assert.deepEqual(await codes(variant.unlimited), ["quote_changed"]);
  await setPrice(4_500);
  const changed = await callRest(origin, "create_cart", cartOf([{ id: 900, quote }]));
  const [message] = changed.json<{ messages: UcpMessage[] }>().messages;
  assert.equal(message?.content, "The price of Kettle changed from $40.00 to $45.00.");
  assert.equal(message?.path, "$.line_items[0].item");
  await setPrice(4_000);
  now += 10 * MINUTE;
  assert.deepEqual(await codes(900), ["quote_changed"]);
});

test("the checkout link shows the quoted values, selects the country, and orders them", async () => {
  await setPrice(4_000);
  const client = shop.client();
  const cart = await createAgentCart(origin, [{ id: 900 }], { address_country: "DE" });
  const { page, order } = await buyBy(client, cart);
  assert.equal(totals(cart).total, 4_950);
  assert.match(page.text, /<dt>Total<\/dt><dd>\$49\.50<\/dd>/);
  assert.match(page.text, /<option value="DE" selected/);
  assert.match(`${order?.status} ${order?.headers.location}`, /^303 \/orders\//);
  assert.deepEqual(codesOf(await callRest(origin, "get_cart", undefined, { id: cart.id })), ["not_found"]);
});

test("changed values answer the checkout link with 409 and list the changes, then the buyer may accept them", async () => {
  await setPrice(4_000);
  const client = shop.client();
  const cart = await createAgentCart(origin, [{ id: 900 }], { address_country: "DE" });
  await setPrice(4_200);
  const { page } = await buyBy(client, cart);
  assert.equal(page.status, 409);
  assert.match(page.text, /The price of Kettle changed from \$40\.00 to \$42\.00\./);
  const order = await submitOrder(client, page);
  assert.match(`${order.status} ${order.headers.location}`, /^303 \/orders\//);
  await setPrice(4_000);
});

test("a price that changes after the page was opened answers the order with 409", async () => {
  await setPrice(4_000);
  const client = shop.client();
  const cart = await createAgentCart(origin, [{ id: 900 }], { address_country: "DE" });
  const { pathname, search } = new URL(cart.continue_url);
  const page = await client.get(pathname + search);
  assert.equal(page.status, 200);
  await setPrice(4_300);
  const order = await submitOrder(client, page);
  assert.equal(order.status, 409);
  assert.match(order.text, /The price of Kettle changed from \$40\.00 to \$43\.00\./);
  await setPrice(4_000);
});

test("a link with a forged quote, or with the quote of another cart, counts as changed", async () => {
  await setPrice(4_000);
  const [cart, other] = [await createAgentCart(origin, [{ id: 900 }]), await createAgentCart(origin, [{ id: 900 }])];
  const { pathname, search } = new URL(cart.continue_url);
  for (const quote of ["?quote=", "?quote=x", `${search.slice(0, -2)}AA`, new URL(other.continue_url).search])
    assert.equal((await shop.client().get(pathname + quote)).status, 409, quote);
});

test("an expired quote opens the checkout if its values are still current", async () => {
  await setPrice(4_000);
  const cart = await createAgentCart(origin, [{ id: 900 }], { address_country: "DE" });
  now += 11 * MINUTE;
  const { order } = await buyBy(shop.client(), cart);
  assert.equal(order?.status, 303);
});

test("the link to an order reads its state: shipped in parts, canceled, and refunded", async () => {
  const client = shop.client();
  const { order } = await buyBy(
    client,
    await createAgentCart(origin, [{ id: 900, quantity: 2 }], { address_country: "DE" }),
  );
  const [, id = ""] = /^\/orders\/([^?]+)/.exec(String(order?.headers.location)) ?? [];
  const read = async () => {
    const reply = await callRest(origin, "get_order", undefined, { id });
    return reply.json<{
      id: string;
      label: string;
      totals: AgentCart["totals"];
      line_items: { id: string; quantity: object; status: string }[];
      fulfillment: { events: { tracking_number: string }[]; expectations?: object[] };
      adjustments: { type: string }[];
    }>();
  };
  const placed = await read();
  assert.deepEqual(placed.line_items[0]?.quantity, { original: 2, total: 2, fulfilled: 0 });
  assert.equal(placed.fulfillment.expectations?.length, 1);
  assert.deepEqual(placed.totals.at(-1), { type: "total", amount: 9_350 });
  const change = async (operation: string, body: object): Promise<void> => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const [found] = (await client.get(`/api/orders?q=${placed.label.slice(1)}`, headers)).json<{
      orders: { id: string; revision: number }[];
    }>().orders;
    const reply = await client.send("POST", `/api/orders/${found?.id}/${operation}`, {
      headers: { ...headers, "if-match": `"${found?.revision}"` },
      body: JSON.stringify(body),
    });
    assert.equal(reply.status, 200, reply.text);
  };
  await change("ship", { items: [{ key: placed.line_items[0]?.id, quantity: 1 }], tracking_number: "42" });
  const shipped = await read();
  assert.deepEqual([shipped.line_items[0]?.status, shipped.fulfillment.events[0]?.tracking_number], ["partial", "42"]);
  await change("cancel", {});
  const canceled = await read();
  assert.equal(canceled.line_items[0]?.status, "removed");
  assert.deepEqual(
    canceled.adjustments.map(({ type }) => type),
    ["cancellation"],
  );
});

test("an order names the parents of nested lines", async () => {
  const client = shop.client();
  const items = [{ id: 900 }, { id: variant.unlimited, parent_id: 900 }];
  assert.equal((await client.post("/cart/add.js", { items })).status, 200);
  const location = String((await client.get("/checkout")).headers.location);
  const order = await submitOrder(client, await client.get(location));
  const [, id = ""] = /^\/orders\/([^?]+)/.exec(String(order.headers.location)) ?? [];
  const { line_items: lines } = (await callRest(origin, "get_order", undefined, { id })).json<{
    line_items: { id: string; parent_id?: string }[];
  }>();
  assert.deepEqual([lines.length, lines[0]?.parent_id, lines[1]?.parent_id], [2, undefined, lines[0]?.id]);
});
