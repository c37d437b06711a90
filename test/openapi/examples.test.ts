import assert from "node:assert/strict";
import { test } from "node:test";
import { createMetrics } from "../../src/observability/metrics.ts";
import { listenForScrapes } from "../../src/observability/metrics-listener.ts";
import { type MediaType, type Operation, readApiDocument } from "../support/api-document.ts";
import type { Client, Headers, Reply } from "../support/client.ts";
import { createClient } from "../support/client.ts";
import { startDemoShop } from "../support/demo-shop.ts";
import { serverVariable } from "../support/test-database.ts";

const document = readApiDocument();
const shop = await startDemoShop();
const token = await shop.token(
  "catalog:read,catalog:write,stock:write,checkouts:read,checkouts:complete,orders:read,orders:write,settings:read,settings:write",
);

/** Status of operations whose examples fail in the demo store, because it lacks a setting. */
const unavailableInDemo: Readonly<Record<string, number>> = {
  rejectedMessageSections: 404,
  rejectedCommentSections: 404,
  account: 404,
  accountForm: 404,
  accountPages: 404,
  accountPagesForm: 404,
  policy: 404,
  invoicePage: 404,
  paymentEvents: 404,
  paymentReturn: 404,
  paymentReturnForm: 404,
  // Orders of the demo store are no test orders, are already paid, and it sends no email.
  payOrder: 409,
  sendOrderEmail: 409,
  sendTestEmail: 400,
  deleteTestOrder: 409,
  // Several servers may use a database server.
  ...(process.env[serverVariable] === undefined ? {} : { changeSettings: 409 }),
};

for (const operation of document.operations) {
  if (operation.path === "/metrics") continue;
  for (const [name, body] of bodiesOf(operation)) {
    test(`${operation.method} ${operation.path}${name}: the example gets the documented response`, async () => {
      const client = createClient(shop.origin);
      const values = await valuesFor(operation, client);
      const reply = await send(operation, client, values, body);
      assert.deepEqual(document.mismatchesOf(operation, reply), [], reply.text.slice(0, 2_000));
      const isLink = operation.operationId.endsWith("ByLink");
      const expectedStatus = isLink ? 405 : unavailableInDemo[operation.operationId];
      if (expectedStatus === undefined) assert.ok(reply.status < 400, `${reply.status}: ${reply.text.slice(0, 500)}`);
      else assert.equal(reply.status, expectedStatus);
    });
  }
}

test("a token without the scope of an operation gets 403 from each operation", async () => {
  const limited = await shop.token("events:read");
  const scoped = document.operations.filter(({ security }) => security.some(({ bearer = [] }) => bearer.length > 0));
  assert.ok(scoped.length > 15);
  for (const operation of scoped) {
    const [body] = bodiesOf(operation);
    const reply = await send(operation, createClient(shop.origin), {}, body?.[1], limited);
    assert.equal(reply.status, 403, `${operation.operationId}: ${reply.text}`);
    const [scope] = operation.security.flatMap(({ bearer = [] }) => bearer);
    assert.match(String(reply.headers["www-authenticate"]), new RegExp(`scope="${scope}"`));
  }
});

test("GET /metrics: the metrics listener gives the documented response", async () => {
  await using resources = new AsyncDisposableStack();
  const metrics = createMetrics({ version: "0", node: "0", database: "none" });
  const { origin } = new URL(await listenForScrapes(metrics, resources, "127.0.0.1", 0));
  const [operation] = document.operations.filter(({ path }) => path === "/metrics");
  assert.ok(operation);
  for (const [method, path, status] of [
    ["GET", "/metrics", 200],
    ["POST", "/metrics", 405],
    ["GET", "/", 404],
  ] as const) {
    const reply = await createClient(origin).send(method, path);
    assert.equal(reply.status, status);
    assert.deepEqual(document.mismatchesOf(operation, reply), []);
  }
});

interface Sent {
  readonly type: string;
  readonly value: unknown;
}

function bodiesOf({ body }: Operation): readonly (readonly [name: string, body: Sent | undefined])[] {
  const sent = Object.entries(body?.content ?? {}).flatMap(([type, { examples = {} }]: [string, MediaType]) =>
    Object.entries(examples).map(([name, { value }]) => [` (${type}, ${name})`, { type, value }] as const),
  );
  assert.ok(body === undefined || sent.length > 0, "a body has an example");
  return sent.length === 0 ? [["", undefined]] : sent;
}

/**
 * Returns values that differ by shop, such as checkout ids and order links. Creates a cart with a line for operations
 * that write to it.
 */
async function valuesFor({ path, operationId }: Operation, client: Client): Promise<Readonly<Record<string, string>>> {
  // The stream of a cart with a line would last for minutes.
  const needsLine = path.startsWith("/cart") && operationId !== "addToCart" && operationId !== "followCart";
  if (needsLine || operationId === "startCheckout") await client.post("/cart/add.js", { id: 101 });
  // Agents get an error with the status 200 for an order that does not exist.
  if (!/checkout|order/i.test(path) || path.startsWith("/ucp/")) return {};
  if (operationId === "buyNow" || operationId === "startCheckout") return {};
  // The stock of this variant is enough for all orders.
  const item = { product: { variantId: 103, quantity: 1 } };
  const bought = await client.post("/api/cart/buyNowCheckout", { item });
  const { checkout_url: url } = bought.json<{ checkout_url: string }>();
  const id = url.split("/").at(-1) ?? "";
  const opened = await client.get(url, { accept: "text/html" });
  assert.equal(opened.status, 200);
  const needsOrder = /order/i.test(path);
  if (!needsOrder) return { id };
  const payment = { amount: 14_800, currency: "USD", reference: `of-${id}` };
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const paymentReply = await client.send("POST", `/api/checkouts/${id}/complete`, {
    headers,
    body: JSON.stringify(payment),
  });
  assert.equal(paymentReply.status, 200, paymentReply.text);
  if (path.startsWith("/api/orders")) {
    const order = paymentReply.json<{ order: { id: string } }>().order;
    const reply = await client.get(`/api/orders/${order.id}`, headers);
    const { items } = reply.json<{ order: { items: readonly { key: string }[] } }>().order;
    return { id: order.id, key: String(items[0]?.key) };
  }
  const { location } = (await client.get(url)).headers;
  return { token: location?.split("/").at(-1)?.split("?")[0] ?? "" };
}

async function send(
  operation: Operation,
  client: Client,
  values: Readonly<Record<string, string>>,
  body: Sent | undefined,
  bearer = token,
): Promise<Reply> {
  const { path, parameters, method, security } = operation;
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const { example } = parameters.find((one) => one.in === "path" && one.name === name) ?? {};
    return encodeURIComponent(values[name] ?? String(example)).replaceAll("%3A", ":");
  });
  const query = new URLSearchParams();
  for (const { name, example, in: place } of parameters)
    if (place === "query" && example !== undefined) query.set(name, String(example));
  const needs = (scheme: string): boolean => security.some((one) => one[scheme] !== undefined);
  const headers: Headers = {
    ...(needs("bearer") ? { authorization: `Bearer ${bearer}` } : {}),
    ...(needs("csrfToken") ? { "x-csrf-token": await client.token() } : {}),
    ...(body === undefined ? {} : { "content-type": body.type }),
    ...Object.fromEntries(
      parameters.flatMap(({ name, example, in: place }) =>
        place === "header" && example ? [[name, String(example)]] : [],
      ),
    ),
  };
  const target = `${address}${query.size === 0 ? "" : `?${query}`}`;
  return client.send(method, target, { headers, ...(body === undefined ? {} : { body: textOf(body, values.key) }) });
}

/** Returns the text of a body.  @param lineKey key of a line, for the example of a shipment */
function textOf({ type, value }: Sent, lineKey = ""): string {
  if (typeof value === "string") return value;
  if (type === "application/json") return JSON.stringify(value).replace("101:V7cC0w", lineKey);
  return new URLSearchParams(value as Readonly<Record<string, string>>).toString();
}
