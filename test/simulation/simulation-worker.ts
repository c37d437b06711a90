import { parentPort, workerData } from "node:worker_threads";
import type { Database } from "../../src/storage/database.ts";
import { migrate } from "../../src/storage/migrate.ts";
import { runHistory, type World } from "./history.ts";
import { MemoryDatabase } from "./memory-database.ts";
import { PostgresSessions } from "./postgres-sessions.ts";
import { catalogStock, PRICE } from "./shop-content.ts";
import type { Batch, BatchReport, SimulatorOptions } from "./simulate.ts";
import { VirtualTime } from "./virtual-time.ts";

const memory = await openDatabase();
const cartMemories = new Map([
  ["a", await openDatabase()],
  ["b", await openDatabase()],
]);
const { databaseUrl } = workerData as SimulatorOptions;
// The virtual time replaces the timers of this thread.
const { setTimeout: startTimer } = globalThis;
const wait = (ms: number): Promise<void> => new Promise((resolve) => startTimer(resolve, ms));
const sessions = databaseUrl === undefined ? undefined : await PostgresSessions.open(databaseUrl, memory, wait);
const time = new VirtualTime();
const world: World = { memory, cartMemories, time, sessions };
time.install();
let queue: Promise<unknown> = Promise.resolve();
parentPort?.on("message", (batch: Batch) => {
  queue = queue.then(async () => parentPort?.postMessage(await runBatch(batch)));
});

async function runBatch({ firstSeed, count, bugName }: Batch): Promise<BatchReport> {
  let [histories, steps, orders] = [0, 0, 0];
  const digests: string[] = [];
  for (let seed = firstSeed; seed < firstSeed + count; seed += 1) {
    const result = await runHistory(world, seed, bugName);
    histories += 1;
    steps += result.steps;
    orders += result.orders;
    digests.push(result.digest);
    if (result.violations.length > 0)
      return { histories, steps, orders, digests, failure: { seed, violations: result.violations } };
  }
  return { histories, steps, orders, digests };
}

/** Creates a database with the schema and a catalog of one product. */
async function openDatabase(): Promise<MemoryDatabase> {
  const memoryDatabase = new MemoryDatabase();
  const database: Database = {
    read: async (sql, params) => memoryDatabase.read(sql, params),
    write: async (statements) => memoryDatabase.write(statements),
    maxStartDelayMs: 0,
    lockStatements: [],
    defersIndexCreation: true,
    now: Date.now,
    close: async () => undefined,
  };
  await migrate(database);
  const variants = [...catalogStock].map(([id, stock]) => ({
    ...{ id, price: PRICE },
    ...(stock === undefined ? {} : { inventory_quantity: stock }),
  }));
  await database.write([
    { sql: "UPDATE catalog_state SET revision = 1", params: [] },
    {
      sql: `INSERT INTO catalog_rows (kind, id, revision, position, deleted, handle, variant_ids, data)
        VALUES ('product', 'p', 1, 1, 0, 'rope', $1, $2)`,
      params: [
        [...catalogStock.keys()].join("\n"),
        JSON.stringify({ id: "p", handle: "rope", title: "Rope", variants }),
      ],
    },
    ...variants.map(({ id }) => ({ sql: "INSERT INTO catalog_variants VALUES ($1, 'p')", params: [id] })),
  ]);
  return memoryDatabase;
}
