import assert from "node:assert/strict";
import { test } from "node:test";
import { add } from "../support/assertions.ts";
import { rows, variant } from "../support/catalog.ts";
import type { Reply } from "../support/client.ts";
import { createApiToken, runCommand } from "../support/command.ts";
import { logIn, postForm } from "../support/console.ts";
import { startMailReceiver } from "../support/mail-receiver.ts";
import { placeOrder } from "../support/orders.ts";
import { startShop } from "../support/shop.ts";

const mail = await startMailReceiver();
let now = Date.parse("2026-11-30T08:00:00Z");
const shop = await startShop({
  now: () => now,
  hasTheme: false,
  config: {
    console: true,
    timezone: "Asia/Tokyo",
    mail: { smtp: `smtp://127.0.0.1:${mail.port}`, from: "shop@shop.example", newOrders: false },
  },
});
const tokenOptions = ["--scopes", "console,orders:write", "--name", "Office"];
const token = (await runCommand(shop, "token", "create", ...tokenOptions)).out.trim();
const { client, csrf } = await logIn(shop, token);

/** Places an order of three items.  @returns its number */
async function newOrder(email: string): Promise<string> {
  const shopper = shop.client();
  await add(shopper, variant.notShipped, 1);
  await placeOrder(shopper, email, "", { id: variant.unlimited, quantity: 2 });
  return String(/#(\d+) [^\n]*\n$/.exec((await runCommand(shop, "orders", "list")).out)?.[1]);
}

const pageOf = async (number: string): Promise<string> => (await client.get(`/admin/orders/${number}`)).text;

const fieldOf = (page: string, name: string): string =>
  new RegExp(`name="${name.replaceAll(/[[\]]/g, "\\$&")}"[^>]* value="([^"]*)"`).exec(page)?.[1] ?? "";

/** Submits a form of the current page of an order. */
async function submit(number: string, operation: string, fields: Readonly<Record<string, string>>): Promise<Reply> {
  const revision = fieldOf(await pageOf(number), "revision");
  return postForm(shop, client, `/admin/orders/${number}`, { csrf, operation, revision, ...fields });
}

async function done(number: string, operation: string, fields: Readonly<Record<string, string>>): Promise<string> {
  const reply = await submit(number, operation, fields);
  assert.equal(reply.headers.location, `/admin/orders/${number}?done=${operation}`, reply.text);
  const page = await client.get(reply.headers.location);
  assert.match(page.text, /class="done" role="status"/);
  return page.text.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
}

test("an order is shipped in parts, paid, refunded, and canceled, and the timeline says who did it", async () => {
  const number = await newOrder("ada@example.com");
  const page = await pageOf(number);
  const [, key = ""] = /name="quantity\[([^\]]+)\]" type="number" min="0" max="2" value="2"/.exec(page) ?? [];
  now += 1_000;
  assert.match(await done(number, "ship", { [`quantity[${key}]`]: "1", carrier: "DHL" }), /Partially shipped/);
  const slip = (await client.get(`/admin/orders/${number}/packing-slip?shipment=1`)).text;
  assert.match(slip, /Ship to[\s\S]*Ada Quay[\s\S]*Hamburg[\s\S]*1 ×<\/td><th scope="row">Canvas Tote/);
  assert.doesNotMatch(slip, /\$|2 ×/);
  assert.match((await client.get(`/admin/orders/${number}/packing-slip`)).text, /1 ×[\s\S]*1 ×/, "the rest");
  now += 1_000;
  const offersRefundEmail = async (): Promise<boolean> => (await pageOf(number)).includes('value="order.refunded"');
  await done(number, "pay", { reference: "Transfer 24" });
  assert.ok(!(await offersRefundEmail()));
  now += 1_000;
  await done(number, "refund", { amount: "1,50", reason: "Scratch", reference: "Transfer 24" });
  assert.ok(await offersRefundEmail());
  now += 1_000;
  await done(number, "note", { text: "Called" });
  now += 1_000;
  await done(number, "email", { email: "order.shipped" });
  now += 1_000;
  const text = await done(number, "cancel", { note: "Returned" });
  assert.match(
    text,
    /Timeline .*Office Canceled: Returned .*Office Email sent again: Shipping confirmation .*Office Called .*Office Refunded \$1\.50: Scratch .*Office Payment recorded: Transfer 24 .*Office Shipped 1 item: DHL .*Order placed/,
  );
  assert.match(await pageOf(number), /<dt>Refund due<\/dt>/);
  await mail.mailsTo("ada@example.com", 4);
});

test("the form that marks an order as paid suggests the order's number as the reference", async () => {
  const number = await newOrder("eve@example.com");
  const reference = fieldOf(await pageOf(number), "reference");
  assert.equal(reference, number);
  assert.match(await done(number, "pay", { reference }), new RegExp(`Payment recorded: ${number} `));
});

test("a rejected form shows why above the page, keeps its fields, and changes nothing", async () => {
  const number = await newOrder("bob@example.com");
  const before = await pageOf(number);
  for (const [operation, fields, status, message] of [
    ["ship", {}, 400, /Enter the quantity of at least one item/],
    ["ship", { "quantity[none]": "1" }, 400, /no line with this key/],
    ["ship", { "quantity[none]": "x" }, 400, /whole number/],
    ["pay", { reference: " " }, 400, /reference is missing/],
    ["refund", { amount: "1.500", reason: "Kept text" }, 400, /Enter an amount such as 12\.50/],
    ["refund", { amount: "1.50", reason: "x" }, 409, /has no payment to refund/],
    ["note", { text: "" }, 400, /text is missing/],
    ["email", { email: "order.shipped" }, 409, /is not shipped/],
    ["note", { text: "Mine", revision: "9" }, 412, /Someone else changed this order/],
    ["nothing", {}, 400, /Unknown operation/],
  ] as const) {
    const reply = await submit(number, operation, fields);
    assert.equal(reply.status, status, `${operation}: ${reply.text}`);
    assert.match(reply.text, message);
    if ("text" in fields && fields.text !== "") assert.match(reply.text, /name="text" value="Mine"/);
  }
  assert.equal(await pageOf(number), before);
});

test("an order lists discounts, added tax, and gift cards, so that its items add up to its total", async () => {
  const discountShop = await startShop({
    hasTheme: false,
    rows: [
      ...rows,
      { kind: "discount", code: "TEN", title: "Ten percent", value_type: "percentage", value: 10 },
      { kind: "gift_card", code: "CARD-AAAA-1111", balance: 1_000 },
    ],
    config: { console: true, tax: { rates: { DE: 19 }, pricesIncludeTax: false } },
  });
  const shopper = discountShop.client();
  await shopper.get("/discount/TEN");
  await shopper.post("/cart/update.js", { gift_cards: "CARD-AAAA-1111" });
  await placeOrder(shopper, "ada@example.com", "", { id: variant.unlimited, quantity: 2 });
  const merchant = await logIn(discountShop, await createApiToken(discountShop, "console"));
  const page = (await merchant.client.get("/admin/orders/1001")).text;
  const totals = [...page.matchAll(/<th[^>]* colspan="3">(.*?)<\/th><td class="number">(.*?)<\/td>/g)].map(
    ([, label = "", amount]) => `${label.replaceAll(/<[^>]*>/g, "")} ${amount}`,
  );
  assert.deepEqual(totals, [
    "Subtotal $39.98",
    "Discount TEN -$4.00",
    "plus 19% tax $6.84",
    "Total $42.82",
    "Gift card or store credit -$10.00",
    "Amount due $32.82",
  ]);
  const list = (await merchant.client.get("/admin/orders")).text;
  assert.match(list, /<td class="number">\$42\.82<\/td>/, "the total, not the amount due");
  const file = await merchant.client.get("/admin/orders/export.csv");
  const [header = [], cells = []] = file.text
    .trimEnd()
    .split("\r\n")
    .map((line) => line.split(","));
  const centsOf = (column: string): number => Math.round(100 * Number(cells[header.indexOf(column)]));
  assert.equal(centsOf("line_amount") + centsOf("order_tax") - centsOf("order_discount"), 4_282);
  assert.equal(centsOf("order_amount") + centsOf("order_balance"), 4_282);
});

test("orders are filtered by text, status, and days of the shop's time zone", async () => {
  now = Date.parse("2026-11-30T15:30:00Z");
  const number = await newOrder("carol@example.com");
  const found = async (query: string): Promise<readonly string[]> =>
    [...(await client.get(`/admin/orders?${query}`)).text.matchAll(/href="\/admin\/orders\/(\d+)"/g)].map(([, one]) =>
      String(one),
    );
  assert.deepEqual(await found("q=carol"), [number]);
  assert.deepEqual(await found("from=2026-12-01"), [number], "the day in Tokyo");
  assert.ok(!(await found("to=2026-11-30")).includes(number));
  assert.deepEqual(await found("q=carol&status=shipped"), []);
  await done(number, "ship", shippedAll(await pageOf(number)));
  assert.deepEqual(await found("q=carol&status=shipped"), [number]);
  const file = await client.get("/admin/orders/export.csv?q=carol&status=shipped");
  const [header, ...lines] = file.text.trimEnd().split("\r\n");
  assert.match(String(header), /^\ufeffnumber,created_at,.*,order_refunded,invoices,order_discount,order_balance$/);
  assert.ok(lines.length > 0 && lines.every((line) => line.startsWith(`${number},`)), file.text);
  assert.ok(!(await found("status=to_ship")).includes(number));
  assert.ok(!(await found("status=refund_due")).includes(number));
  assert.equal((await found("status=refund_due")).length, 1);
  assert.match((await client.get("/admin/orders?q=nobody")).text, /No orders found\./);
});

function shippedAll(page: string): Readonly<Record<string, string>> {
  const fields = page.matchAll(/name="(quantity\[[^"]+\])" type="number" min="0" max="(\d+)"/g);
  return Object.fromEntries([...fields].map(([, name, quantity]) => [name, quantity]));
}

test("a login without the scope to change orders shows them, and changes nothing", async () => {
  const number = await newOrder("dora@example.com");
  const viewer = await logIn(shop, await createApiToken(shop, "console"));
  const page = (await viewer.client.get(`/admin/orders/${number}`)).text;
  assert.match(page, /Your token may only view this page/);
  assert.doesNotMatch(page, /name="operation"/);
  const fields = { csrf: viewer.csrf, operation: "note", revision: "1", text: "x" };
  assert.equal((await postForm(shop, viewer.client, `/admin/orders/${number}`, fields)).status, 403);
  const forged = await postForm(shop, client, `/admin/orders/${number}`, { ...fields, csrf: "x" });
  assert.equal(forged.status, 403);
  assert.doesNotMatch(await pageOf(number), /Timeline[\s\S]*>x</);
});
