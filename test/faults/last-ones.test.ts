import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { after, test } from "node:test";
import { product } from "../support/catalogue.ts";
import { createClient } from "../support/client.ts";
import { runCommand } from "../support/command.ts";
import { query, startPostgres } from "../support/postgres-server.ts";
import { serve } from "../support/server-process.ts";
import { makeStore } from "../support/shop.ts";

const SHOPPERS = 100;
const LAST = 10;

test("100 shoppers who order the last 10 at three servers at once: 10 orders, and nobody else is told that they have one", {
  timeout: 120_000,
}, async () => {
  const postgres = await startPostgres();
  after(() => postgres.remove());
  const env = { DATABASE_URL: await postgres.createDatabase("last_ones") };
  const storeDir = await makeStore({
    rows: [product(1, "last", "The Last Ones", [{ id: 1, price: 500, inventory_quantity: LAST }])],
    hasTheme: false,
    config: { server: { threads: 1, maxWait: 60_000 } },
  });
  after(() => rm(storeDir, { recursive: true, force: true }));
  const servers = [await serve(storeDir, "", env), await serve(storeDir, "", env), await serve(storeDir, "", env)];
  const origins = servers.map(({ origin }) => origin);
  const at = (n: number): string => origins[n % origins.length] ?? "";
  // Each is at another server with each step.
  const shoppers = await Promise.all(
    Array.from({ length: SHOPPERS }, async (_, n) => {
      const client = createClient(at(n));
      assert.equal((await client.post("/cart/add.js", { id: 1 })).status, 200);
      const url = String((await client.get("/checkout")).headers.location);
      const { text } = await client.get(url);
      const elsewhere = createClient(at(n + 1));
      for (const [name, value] of client.cookies) elsewhere.cookies.set(name, value);
      const checkout = /name="checkout" value="([^"]+)"/.exec(text)?.[1] ?? "";
      return { client: elsewhere, url, checkout };
    }),
  );
  const replies = await Promise.all(
    shoppers.map(async ({ client, url, checkout }) => {
      const address = {
        email: "a@example.com",
        name: "A",
        address1: "1",
        city: "B",
        country: "US",
        quoted_country: "US",
      };
      const form = { csrf_token: await client.token(), checkout, ...address, order: "" };
      return client.send("POST", url, {
        headers: { "content-type": "application/x-www-form-urlencoded", accept: "text/html" },
        body: new URLSearchParams(form).toString(),
      });
    }),
  );
  const ordered = replies.filter(({ status, headers }) => status === 303 && headers.location?.startsWith("/orders/"));
  assert.equal(ordered.length, LAST, replies.map(({ status }) => status).join(" "));
  assert.ok(replies.every(({ status }) => status < 500));
  const { out } = await runCommand({ storeDir, env }, "orders", "list");
  assert.equal(out.trim().split("\n").length, LAST);
  const rows = await query(env.DATABASE_URL, "SELECT quantity, held FROM stock_levels");
  assert.deepEqual(
    rows.map((row) => Object.values(row).map(Number)),
    [[0, 0]],
  );
  const open = await query(env.DATABASE_URL, "SELECT 1 FROM checkouts WHERE state = 'open'");
  assert.equal(open.length, 0);
  for (const { child, finished } of servers) {
    child.kill("SIGTERM");
    await finished;
  }
});
