import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import pg from "pg";
import { type App, createApp } from "../../src/app.ts";
import { readCatalogStock } from "../../src/storage/catalog/lookups.ts";
import { openPostgres } from "../../src/storage/postgres/postgres.ts";
import { stockNumberStatement } from "../../src/storage/stock-store.ts";
import { assertCartError, assertMutated } from "../support/assertions.ts";
import { variant } from "../support/catalog.ts";
import { type Client, createClient, send } from "../support/client.ts";
import { type PostgresServer, query, startPostgres } from "../support/postgres-server.ts";
import type { CartJson } from "../support/replies.ts";
import { vitrine } from "../support/server-process.ts";
import { makeStore, testSecret } from "../support/shop.ts";
import { startProxy, type TcpProxy } from "../support/tcp-proxy.ts";
import { makeSchema } from "../support/test-database.ts";
import { until } from "../support/until.ts";

// Two servers on one PostgreSQL database, connected through a proxy that can go silent.
let postgres: PostgresServer;
let cable: TcpProxy;
let storeDir = "";
let sharedDir = "";
let apps: readonly App[] = [];
let origins: readonly string[] = [];
let databaseUrl = "";

before(async () => {
  postgres = await startPostgres();
  databaseUrl = await postgres.createDatabase("shop");
  cable = await startProxy(Number(new URL(databaseUrl).port));
  const throughCable = new URL(databaseUrl);
  throughCable.port = String(cable.port);
  sharedDir = await mkdtemp(join(tmpdir(), "vitrine-shared-"));
  storeDir = await makeStore({ config: { server: serverSettings() } });
  const options = { storeDir, secret: testSecret, logLevel: "silent", databaseUrl: throughCable.href };
  // The servers start in sequence, because the first one imports the catalog.
  apps = [await createApp(options), await createApp(options)];
  origins = await Promise.all(apps.map((app) => app.listen("127.0.0.1", 0)));
});
after(async () => {
  await Promise.all(apps.map((app) => app.close()));
  await cable.close();
  await postgres.remove();
  for (const folder of [storeDir, sharedDir]) await rm(folder, { recursive: true });
});

test("an import by a command is visible on both servers", async () => {
  const file = join(storeDir, "more.jsonl");
  const row = { kind: "product", handle: "zephyr", title: "Zephyr Kite", variants: [{ price: 4_200 }] };
  await writeFile(file, JSON.stringify(row));
  await command("import", file);
  for (const origin of origins) await until(() => showsKite(origin));
});

test("servers of a shared index answer with the same bytes, also one that starts later", async (context) => {
  const laterDir = await makeStore({ config: { server: serverSettings() } });
  const later = await createApp({ storeDir: laterDir, secret: testSecret, logLevel: "silent", databaseUrl });
  context.after(async () => {
    await later.close();
    await rm(laterDir, { recursive: true });
  });
  const allOrigins = [...origins, await later.listen("127.0.0.1", 0)];
  for (const path of [
    ...["/search/suggest.json?q=k", "/search/suggest.json?q=sea", "/search/suggest?q=k&section_id=predictive-search"],
    ...["/search.json?q=*&limit=50", "/search.json?q=kite", "/products/zephyr.js"],
  ]) {
    const replies = await Promise.all(allOrigins.map((origin) => send(origin, "GET", path)));
    assert.equal(replies[0]?.status, 200, path);
    for (const { text } of replies) assert.equal(text, replies[0]?.text, path);
  }
});

test("a rollback by a command hides the last import on both servers until it ends", async () => {
  assert.match(await command("rollback"), /^The servers show revision 1 of the catalog instead of 2/);
  for (const origin of origins) await until(async () => !(await showsKite(origin)));
  assert.match(await command("rollback", "--end"), /show revision 2 of the catalog, the newest/);
  for (const origin of origins) await until(() => showsKite(origin));
});

test("a change wakes the listeners of other connections, also after their connection breaks", async (context) => {
  const [writer, reader] = [await openPostgres(databaseUrl), await openPostgres(databaseUrl)];
  context.after(() => Promise.all([writer.close(), reader.close()]));
  const topics: string[] = [];
  reader.onChange?.((topic) => void topics.push(topic));
  const untilWoken = (): Promise<unknown> =>
    until(async () => {
      await writer.write([stockNumberStatement]);
      return topics.length > 0;
    });
  await untilWoken();
  assert.deepEqual([...new Set(topics)], ["stock"]);
  await reconnect();
  topics.length = 0;
  await untilWoken();
});

test("stock is found by variant without a read of all products, also before PostgreSQL has statistics", async () => {
  const url = await postgres.createDatabase("without_statistics");
  await makeSchema("", url);
  await query(
    url,
    `INSERT INTO catalog_rows (kind, id, revision, position, deleted, handle, variant_ids, data)
      SELECT 'product', i, 1, i, 0, 'p' || i, i, '{"variants":[{"id":' || i || ',"inventory_quantity":5}]}'
        FROM generate_series(1, 4000) AS i;
      INSERT INTO catalog_variants (variant_id, product_id) SELECT i, i FROM generate_series(1, 4000) AS i`,
  );
  const database = await openPostgres(url);
  let blocksRead = 0;
  const watched: typeof database = {
    ...database,
    async read(sql, params) {
      const plan = JSON.stringify(await database.read(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${sql}`, params));
      blocksRead += Number(/Shared Hit Blocks\W+(\d+)/.exec(plan)?.[1]);
      return database.read(sql, params);
    },
  };
  assert.deepEqual(
    [...(await readCatalogStock(watched, 1, ["7", "8"]))],
    [
      ["7", 5],
      ["8", 5],
    ],
  );
  await database.close();
  assert.ok(blocksRead < 1_000, `${blocksRead} blocks were read`);
});

test("writes wait for a connection until their start deadline while slow ones hold all", async () => {
  const shoppers = await Promise.all(range(50).map(async () => (await oneShopper())[0]));
  await Promise.all(shoppers.map((client) => client.post("/cart/add.js", { id: variant.unlimited })));
  await query(
    databaseUrl,
    `CREATE FUNCTION nap() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(1.05); RETURN NEW; END $$;
    CREATE TRIGGER nap BEFORE UPDATE ON carts FOR EACH ROW WHEN (NEW.data LIKE '%"note":"slow"%') EXECUTE FUNCTION nap();
    CREATE TRIGGER nap BEFORE INSERT ON applied_writes FOR EACH ROW WHEN (NEW.write_key = 'slow') EXECUTE FUNCTION nap()`,
  );
  const slow = shoppers
    .splice(0, 10)
    .map((client) => client.post("/cart/update.js", { note: "slow" }, { "idempotency-key": "slow" }));
  await new Promise((resolve) => setTimeout(resolve, 100));
  const replies = await Promise.all(shoppers.map((client) => client.post("/cart/add.js", { id: variant.unlimited })));
  for (const reply of replies) assert.equal(assertMutated(reply).item_count, 2);
  for (const reply of await Promise.all(slow)) assert.equal(assertMutated(reply).note, "slow");
});

test("7.2 a write answered with 502 while another transaction locks its cart is never applied", async () => {
  const [client, elsewhere] = await oneShopper();
  assertMutated(await client.post("/cart/add.js", { id: variant.unlimited, quantity: 3 }));
  elsewhere.cookies.set("cart", client.cookies.get("cart") ?? "");
  const other = new pg.Client({ connectionString: databaseUrl });
  await other.connect();
  await other.query("BEGIN; SELECT id FROM carts FOR UPDATE");
  const add = (at: Client) => at.post("/cart/add.js", { id: variant.unlimited, quantity: 1 });
  const writes = [
    ...range(5).map(() => add(client)),
    client.post("/cart/clear.js"),
    ...range(5).map(() => add(elsewhere)),
  ];
  const started = performance.now();
  for (const reply of await Promise.all(writes)) assertCartError(reply, 502, "cart_service_unavailable");
  await new Promise((resolve) => setTimeout(resolve, 4_600 - (performance.now() - started)));
  await other.query("ROLLBACK");
  await other.end();
  assert.equal(assertMutated(await add(client)).item_count, 4);
  await new Promise((resolve) => setTimeout(resolve, 300));
  assert.equal((await elsewhere.get("/cart.js")).json<CartJson>().item_count, 4);
});

test("a network failure returns 502, search works, and the server recovers", async () => {
  const [client] = await oneShopper();
  assertMutated(await client.post("/cart/add.js", { id: variant.unlimited }));
  cable.silence();
  const replies = await Promise.all([client.get("/cart.js"), client.post("/cart/add.js", { id: variant.unlimited })]);
  for (const reply of replies) {
    assert.deepEqual([reply.status, reply.json().error], [502, "cart_service_unavailable"]);
  }
  assert.deepEqual(await titles(origins[0] ?? "", "canvas"), ["Canvas Tote"]);
  const sections = ["/search/suggest?q=rain", "/recommendations/products?product_id=1", "/pages/rain-care?x=1"];
  for (const reply of await Promise.all(sections.map((path) => client.get(`${path}&section_id=cart-count`))))
    assert.match(reply.text, /count=0 /);
  cable.restore();
  await until(async () => (await client.get("/cart.js")).status === 200);
  assert.ok((await client.get("/cart.js")).json<CartJson>().item_count >= 1);
});

test("a database that turns synchronous_commit off is rejected at each connection: carts return 502 until it is on", async () => {
  const [client] = await oneShopper();
  assertMutated(await client.post("/cart/add.js", { id: variant.unlimited }));
  await query(databaseUrl, "ALTER DATABASE shop SET synchronous_commit = off");
  await reconnect();
  const reply = await client.post("/cart/add.js", { id: variant.unlimited });
  assert.deepEqual([reply.status, reply.json().error], [502, "cart_service_unavailable"]);
  await query(databaseUrl, "ALTER DATABASE shop RESET synchronous_commit");
  await reconnect();
  await until(async () => (await client.post("/cart/add.js", { id: variant.unlimited })).status === 200);
});

test("a PostgreSQL restart under load gives 502s, then service without a restart, and loses no acknowledged write", async () => {
  const shoppers = await Promise.all(Array.from({ length: 6 }, async () => (await oneShopper())[0]));
  const acknowledged = shoppers.map(() => 0);
  const statuses = new Set<number>();
  let isRunning = true;
  const work = shoppers.map(async (client, index) => {
    while (isRunning) {
      const reply = await client.post("/cart/add.js", { id: variant.unlimited, quantity: 1 });
      statuses.add(reply.status);
      if (reply.status === 200) acknowledged[index] = reply.json<CartJson>().item_count;
      else await new Promise((resolve) => setTimeout(resolve, 20));
    }
  });
  for (let round = 0; round < 3; round += 1) {
    await new Promise((resolve) => setTimeout(resolve, 150));
    await postgres.crash();
    await new Promise((resolve) => setTimeout(resolve, 200));
    await postgres.start();
    await until(async () => (await shoppers[0]?.get("/cart.js"))?.status === 200);
  }
  isRunning = false;
  await Promise.all(work);
  assert.deepEqual([...statuses].sort(), [200, 502]);
  for (const [index, client] of shoppers.entries()) {
    const storedCount = (await client.get("/cart.js")).json<CartJson>().item_count;
    // The response to one more write may have been lost.
    assert.ok(storedCount >= (acknowledged[index] ?? 0), `${acknowledged[index]} acknowledged, ${storedCount} kept`);
    assert.ok((acknowledged[index] ?? 0) > 0);
  }
});

/** Closes all connections of the servers. */
async function reconnect(): Promise<void> {
  await query(
    databaseUrl,
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'shop' AND pid <> pg_backend_pid()",
  );
  await new Promise((resolve) => setTimeout(resolve, 100));
}

/** Returns settings of servers that share an index. */
function serverSettings(): object {
  return { threads: 1, maxWait: 60_000, sharedIndex: sharedDir };
}

function range(length: number): readonly number[] {
  return Array.from({ length }, (_, n) => n);
}

/** Returns clients of both servers with the same cookies. */
async function oneShopper(): Promise<readonly [Client, Client]> {
  const [one, two] = origins.map((origin) => createClient(origin)) as [Client, Client];
  await one.token();
  for (const [name, value] of one.cookies) two.cookies.set(name, value);
  return [one, two];
}

/** Runs a command on the store.  @returns its output */
async function command(name: string, ...args: readonly string[]): Promise<string> {
  const { finished } = vitrine([name, "--store", storeDir, ...args], "", { DATABASE_URL: databaseUrl });
  const { code, stdout, stderr } = await finished;
  assert.equal(code, 0, stderr);
  return stdout;
}

async function showsKite(origin: string): Promise<boolean> {
  return (await titles(origin, "zephyr")).includes("Zephyr Kite");
}

async function titles(origin: string, q: string): Promise<readonly string[]> {
  const reply = await send(origin, "GET", `/search/suggest.json?type=product&q=${q}`);
  const { resources } = reply.json<{ resources: { results: { products: { title: string }[] } } }>();
  return resources.results.products.map(({ title }) => title);
}
