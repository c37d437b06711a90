import assert from "node:assert/strict";
import { test } from "node:test";
import { createApiToken, runCommand } from "../support/command.ts";
import { placeOrder } from "../support/orders.ts";
import { startShop } from "../support/shop.ts";
import { until } from "../support/until.ts";
import { startReceiver } from "../support/webhook-receiver.ts";

const receiver = await startReceiver();
const shop = await startShop({
  hasTheme: false,
  config: { events: { webhooks: [{ url: receiver.url, secret: receiver.secret }] } },
});

interface OrderJson {
  readonly id: string;
  readonly number: number;
  readonly checkout_id: string;
  readonly amount: number;
  readonly currency: string;
  readonly payment_state: string;
  readonly shipment_state: string;
  readonly state: string;
  readonly notes: readonly { readonly text: string }[];
}

/** Places orders by invoice. */
async function placeOrders(count: number): Promise<readonly OrderJson[]> {
  for (let orderIndex = 0; orderIndex < count; orderIndex += 1)
    await placeOrder(shop.client(), `buyer-${orderIndex}@example.com`);
  const { out } = await runCommand(shop, "orders", "export");
  return out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as OrderJson)
    .slice(-count);
}

const token = await createApiToken(shop, "checkouts:complete", "orders:write");

async function send(path: string, body: object): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  return (await shop.client().send("POST", path, { headers, body: JSON.stringify(body) })).status;
}

const pay = ({ checkout_id, amount, currency, number }: OrderJson): Promise<number> =>
  send(`/api/checkouts/${checkout_id}/complete`, { amount, currency, reference: `pay-${number}` });

/** Returns the order states in the events of an order, in the sequence in which they were received. */
const receivedOf = ({ number }: OrderJson): readonly OrderJson[] =>
  receiver.received.flatMap(({ data }) => (data.order?.number === number ? [data.order as OrderJson] : []));

test("the last event of an order that is paid and shipped at the same time contains both", async () => {
  const orders = await placeOrders(15);
  for (const order of orders) {
    const statuses = await Promise.all([pay(order), send(`/api/orders/${order.id}/ship`, { carrier: "DHL" })]);
    assert.deepEqual(statuses, [200, 200]);
  }
  await until(() => orders.every((order) => receivedOf(order).length === 3), "three events for each order");
  const last = orders.map((order) => receivedOf(order).at(-1));
  assert.deepEqual(
    last.map((order) => `${order?.payment_state} ${order?.shipment_state}`),
    orders.map(() => "paid shipped"),
  );
});

test("a note and a cancellation at the same time are both stored, and the event contains the order as it is stored", async () => {
  const orders = await placeOrders(8);
  await Promise.all(
    orders.flatMap(({ id, number }) => [
      // On a busy machine, the database may time out.
      until(async () => (await send(`/api/orders/${id}/cancel`, { note: "by the shopper" })) === 200),
      until(
        async () =>
          (await runCommand(shop, "orders", "refund-note", String(number), "--note", "transferred")).code === 0,
      ),
    ]),
  );
  await until(() => orders.every((order) => receivedOf(order).length === 2), "two events for each order");
  const { out } = await runCommand(shop, "orders", "export");
  for (const line of out.trim().split("\n").slice(-8)) {
    const stored = JSON.parse(line) as OrderJson;
    const texts = stored.notes.map(({ text }) => text);
    assert.deepEqual([...texts].sort(), ["cancelled: by the shopper", "refund: transferred"]);
    const reportedStates =
      receivedOf(stored)
        .at(-1)
        ?.notes.map(({ text }) => text) ?? [];
    assert.deepEqual(reportedStates, texts.slice(0, reportedStates.length), "the notes that were stored by then");
  }
});
