import assert from "node:assert/strict";
import { test } from "node:test";
import { Webhook } from "standardwebhooks";
import { runCommand } from "../support/command.ts";
import { placeOrder } from "../support/orders.ts";
import { startShop } from "../support/shop.ts";
import { until } from "../support/until.ts";
import { type Received, startReceiver, testWebhookSecret } from "../support/webhook-receiver.ts";

const MINUTE = 60_000;
const otherSecret = `whsec_${Buffer.from("another-for-tests-0123456789abcd").toString("base64")}`;
let now = Date.now();
const erp = await startReceiver();
const mailer = await startReceiver(0, otherSecret);
const shop = await startShop({
  now: () => now,
  hasTheme: false,
  config: {
    events: {
      webhooks: [
        { url: erp.url, secret: erp.secret },
        { url: mailer.url, secret: [testWebhookSecret, otherSecret], types: ["contact.received"] },
      ],
      // The clock of this file is fixed, so an attempt that times out is not repeated: a busy machine must not reach
      // the limit.
      timeout: 5_000,
    },
  },
});
const events = (...args: readonly string[]) => runCommand(shop, "events", ...args);
const orders = (...args: readonly string[]) => runCommand(shop, "orders", ...args);

/** Returns the events of one order that were received after the start of the test. */
const eventsOf = (number: number): readonly Received[] =>
  erp.received.filter(({ data }) => data.order?.number === number);
const typesOf = (number: number): readonly string[] => eventsOf(number).map(({ type }) => type);
const waitingDeliveries = async (): Promise<readonly Record<string, unknown>[]> =>
  (await events("list", "--waiting", "--json")).out
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));

/** Returns whether a delivery was attempted at least `count` times, or waits for another delivery. */
function isAttempted(count: number, { state, after, attempts }: Readonly<Record<string, unknown>>): boolean {
  return state === "dead" || after !== null || Number(attempts) >= count;
}

/** Places an order. @returns its number */
async function order(): Promise<number> {
  await placeOrder(shop.client());
  const { out } = await orders("list");
  return Number(/#(\d+) [^\n]*\n$/.exec(out)?.[1]);
}

async function sendContact(email: string, form_type = "contact"): Promise<void> {
  now += 10 * MINUTE;
  const client = shop.client();
  const reply = await client.send("POST", "/contact", {
    headers: { "content-type": "application/x-www-form-urlencoded", accept: "text/html", "sec-fetch-mode": "navigate" },
    body: new URLSearchParams({
      csrf_token: await client.token(),
      form_type,
      "contact[email]": email,
      "contact[body]": "Where is my coat?",
    }).toString(),
  });
  assert.equal(reply.status, 303, reply.text);
}

test("events of an order arrive in order, signed, with the order at that time", async () => {
  const number = await order();
  await until(() => eventsOf(number).length > 0, "order.created");
  assert.equal((await orders("cancel", String(number), "--note", "by the shopper")).code, 0);
  await until(() => eventsOf(number).length > 1, "order.cancelled");
  const [created, cancelled] = eventsOf(number);
  assert.deepEqual([created?.type, cancelled?.type], ["order.created", "order.cancelled"]);
  assert.deepEqual(
    [created?.data.order, cancelled?.data.order].map((one) => (one as unknown as { state: string }).state),
    ["open", "cancelled"],
  );
  assert.equal(Number.isNaN(Date.parse(String(created?.timestamp))), false);
  assert.deepEqual(erp.forged, []);
  await until(async () => (await waitingDeliveries()).length === 0, "nothing is left to tell");
});

test("a receiver gets only its event types, signed with each secret; a repeated subscription sends no event", async () => {
  await sendContact("ada@example.com");
  await sendContact("bob@example.com", "customer");
  await sendContact("Bob@example.com", "customer");
  await sendContact("eve@example.com");
  await until(() => mailer.received.length === 3, "three contacts");
  assert.deepEqual(
    mailer.received.map(({ type, data }) => [type, (data.contact as { email: string }).email]),
    ["ada@example.com", "bob@example.com", "eve@example.com"].map((email) => ["contact.received", email]),
  );
  assert.deepEqual(mailer.forged, []);
});

test("an unavailable receiver gets its events later, in order, with the same id; other orders are not delayed", async () => {
  const [slow, quick] = [await order(), await order()];
  await until(() => eventsOf(slow).length > 0 && eventsOf(quick).length > 0, "both");
  erp.answer((event, response) => {
    if (event.data.order?.number === slow) response.writeHead(503).end("the database is down");
    else response.end();
  });
  const third = await order();
  await orders("cancel", String(slow), "--note", "first");
  await until(() => typesOf(slow).includes("order.cancelled"), "the first attempt");
  const [, failed] = eventsOf(slow);
  await until(() => eventsOf(third).length > 0, "another order");
  await until(async () => (await waitingDeliveries())[0]?.attempts === 1, "that it failed is noted");
  const [remainingDelivery] = await waitingDeliveries();
  assert.deepEqual(
    [remainingDelivery?.type, remainingDelivery?.state, remainingDelivery?.failure],
    ["order.cancelled", "due", "answered 503: the database is down"],
  );
  now += MINUTE;
  await until(async () => (await waitingDeliveries())[0]?.attempts === 2, "the second attempt");
  erp.answer((_, response) => response.end());
  now += MINUTE;
  await until(async () => (await waitingDeliveries()).length === 0, "the third attempt");
  assert.deepEqual(
    eventsOf(slow)
      .slice(1)
      .map(({ id }) => id),
    Array.from({ length: 3 }, () => failed?.id),
  );
});

test("an event is abandoned after three days and blocks later events of its key until it is retried or dropped", async () => {
  erp.answer((_, response) => response.writeHead(400).end(`no\u001b[2J\0${"x".repeat(5_000)}`));
  const [first, second] = [await order(), await order()];
  for (const number of [first, second]) await orders("cancel", String(number));
  await until(() => typesOf(first).length > 0 && typesOf(second).length > 0, "the first attempts");
  let dead = "";
  for (let attempt = 1; dead.split("\n").length < 3; attempt += 1) {
    assert.ok(attempt < 400, "given up by then");
    // The clock advances only between attempts: a claim must not expire during an attempt.
    await until(
      async () => (await waitingDeliveries()).every((delivery) => isAttempted(attempt, delivery)),
      `attempt ${attempt}`,
    );
    dead = (await events("list")).out;
    now += 13 * 60 * MINUTE;
  }
  assert.match(
    dead,
    /order\.created {2}to http:\/\/127\.0\.0\.1:\d+\/hooks {2}given up after 14 attempts: answered 400: no \[2J x+\n/,
  );
  assert.doesNotMatch(dead, /cancelled|\u001b/);
  assert.deepEqual([typesOf(first).length, typesOf(second).length], [14, 14]);
  assert.match((await events("list", "--waiting")).out, /order\.cancelled .* waits for /);
  const [firstId = "", secondId = ""] = [first, second].map((number) => eventsOf(number)[0]?.id);
  const output = await events("show", firstId);
  assert.equal((JSON.parse(output.out) as Received).data.order?.number, first);
  assert.match(output.err, /given up/);

  erp.answer((_, response) => response.end());
  assert.equal((await events("retry", firstId, "--to", erp.url)).out, "Retrying: 1.\n");
  await until(() => typesOf(first).includes("order.cancelled"), "what was held back");
  assert.deepEqual(typesOf(first).slice(14), ["order.created", "order.cancelled"]);
  assert.deepEqual((await events("drop", secondId, "--to", "https://elsewhere.example")).code, 1);
  assert.equal((await events("drop", "--all")).out, "Dropped: 1.\n");
  await until(() => typesOf(second).includes("order.cancelled"), "what followed the one that was dropped");
  assert.deepEqual(typesOf(second).slice(14), ["order.cancelled"]);
  assert.match((await events("list")).err, /No failed events/);
});

test("a delivery follows no redirect, has a timeout, and reads a bounded part of an endless response", async () => {
  const elsewhere = await startReceiver();
  const number = await order();
  await until(() => eventsOf(number).length === 1, "taken");
  const failsWith = (failure: string) =>
    until(async () => (await waitingDeliveries())[0]?.failure === failure, failure);
  erp.answer((_, response) => response.writeHead(307, { location: elsewhere.url }).end());
  await orders("cancel", String(number));
  await failsWith("answered 307");
  erp.answer((_, response) => response.writeHead(101, { connection: "upgrade", upgrade: "websocket" }).end());
  now += 60 * MINUTE;
  await failsWith("the connection was closed without a response");
  erp.answer(() => undefined);
  now += 60 * MINUTE;
  await failsWith("no response within 5000 ms");
  erp.answer((_, response) => void response.writeHead(200).write("x".repeat(100_000)));
  now += 60 * MINUTE;
  await until(async () => (await waitingDeliveries()).length === 0, "delivered");
  assert.deepEqual([elsewhere.received, elsewhere.forged], [[], []]);
  erp.answer((_, response) => {
    response.writeHead(200, { "content-length": "9" }).write("ok", () => response.destroy());
  });
  const nextNumber = await order();
  const isDelivered = async () => eventsOf(nextNumber).length === 1 && (await waitingDeliveries()).length === 0;
  await until(isDelivered, "the status counts, although the response breaks off");
  erp.answer((_, response) => response.end());
});

test("a delivery waits for the Retry-After time of its receiver", async () => {
  const number = await order();
  await until(() => eventsOf(number).length === 1, "taken");
  erp.answer((_, response) => response.writeHead(429, { "retry-after": "3600" }).end());
  await orders("cancel", String(number));
  await until(async () => (await waitingDeliveries())[0]?.attempts === 1, "asked");
  erp.answer((_, response) => response.end());
  now += 50 * MINUTE;
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  assert.equal(eventsOf(number).length, 2);
  now += 11 * MINUTE;
  await until(() => eventsOf(number).length === 3, "told again");
});

test("removing a contact deletes its event", async () => {
  await sendContact("gone@example.com");
  await until(
    () => mailer.received.some(({ data }) => (data.contact as { email: string }).email === "gone@example.com"),
    "told",
  );
  const id = String(mailer.received.at(-1)?.id);
  assert.equal((await events("show", id)).code, 0);
  assert.equal((await runCommand(shop, "contacts", "--remove", id)).out, "Deleted: 1.\n");
  assert.equal((await events("show", id)).code, 1);
});

test("`events test` sends a ping, and `events secret` generates a valid secret", async () => {
  assert.match((await events("test", erp.url)).out, /^Accepted after \d+ ms\.\n$/);
  assert.deepEqual([erp.received.at(-1)?.type, erp.received.at(-1)?.data], ["ping", { shop: "Test Harbour" }]);
  erp.answer((_, response) => response.writeHead(500).end("oh\n"));
  await assert.rejects(events("test", erp.url), /rejected after \d+ ms: answered 500: oh/);
  await assert.rejects(events("test", "https://nobody.example/"), /the settings have no receiver/);
  const { out } = await events("secret");
  assert.match(out, /^whsec_[A-Za-z0-9+/]{48}\n$/);
  assert.ok(new Webhook(out.trim()));
});

test("an invalid command reports its error", async () => {
  for (const [args, words] of [
    [[], /use list, show/],
    [["show"], /name one event/],
    [["retry"], /name events by their ids, or use --all/],
    [["drop", "x", "--all"], /name events by their ids, or use --all/],
    [["list", "x"], /takes no arguments/],
    [["test"], /name the receiver/],
  ] as const) {
    const { code, err } = await events(...args);
    assert.equal(code, 2);
    assert.match(err, words);
  }
  assert.equal((await events("show", "x")).code, 1);
  assert.equal((await events("retry", "x")).code, 1);
});
