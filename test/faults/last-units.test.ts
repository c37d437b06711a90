import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { after, test } from "node:test";
import { product } from "../support/catalog.ts";
import { type Client, createClient, type Reply } from "../support/client.ts";
import { runCommand } from "../support/command.ts";
import { query } from "../support/postgres-server.ts";
import { serve } from "../support/server-process.ts";
import { makeStore } from "../support/shop.ts";
import { createEmptyDatabase, takePostgres } from "../support/test-database.ts";
import { until } from "../support/until.ts";

const SHOPPERS = 50;
const LAST = 10;
const USES = 3;
const BALANCE = 1_200;

const env = { DATABASE_URL: await createEmptyDatabase(await takePostgres()) };
const storeDir = await makeStore({
  rows: [
    product(1, "last", "The Last Ones", [{ id: 1, price: 500, inventory_quantity: LAST }]),
    product(2, "plenty", "Plenty", [{ id: 2, price: 500 }]),
    { kind: "discount", code: "FEW", title: "Few", value_type: "percentage", value: 10, usage_limit: USES },
    { kind: "gift_card", code: "CARD-AAAA-1111", balance: BALANCE },
  ],
  hasTheme: false,
  config: { server: { threads: 1, maxWait: 60_000 } },
});
after(() => rm(storeDir, { recursive: true, force: true }));
const servers = [await serve(storeDir, "", env), await serve(storeDir, "", env), await serve(storeDir, "", env)];
after(async () => {
  for (const { child, finished } of servers) {
    child.kill("SIGTERM");
    await finished;
  }
});
const at = (n: number): string => servers[n % servers.length]?.origin ?? "";

interface Shopper {
  readonly client: Client;
  readonly url: string;
  readonly checkout: string;
}

/** Opens checkouts. Each shopper switches to another server at each step. */
function begin(count: number, added: object): Promise<readonly Shopper[]> {
  return Promise.all(
    Array.from({ length: count }, async (_, n) => {
      const client = createClient(at(n));
      await until(async () => (await client.post("/cart/add.js", added)).status === 200);
      const url = String((await client.get("/checkout")).headers.location);
      const { text } = await client.get(url);
      const elsewhere = createClient(at(n + 1));
      for (const [name, value] of client.cookies) elsewhere.cookies.set(name, value);
      const checkout = /name="checkout" value="([^"]+)"/.exec(text)?.[1] ?? "";
      return { client: elsewhere, url, checkout };
    }),
  );
}

async function order({ client, url, checkout }: Shopper): Promise<Reply> {
  const address = {
    email: "a@example.com",
    name: "A",
    address1: "1",
    zip: "20457",
    city: "B",
    country: "DE",
    quoted_country: "DE",
  };
  const form = { csrf_token: await client.token(), checkout, ...address, order: "" };
  // A write may time out on a busy machine, so the shopper sends it again.
  return until(async () => {
    const reply = await client.send("POST", url, {
      headers: { "content-type": "application/x-www-form-urlencoded", accept: "text/html" },
      body: new URLSearchParams(form).toString(),
    });
    return reply.status !== 502 && reply;
  });
}

const isOrdered = ({ status, headers }: Reply): boolean =>
  status === 303 && headers.location?.startsWith("/orders/") === true;

test("50 concurrent orders of the last 10 units at three servers create exactly 10 orders", async () => {
  const shoppers = await begin(SHOPPERS, { id: 1 });
  const replies = await Promise.all(shoppers.map(order));
  assert.equal(replies.filter(isOrdered).length, LAST, replies.map(({ status }) => status).join(" "));
  assert.ok(
    replies.every(({ status }) => status < 500),
    replies.map(({ status }) => status).join(" "),
  );
  const { out } = await runCommand({ storeDir, env }, "orders", "list");
  assert.equal(out.trim().split("\n").length, LAST);
  const rows = await query(env.DATABASE_URL, "SELECT quantity, held FROM stock_levels");
  assert.deepEqual(
    rows.map((row) => Object.values(row).map(Number)),
    [[0, 0]],
  );
  const openCheckouts = await query(env.DATABASE_URL, "SELECT 1 FROM checkouts WHERE state = 'open'");
  assert.equal(openCheckouts.length, 0);
});

test("a limited code and a small card balance at three servers are never overused", async () => {
  const shoppers = await begin(20, { id: 2, discount: "FEW", gift_cards: "CARD-AAAA-1111" });
  // The page shows that others bought the units, so the shopper submits it again.
  const untilOrdered = async (shopper: Shopper): Promise<Reply> => {
    for (let [tries, checkout] = [1, shopper.checkout]; ; tries += 1) {
      const reply = await order({ ...shopper, checkout });
      assert.ok(reply.status < 500, reply.text);
      if (isOrdered(reply) || tries === 20) return reply;
      checkout = /name="checkout" value="([^"]+)"/.exec(reply.text)?.[1] ?? checkout;
    }
  };
  const replies = await Promise.all(shoppers.map(untilOrdered));
  const { out } = await runCommand({ storeDir, env }, "orders", "export");
  const reportedOrders = out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Ordered)
    .slice(LAST);
  assert.deepEqual([reportedOrders.length, replies.filter(isOrdered).length], [shoppers.length, shoppers.length]);
  const discounted = reportedOrders.filter(({ discounts }) => discounts.length > 0);
  const drawn = reportedOrders.flatMap((one) => one.drawn).reduce((sum, { amount }) => sum + amount, 0);
  assert.deepEqual([discounted.length, drawn], [USES, BALANCE]);
  const [balance] = await query(env.DATABASE_URL, "SELECT spent FROM balances WHERE kind = 'gift_card'");
  assert.equal(Number(balance?.spent), BALANCE);
});

interface Ordered {
  readonly discounts: readonly object[];
  readonly drawn: readonly { readonly amount: number }[];
}
