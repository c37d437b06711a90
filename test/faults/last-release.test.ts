import assert from "node:assert/strict";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { createApp } from "../../src/app.ts";
import { locateDatabase, openDatabase } from "../../src/storage/open-database.ts";
import { runCommand } from "../support/command.ts";
import { checkOutLastRelease } from "../support/last-release.ts";
import { type LoadBalancer, startLoadBalancer } from "../support/load-balancer.ts";
import { type ServerProcess, serve } from "../support/server-process.ts";
import { makeStore, testSecret } from "../support/shop.ts";
import { emptyDatabase, serverVariable } from "../support/test-database.ts";
import { until } from "../support/until.ts";
import { assertOrders, createShopper, type UpgradeShopper, upgradedShop } from "../support/upgrade-shoppers.ts";

// The last release and this checkout serve one database, also after the next release has added to its tables. On
// PostgreSQL they serve it at the same time.
const release = checkOutLastRelease();
/** Milliseconds between two requests of a shopper, which leave the processor to servers that start. */
const PAUSE_MS = 50;
const skip = "skipReason" in release ? release.skipReason : false;
let storeDir = "";
let databaseUrl: string | undefined;
let balancer: LoadBalancer;
const running = new Set<Server>();

before(async () => {
  storeDir = await makeStore(upgradedShop);
  databaseUrl = await emptyDatabase();
  balancer = await startLoadBalancer();
});
after(async () => {
  // After a failure, servers still run and keep the process alive.
  await Promise.all([...running].map((server) => server.stop()));
  await balancer.close();
  await rm(storeDir, { recursive: true });
});

/** A server behind the load balancer. */
interface Server {
  readonly origin: string;
  stop(): Promise<unknown>;
}

async function startRelease(): Promise<Server> {
  const { main } = release as { readonly main: string };
  const env = databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl };
  const server: ServerProcess = await serve(storeDir, "", env, main);
  return addServer(server.origin, async () => {
    server.child.kill("SIGTERM");
    assert.equal((await server.finished).code, 0);
  });
}

async function startThisVersion(): Promise<Server> {
  const url = databaseUrl === undefined ? {} : { databaseUrl };
  const app = await createApp({ storeDir, secret: testSecret, logLevel: "silent", ...url });
  return addServer(await app.listen("127.0.0.1", 0), () => app.close());
}

function addServer(origin: string, stop: () => Promise<unknown>): Server {
  balancer.servers.add(origin);
  const server: Server = {
    origin,
    async stop() {
      running.delete(server);
      balancer.servers.delete(origin);
      await stop();
    },
  };
  running.add(server);
  return server;
}

const shoppers = (): readonly UpgradeShopper[] =>
  Array.from({ length: 4 }, (_, index) => createShopper(balancer.origin, index));

/** Adds a column to each table while servers run, like the migrations of the next release. */
async function expandSchema(): Promise<void> {
  const database = await openDatabase(locateDatabase(join(storeDir, "data"), databaseUrl));
  const write = (sql: string) =>
    until(async () => {
      await database.write([{ sql, params: [] }]);
      return true;
    }, sql);
  try {
    const schema = await readFile(new URL("../../src/storage/schema.sql", import.meta.url), "utf8");
    for (const [, table] of schema.matchAll(/^CREATE TABLE (\w+)/gm))
      await write(`ALTER TABLE ${table} ADD COLUMN later BIGINT NOT NULL DEFAULT 0`);
    await write(`INSERT INTO schema_versions (version, compatible_from, migrated_by)
      SELECT MAX(version) + 1, MAX(compatible_from), '9.0.0' FROM schema_versions`);
  } finally {
    await database.close();
  }
}

/** Lets each shopper do everything that shoppers do. */
async function shopOnce(all: readonly UpgradeShopper[]): Promise<void> {
  await Promise.all(
    all.map(async (shopper) => {
      for (let action = 0; action < 10; action += 1) await shopper.act();
    }),
  );
}

test("an upgrade from the last release and a downgrade to it lose no cart and no order on SQLite", {
  skip,
}, async (context) => {
  if (process.env[serverVariable] !== undefined) return context.skip("runs on SQLite");
  const all = shoppers();
  for (const start of [startRelease, startThisVersion, startRelease]) {
    const server = await start();
    await Promise.all(all.map((shopper) => shopper.assertCart()));
    await shopOnce(all);
    if (start === startThisVersion) await expandSchema();
    await server.stop();
  }
  assert.ok((await assertOrders(storeDir, databaseUrl, all)) >= all.length);
});

test("a rolling upgrade from the last release and back fails no request and loses nothing on PostgreSQL", {
  skip,
}, async (context) => {
  if (databaseUrl === undefined) return context.skip("runs on PostgreSQL");
  const all = shoppers();
  let isRunning = true;
  const old = await startRelease();
  const load = all.map(async (shopper) => {
    while (isRunning) {
      await shopper.act();
      await setTimeout(PAUSE_MS);
    }
  });
  const nextActions = async (): Promise<void> => {
    const counts = all.map(({ requestCount }) => requestCount + 20);
    await Promise.race([
      until(() => all.every(({ requestCount }, index) => requestCount > (counts[index] ?? 0))),
      Promise.all(load),
    ]);
  };
  await nextActions();
  const current = await startThisVersion();
  await nextActions();
  const doctor = await runCommand({ storeDir, env: { DATABASE_URL: databaseUrl } }, "doctor");
  await expandSchema();
  await nextActions();
  await old.stop();
  const downgraded = await startRelease();
  await nextActions();
  await current.stop();
  await nextActions();
  isRunning = false;
  await Promise.all(load);
  await Promise.all(all.map((shopper) => shopper.assertCart()));
  await downgraded.stop();
  context.diagnostic(`${all.reduce((sum, { requestCount }) => sum + requestCount, 0)} requests`);
  assert.ok((await assertOrders(storeDir, databaseUrl, all)) > 0);
  assert.equal(doctor.code, 0, doctor.out);
});
