import assert from "node:assert/strict";
import { test } from "node:test";
import {
  assertOneOrderEach,
  forms,
  notify,
  openForm,
  rounds,
  slowShop,
  startPayment,
  startRound,
} from "../support/order-rounds.ts";
import { startShop } from "../support/shop.ts";

/** Number of concurrent shoppers. */
const AT_ONCE = 10;

for (const [name, order] of Object.entries(forms))
  test(`one cart creates one order: ${name}, ${rounds} rounds`, { timeout: 60_000 + rounds * 5_000 }, async () => {
    const shop = await startShop(slowShop);
    let started = 0;
    const shopper = async (): Promise<void> => {
      while (started < rounds) {
        started += 1;
        await order(await startRound(shop.origin, started));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, shopper));
    assert.equal(await assertOneOrderEach(shop.storeDir, shop.env.DATABASE_URL), rounds);
    await shop.close();
  });

const shop = await startShop(slowShop);

test("a payment after the cart was changed and ordered by invoice pays that order or must be refunded", async () => {
  for (const [note, quantity, expected] of [
    ["Ring twice", undefined, { outcome: "ordered" }],
    ["", 2, { outcome: "refund_due", reason: "already_ordered" }],
  ] as const) {
    const round = await startRound(shop.origin, 1_000 + (quantity ?? 0));
    const notifyPaid = await startPayment(round, await openForm(round));
    const { items } = (await round.client.get("/cart.js")).json<{ items: { key: string }[] }>();
    const updates = quantity === undefined ? {} : { updates: { [items[0]?.key ?? ""]: quantity } };
    assert.equal((await round.client.post("/cart/update.js", { note, ...updates })).status, 200);
    const { status, headers } = await (await openForm(round))({ order: "" });
    assert.match(`${status} ${headers.location}`, /^303 \/orders\//);
    for (const _ of ["the first time", "again"]) {
      const answer = (await notifyPaid()).json<{ outcome: string; order_number?: number }>();
      const { order_number: number, ...outcome } = answer;
      assert.deepEqual(outcome, expected);
      assert.equal(number !== undefined, expected.outcome === "ordered");
    }
  }
});

test("a form of an ordered cart redirects to the order, even after the cart was filled again", async () => {
  const round = await startRound(shop.origin, 2_000);
  const send = await openForm(round);
  const path = String((await send({ order: "" })).headers.location).split("?")[0];
  await round.client.post("/cart/add.js", { id: 1, quantity: 1 });
  assert.equal((await send({ order: "", name: "Ada B. Quay" })).headers.location, path);
  assert.equal((await send({ pay: "", name: "Ada B. Quay" })).headers.location, path);
  assert.equal((await round.client.get("/cart.js")).json<{ item_count: number }>().item_count, 1);
});

test("a payment for items that were removed from the cart creates a separate order", async () => {
  const round = await startRound(shop.origin, 3_000);
  const notifyPaid = await startPayment(round, await openForm(round));
  await round.client.post("/cart/change.js", { line: 1, quantity: 0 });
  await round.client.post("/cart/add.js", { id: 1, quantity: 2 });
  const orderReply = await (await openForm(round))({ order: "" });
  assert.match(String(orderReply.headers.location), /^\/orders\//);
  assert.equal((await notifyPaid()).json<{ outcome: string }>().outcome, "ordered");
});

test("two payments for one cart create one order, and the second must be refunded", async () => {
  const round = await startRound(shop.origin, 4_000);
  const send = await openForm(round);
  const firstNotify = await startPayment(round, send);
  const secondNotify = await startPayment(round, (fields) => send({ ...fields, zip: "20459" }));
  const outcomes = (await Promise.all([firstNotify(), secondNotify()])).map(
    (reply) => reply.json<{ outcome: string }>().outcome,
  );
  assert.deepEqual(outcomes.sort(), ["ordered", "refund_due"]);
  assert.equal((await notify(round, { checkoutId: "x".repeat(24), amount: 1, reference: "none" })).status, 404);
});
