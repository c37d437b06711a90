import assert from "node:assert/strict";
import { test } from "node:test";
import { createLocalJWKSet, jwtVerify } from "jose";
import { add, assertCartError, assertMutated, readCart } from "../support/assertions.ts";
import { rows as usualRows, variant } from "../support/catalog.ts";
import { address, submit } from "../support/checkout-page.ts";
import type { Client, Reply } from "../support/client.ts";
import { createApiToken } from "../support/command.ts";
import { startShop } from "../support/shop.ts";

const MINUTE = 60_000;
let now = Date.now();
const shop = await startShop({
  rows: [
    ...usualRows,
    { kind: "discount", code: "ONEUSE", title: "Once", value_type: "percentage", value: 10, usage_limit: 1 },
    { kind: "gift_card", code: "CARD-AAAA-1111", balance: 5_000 },
  ],
  now: () => now,
  config: { hooks: "hooks.ts" },
  storeFiles: {
    "hooks.ts": `export default { payment: {
      origins: ["https://pay.example"],
      start: ({ id }) => ({ redirect: "https://pay.example/" + id }),
      event: () => ({ outcome: "ignored" }),
    } };`,
  },
  themeFiles: {
    "templates/checkout.liquid":
      "{{ order_form.notice }} due {{ checkout.amount_due_cents }} {{ checkout.items | map: 'title' | join }} {{ order_form.current_url }}",
    "templates/order.liquid": "{{ order.name }} {{ order.financial_status }}",
  },
});
const token = await createApiToken(shop, "checkouts:read", "checkouts:complete");
const bearer = { authorization: `Bearer ${token}` };

interface Document {
  readonly id: string;
  readonly amount: number;
  readonly currency: string;
  readonly cart: { readonly items: readonly { readonly quantity: number }[] };
}
interface Told {
  readonly id: string;
  readonly state: string;
  readonly document: Document;
  readonly signed: string;
  readonly order: { readonly number: number } | null;
}

/** Opens the checkout of the client's cart.  @returns the id of the checkout */
async function open(client: Client): Promise<string> {
  const url = String((await client.get("/checkout")).headers.location);
  const page = await client.get(url);
  assert.equal(page.status, 200, page.text);
  return String(url.split("/").at(-1));
}

/** Submits the form of the page with the button "pay" or "update". */
function press(client: Client, id: string, button: "pay" | "update"): Promise<Reply> {
  const checkout = { url: `/checkout/${id}`, page: `name="checkout" value="${id}"` };
  return submit(client, checkout, { ...address, [button]: "" });
}

/** Continues to the payment, which is the last step.  @returns the id of the checkout to pay */
async function begin(client: Client, id: string): Promise<string> {
  const reply = await press(client, id, "pay");
  const [, paid = ""] = /^https:\/\/pay\.example\/(.+)$/.exec(String(reply.headers.location)) ?? [];
  assert.ok(paid, reply.text);
  return paid;
}

const read = (id: string): Promise<Reply> => shop.client().get(`/api/checkouts/${id}`, bearer);
const stateOf = async (id: string): Promise<Told> => (await read(id)).json<never>();

function complete(id: string, payment: object): Promise<Reply> {
  return shop.client().send("POST", `/api/checkouts/${id}/complete`, {
    headers: { ...bearer, "content-type": "application/json" },
    body: JSON.stringify(payment),
  });
}

const pay = (id: string, reference: string, amount: number): Promise<Reply> =>
  complete(id, { amount, currency: "USD", reference });

const number = (reply: Reply): number => reply.json<{ order: { number: number } }>().order.number;

test("a checkout is a signed snapshot of the cart that later changes do not affect", async () => {
  const client = shop.client();
  await add(client, variant.unlimited, 2);
  const id = await open(client);
  const first = await stateOf(id);
  assert.deepEqual([first.id, first.state, first.order], [id, "new", null]);
  assert.deepEqual([first.document.amount, first.document.currency], [3_998, "USD"]);
  const { keys } = (await shop.client().get("/.well-known/jwks.json")).json<{ keys: never[] }>();
  const { payload } = await jwtVerify(first.signed, createLocalJWKSet({ keys }), { currentDate: new Date(now) });
  assert.deepEqual([payload.sub, payload.iss, payload.checkout], [id, shop.origin, first.document]);

  assert.equal(await open(client), id);
  assert.deepEqual((await stateOf(id)).document, first.document, "opened again it is the same");
  await add(client, variant.unlimited, 1);
  assert.deepEqual((await stateOf(id)).document, first.document);
  assert.match((await client.get(`/checkout/${id}`)).text, /due 5997/, "the cart's address shows the cart as it is");
});

test("completion creates one order and removes only the ordered lines from the cart", async () => {
  const client = shop.client();
  await add(client, variant.unlimited, 2);
  const id = await open(client);
  await add(client, variant.unlimited, 1);
  await add(client, variant.notShipped, 1);
  const reply = await pay(id, "pay-1", 3_998);
  assert.equal(reply.status, 200, reply.text);
  assert.deepEqual(
    (await readCart(client)).items.map(({ id: variantId, quantity }) => [variantId, quantity]),
    [
      [variant.unlimited, 1],
      [variant.notShipped, 1],
    ],
  );
  const secondReply = await pay(id, "pay-1", 3_998);
  assert.deepEqual(secondReply.json(), reply.json());
  assert.equal((await stateOf(id)).order?.number, number(reply));
  assert.equal((await stateOf(id)).state, "completed");
});

test("another amount or currency, or the reference of another checkout, is rejected and completes nothing", async () => {
  const client = shop.client();
  await add(client, variant.unlimited, 1);
  const id = await open(client);
  assertCartError(await pay(id, "pay-low", 1_998), 422, "amount_differs");
  assertCartError(await complete(id, { amount: 1_999, currency: "EUR", reference: "pay-eur" }), 422, "amount_differs");
  assertCartError(await pay(id, "pay-1", 1_999), 409, "reference_taken");
  for (const body of [
    {},
    { amount: "1999", currency: "USD", reference: "x" },
    { amount: 1.5, currency: "usd", reference: "" },
  ])
    assertCartError(await complete(id, body), 400, "validation_failed");
  assertCartError(await pay("x".repeat(24), "pay-none", 1), 404, "not_found");
  assert.equal((await stateOf(id)).state, "new");
  assert.equal((await readCart(client)).item_count, 1);
});

test("a second payment of a completed checkout must be refunded, in each response", async () => {
  const client = shop.client();
  await add(client, variant.unlimited, 1);
  const id = await open(client);
  assert.equal((await pay(id, "pay-a", 1_999)).status, 200);
  for (let times = 0; times < 2; times += 1) assertCartError(await pay(id, "pay-b", 1_999), 409, "refund_due");
  assert.equal((await pay(id, "pay-a", 1_999)).status, 200);
});

test("a token without the scope reads and completes nothing", async () => {
  const other = { authorization: `Bearer ${await createApiToken(shop, "orders:read")}` };
  assertCartError(await shop.client().get("/api/checkouts/x", other), 403, "insufficient_scope");
  assertCartError(await shop.client().get("/api/checkouts/x"), 401, "unauthorized");
  const reply = await shop.client().send("POST", "/api/checkouts/x/complete", { headers: other, body: "{}" });
  assertCartError(reply, 403, "insufficient_scope");
});

test("a viewed checkout reserves nothing; its payment gets the remaining stock or must be refunded", async () => {
  const [first, second, third] = [shop.client(), shop.client(), shop.client()];
  for (const client of [first, second]) await add(client, variant.scarce, 2);
  const [id, secondId] = [await open(first), await open(second)];
  assert.equal((await press(first, id, "update")).status, 200);
  assert.equal((await stateOf(id)).state, "new");
  const paid = await begin(second, secondId);
  assert.equal((await stateOf(paid)).state, "open");
  const insufficientReply = await press(first, id, "pay");
  assert.equal(insufficientReply.status, 422);
  assert.match(insufficientReply.text, /out_of_stock/);
  for (let times = 0; times < 2; times += 1) assertCartError(await pay(id, "late-1", 202), 409, "refund_due");
  now += 11 * MINUTE;
  await shop.app.shop.checkouts.expire(now);
  assert.equal((await stateOf(paid)).state, "lapsed");
  assert.equal((await pay(paid, "late-2", 202)).status, 200, "nobody else has it: the late payment is in time");
  await add(third, variant.scarce, 1);
  await pay(await open(third), "last", 101);
  assertCartError(await shop.client().post("/cart/add.js", { id: variant.scarce }), 422, "out_of_stock");
});

test("units reserved by a checkout remain available to its shopper's cart", async () => {
  const [client, other] = [shop.client(), shop.client()];
  await add(client, variant.tracked, 5);
  const id = await open(client);
  await begin(client, id);
  assertCartError(await other.post("/cart/add.js", { id: variant.tracked, quantity: 6 }), 422, "insufficient_stock");
  const cart = (await client.get("/cart.js")).json<{ items: { available: boolean; max_quantity: number }[] }>();
  assert.deepEqual([cart.items[0]?.available, cart.items[0]?.max_quantity], [true, 10]);
  const changed = assertMutated(await client.post("/cart/change.js", { line: 1, quantity: 10 }));
  assert.deepEqual([changed.item_count, changed.issues], [10, []]);
  assert.equal((await client.get(`/checkout/${id}`)).status, 200);
  now += 11 * MINUTE;
  await shop.app.shop.checkouts.expire(now);
});

test("a discount use and a gift card balance are consumed exactly once", async () => {
  const [first, second] = [shop.client(), shop.client()];
  assertMutated(
    await first.post("/cart/add.js", {
      id: variant.unlimited,
      quantity: 2,
      discount: "ONEUSE",
      gift_cards: "CARD-AAAA-1111",
    }),
  );
  const id = await open(first);
  const { document } = await stateOf(id);
  assert.equal(document.amount, 0, "3,598 of 5,000 are drawn");
  const body = { id: variant.tracked, discount: "ONEUSE", gift_cards: "CARD-AAAA-1111" };
  const mutatedCart = assertMutated(await second.post("/cart/add.js", body));
  assert.deepEqual(
    [mutatedCart.amount_due_cents, mutatedCart.discount_codes[0]?.applicable, mutatedCart.gift_cards],
    [12_000 - 5_000, false, [{ code: "••••1111", amount: 5_000 }]],
  );
  assert.equal((await pay(id, "card-1", 0)).status, 200);
  now += 61 * MINUTE;
  const remainingCart = await readCart(second);
  assert.deepEqual(
    [remainingCart.amount_due_cents, remainingCart.discount_codes[0]?.applicable],
    [12_000 - 1_402, false],
  );
  assert.equal((await pay(await open(second), "card-2", 10_598)).status, 200);
  const third = assertMutated(
    await shop.client().post("/cart/add.js", { id: variant.unlimited, gift_cards: "CARD-AAAA-1111" }),
  );
  assert.equal(third.amount_due_cents, 1_999);
  assert.equal(third.issues[0]?.code, "gift_card_not_applicable");
});

test("of ten concurrent payments one creates the order, and the others must be refunded", async () => {
  const client = shop.client();
  await add(client, variant.backorder, 1);
  const id = await open(client);
  const tell = () => Promise.all(Array.from({ length: 10 }, (_, n) => pay(id, `rival-${n}`, 800)));
  const replies = await tell();
  const [ordered, ...others] = replies.sort((one, other) => one.status - other.status);
  assert.equal(ordered?.status, 200);
  for (const other of others) assertCartError(other, 409, "refund_due");
  const secondReply = await tell();
  assert.deepEqual(secondReply.map(({ status }) => status).sort(), replies.map(({ status }) => status).sort());
});

test("one payment reported twenty times concurrently creates one order", async () => {
  const client = shop.client();
  await add(client, variant.backorder, 2);
  const id = await open(client);
  const replies = await Promise.all(Array.from({ length: 20 }, () => pay(id, "many", 1_600)));
  assert.deepEqual([...new Set(replies.map(({ status }) => status))], [200]);
  assert.equal(new Set(replies.map(number)).size, 1);
});
