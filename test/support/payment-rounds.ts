import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Database, SqlRow } from "../../src/storage/database.ts";
import { locateDatabase, openDatabase } from "../../src/storage/open-database.ts";
import { product, variant } from "./catalog.ts";
import { address, submit } from "./checkout-page.ts";
import { createClient } from "./client.ts";
import { createApiToken } from "./command.ts";
import { query } from "./postgres-server.ts";
import { type ServerProcess, serve } from "./server-process.ts";
import { makeStore } from "./shop.ts";

const STOCK = 1_000_000;
/** Balance of each gift card. It is less than a cart costs, so that the remainder is paid. */
const BALANCE = 300;
/** Number of concurrent checkouts per round. */
const AT_ONCE = 3;

/**
 * Fault while payments are reported: the server is killed, its database connections are cut, or the client disconnects.
 */
type Interruption = "kill" | "cut" | "unanswered";

export interface Tally {
  readonly interruptions: Readonly<Record<Interruption, number>>;
  /** Numbers of payments that were reported during the fault: answered, applied without an answer, and not applied. */
  readonly answered: number;
  readonly doneUnanswered: number;
  readonly undone: number;
  readonly orders: number;
}

interface Payment {
  readonly checkout: string;
  readonly amount: number;
  readonly reference: string;
}

/**
 * Pays for checkouts while a server is killed and responses are lost, and repeats each notification until it is
 * answered. Then asserts that orders equal payments, stock decreased by the sold units, balances and uses are exact,
 * and each order has its events once.
 * @param options.killEvery kills the server in one of this number of rounds
 * @param options.databaseUrl an empty PostgreSQL database; default: SQLite
 */
export async function runPaymentRounds(options: {
  readonly rounds: number;
  readonly killEvery: number;
  readonly databaseUrl?: string;
}): Promise<Tally> {
  const { rounds, killEvery, databaseUrl } = options;
  const env = databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl };
  const storeDir = await makeStore({
    rows: [
      product(1, "tracked", "Tracked", [{ id: variant.tracked, price: 1_200, inventory_quantity: STOCK }]),
      product(2, "scarce", "Scarce", [{ id: variant.scarce, price: 350, inventory_quantity: STOCK }]),
      { kind: "discount", code: "LIMITED", title: "Limited", value_type: "percentage", value: 10, usage_limit: STOCK },
      ...Array.from({ length: rounds * AT_ONCE }, (_, index) => ({
        kind: "gift_card",
        code: `CARD-ROUNDS-${index}`,
        balance: BALANCE,
      })),
    ],
    config: { hooks: "hooks.ts", server: { threads: 1 } },
    storeFiles: {
      "hooks.ts": `export default { payment: {
        origins: ["https://pay.example"],
        start: ({ id }) => ({ redirect: "https://pay.example/" + id }),
        event: () => ({ outcome: "ignored" }),
      } };`,
    },
  });
  const interruptions = { kill: 0, cut: 0, unanswered: 0 };
  const seen = { answered: 0, doneUnanswered: 0, undone: 0 };
  const paid: Payment[] = [];
  const start = (): Promise<ServerProcess> => serve(storeDir, "", env);
  let server: ServerProcess = await start();
  try {
    const token = await createApiToken({ storeDir, env }, "checkouts:read", "checkouts:complete");
    for (let round = 0; round < rounds; round += 1) {
      const { origin } = server;
      const payments = await Promise.all(
        Array.from({ length: AT_ONCE }, (_, at) => openCheckout(origin, token, round * AT_ONCE + at)),
      );
      paid.push(...payments);
      const interruption: Interruption =
        round % killEvery === 0 ? "kill" : databaseUrl !== undefined && round % 3 === 0 ? "cut" : "unanswered";
      interruptions[interruption] += 1;
      const patience = new AbortController();
      const completions = payments.map((payment) => complete(origin, token, payment, patience.signal).catch(() => 0));
      await wait(Math.random() * (interruption === "kill" ? 60 : 40));
      if (interruption === "kill") {
        server.child.kill("SIGKILL");
        await server.finished;
      } else if (interruption === "cut") await cutConnections(String(databaseUrl));
      else patience.abort();
      const statuses = await Promise.all(completions);
      if (interruption === "kill") server = await start();
      for (const [at, payment] of payments.entries()) {
        const wasDone = (await readState(server.origin, token, payment.checkout)) === "completed";
        seen[statuses[at] === 200 ? "answered" : wasDone ? "doneUnanswered" : "undone"] += 1;
        if (statuses[at] === 200) assert.ok(wasDone, "an answered payment is never lost");
        await completeForSure(server.origin, token, payment);
      }
    }
    const database = await openDatabase(locateDatabase(join(storeDir, "data"), databaseUrl));
    try {
      return { interruptions, ...seen, orders: await assertExact(database, paid) };
    } finally {
      await database.close();
    }
  } finally {
    server.child.kill("SIGKILL");
    await server.finished;
    await rm(storeDir, { recursive: true, force: true });
  }
}

/** Opens a checkout of a cart with a limited code and a gift card; some checkouts reserve nothing yet. */
async function openCheckout(origin: string, token: string, number: number): Promise<Payment> {
  const client = createClient(origin);
  const items = [
    { id: variant.tracked, quantity: 1 + Math.floor(Math.random() * 3) },
    { id: variant.scarce, quantity: 1 },
  ];
  const codes = Math.random() < 0.5 ? { discount: "LIMITED", gift_cards: `CARD-ROUNDS-${number}` } : {};
  const added = await client.post("/cart/add.js", { items, ...codes });
  assert.equal(added.status, 200, added.text);
  const url = String((await client.get("/checkout")).headers.location);
  const id = String(url.split("/").at(-1));
  assert.equal((await client.get(url)).status, 200);
  // Most carts continue to the payment, which reserves stock.
  const page = { url, page: `name="checkout" value="${id}"` };
  const paid = Math.random() < 0.7 ? await submit(client, page, { ...address, pay: "" }) : undefined;
  const [, checkout = id] = /^https:\/\/pay\.example\/(.+)$/.exec(String(paid?.headers.location)) ?? [];
  const { document } = (await client.get(`/api/checkouts/${checkout}`, bearer(token))).json<{
    document: { amount: number };
  }>();
  return { checkout, amount: document.amount, reference: `pay-${number}` };
}

async function complete(origin: string, token: string, payment: Payment, signal?: AbortSignal): Promise<number> {
  const { checkout, amount, reference } = payment;
  const reply = await fetch(`${origin}/api/checkouts/${checkout}/complete`, {
    method: "POST",
    headers: { ...bearer(token), "content-type": "application/json" },
    body: JSON.stringify({ amount, currency: "USD", reference }),
    ...(signal === undefined ? {} : { signal }),
  });
  await reply.arrayBuffer();
  return reply.status;
}

/** Retries until there is a response, like a payment provider. */
async function completeForSure(origin: string, token: string, payment: Payment): Promise<void> {
  for (let tries = 0; tries < 20; tries += 1) {
    const status = await complete(origin, token, payment).catch(() => 0);
    if (status === 200) return;
    assert.ok(status === 0 || status === 502 || status === 503, `answered ${status}`);
    await wait(50);
  }
  assert.fail(`${payment.reference} was never answered`);
}

async function readState(origin: string, token: string, checkout: string): Promise<string> {
  for (;;) {
    const reply = await fetch(`${origin}/api/checkouts/${checkout}`, { headers: bearer(token) });
    if (reply.status === 200) return ((await reply.json()) as { state: string }).state;
    await reply.arrayBuffer();
    await wait(50);
  }
}

async function cutConnections(databaseUrl: string): Promise<void> {
  await query(
    databaseUrl,
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'vitrine %' AND datname = current_database()",
  );
}

/** Asserts exact orders, stock, balances and events. @returns the number of orders */
async function assertExact(database: Database, paid: readonly Payment[]): Promise<number> {
  const read = (sql: string): Promise<readonly SqlRow[]> => database.read(sql);
  const orders = await read("SELECT id, checkout_id, reference, payment, content FROM orders");
  const references = orders.map(({ reference }) => String(reference)).sort();
  assert.deepEqual(references, paid.map(({ reference }) => reference).sort(), "each payment has one order");
  assert.equal(new Set(orders.map(({ checkout_id }) => checkout_id)).size, orders.length);
  const payments = await read("SELECT reference, order_id, refund FROM payments");
  assert.equal(payments.length, orders.length);
  assert.ok(payments.every(({ refund }) => refund === null));

  const contents = orders.map(({ content }) => JSON.parse(String(content)) as OrderContent);
  const consumedUnits = (kind: string, id?: string): number =>
    contents
      .flatMap(({ reservations }) => reservations)
      .filter((one) => one.kind === kind && (id === undefined || one.id === id))
      .reduce((sum, { units }) => sum + units, 0);
  for (const id of [variant.tracked, variant.scarce].map(String)) {
    const [level] = await read(`SELECT quantity, held FROM stock_levels WHERE variant_id = '${id}'`);
    assert.deepEqual([level?.quantity, level?.held], [STOCK - consumedUnits("stock", id), 0], `stock of ${id}`);
  }
  const [card] = await read("SELECT SUM(spent) AS spent, SUM(held) AS held FROM balances");
  assert.deepEqual([Number(card?.spent ?? 0), Number(card?.held ?? 0)], [consumedUnits("gift_card"), 0]);
  const used = contents.filter(({ priced }) => priced.limitedDiscounts.length > 0).length;
  const [uses] = await read("SELECT COUNT(*) AS count FROM discount_uses WHERE checkout_id IN (SELECT id FROM orders)");
  const [others] = await read(
    "SELECT COUNT(*) AS count FROM discount_uses WHERE checkout_id NOT IN (SELECT id FROM orders)",
  );
  assert.deepEqual([Number(uses?.count), Number(others?.count)], [used, 0], "uses of the discount");
  const events = await read("SELECT type, order_key, position FROM events ORDER BY position");
  const eventNames = events.map(({ type, order_key }) => `${order_key} ${type}`).sort();
  assert.deepEqual(eventNames, orders.flatMap(({ id }) => [`${id} order.created`, `${id} order.paid`]).sort());
  assert.equal(new Set(events.map(({ position }) => position)).size, events.length);
  const [carts] = await read("SELECT COUNT(*) AS count FROM carts WHERE data LIKE '%variantId%'");
  assert.equal(Number(carts?.count), 0, "every cart is empty");
  return orders.length;
}

interface OrderContent {
  readonly priced: { readonly limitedDiscounts: readonly unknown[] };
  readonly reservations: readonly { readonly kind: string; readonly id: string; readonly units: number }[];
}

function bearer(token: string): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${token}` };
}
