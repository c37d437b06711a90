import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { locateDatabase, openDatabase } from "../../src/storage/open-database.ts";
import { add, assertCartError, assertMutated, readCart } from "../support/assertions.ts";
import { product, rows, variant } from "../support/catalog.ts";
import { address, type CheckoutPage, checkoutOf, submit } from "../support/checkout-page.ts";
import type { Client } from "../support/client.ts";
import { createApiToken, runCommand } from "../support/command.ts";
import { customerToken } from "../support/customer-token.ts";
import { startShop } from "../support/shop.ts";

const MINUTE = 60_000;
const example = new URL("../../examples/signed-form/signed-form.ts", import.meta.url).href;
let now = Date.now();
const shop = await startShop({
  now: () => now,
  hasTheme: false,
  rows: [
    ...rows,
    { kind: "discount", code: "ONEUSE", title: "Once", value_type: "percentage", value: 10, usage_limit: 1 },
    { kind: "customer", id: 9, email: "ada@example.com", store_credit: 500 },
    { kind: "customer", id: 10, email: "eve@example.com" },
  ],
  config: { hooks: "hooks.ts", checkout: { holdMinutes: 60 } },
  storeFiles: {
    "hooks.ts": `import { defineHooks } from "vitrine";
      import { signedForm } from ${JSON.stringify(example)};
      export default defineHooks({ payment: signedForm({ address: "https://pay.example/start", merchant: "harbour", key: "shared" }) });`,
  },
});

/** Continues to the payment, which reserves stock. @returns the checkout's id */
async function reserve(client: Client, page?: CheckoutPage): Promise<string> {
  const reply = await submit(client, page ?? (await checkoutOf(client)), { ...address, pay: "" });
  assert.equal(reply.status, 200, reply.text);
  const [, id = ""] = /name="order" value="([^"]+)"/.exec(reply.text) ?? [];
  return id;
}

async function complete(id: string, amount: number): Promise<void> {
  const token = await createApiToken(shop, "checkouts:complete");
  const reply = await shop.client().send("POST", `/api/checkouts/${id}/complete`, {
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ amount, currency: "USD", reference: `paid-${id}` }),
  });
  assert.equal(reply.status, 200, reply.text);
}

test("units of a superseded checkout that are reserved again at once stay unavailable to other shoppers", async () => {
  const [client, other] = [shop.client(), shop.client()];
  await add(client, variant.scarce, 2);
  await reserve(client);
  assertCartError(await other.post("/cart/add.js", { id: variant.scarce, quantity: 2 }), 422, "insufficient_stock");
  await add(client, variant.unlimited, 1);
  await reserve(client);
  assertCartError(await other.post("/cart/add.js", { id: variant.scarce, quantity: 2 }), 422, "insufficient_stock");
  assertMutated(await other.post("/cart/add.js", { id: variant.scarce, quantity: 1 }));
  assertMutated(await client.post("/cart/change.js", { line: 1, quantity: 1 }));
  await reserve(client);
  assertMutated(await other.post("/cart/update.js", { updates: { [variant.scarce]: 2 } }));
  assert.equal((await readCart(other)).item_count, 2, "a unit that is released is available");
});

test("an order is placed only by the customer whose prices and store credit its checkout has", async () => {
  for (const next of [undefined, customerToken("10")]) {
    const client = shop.client();
    client.cookies.set("customer", customerToken("9"));
    await add(client, variant.unlimited, 1);
    await reserve(client);
    const page = await checkoutOf(client);
    assert.match(page.page, /Store credit<\/dt><dd>[^<]*\$5\.00/);
    client.cookies.delete("customer");
    if (next !== undefined) client.cookies.set("customer", next);
    const changed = await submit(client, page, { ...address, order: "" });
    assert.equal(changed.status, 200, "nothing is ordered");
    assert.doesNotMatch(changed.text, /Store credit/);
    const orderReply = await submit(client, { ...page, page: changed.text }, { ...address, order: "" });
    assert.equal(orderReply.status, 303, orderReply.text);
    assert.match((await client.get(String(orderReply.headers.location))).text, /\$19\.99/);
  }
  const client = shop.client();
  client.cookies.set("customer", customerToken("9"));
  await add(client, variant.unlimited, 1);
  assert.match((await checkoutOf(client)).page, /Store credit<\/dt><dd>[^<]*\$5\.00/, "the credit is unspent");
});

test("the use of a limited discount code is reserved for as long as its checkout", async () => {
  const [client, other] = [shop.client(), shop.client()];
  const applies = async (): Promise<boolean> => (await readCart(other)).discount_codes[0]?.applicable === true;
  await client.post("/cart/add.js", { id: variant.unlimited, discount: "ONEUSE" });
  await other.post("/cart/add.js", { id: variant.unlimited, discount: "ONEUSE" });
  const first = await reserve(client);
  now += 59 * MINUTE;
  assert.equal(await applies(), false);
  await complete(first, 1_799);

  now += 61 * MINUTE;
  assert.equal(await applies(), false, "the order has the use");
  const [, number = ""] = /#(\d+) [^\n]*\n$/.exec((await runCommand(shop, "orders", "list")).out) ?? [];
  assert.equal((await runCommand(shop, "orders", "cancel", number)).code, 0);
  assert.equal(await applies(), true);
  await client.post("/cart/add.js", { id: variant.unlimited, discount: "ONEUSE" });
  await reserve(client);
  now += 59 * MINUTE;
  assert.equal((await client.get(String((await client.get("/checkout")).headers.location))).status, 200);
  assert.equal(await applies(), false);
  now += 61 * MINUTE;
  assert.equal(await applies(), true, "the reservation has expired");
});

const plenty = (id: number, quantity: number) =>
  product(id, `plenty-${id}`, `Plenty ${id}`, [{ id, price: 100, inventory_quantity: quantity }]);
const limited = await startShop({
  now: () => now,
  hasTheme: false,
  rows: [
    plenty(1, 1_000),
    plenty(2, 10),
    plenty(3, 3),
    plenty(4, 1),
    { kind: "discount", code: "FEW", title: "Few", value_type: "percentage", value: 10, usage_limit: 3 },
  ],
  config: { hooks: "hooks.ts", trustProxy: ["127.0.0.1"] },
  storeFiles: {
    "hooks.ts": `export default { payment: {
      origins: ["https://pay.example"],
      start: ({ id, amount }) => ({ redirect: "https://pay.example/" + id + "/" + amount }),
      event: async (request) => ({ outcome: "completed", currency: "USD", ...(await request.json()) }),
    } };`,
  },
});
const readToken = await createApiToken(limited, "checkouts:read");

function visitorAt(ip: string): Client {
  const client = limited.client();
  const { send } = client;
  client.send = (method, path, options = {}) =>
    send(method, path, { ...options, headers: { ...options.headers, "x-forwarded-for": ip } });
  return client;
}

/** Continues to the payment of these units. @returns the checkout and its state */
async function payFor(client: Client, updates: Readonly<Record<string, number>>) {
  assertMutated(await client.post("/cart/update.js", { updates }));
  const reply = await submit(client, await checkoutOf(client), { ...address, pay: "" });
  const [, checkoutId = "", amount] =
    /^https:\/\/pay\.example\/(.+)\/(\d+)$/.exec(String(reply.headers.location)) ?? [];
  assert.ok(checkoutId, reply.text);
  const read = await client.get(`/api/checkouts/${checkoutId}`, { authorization: `Bearer ${readToken}` });
  return { checkoutId, amount: Number(amount), state: read.json<{ state: string }>().state };
}

/** Returns the units that another visitor can add to a cart. */
async function available(id: number): Promise<number> {
  const reply = await limited.client().post("/cart/update.js", { updates: { [id]: 1_000 } });
  return reply.status === 422 ? 0 : assertMutated(reply).item_count;
}

test("one network reserves half of each variant's stock at most, whatever number of carts it has", async () => {
  const states: string[] = [];
  for (let times = 0; times < 7; times += 1) {
    const client = visitorAt("192.0.2.1");
    states.push((await payFor(client, { 2: 1, 3: 1 })).state);
  }
  assert.deepEqual(states, ["open", "open", "lapsed", "lapsed", "lapsed", "lapsed", "lapsed"]);
  assert.deepEqual([await available(2), await available(3)], [8, 1]);
  const fullCheckout = await payFor(visitorAt("192.0.2.2"), { 2: 8 });
  assert.deepEqual([fullCheckout.state, await available(2)], ["lapsed", 8], "a payment goes on without a reservation");
  const { checkoutId, amount } = fullCheckout;
  const paymentReply = await limited.client().send("POST", "/api/payments/events", {
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ checkoutId, amount, reference: "paid-1" }),
  });
  assert.equal(paymentReply.json<{ outcome: string }>().outcome, "ordered");
  assert.equal(await available(2), 0);
  assert.equal((await payFor(visitorAt("192.0.2.3"), { 4: 1 })).state, "open", "the only one of its kind");
  assert.equal(await available(4), 0);
});

test("one cart reserves 20 units at most, and one network 100", async () => {
  assert.equal((await payFor(visitorAt("192.0.2.9"), { 1: 21 })).state, "lapsed");
  const states: string[] = [];
  for (let times = 0; times < 6; times += 1) states.push((await payFor(visitorAt("192.0.2.10"), { 1: 20 })).state);
  assert.deepEqual(states, ["open", "open", "open", "open", "open", "lapsed"]);
  assert.equal(await available(1), 900);
  assert.equal((await payFor(visitorAt("2001:db8::1"), { 1: 20 })).state, "open", "another network");
  now += 11 * MINUTE;
  await limited.app.shop.checkouts.expire(now);
  assert.equal(await available(1), 1_000);
});

test("a cart that renews its reservation again and again has one an hour", async () => {
  const client = visitorAt("192.0.2.20");
  const states: string[] = [];
  for (let times = 0; times < 5; times += 1) {
    states.push((await payFor(client, { 1: 1 })).state);
    now += 11 * MINUTE;
    await limited.app.shop.checkouts.expire(now);
  }
  assert.deepEqual(states, ["open", "open", "open", "lapsed", "lapsed"]);
  now += 60 * MINUTE;
  assert.equal((await payFor(client, { 1: 1 })).state, "open");
});

test("neither a view nor another country nor an order by invoice reserves anything", async () => {
  const client = visitorAt("192.0.2.30");
  const before = await available(1);
  await add(client, 1, 10);
  const page = await checkoutOf(client);
  assert.equal((await submit(client, page, { ...address, country: "FR", update: "" })).status, 200);
  assert.equal(await available(1), before);
  const orderReply = await submit(client, page, { ...address, order: "" });
  assert.match(String(orderReply.headers.location), /^\/orders\//);
  assert.equal(await available(1), before - 10, "the order takes the stock");
});

test("however often a checkout is viewed, at most two copies of its cart are stored", async () => {
  const client = visitorAt("192.0.2.40");
  await add(client, 1);
  for (let times = 0; times < 20; times += 1) {
    assertMutated(await client.post("/cart/update.js", { note: `Note ${times} ${"x".repeat(1_000)}` }));
    for (const prefix of ["", "/fr"]) await checkoutOf(client, prefix);
  }
  const { id } = await readCart(client);
  const database = await openDatabase(locateDatabase(join(limited.storeDir, "data"), limited.env.DATABASE_URL));
  try {
    const rows = await database.read("SELECT state FROM checkouts WHERE cart_id = $1", [String(id)]);
    assert.deepEqual(
      rows.map(({ state }) => state),
      ["new", "new"],
    );
  } finally {
    await database.close();
  }
});

test("one network cannot hold the last uses of a code forever by viewing checkouts", async () => {
  const other = visitorAt("192.0.2.51");
  await other.post("/cart/add.js", { id: 1, discount: "FEW" });
  const applies = async (): Promise<boolean> => (await readCart(other)).discount_codes[0]?.applicable === true;
  const visitors = Array.from({ length: 3 }, () => visitorAt("192.0.2.50"));
  for (const client of visitors) await client.post("/cart/add.js", { id: 1, discount: "FEW" });
  const viewAll = async (): Promise<void> => {
    for (const client of visitors) await checkoutOf(client);
  };
  await viewAll();
  assert.equal(await applies(), false, "viewed checkouts hold them");
  for (let views = 0; views < 40; views += 1) {
    now += MINUTE;
    await viewAll();
  }
  now += 31 * MINUTE;
  await viewAll();
  now += 29 * MINUTE;
  await viewAll();
  assert.equal(await applies(), true);
});
