import assert from "node:assert/strict";
import { test } from "node:test";
import { openStore } from "../../src/cli/store-database.ts";
import { purgeTestOrders } from "../../src/storage/checkouts/test-orders.ts";
import { variant } from "../support/catalog.ts";
import { address, type CheckoutPage, submit } from "../support/checkout-page.ts";
import type { Client, Reply } from "../support/client.ts";
import { runCommand } from "../support/command.ts";
import { logIn, postForm } from "../support/console.ts";
import { startMailReceiver } from "../support/mail-receiver.ts";
import { placeOrder } from "../support/orders.ts";
import { startShop } from "../support/shop.ts";
import { until } from "../support/until.ts";
import { startReceiver } from "../support/webhook-receiver.ts";

const HOUR_MS = 3_600_000;
let now = Date.parse("2026-11-30T08:00:00Z");
const mail = await startMailReceiver();
const receiver = await startReceiver();
const shop = await startShop({
  hasTheme: false,
  now: () => now,
  config: {
    console: true,
    contact: {
      email: "shop@shop.example",
      address: { address1: "Kai 3", zip: "20457", city: "Hamburg", country: "DE" },
    },
    invoices: { issue: true, vatId: "DE123456789", iban: "DE89370400440532013000" },
    mail: { smtp: `smtp://127.0.0.1:${mail.port}`, from: "shop@shop.example" },
    events: { webhooks: [{ url: receiver.url, secret: receiver.secret, types: ["order.created"] }] },
  },
});
const scopes = "console,orders:read,orders:write,catalog:read,checkouts:read,checkouts:complete";
const token = (await runCommand(shop, "token", "create", "--scopes", scopes, "--name", "Office")).out.trim();
const { client: office, csrf } = await logIn(shop, token);

interface OrderJson {
  readonly id: string;
  readonly number: number;
  readonly revision: number;
  readonly test: boolean;
  readonly checkout_id: string;
  readonly amount: number;
}

async function latestOrder(): Promise<OrderJson | undefined> {
  const reply = await office.get("/api/orders?sort=newest&limit=1", { authorization: `Bearer ${token}` });
  return reply.json<{ orders: readonly OrderJson[] }>().orders[0];
}

function post(path: string, body: object): Promise<Reply> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  return shop.client().send("POST", path, { headers, body: JSON.stringify(body) });
}

/** Follows the link of the console to the checkout of a test order. */
async function startTestOrder(shopper: Client): Promise<CheckoutPage> {
  const [, path = ""] = /href="([^"]*\?test_order=[^"]*)"/.exec((await office.get("/admin")).text) ?? [];
  assert.match(path, new RegExp(`^/cart/${variant.tracked}:1`));
  const { status, headers } = await shopper.get(path);
  assert.equal(status, 303);
  const url = String(headers.location);
  const { text } = await shopper.get(url);
  assert.match(text, /This is a test order\. Nothing will be charged or shipped\./);
  assert.match(text, new RegExp(`action="${url.replaceAll(/[?.]/g, "\\$&")}"`));
  return { url, page: text };
}

async function placeTestOrder(): Promise<string> {
  const shopper = shop.client();
  const reply = await submit(shopper, await startTestOrder(shopper), { ...address, order: "" });
  assert.equal(reply.status, 303, reply.text);
  return String(reply.headers.location);
}

async function readStock(): Promise<unknown> {
  const { database } = await openStore(shop.storeDir, shop.env.DATABASE_URL);
  try {
    return await database.read("SELECT * FROM stock_levels ORDER BY variant_id", []);
  } finally {
    await database.close();
  }
}

test("a test order is marked everywhere, and takes no stock, invoice number, or place in reports", async () => {
  const stock = await readStock();
  const orderPath = await placeTestOrder();
  const order = await latestOrder();
  assert.equal(order?.test, true);
  const page = await office.get(orderPath);
  assert.match(page.text, /This is a test order/);
  assert.doesNotMatch(page.text, /\/invoices\//);
  assert.deepEqual(await readStock(), stock);
  const mails = [...(await mail.mailsTo(address.email, 1)), ...(await mail.mailsTo("shop@shop.example", 1))];
  for (const { header } of mails) assert.match(header("subject"), /^Test order: /);
  await until(() => receiver.received.length > 0);
  assert.equal((receiver.received[0]?.data.order as OrderJson | undefined)?.test, true);
  assert.match((await office.get("/admin/orders")).text, /<span class="badge">Test<\/span>/);
  const report = (await office.get("/admin/reports")).text.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
  assert.match(report, /Orders 0 .*Carts 0 Checkouts 0 .*Orders placed 0/);
  assert.equal((await runCommand(shop, "orders", "export")).out, "");
  assert.match((await runCommand(shop, "orders", "list")).out, /, test/);

  const realPath = await placeOrder(shop.client(), "bob@example.com");
  assert.match((await office.get(realPath)).text, /\/invoices\/[^"]*0001"/, "the first invoice number is unused");
  assert.equal((await latestOrder())?.test, false);
});

test("only a valid link of the console opens a test order, for one hour and one checkout", async () => {
  const before = await latestOrder();
  const shopper = shop.client();
  const { url, page } = await startTestOrder(shopper);
  const other = await startTestOrder(shop.client());
  const otherToken = new URL(other.url, shop.origin).search;
  const path = url.slice(0, url.indexOf("?"));
  for (const search of [otherToken, "?test_order=", "?test_order=1", `${otherToken}x`]) {
    assert.equal((await shopper.get(path + search)).status, 404, search);
    const reply = await submit(shopper, { url: path + search, page }, { ...address, order: "" });
    assert.equal(reply.status, 404, search);
  }
  assert.equal((await shopper.get(`/cart/40:1${otherToken}`)).status, 404, "the token of a checkout is no link");
  now += HOUR_MS + 1;
  assert.equal((await submit(shopper, { url, page }, { ...address, order: "" })).status, 404, "expired");
  assert.equal((await latestOrder())?.number, before?.number);
  const orderPath = await submit(shopper, { url: path, page }, { ...address, order: "" });
  assert.equal(orderPath.status, 303, "without the token, it is an order like any other");
  assert.equal((await latestOrder())?.test, false);
});

test("a user without the scope for orders gets no link for test orders", async () => {
  const reader = (await runCommand(shop, "token", "create", "--scopes", "console,orders:read")).out.trim();
  const { client } = await logIn(shop, reader);
  assert.doesNotMatch((await client.get("/admin")).text, /test_order=/);
});

test("the console deletes a test order, and no other order", async () => {
  await placeTestOrder();
  const order = await latestOrder();
  const path = `/admin/orders/${order?.number}`;
  assert.match((await office.get(path)).text, /Delete test order/);
  const reply = await postForm(shop, office, path, { csrf, operation: "delete", revision: "1" });
  assert.equal(reply.headers.location, "/admin/orders?done=delete");
  assert.equal((await office.get(path)).status, 404);
  const realOrder = await latestOrder();
  assert.equal(realOrder?.test, false);
  assert.doesNotMatch((await office.get(`/admin/orders/${realOrder?.number}`)).text, /Delete test order/);
  const rejected = await post(`/api/orders/${realOrder?.id}/delete`, {});
  assert.equal(rejected.status, 409);
  assert.equal(rejected.json<{ error: string }>().error, "order_conflict");
});

test("a real payment of the same cart never pays a test order, and keeps it until the refund", async () => {
  const shopper = shop.client();
  const checkout = await startTestOrder(shopper);
  const [, baseId = ""] = /name="checkout" value="([^"]+)"/.exec(checkout.page) ?? [];
  assert.equal((await submit(shopper, checkout, { ...address, order: "" })).status, 303);
  const order = await latestOrder();
  const payment = { amount: order?.amount, currency: "USD", reference: "pay_real" };
  const completion = await post(`/api/checkouts/${baseId}/complete`, payment);
  assert.equal(completion.json<{ error: string }>().error, "refund_due", completion.text);
  assert.equal((await post(`/api/orders/${order?.id}/delete`, {})).status, 409);
  const { database } = await openStore(shop.storeDir, shop.env.DATABASE_URL);
  const countTests = async (): Promise<number> =>
    Number((await database.read("SELECT COUNT(*) AS count FROM orders WHERE is_test = 1", []))[0]?.count);
  try {
    assert.equal(await countTests(), 2);
    await purgeTestOrders(database, now + 6 * 24 * HOUR_MS);
    assert.equal(await countTests(), 2);
    await purgeTestOrders(database, now + 8 * 24 * HOUR_MS);
    assert.equal(await countTests(), 1, "the order with a payment to refund remains");
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json", "if-match": '"1"' };
    const body = JSON.stringify({ reason: "test", reference: "pay_real" });
    await shop.client().send("POST", `/api/orders/${order?.id}/refund`, { headers, body });
    await purgeTestOrders(database, now + 8 * 24 * HOUR_MS);
    assert.equal(await countTests(), 0);
  } finally {
    await database.close();
  }
});
