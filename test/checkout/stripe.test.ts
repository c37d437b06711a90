import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, test } from "node:test";
import Stripe from "stripe";
import { add, assertCartError, readCart } from "../support/assertions.ts";
import { rows, variant } from "../support/catalog.ts";
import { address, checkoutOf, submit } from "../support/checkout-page.ts";
import type { Client, Reply } from "../support/client.ts";
import { startShop } from "../support/shop.ts";

const secret = "whsec_only_for_tests";
const { webhooks } = new Stripe("sk_test_only");

interface Session {
  readonly id: string;
  readonly client_reference_id: string;
  readonly amount_total: number;
  readonly currency: string;
  readonly payment_status: string;
  readonly payment_intent: string;
  readonly names: readonly string[];
  readonly success_url: string;
}

/** Sessions of a local server with the part of Stripe's API that the example uses, by idempotency key. */
const sessions = new Map<string, Session>();
let isAway = false;
const stripe = createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request) body += chunk;
  const answer = (status: number, value: object): void =>
    void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
  if (isAway) return answer(500, { error: { type: "api_error", message: "away" } });
  if (request.method === "GET") {
    const matchingSession = [...sessions.values()].find(({ id }) => request.url === `/v1/checkout/sessions/${id}`);
    return matchingSession === undefined
      ? answer(404, { error: { type: "invalid_request_error" } })
      : answer(200, matchingSession);
  }
  const form = new URLSearchParams(body);
  const key = String(request.headers["idempotency-key"]);
  const of = (name: string): string[] => [...form].filter(([field]) => field.endsWith(name)).map(([, value]) => value);
  const session: Session = sessions.get(key) ?? {
    id: `cs_test_${sessions.size + 1}`,
    client_reference_id: form.get("client_reference_id") ?? "",
    amount_total: of("[unit_amount]").reduce((sum, amount) => sum + Number(amount), 0),
    currency: of("[currency]")[0] ?? "",
    payment_status: "unpaid",
    payment_intent: `pi_${sessions.size + 1}`,
    names: of("[name]"),
    success_url: form.get("success_url") ?? "",
  };
  sessions.set(key, session);
  return answer(200, { ...session, url: `https://checkout.stripe.com/c/pay/${session.id}` });
});
await new Promise<void>((resolve) => stripe.listen(0, "127.0.0.1", resolve));
after(() => stripe.close());
const { port } = stripe.address() as AddressInfo;

const example = new URL("../../examples/stripe/stripe-payment.ts", import.meta.url).href;
const hooks = `import Stripe from ${JSON.stringify(import.meta.resolve("stripe"))};
  import { defineHooks } from "vitrine";
  import { stripePayment } from ${JSON.stringify(example)};
  const options = { host: "127.0.0.1", port: ${port}, protocol: "http", maxNetworkRetries: 0, telemetry: false };
  export default defineHooks({ payment: stripePayment(new Stripe("sk_test_only", options), ${JSON.stringify(secret)}) });`;
const withHooks = { hasTheme: false, storeFiles: { "hooks.ts": hooks } };
const shop = await startShop({
  ...withHooks,
  rows: [...rows, { kind: "gift_card", code: "CARD-AAAA-1111", balance: 500 }],
  config: { hooks: "hooks.ts", shipping: { countries: ["DE"], rates: [{ name: "Standard", price: 500 }] } },
});

/** Continues to Stripe with a cart. @returns the session that Stripe created */
async function begin(client: Client, shipping = "2499 Standard"): Promise<Session> {
  const reply = await submit(client, await checkoutOf(client), { ...address, shipping, pay: "" });
  assert.equal(reply.status, 303, reply.text);
  const id = /^https:\/\/checkout\.stripe\.com\/c\/pay\/(cs_test_\d+)$/.exec(String(reply.headers.location))?.[1];
  const session = [...sessions.values()].find((one) => one.id === id);
  assert.ok(session);
  return session;
}

function paid(session: Session): Session {
  const [key = ""] = [...sessions].find(([, one]) => one.id === session.id) ?? [];
  const now = { ...session, payment_status: "paid" };
  sessions.set(key, now);
  return now;
}

/** Sends a webhook signed by Stripe's library. */
function notify(type: string, object: object, signedWith = secret, origin = shop): Promise<Reply> {
  const payload = JSON.stringify({ id: "evt_1", object: "event", type, data: { object } });
  const signature = webhooks.generateTestHeaderString({ payload, secret: signedWith });
  return origin.client().send("POST", "/api/payments/events", {
    headers: { "content-type": "application/json", "stripe-signature": signature },
    body: payload,
  });
}

const COMPLETED = "checkout.session.completed";
const pathOf = (url: string): string => url.replace(shop.origin, "");

test("Stripe gets the lines with shipping, and its repeated webhook creates one order", async () => {
  const client = shop.client();
  await add(client, variant.unlimited, 1);
  const session = await begin(client);
  assert.deepEqual([session.amount_total, session.currency], [2_499, "usd"]);
  assert.deepEqual(session.names, ["1 × Canvas Tote", "Standard"]);
  const replies = await Promise.all(Array.from({ length: 8 }, () => notify(COMPLETED, paid(session))));
  assert.equal(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size, 1);
  assert.equal(replies[0]?.json<{ outcome: string }>().outcome, "ordered");
  assert.equal((await readCart(client)).item_count, 0);
  const back = await client.get(pathOf(session.success_url).replace("{CHECKOUT_SESSION_ID}", session.id));
  assert.match(String(back.headers.location), /^\/orders\/.*thank_you/);
});

test("a return before the webhook reads the session from Stripe and creates the order", async () => {
  const client = shop.client();
  await add(client, variant.unlimited, 1);
  const session = await begin(client);
  const path = pathOf(session.success_url).replace("{CHECKOUT_SESSION_ID}", session.id);
  const early = await client.get(String((await client.get(path)).headers.location));
  assert.match(early.text, /We’re confirming your payment/, "the session is not paid yet");
  paid(session);
  const waitingUrl = String((await client.get(path)).headers.location);
  assert.match(String((await client.get(waitingUrl)).headers.location), /^\/orders\//);
  const lateReply = await notify(COMPLETED, paid(session));
  assert.equal(lateReply.json<{ outcome: string }>().outcome, "ordered");
});

test("a webhook that is unsigned or about something else orders nothing", async () => {
  const client = shop.client();
  await add(client, variant.unlimited, 1);
  const session = paid(await begin(client));
  assertCartError(await notify(COMPLETED, session, "whsec_of_another"), 400, "bad_request");
  const unsigned = await shop
    .client()
    .send("POST", "/api/payments/events", { body: JSON.stringify({ type: COMPLETED }) });
  assertCartError(unsigned, 400, "bad_request");
  for (const [type, object, outcome] of [
    ["invoice.paid", session, "ignored"],
    [COMPLETED, { ...session, payment_status: "unpaid" }, "ignored"],
    [COMPLETED, { ...session, client_reference_id: null }, "ignored"],
    ["checkout.session.async_payment_failed", session, "failed"],
  ] as const)
    assert.deepEqual((await notify(type, object)).json(), { outcome });
  assertCartError(await notify(COMPLETED, { ...session, amount_total: 1 }), 422, "amount_differs");
  assertCartError(await notify(COMPLETED, { ...session, currency: "eur" }), 422, "amount_differs");
  assert.equal((await readCart(client)).item_count, 1);
  assert.equal((await notify("checkout.session.async_payment_succeeded", session)).status, 200);
  assert.equal((await readCart(client)).item_count, 0);
});

test("a checkout has one session, and a partial gift card payment makes it one line", async () => {
  const client = shop.client();
  await add(client, variant.unlimited, 1);
  const first = await begin(client);
  assert.equal((await begin(client)).id, first.id);
  await client.post("/cart/update.js", { gift_cards: "CARD-AAAA-1111" });
  const second = await begin(client, "1999 Standard");
  assert.deepEqual([second.amount_total, second.names.length], [1_999, 1]);
});

test("while Stripe is unavailable the cart stays and the page shows an error", async () => {
  const client = shop.client();
  await add(client, variant.unlimited, 1);
  isAway = true;
  const reply = await submit(client, await checkoutOf(client), { ...address, shipping: "2499 Standard", pay: "" });
  isAway = false;
  assert.equal(reply.status, 503);
  assert.match(reply.text, /You weren’t charged/);
  assert.equal((await readCart(client)).item_count, 1);
});

test("currencies with other minor units at Stripe are converted both ways", async () => {
  for (const [currency, units] of [
    ["JPY", 1_999],
    ["KWD", 1_999],
    ["ISK", 199_900],
  ] as const) {
    const other = await startShop({ ...withHooks, config: { hooks: "hooks.ts", currency } });
    const client = other.client();
    await add(client, variant.unlimited, 1);
    const session = await begin(client, "");
    assert.deepEqual([session.amount_total, session.currency], [units, currency.toLowerCase()]);
    const reply = await notify(COMPLETED, paid(session), secret, other);
    assert.equal(reply.json<{ outcome: string }>().outcome, "ordered", reply.text);
    await other.close();
  }
});
