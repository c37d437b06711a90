import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createApp, type LocalApp } from "../../src/app.ts";
import { product } from "../support/catalog.ts";
import { address, submit } from "../support/checkout-page.ts";
import { type Client, createClient } from "../support/client.ts";
import { type PostgresServer, query, startPostgres } from "../support/postgres-server.ts";
import { makeStore, testSecret } from "../support/shop.ts";
import { startProxy, type TcpProxy } from "../support/tcp-proxy.ts";
import { createEmptyDatabase, takePostgres } from "../support/test-database.ts";
import { until as waitUntil } from "../support/until.ts";

/** Shoppers with a cart in each database, of each server of the shop. */
const SHOPPERS = 1;
/** Pause of a shopper after an order, so that no rate limit of a checkout applies. */
const ORDER_INTERVAL_MS = 200;

interface Shopper {
  /** Index of the server of the shop. */
  readonly server: number;
  readonly email: string;
  readonly database: string;
  readonly client: Client;
  /** Units whose add was answered with 200. */
  acknowledgedUnits: number;
  /** Units whose add was answered with an error. */
  unknownUnits: number;
  acknowledgedOrders: number;
  /** Requests that were not answered with success. */
  failures: number;
}

let storeDir = "";
const main = await takePostgres();
/** Database servers of carts; the second one has a standby. */
let cartServers: [PostgresServer, PostgresServer];
let standby: PostgresServer;
/** Address of the second cart server, which a failover moves to its standby. */
let proxy: TcpProxy;
let databaseUrl = "";
const apps: LocalApp[] = [];
const origins: string[] = [];

before(async () => {
  cartServers = await Promise.all([startPostgres(), startPostgres()]);
  databaseUrl = await createEmptyDatabase(main);
  storeDir = await makeStore({
    hasTheme: false,
    rows: [product(1, "tote", "Tote", [{ id: 1, price: 1_000, inventory_quantity: 1_000_000 }])],
  });
});
after(async () => {
  await Promise.all(apps.map((app) => app.close()));
  await proxy?.close();
  await Promise.all([...(cartServers ?? []), standby].map((server) => server?.remove()));
  await rm(storeDir, { recursive: true });
});

test("if one of three PostgreSQL servers fails over to its synchronous standby, no cart and no order is lost", {
  timeout: 300_000,
}, async (context) => {
  const urls = [await cartServers[0].createDatabase("carts"), await cartServers[1].createDatabase("carts")];
  standby = await cartServers[1].addStandby();
  proxy = await startProxy(portOf(cartServers[1].url));
  const proxied = new URL(urls[1] ?? "");
  proxied.port = String(proxy.port);
  const options = { storeDir, secret: testSecret, logLevel: "silent", databaseUrl };
  for (let number = 0; number < 2; number += 1) {
    const app = await createApp({ ...options, cartDatabaseUrls: `a=${urls[0]} b=${proxied.href}` });
    apps.push(app);
    origins.push(await app.listen("127.0.0.1", 0));
  }
  const shoppers = await createShoppers();
  let isRunning = true;
  const work = Promise.all(
    shoppers.map(async (shopper) => {
      while (isRunning) {
        await buy(shopper);
        await sleep(ORDER_INTERVAL_MS);
      }
    }),
  );
  // An error of a shopper ends the test at once.
  const until = (condition: () => boolean | Promise<boolean>): Promise<unknown> =>
    Promise.race([work, waitUntil(condition)]);
  const progress = (database: string, orders: number) =>
    until(() => shoppers.every((one) => one.database !== database || one.acknowledgedOrders >= orders));
  await Promise.all([progress("a", 1), progress("b", 1)]);
  await cartServers[1].crash();
  const hasFailed = (server: number): boolean =>
    shoppers.some((one) => one.server === server && one.database === "b" && one.failures > 0);
  await until(() => hasFailed(0) && hasFailed(1));
  // While the server is down, new visitors and the carts of the other server are served.
  for (let number = 0; number < 6; number += 1) assert.equal(await createCart(clientOf(number)), "a");
  const ordersBefore = Math.max(...shoppers.map(({ acknowledgedOrders }) => acknowledgedOrders));
  await progress("a", ordersBefore + 1);
  assert.equal((await createClient(origins[0] ?? "").get("/readyz")).status, 200);
  await query(standby.url, "SELECT pg_promote()");
  proxy.setTarget(portOf(standby.url));
  const ordersAtFailover = shoppers.map(({ acknowledgedOrders }) => acknowledgedOrders);
  await until(() =>
    shoppers.every(({ acknowledgedOrders }, index) => acknowledgedOrders > (ordersAtFailover[index] ?? 0)),
  );
  isRunning = false;
  await work;
  await waitUntil(async () => (await query(databaseUrl, "SELECT 1 FROM ordered_carts")).length === 0);
  for (const shopper of shoppers) await assertNothingLost(shopper);
  const sum = (count: (shopper: Shopper) => number) => shoppers.reduce((total, one) => total + count(one), 0);
  const countFailures = (database: string) => sum((one) => (one.database === database ? one.failures : 0));
  context.diagnostic(
    `${sum((one) => one.acknowledgedUnits)} units and ${sum((one) => one.acknowledgedOrders)} orders acknowledged, 0 lost; failed requests: ${countFailures("b")} of carts in b, ${countFailures("a")} of carts in a`,
  );
});

function portOf(url: string): number {
  return Number(new URL(url).port);
}

/** Returns a client of one of the two servers. */
function clientOf(number: number): Client {
  return createClient(origins[number % 2] ?? "");
}

function databaseOf(client: Client): string {
  return /^v1\.[\w-]{8}\._([a-z0-9]+)_/.exec(client.cookies.get("cart") ?? "")?.[1] ?? "";
}

async function createShoppers(): Promise<readonly Shopper[]> {
  const shoppers: Shopper[] = [];
  for (let number = 1; shoppers.length < 4 * SHOPPERS; number += 1) {
    const client = clientOf(number);
    const database = await createCart(client);
    const server = number % 2;
    if (shoppers.filter((one) => one.database === database && one.server === server).length === SHOPPERS) continue;
    const counts = { acknowledgedUnits: 1, unknownUnits: 0, acknowledgedOrders: 0, failures: 0 };
    shoppers.push({ server, email: `shopper${number}@example.com`, database, client, ...counts });
  }
  return shoppers;
}

/** Adds three units, then orders the cart. */
async function buy(shopper: Shopper): Promise<void> {
  const { client, email } = shopper;
  for (let count = 0; count < 3; count += 1) {
    const reply = await client.post("/cart/add.js", { id: 1, quantity: 1 });
    if (reply.status === 200) shopper.acknowledgedUnits += 1;
    else await fail(shopper, reply.status, () => (shopper.unknownUnits += 1));
  }
  const { status, headers } = await client.get("/checkout");
  const url = String(headers.location);
  // After a failover, the cart may still contain ordered items, which are removed between two of these requests.
  if (status !== 303 || !url.includes("/checkout/")) return status === 303 ? undefined : fail(shopper, status);
  const page = await client.get(url);
  if (page.status !== 200) return page.status === 303 ? undefined : fail(shopper, page.status);
  const reply = await submit(client, { url, page: page.text }, { ...address, email, order: "" });
  if (String(reply.headers.location).endsWith("?thank_you=true")) shopper.acknowledgedOrders += 1;
  else if (reply.status !== 303 && reply.status !== 200) await fail(shopper, reply.status);
}

async function fail(shopper: Shopper, status: number, count: () => void = () => {}): Promise<void> {
  assert.equal(status, 502);
  shopper.failures += 1;
  count();
  await sleep(20);
}

/** Adds a unit as a new visitor. A busy machine may need several attempts.  @returns the database of the cart */
async function createCart(client: Client): Promise<string> {
  await waitUntil(async () => (await client.post("/cart/add.js", { id: 1, quantity: 1 })).status === 200);
  return databaseOf(client);
}

async function assertNothingLost(shopper: Shopper): Promise<void> {
  const { client, email, acknowledgedUnits, unknownUnits, acknowledgedOrders } = shopper;
  const orders = await query(databaseUrl, `SELECT content FROM orders WHERE search_text LIKE '${email} %'`);
  const units = orders.flatMap(({ content }) => {
    const { priced } = JSON.parse(String(content)) as { priced: { cart: { lines: { quantity: number }[] } } };
    return priced.cart.lines.map(({ quantity }) => quantity);
  });
  const unitsInCart = (await client.get("/cart.js")).json<{ item_count: number }>().item_count;
  const stored = units.reduce((sum, one) => sum + one, unitsInCart);
  assert.ok(orders.length >= acknowledgedOrders, `${orders.length} orders, ${acknowledgedOrders} acknowledged`);
  assert.ok(
    stored >= acknowledgedUnits && stored <= acknowledgedUnits + unknownUnits,
    `${stored} units stored, ${acknowledgedUnits} acknowledged, ${unknownUnits} unknown`,
  );
}
