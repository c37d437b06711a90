import assert from "node:assert/strict";
import { test } from "node:test";
import { openStore } from "../../src/cli/store-database.ts";
import { add } from "../support/assertions.ts";
import { variant } from "../support/catalog.ts";
import type { Reply } from "../support/client.ts";
import { createApiToken, runCommand } from "../support/command.ts";
import { startMailReceiver } from "../support/mail-receiver.ts";
import { placeOrder } from "../support/orders.ts";
import { startShop } from "../support/shop.ts";
import { until } from "../support/until.ts";
import { startReceiver } from "../support/webhook-receiver.ts";

const mail = await startMailReceiver();
const receiver = await startReceiver();
const shop = await startShop({
  hasTheme: false,
  config: {
    mail: { smtp: `smtp://127.0.0.1:${mail.port}`, from: "shop@shop.example", newOrders: false },
    events: { webhooks: [{ url: receiver.url, secret: receiver.secret, types: ["order.shipped", "order.paid"] }] },
  },
});
const tokenOptions = ["--scopes", "orders:read,orders:write", "--name", "warehouse"];
const token = (await runCommand(shop, "token", "create", ...tokenOptions)).out.trim();

interface OrderJson {
  readonly id: string;
  readonly number: number;
  readonly revision: number;
  readonly state: string;
  readonly amount: number;
  readonly payment_state: string;
  readonly shipment_state: string;
  readonly shipments: readonly { readonly tracking_number: string | null; readonly items: readonly object[] }[];
  readonly refunds: readonly { readonly amount: number; readonly reason: string; readonly reference: string }[];
  readonly refunded_amount: number;
  readonly items: readonly { readonly key: string; readonly shipped_quantity: number }[];
  readonly notes: readonly { readonly text: string }[];
  readonly email: string;
}

function get(path: string): Promise<Reply> {
  return shop.client().get(path, { authorization: `Bearer ${token}` });
}

function post(id: string | number, operation: string, body: object, revision?: number): Promise<Reply> {
  const headers = {
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    ...(revision === undefined ? {} : { "if-match": `"${revision}"` }),
  };
  return shop.client().send("POST", `/api/orders/${id}/${operation}`, { headers, body: JSON.stringify(body) });
}

const orderOf = (reply: Reply): OrderJson => {
  assert.equal(reply.status, 200, reply.text);
  const { order } = reply.json<{ order: OrderJson }>();
  assert.equal(reply.headers.etag, `"${order.revision}"`);
  return order;
};

const errorOf = (reply: Reply): string => `${reply.status} ${reply.json<{ error: string }>().error}`;

const listOf = async (query: string): Promise<readonly OrderJson[]> =>
  (await get(`/api/orders?${query}`)).json<{ orders: OrderJson[] }>().orders;

/** Places an order by invoice with two totes and three items without shipping.  @returns the order, and its page */
async function newOrder(email: string): Promise<OrderJson & { readonly path: string }> {
  const client = shop.client();
  await add(client, variant.notShipped, 3);
  const path = await placeOrder(client, email, "", { id: variant.unlimited, quantity: 2 });
  const [order] = await listOf("sort=newest&limit=1");
  assert.ok(order);
  assert.equal(order.email, email);
  return { ...order, path };
}

test("orders are found by number, words of name and email, day, and state, from either end", async () => {
  const [first, second] = [await newOrder("Zoë.Find@example.com"), await newOrder("find_me%@example.com")];
  const numbers = async (query: string): Promise<readonly number[]> =>
    (await listOf(query)).map(({ number }) => number);
  assert.deepEqual(await numbers(`q=zoe.FIND`), [first.number]);
  assert.deepEqual(await numbers(`q=${encodeURIComponent("ada find")}`), [first.number, second.number]);
  assert.deepEqual(await numbers(`q=${encodeURIComponent("ada find")}&sort=newest`), [second.number, first.number]);
  assert.deepEqual(await numbers(`q=find&sort=newest&after=${second.number}`), [first.number]);
  assert.deepEqual(await numbers(`q=${encodeURIComponent("find_me%")}`), [second.number], "no wildcards");
  assert.deepEqual(await numbers(`q=${encodeURIComponent(`#${first.number}`)}`), [first.number]);
  assert.deepEqual(await numbers("q=find&created_before=2020-01-01"), []);
  orderOf(await post(first.id, "ship", { items: [{ key: first.items[0]?.key }] }, first.revision));
  assert.deepEqual(await numbers("q=find&shipment_state=partial"), [first.number]);
  assert.deepEqual(await numbers("q=find&shipment_state=unshipped"), [second.number]);
  assert.equal(errorOf(await get(`/api/orders?q=${"x".repeat(101)}&sort=up`)), "400 validation_failed");
});

test("orders that an earlier version placed are found, too", async () => {
  const order = await newOrder("early@example.com");
  const { database } = await openStore(shop.storeDir, shop.env.DATABASE_URL);
  await database.write([{ sql: "UPDATE orders SET search_text = NULL WHERE id = $1", params: [order.id] }]);
  await database.close();
  assert.deepEqual(
    (await listOf("q=early")).map(({ id }) => id),
    [order.id],
  );
});

test("an order is shipped in parts, and each email and event names its part", async () => {
  const { id, items, revision, path } = await newOrder("parts@example.com");
  const [first, second] = items;
  assert.ok(first && second);
  assert.equal(errorOf(await post(id, "ship", { items: [{ key: first.key }] })), "428 revision_required");
  const part = { carrier: "DHL", tracking_number: "1", items: [{ key: second.key, quantity: 1 }] };
  const partial = orderOf(await post(id, "ship", part, revision));
  assert.deepEqual([partial.shipment_state, partial.revision], ["partial", revision + 1]);
  assert.deepEqual(partial.shipments[0]?.items, [{ key: second.key, quantity: 1 }]);
  const page = (await shop.client().get(path)).text;
  assert.match(page, /Shipped on [^<]*, <bdi>DHL<\/bdi>, <bdi>1<\/bdi><br>1 × <bdi>Canvas Tote<\/bdi>/);
  assert.equal(errorOf(await post(id, "ship", part, revision)), "412 order_changed");
  for (const [item, code] of [
    [{ key: second.key, quantity: 2 }, "409 order_conflict"],
    [{ key: "none" }, "400 validation_failed"],
    [{ key: second.key, quantity: 0 }, "400 validation_failed"],
    [{ quantity: 1 }, "400 validation_failed"],
  ] as const)
    assert.equal(errorOf(await post(id, "ship", { items: [item] }, partial.revision)), code, JSON.stringify(item));
  const rest = orderOf(await post(id, "ship", { tracking_number: "2" }));
  assert.equal(rest.shipment_state, "shipped");
  assert.deepEqual(
    rest.items.map(({ shipped_quantity }) => shipped_quantity),
    [3, 2],
  );
  assert.equal((await shop.client().get(path)).text.split("Shipped on").length, 3);
  assert.deepEqual(orderOf(await post(id, "ship", { tracking_number: "3" })).shipments, rest.shipments);
  const mails = (await mail.mailsTo("parts@example.com", 3)).slice(1).map(({ text }) => text);
  assert.match(mails[0] ?? "", /Part of your order[\s\S]*\n1 x Canvas Tote[\s\S]*Tracking number: 1\n/);
  assert.doesNotMatch(mails[0] ?? "", /3 x /);
  assert.match(mails[1] ?? "", /Part of your order[\s\S]*3 x [\s\S]*1 x Canvas Tote[\s\S]*Tracking number: 2\n/);
  const received = () => receiver.received.filter(({ data }) => data.order?.id === id);
  await until(() => received().length === 2, "two events");
  assert.deepEqual(
    received().map(({ data }) => (data.order as unknown as OrderJson).shipment_state),
    ["partial", "shipped"],
  );
});

test("a payment is recorded once, refunded in parts up to its amount, and the log says who did it", async () => {
  const { id, number, amount } = await newOrder("paid@example.com");
  assert.equal(errorOf(await post(id, "refund", { reason: "Early" }, 1)), "409 order_conflict");
  const paid = orderOf(await post(number, "pay", { reference: "Transfer 1" }, 1));
  assert.equal(paid.payment_state, "paid");
  assert.equal(orderOf(await post(id, "pay", { reference: "Transfer 1" })).revision, paid.revision);
  assert.equal(errorOf(await post(id, "pay", { reference: "Transfer 2" })), "409 order_conflict");
  const other = await newOrder("other@example.com");
  assert.equal(errorOf(await post(other.id, "pay", { reference: "Transfer 1" })), "409 reference_taken");
  assert.equal(errorOf(await post(other.id, "pay", { reference: " " })), "400 validation_failed");

  assert.equal(errorOf(await post(id, "refund", { amount: 100, reason: "Scratch" })), "428 revision_required");
  const part = orderOf(await post(id, "refund", { amount: 100, reason: "Scratch" }, paid.revision));
  assert.deepEqual(part.refunds, [{ ...part.refunds[0], amount: 100, reason: "Scratch", reference: "Transfer 1" }]);
  assert.equal(
    errorOf(await post(id, "refund", { amount: 100, reason: "Again" }, paid.revision)),
    "412 order_changed",
    "the second of two users",
  );
  for (const body of [{ amount: amount - 99, reason: "x" }, { amount: 0, reason: "x" }, { amount: 1 }])
    assert.equal(errorOf(await post(id, "refund", body, part.revision)), "400 validation_failed");
  const canceled = orderOf(await post(id, "cancel", { note: "Returned" }));
  const { out } = await runCommand(shop, "orders", "refunds");
  assert.match(out, new RegExp(`"reference":"Transfer 1".*"amount":${amount - 100},`));
  const refunded = orderOf(await post(id, "refund", { reason: "Returned" }, canceled.revision));
  assert.equal(refunded.refunded_amount, amount);
  assert.equal((await runCommand(shop, "orders", "refunds")).out, "");
  assert.equal(errorOf(await post(id, "refund", { reason: "x" }, refunded.revision)), "409 order_conflict");
  assert.equal((await runCommand(shop, "orders", "refund-note", String(number), "--note", "by phone")).code, 0);

  const { entries } = (await get(`/api/orders/${number}/log`)).json<{ entries: readonly LogEntry[] }>();
  assert.deepEqual(
    entries.map(({ operation, source, token: by }) => `${operation} ${source} ${by?.name}`),
    [
      "pay api warehouse",
      "refund api warehouse",
      "cancel api warehouse",
      "refund api warehouse",
      "note command_line undefined",
    ],
  );
  assert.deepEqual(entries[1]?.details, { amount: 100, currency: "USD", reason: "Scratch", reference: "Transfer 1" });
});

interface LogEntry {
  readonly operation: string;
  readonly source: string;
  readonly token: { readonly name: string } | null;
  readonly details: object;
}

test("a refund of a canceled order settles its payment, even if a fee is kept", async () => {
  const { id } = await newOrder("fee@example.com");
  orderOf(await post(id, "pay", { reference: "Transfer with fee" }));
  const { revision } = orderOf(await post(id, "cancel", {}));
  orderOf(await post(id, "refund", { amount: 200, reason: "Less a fee" }, revision));
  assert.equal((await runCommand(shop, "orders", "refunds")).out, "");
});

test("notes are added, and emails are sent again under a new id", async () => {
  const { id } = await newOrder("again@example.com");
  const noted = orderOf(await post(id, "note", { text: " Called. " }));
  assert.deepEqual(
    noted.notes.map(({ text }) => text),
    ["Called."],
  );
  assert.equal(errorOf(await post(id, "note", { text: "" })), "400 validation_failed");
  assert.equal(errorOf(await post(id, "note", { text: "x".repeat(1_001) })), "400 validation_failed");
  await mail.mailsTo("again@example.com");
  for (const email of ["order.shipped", "order.cancelled"])
    assert.equal(errorOf(await post(id, "email", { email })), "409 order_conflict");
  assert.equal(errorOf(await post(id, "email", { email: "order.paid" })), "400 validation_failed");
  assert.equal(orderOf(await post(id, "email", { email: "order.created" })).revision, noted.revision);
  const [once, again] = await mail.mailsTo("again@example.com", 2);
  assert.equal(again?.text, once?.text);
  assert.notEqual(again?.header("Message-ID"), once?.header("Message-ID"));
});

test("of operations at the same time with one revision, one is applied", async () => {
  const { id, revision } = await newOrder("race@example.com");
  const replies = await Promise.all(
    Array.from({ length: 8 }, (_, index) => post(id, "note", { text: `note ${index}` }, revision)),
  );
  assert.deepEqual(replies.map(({ status }) => status).sort(), [200, ...Array.from({ length: 7 }, () => 412)]);
  assert.equal(orderOf(await get(`/api/orders/${id}`)).notes.length, 1);
});

test("malformed fields are rejected and change nothing", async () => {
  const { id, items } = await newOrder("malformed@example.com");
  const key = items[0]?.key;
  const values = [
    null,
    true,
    1.5,
    -1,
    1e300,
    "\0",
    "x".repeat(3_000),
    [],
    {},
    [null],
    [[]],
    [{ key: {} }],
    [{ key, quantity: "1" }],
  ];
  for (const operation of ["pay", "ship", "cancel", "refund", "note", "email"])
    for (const field of ["reference", "items", "carrier", "tracking_url", "note", "amount", "reason", "text", "email"])
      for (const value of values) {
        const { status, text } = await post(id, operation, { [field]: value }, 9);
        assert.ok([400, 412].includes(status), `${operation} ${field} ${JSON.stringify(value)}: ${text}`);
      }
  assert.equal(orderOf(await get(`/api/orders/${id}`)).revision, 1);
  assert.equal((await get("/api/orders?q=%00&after=x&sort=%00")).status, 400);
  assert.equal((await get("/api/orders?q=%00!%25_")).status, 200);
});

test("a token that may only read changes nothing", async () => {
  const { id } = await newOrder("reader@example.com");
  const reader = await createApiToken(shop, "orders:read");
  const headers = { authorization: `Bearer ${reader}`, "content-type": "application/json" };
  for (const operation of ["pay", "ship", "cancel", "refund", "note", "email"]) {
    const reply = await shop.client().send("POST", `/api/orders/${id}/${operation}`, { headers, body: "{}" });
    assert.equal(errorOf(reply), "403 insufficient_scope", operation);
  }
  assert.equal(orderOf(await get(`/api/orders/${id}`)).revision, 1);
  assert.equal(errorOf(await post("none", "cancel", {})), "404 not_found");
});
