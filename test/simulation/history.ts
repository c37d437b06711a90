import { createRandom, type Random } from "../../bench/random.ts";
import type { Statement } from "../../src/storage/database.ts";
import { checkOut, notifyPayment } from "./checkouts.ts";
import { checkFinalState, checkReservations } from "./invariants.ts";
import type { MemoryDatabase } from "./memory-database.ts";
import { createModel } from "./model.ts";
import { changeOrder, restock, runJobs } from "./operations.ts";
import { type PlantedBug, plantedBugs } from "./planted-bugs.ts";
import type { PostgresSessions } from "./postgres-sessions.ts";
import { faultKinds, Scheduler } from "./scheduler.ts";
import { Cluster } from "./servers.ts";
import { catalogStock, LAST_UNIT_ID } from "./shop-content.ts";
import { addItem, type HistoryParts, readCart, removeItem, type Shopper } from "./shoppers.ts";
import type { VirtualTime } from "./virtual-time.ts";

/** Result of one history. */
export interface HistoryResult {
  /** Broken invariants. */
  readonly violations: readonly string[];
  /** Digest of the history. The same seed always has the same one. */
  readonly digest: string;
  readonly steps: number;
  readonly orders: number;
}

const HOUR_MS = 3_600_000;
/** Largest difference between two clocks. Idempotency keys are valid for a day. */
const MAX_CLOCK_OFFSET_MS = 10 * HOUR_MS;

const changesReservations = /^(?:INSERT INTO|UPDATE|DELETE FROM) (?:stock_levels|balances|checkouts|discount_uses)/;

/** Databases and clock of a history. */
export interface World {
  readonly memory: MemoryDatabase;
  /** Databases of the carts by name, for a third of the histories. */
  readonly cartMemories: ReadonlyMap<string, MemoryDatabase>;
  readonly time: VirtualTime;
  /** PostgreSQL, whose rows are copied to the memory database. Default: the servers use the memory database. */
  readonly sessions?: PostgresSessions | undefined;
}

/** Runs one history: operations of shoppers, merchant, payment provider, and jobs on two servers, and faults. */
export function runHistory(world: World, seed: number, bugName?: string): Promise<HistoryResult> {
  const bug = plantedBugs[bugName ?? ""] ?? {};
  world.time.reset();
  const cartMemories = world.sessions === undefined && seed % 3 === 0 ? world.cartMemories : new Map();
  const run = (): Promise<HistoryResult> => runOn({ ...world, cartMemories }, createRandom(seed), bug);
  const memoryBug = world.sessions === undefined ? bug : {};
  return [world.memory, ...cartMemories.values()].reduce((inner, one) => () => one.runHistory(memoryBug, inner), run)();
}

async function runOn(
  { memory, cartMemories, time, sessions }: World,
  random: Random,
  bug: PlantedBug,
): Promise<HistoryResult> {
  await sessions?.reset();
  const faults = new Set(faultKinds.filter(() => random.below(3) === 0));
  const scheduler = new Scheduler(random, time, faults);
  const model = createModel();
  const report = (violation: string): void => void model.violations.add(violation);
  const topology = cartMemories.size > 0 ? "servers" : random.pick(["servers", "threads"] as const);
  const onWrite = (statements: readonly Statement[]): void => {
    if (statements.some(({ sql }) => changesReservations.test(sql))) checkReservations(memory, report);
  };
  const cluster = new Cluster({ scheduler, memory, cartMemories, topology, bug, onWrite, sessions });
  const parts: HistoryParts = { scheduler, cluster, model };
  try {
    // An operation on PostgreSQL has more steps.
    await scheduler.run(Promise.all(startOperations(parts, sessions === undefined ? 40 : 200)));
    scheduler.stopFaults();
    // Late commits must not reserve anything after the last reservation has expired.
    await scheduler.drain();
    await scheduler.run(finish(parts));
    await sessions?.copyToMemory();
    checkFinalState([memory, ...cartMemories.values()], model, report);
  } catch (error) {
    report(String(error instanceof Error ? error.stack : error));
  }
  const [row] = memory.read(`SELECT (SELECT COUNT(*) FROM orders) AS orders,
    (SELECT COUNT(*) FROM events) AS events`);
  const revisions = [memory, ...cartMemories.values()].map((one) => one.read("SELECT SUM(revision) AS sum FROM carts"));
  return {
    violations: [...model.violations],
    digest: JSON.stringify([scheduler.steps, row, revisions, random.below(2 ** 30)]),
    steps: scheduler.steps,
    orders: Number(row?.orders),
  };
}

/** @param maxDelay maximum steps until an operation starts */
function startOperations(parts: HistoryParts, maxDelay: number): readonly Promise<void>[] {
  const { scheduler, cluster } = parts;
  const { random } = scheduler;
  const shoppers = Array.from(
    { length: 1 + random.below(3) },
    (_, index): Shopper => ({
      name: `shopper${index}`,
      usesCard: random.below(2) === 0,
      usesDiscount: random.below(2) === 0,
    }),
  );
  const isRush = random.below(3) === 0;
  const operations: readonly (() => Promise<void>)[] = Array.from({ length: 4 + random.below(16) }, (_, index) => {
    const shopper = random.pick(shoppers);
    const key = `${shopper.name} ${index}`;
    const add = () => addItem(parts, shopper, { key, variantId: random.pick([...catalogStock.keys()]) });
    const check = () => checkOut(parts, shopper);
    // Shoppers compete for the last unit.
    const rush = async () => {
      await addItem(parts, shopper, { key, variantId: LAST_UNIT_ID });
      await Promise.all([checkOut(parts, shopper), checkOut(parts, shopper)]);
    };
    const rest = [
      () => removeItem(parts, shopper),
      () => readCart(parts, shopper),
      () => runJobs(parts),
      () => changeOrder(parts),
      () => restock(parts),
      async () => cluster.crash(),
      async () => moveClock(parts),
    ];
    return random.pick(
      isRush
        ? [rush, rush, rush, () => runJobs(parts), () => runJobs(parts), ...rest]
        : [add, add, add, add, check, check, check, check, check, ...rest],
    );
  });
  // Some operations start at once, and others after a random number of steps.
  return operations.map(async (run) => {
    for (let delay = random.below(maxDelay); delay > 0; delay -= 1) await scheduler.wait();
    await run();
  });
}

function moveClock({ scheduler, cluster }: HistoryParts): void {
  if (!scheduler.hasFault("clock jump", 1_000)) return;
  cluster.pick().clockOffset = scheduler.random.below(2 * MAX_CLOCK_OFFSET_MS) - MAX_CLOCK_OFFSET_MS;
}

/** Lets the provider report all payments, and all reservations expire. */
async function finish(parts: HistoryParts): Promise<void> {
  const { cluster, model } = parts;
  for (const payment of model.payments)
    if (payment.answers.length === 0) await notifyPayment(parts, payment, Number.POSITIVE_INFINITY);
  const [server] = cluster.servers;
  while (((await server?.checkouts.expire(Number.MAX_SAFE_INTEGER)) ?? 0) > 0);
  await server?.removeOrderedItems();
}
