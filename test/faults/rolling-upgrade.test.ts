import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { test } from "node:test";
import { checkOutLastRelease, type LastRelease } from "../support/last-release.ts";
import { startLoadBalancer } from "../support/load-balancer.ts";
import { startPostgres } from "../support/postgres-server.ts";
import { type ServerProcess, serve } from "../support/server-process.ts";
import { makeStore } from "../support/shop.ts";
import { assertOrders, createShopper, type UpgradeShopper, upgradedShop } from "../support/upgrade-shoppers.ts";

/** Number of upgrades and downgrades of all servers. In every second round, one server is killed. */
const rounds = Number(process.env.VITRINE_ROUNDS ?? 0);
const SERVERS = 3;
const SHOPPERS = 20;
/** Actions of shoppers per second, if the machine is fast enough. Most actions are one request. */
const RATE = 200;
const TICK_MS = 20;

const release: LastRelease =
  rounds === 0 ? { skipReason: 'runs with "npm run test:soak -- rolling-upgrade"' } : checkOutLastRelease();

test(`${rounds} rolling upgrades of ${SERVERS} servers from the last release and back, with kills, fail no request and lose nothing`, {
  skip: "skipReason" in release ? release.skipReason : false,
}, async (context) => {
  const { main } = release as { readonly main: string };
  const postgres = await startPostgres();
  const databaseUrl = await postgres.createDatabase("rolling");
  const balancer = await startLoadBalancer();
  const stores = await Promise.all(Array.from({ length: SERVERS }, () => makeStore(upgradedShop)));
  const servers: ServerProcess[] = [];
  const start = async (index: number, program?: string): Promise<void> => {
    const server = await serve(stores[index] ?? "", "", { DATABASE_URL: databaseUrl }, program);
    servers[index] = server;
    balancer.servers.add(server.origin);
  };
  /** Replaces a server. The load balancer notices only by failed connections that the old one stops. */
  const replace = async (index: number, signal: NodeJS.Signals, program?: string): Promise<void> => {
    const server = servers[index] as ServerProcess;
    server.child.kill(signal);
    const { code } = await server.finished;
    if (signal === "SIGTERM") assert.equal(code, 0);
    balancer.servers.delete(server.origin);
    await start(index, program);
  };
  const shoppers = Array.from({ length: SHOPPERS }, (_, index) => createShopper(balancer.origin, index));
  let load: Load | undefined;
  try {
    for (let index = 0; index < SERVERS; index += 1) await start(index, main);
    load = startLoad(shoppers);
    for (let round = 0; round < rounds; round += 1)
      for (const program of [undefined, main])
        for (let index = 0; index < SERVERS; index += 1)
          await replace(index, round % 2 === 1 && index === 1 ? "SIGKILL" : "SIGTERM", program);
    const { seconds, failures, slowestMs } = await load.stop();
    const timeouts = shoppers.reduce((sum, { timeoutCount }) => sum + timeoutCount, 0);
    const requests = shoppers.reduce((sum, { requestCount }) => sum + requestCount, 0);
    context.diagnostic(
      `${requests} requests in ${Math.round(seconds)} s (${Math.round(requests / seconds)}/s), ${failures.length + timeouts} failed, ${balancer.retryCount} sent again, slowest action ${Math.round(slowestMs)} ms`,
    );
    assert.deepEqual(failures, []);
    assert.equal(timeouts, 0, "orders answered with 502, as on a machine that is too busy");
    await Promise.all(shoppers.map((shopper) => shopper.assertCart()));
    context.diagnostic(`${await assertOrders(stores[0] ?? "", databaseUrl, shoppers)} orders, 0 lost`);
  } finally {
    await load?.stop();
    for (const { child } of servers) child.kill("SIGKILL");
    await Promise.all(servers.map(({ finished }) => finished));
    await balancer.close();
    await postgres.remove();
    for (const store of stores) await rm(store, { recursive: true });
  }
});

interface LoadResult {
  readonly seconds: number;
  readonly failures: readonly string[];
  readonly slowestMs: number;
}

interface Load {
  stop(): Promise<LoadResult>;
}

/** Lets idle shoppers act at a constant rate, regardless of how long responses take. */
function startLoad(shoppers: readonly UpgradeShopper[]): Load {
  const idle = [...shoppers];
  const running = new Set<Promise<void>>();
  const failures: string[] = [];
  const startedAt = performance.now();
  let slowestMs = 0;
  let count = 0;
  const act = async (shopper: UpgradeShopper): Promise<void> => {
    const actedAt = performance.now();
    try {
      await shopper.act();
      idle.push(shopper);
    } catch (error) {
      failures.push(String(error));
    }
    slowestMs = Math.max(slowestMs, performance.now() - actedAt);
  };
  const timer = setInterval(() => {
    for (const due = ((performance.now() - startedAt) / 1_000) * RATE; count < due; count += 1) {
      const shopper = idle.shift();
      if (shopper === undefined) return;
      const action = act(shopper).finally(() => running.delete(action));
      running.add(action);
    }
  }, TICK_MS);
  return {
    async stop() {
      clearInterval(timer);
      const seconds = (performance.now() - startedAt) / 1_000;
      await Promise.all(running);
      return { seconds, failures, slowestMs };
    },
  };
}
