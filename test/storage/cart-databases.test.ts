import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { after, before, test } from "node:test";
import { createApp, type LocalApp } from "../../src/app.ts";
import { parseCartDatabaseUrls } from "../../src/storage/cart-databases/cart-database-urls.ts";
import { migrateCartDatabases } from "../../src/storage/cart-databases/open-cart-databases.ts";
import { openDatabase } from "../../src/storage/open-database.ts";
import { add, assertCartError, readCart } from "../support/assertions.ts";
import { product, variant } from "../support/catalog.ts";
import { type Client, createClient } from "../support/client.ts";
import { runCommand } from "../support/command.ts";
import { placeOrder } from "../support/orders.ts";
import { query } from "../support/postgres-server.ts";
import { makeStore, testSecret } from "../support/shop.ts";
import { startProxy, type TcpProxy } from "../support/tcp-proxy.ts";
import { copyTemplate, serverVariable } from "../support/test-database.ts";
import { until } from "../support/until.ts";

const server = process.env[serverVariable];
const options = { skip: server === undefined && "needs PostgreSQL" };
const NAMES = ["a", "b"] as const;
type Name = (typeof NAMES)[number];

let storeDir = "";
let databaseUrl = "";
let app: LocalApp;
let origin = "";
/** Direct URLs of the cart databases. The shop uses them through proxies. */
const urls = new Map<Name, string>();
const proxies = new Map<Name, TcpProxy>();
let cartDatabaseUrls = "";

before(async () => {
  if (server === undefined) return;
  storeDir = await makeStore({
    hasTheme: false,
    rows: [product(1, "tote", "Tote", [{ id: variant.unlimited, price: 1_000 }])],
  });
  databaseUrl = await copyTemplate(server);
  for (const name of NAMES) {
    urls.set(name, await copyTemplate(server));
    proxies.set(name, await startProxy(portOf(urls.get(name))));
  }
  cartDatabaseUrls = NAMES.map((name) => `${name}=${throughProxy(name)}`).join(" ");
  await open();
});
after(async () => {
  if (server === undefined) return;
  await app.close();
  for (const proxy of proxies.values()) await proxy.close();
  await rm(storeDir, { recursive: true });
});

async function open(): Promise<void> {
  app = await createApp({ storeDir, secret: testSecret, logLevel: "silent", databaseUrl, cartDatabaseUrls });
  origin = await app.listen("127.0.0.1", 0);
}

function portOf(url = ""): number {
  return Number(new URL(url).port);
}

function throughProxy(name: Name): string {
  const url = new URL(urls.get(name) ?? "");
  url.port = String(proxies.get(name)?.port);
  return url.href;
}

/** Makes a database unreachable, or reachable again. */
function setReachable(name: Name, isReachable: boolean): void {
  // Port 1 refuses connections.
  proxies.get(name)?.setTarget(isReachable ? portOf(urls.get(name)) : 1);
}

/** Returns a client whose cart is in a database, with one unit. */
async function shopperOf(name: Name): Promise<Client> {
  return until(async () => {
    const client = createClient(origin);
    await add(client, variant.unlimited);
    return databaseOf(client) === name && client;
  });
}

async function assertNewCartsIn(name: Name): Promise<void> {
  for (let shoppers = 0; shoppers < 8; shoppers += 1) {
    const client = createClient(origin);
    await add(client, variant.unlimited);
    assert.equal(databaseOf(client), name);
  }
}

function databaseOf(client: Client): string | undefined {
  return /^v1\.[\w-]{8}\._([a-z0-9]+)_/.exec(client.cookies.get("cart") ?? "")?.[1];
}

async function count(url: string | undefined, table: string): Promise<number> {
  return Number((await query(url ?? "", `SELECT COUNT(*) AS count FROM ${table}`))[0]?.count);
}

test(
  "carts are distributed over the databases that their IDs name, and orders are in the main database",
  options,
  async () => {
    for (const name of NAMES) {
      const client = await shopperOf(name);
      const carts = await count(urls.get(name), "carts");
      const orders = await count(databaseUrl, "orders");
      assert.match(await placeOrder(client), /^\/orders\//);
      assert.equal((await readCart(client)).item_count, 0, "the order takes the items from the cart");
      assert.equal(await count(urls.get(name), "carts"), carts);
      assert.deepEqual([await count(databaseUrl, "orders"), await count(urls.get(name), "orders")], [orders + 1, 0]);
      assert.equal(await count(databaseUrl, "ordered_carts"), 0);
    }
    assert.equal(await count(databaseUrl, "carts"), 0);
  },
);

test("concurrent first writes of a visitor create one cart", options, async () => {
  const clients = Array.from({ length: 6 }, () => createClient(origin));
  const [first] = clients as [Client];
  await first.token();
  for (const client of clients) for (const [name, value] of first.cookies) client.cookies.set(name, value);
  await Promise.all(clients.map((client) => add(client, variant.unlimited)));
  assert.equal(new Set(clients.map((client) => client.cookies.get("cart")?.split(".")[2])).size, 1);
  assert.equal((await readCart(first)).item_count, 6);
});

test("a write with an Idempotency-Key is applied once, also before the visitor has a cart", options, async () => {
  const client = createClient(origin);
  const write = (quantity: number) =>
    client.post("/cart/add.js", { id: variant.unlimited, quantity }, { "idempotency-key": "first" });
  await client.token();
  const visitor = new Map(client.cookies);
  assert.equal((await write(2)).status, 200);
  client.cookies.clear();
  for (const [name, value] of visitor) client.cookies.set(name, value);
  assert.equal((await write(2)).json<{ item_count: number }>().item_count, 2);
  assert.equal((await write(2)).json<{ item_count: number }>().item_count, 2);
});

test(
  "if a database is unavailable, only its carts get 502, and new carts are created in the others",
  options,
  async () => {
    const [affected, unaffected] = [await shopperOf("a"), await shopperOf("b")];
    setReachable("a", false);
    const reply = await affected.post("/cart/add.js", { id: variant.unlimited });
    assertCartError(reply, 502, "cart_service_unavailable");
    assert.equal(reply.headers["retry-after"], "5");
    await add(unaffected, variant.unlimited);
    assert.match(await placeOrder(unaffected), /^\/orders\//);
    for (let shoppers = 0; shoppers < 8; shoppers += 1) {
      const client = createClient(origin);
      await add(client, variant.unlimited);
      assert.equal(databaseOf(client), "b");
    }
    assert.equal((await createClient(origin).get("/readyz")).status, 200);
    setReachable("a", true);
    await until(async () => (await affected.get("/cart.js")).status === 200);
    assert.equal((await readCart(affected)).item_count, 1);
    await shopperOf("a");
  },
);

test("a server starts while a database is unavailable, and uses it as soon as it answers", options, async () => {
  const client = await shopperOf("a");
  await app.close();
  setReachable("a", false);
  try {
    await open();
    await assertNewCartsIn("b");
  } finally {
    setReachable("a", true);
  }
  const moved = createClient(origin);
  for (const [name, value] of client.cookies) moved.cookies.set(name, value);
  await until(async () => (await moved.get("/cart.js")).status === 200);
  assert.equal((await readCart(moved)).item_count, 1);
});

test("items of an order whose cart could not be changed are removed later", options, async () => {
  const client = await shopperOf("a");
  await query(
    urls.get("a") ?? "",
    `CREATE FUNCTION reject() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END $$;
    CREATE TRIGGER reject BEFORE INSERT ON removed_orders FOR EACH ROW EXECUTE FUNCTION reject()`,
  );
  assert.match(await placeOrder(client), /^\/orders\//);
  const orderedCarts = await query(databaseUrl, "SELECT cart_id FROM ordered_carts");
  assert.equal(orderedCarts.length, 1);
  await query(urls.get("a") ?? "", "DROP TRIGGER reject ON removed_orders");
  await until(async () => (await count(databaseUrl, "ordered_carts")) === 0);
  assert.equal((await readCart(client)).item_count, 0);
});

test("a new database takes no new carts while its name has a mark", options, async () => {
  await app.close();
  const marked = cartDatabaseUrls.replace("a=", "!a=");
  app = await createApp({ storeDir, secret: testSecret, logLevel: "silent", databaseUrl, cartDatabaseUrls: marked });
  origin = await app.listen("127.0.0.1", 0);
  await assertNewCartsIn("b");
});

/** Checks that a server without the database of a client's cart answers 502, and does not change the cart. */
async function assertUnavailable(client: Client, withoutDatabase: LocalApp): Promise<void> {
  const other = createClient(await withoutDatabase.listen("127.0.0.1", 0));
  for (const [name, value] of client.cookies) other.cookies.set(name, value);
  for (const reply of [await other.get("/cart.js"), await other.post("/cart/add.js", { id: variant.unlimited })])
    assertCartError(reply, 502, "cart_service_unavailable");
  assert.equal((await readCart(client)).item_count, 1);
}

test("a server without the variable does not take the carts for missing ones", options, async () => {
  await app.close();
  await open();
  const client = await shopperOf("a");
  const withoutUrls = await createApp({ storeDir, secret: testSecret, logLevel: "silent", databaseUrl });
  await assertUnavailable(client, withoutUrls).finally(withoutUrls.close);
});

test(
  "a server that started before the first cart database does not take its carts for missing ones",
  options,
  async () => {
    const [mainUrl, cartUrl] = [await copyTemplate(server ?? ""), await copyTemplate(server ?? "")];
    const settings = { storeDir, secret: testSecret, logLevel: "silent", databaseUrl: mainUrl };
    const oldServer = await createApp(settings);
    const newServer = await createApp({ ...settings, cartDatabaseUrls: `a=${cartUrl}` });
    try {
      const client = createClient(await newServer.listen("127.0.0.1", 0));
      await add(client, variant.unlimited);
      await assertUnavailable(client, oldServer);
    } finally {
      await newServer.close();
      await oldServer.close();
    }
  },
);

test("a checkout URL with the name of an unknown database gets 404", options, async () => {
  assert.equal((await createClient(origin).get("/checkout/_unknown_0123456789abcdefghijkl")).status, 404);
});

test("a URL that leads to the carts of another name, or to none, is rejected", options, async () => {
  const database = await openDatabase({ url: databaseUrl });
  try {
    const check = (text: string) =>
      migrateCartDatabases(parseCartDatabaseUrls(text, { url: databaseUrl }), {
        mainDatabase: database,
        log: { recurring: () => {} },
      });
    const [a, b] = [urls.get("a"), urls.get("b")];
    await check(`a=${a} b=${b}`);
    await assert.rejects(check(`a=${b}`), /the database of "a" contains the carts of "b"/);
    await assert.rejects(
      check(`a=${await copyTemplate(server ?? "")}`),
      /the database of "a" is new, but "a" had carts/,
    );
    await assert.rejects(check("c=postgres://127.0.0.1:1/c"), /the database of "c" is unavailable/);
  } finally {
    await database.close();
  }
});

test("doctor checks each database, and migrate updates them", options, async () => {
  const run = (urlsText: string, command: string) =>
    runCommand({ storeDir, env: { DATABASE_URL: databaseUrl, CART_DATABASE_URLS: urlsText } }, command);
  const [a, b] = [urls.get("a"), urls.get("b")];
  const { out } = await run(`a=${a} b=${a} c=postgres://127.0.0.1:1/c`, "doctor");
  assert.match(out, /^cart database a: ok \(PostgreSQL\)$/m);
  assert.match(out, /^cart database b: error: .*contains the carts of "a"/m);
  assert.match(out, /^cart database c: error: CART_DATABASE_URLS: cannot be used: .*ECONNREFUSED/m);
  assert.match((await run(`a=${a}`, "doctor")).out, /^cart databases: warning: CART_DATABASE_URLS lacks b, /m);
  const migrated = await run(`a=${a} b=${b}`, "migrate");
  assert.deepEqual([migrated.code, migrated.err], [0, ""]);
  await assert.rejects(run("c=postgres://127.0.0.1:1/c", "migrate"), /the database of "c" is unavailable/);
});

test("CART_DATABASE_URLS with an invalid entry is rejected without showing a password", () => {
  const main = { url: "postgres://main" };
  const parse = (text: string | undefined) => parseCartDatabaseUrls(text, main);
  assert.deepEqual(parse(undefined), []);
  assert.deepEqual(parse(" a=postgres://u:p@h/d\n!b2=postgresql://h/d?x=1 "), [
    { name: "a", url: "postgres://u:p@h/d", acceptsNewCarts: true },
    { name: "b2", url: "postgresql://h/d?x=1", acceptsNewCarts: false },
  ]);
  for (const text of [
    "postgres://u:secret@h/d",
    "A=postgres://u:secret@h/d",
    "a=mysql://u:secret@h",
    "a_b=postgres://secret",
    "a=postgres://u:1/secret@h/d",
  ])
    assert.throws(
      () => parse(text),
      (error: Error) => /entry 1 must be a name and a URL/.test(error.message) && !error.message.includes("secret"),
    );
  assert.throws(() => parse("a=postgres://h/d a=postgres://h/e"), /the name "a" occurs twice/);
  assert.throws(() => parseCartDatabaseUrls("a=postgres://h/d", { file: "vitrine.db" }), /requires DATABASE_URL/);
});
