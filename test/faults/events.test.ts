import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { test } from "node:test";
import { add } from "../support/assertions.ts";
import { variant } from "../support/catalog.ts";
import { type Client, createClient } from "../support/client.ts";
import { createApiToken, runCommand } from "../support/command.ts";
import { type ServerProcess, serve } from "../support/server-process.ts";
import { makeStore } from "../support/shop.ts";
import { createEmptyDatabase, takePostgres } from "../support/test-database.ts";
import { until } from "../support/until.ts";
import { startReceiver, type WebhookReceiver } from "../support/webhook-receiver.ts";

/** Number of rounds, which `npm run test:soak` increases. */
const rounds = Number(process.env.VITRINE_ROUNDS ?? 1);
const buyers = 4;

test(`SQLite: kill -9 with a slow, unavailable and forgetful receiver, ${rounds} rounds: each event is delivered, in order`, async (context) => {
  context.diagnostic(await deliverDuringFailures(1, {}));
});

test(`PostgreSQL: the same with two servers that share deliveries, ${rounds} rounds`, async (context) => {
  const databaseUrl = await createEmptyDatabase(await takePostgres());
  context.diagnostic(await deliverDuringFailures(2, { DATABASE_URL: databaseUrl }));
});

/** Kills servers and lets deliveries fail while shoppers buy.  @returns a summary */
async function deliverDuringFailures(servers: number, env: { readonly DATABASE_URL?: string }): Promise<string> {
  let receiver = await startReceiver();
  const { port } = new URL(receiver.url);
  const deliveries: (readonly [order: string, type: string, id: string])[] = [];
  const storeDir = await makeStore({
    hasTheme: false,
    config: {
      server: { threads: 1, maxWait: 60_000 },
      events: { webhooks: [{ url: receiver.url, secret: receiver.secret }], timeout: 500 },
    },
  });
  const start = (): Promise<ServerProcess[]> =>
    Promise.all(Array.from({ length: servers }, () => serve(storeDir, "", env)));
  const listen = (): void => makeForgetful(receiver, deliveries);
  let isRunning = true;
  try {
    listen();
    let running = await start();
    const token = await createApiToken({ storeDir, env }, "checkouts:complete");
    for (let round = 0; round < rounds; round += 1) {
      isRunning = true;
      let purchases = 0;
      const onPurchase = (): void => {
        purchases += 1;
      };
      const work = Array.from({ length: buyers }, (_, buyer) =>
        keepBuying(running[buyer % servers]?.origin ?? "", token, () => isRunning, onPurchase),
      );
      await wait(500);
      await until(() => purchases > 0, "a purchase");
      // The receiver is unavailable for a while.
      await receiver.close();
      await wait(300);
      receiver = await startReceiver(Number(port));
      listen();
      await wait(300 + Math.random() * 500);
      await until(() => purchases > 1, "another purchase");
      for (const { child } of running) child.kill("SIGKILL");
      await Promise.all(running.map(({ finished }) => finished));
      isRunning = false;
      await Promise.all(work);
      running = await start();
    }
    receiver.answer((event, response) => {
      deliveries.push([String(event.data.order?.id), event.type, event.id]);
      response.end();
    });
    // Events of the last orders may not be in the queue yet when the queue is empty.
    await until(async () => {
      const waitingCount = await retryAll(storeDir, env);
      const { out } = await runCommand({ storeDir, env }, "orders", "export");
      const deliveredCount = new Set(deliveries.map(([, , event]) => event)).size;
      return waitingCount === 0 && deliveredCount >= 2 * out.trim().split("\n").length;
    }, "two deliveries per order and an empty queue");
    for (const { child } of running) child.kill("SIGTERM");
    await Promise.all(running.map(({ finished }) => finished));
    assert.deepEqual(receiver.forged, []);
    const orders = (await runCommand({ storeDir, env }, "orders", "export")).out.trim().split("\n");
    assert.ok(orders.length > rounds, `only ${orders.length} orders`);
    for (const line of orders) {
      const { id } = JSON.parse(line) as { readonly id: string };
      const orderDeliveries = deliveries.filter(([order]) => order === id);
      const first = [...new Map(orderDeliveries.map(([, type, event]) => [type, event])).keys()];
      assert.deepEqual(first, ["order.created", "order.paid"], `order ${id}`);
      assert.equal(new Set(orderDeliveries.map(([, , event]) => event)).size, 2, "an event keeps its id");
    }
    const repeatCount = deliveries.length - 2 * orders.length;
    return `${orders.length} orders, ${2 * orders.length} events, each delivered in order; ${repeatCount} arrived more than once`;
  } finally {
    isRunning = false;
    await receiver.close();
    await rm(storeDir, { recursive: true, force: true });
  }
}

/**
 * Makes a receiver unreliable: it records each delivery, but sometimes omits or delays its response, disconnects, or
 * rejects.
 */
function makeForgetful(receiver: WebhookReceiver, deliveries: (readonly [string, string, string])[]): void {
  receiver.answer((event, response) => {
    const chance = Math.random();
    if (chance < 0.1) return void response.writeHead(500).end("not now");
    deliveries.push([String(event.data.order?.id), event.type, event.id]);
    if (chance < 0.15) return;
    if (chance < 0.25) return void response.destroy();
    if (chance < 0.3) return void setTimeout(() => response.end(), 800);
    response.end();
  });
}

/** Retries abandoned deliveries.  @returns the number of undelivered events */
async function retryAll(storeDir: string, env: { readonly DATABASE_URL?: string }): Promise<number> {
  const { code, out, err } = await runCommand({ storeDir, env }, "events", "list", "--waiting", "--json");
  assert.equal(code, 0, err);
  const ids = out
    .split("\n")
    .filter(Boolean)
    .map((line) => (JSON.parse(line) as { readonly id: string }).id);
  if (ids.length > 0) await runCommand({ storeDir, env }, "events", "retry", ...ids);
  await wait(200);
  return ids.length;
}

/** Adds an item, opens the checkout and pays, repeatedly, until the server stops. */
async function keepBuying(
  origin: string,
  token: string,
  isRunning: () => boolean,
  onPurchase: () => void,
): Promise<void> {
  while (isRunning()) {
    try {
      await buy(createClient(origin), token);
      onPurchase();
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error;
      return;
    }
  }
}

async function buy(client: Client, token: string): Promise<void> {
  await add(client, variant.unlimited, 1);
  const url = String((await client.get("/checkout")).headers.location);
  await client.get(url);
  const id = url.split("/").at(-1) ?? "";
  const reply = await client.post(
    `/api/checkouts/${id}/complete`,
    { amount: 1_999, currency: "USD", reference: `pay-${id}` },
    { authorization: `Bearer ${token}` },
  );
  assert.equal(reply.status, 200, reply.text);
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
