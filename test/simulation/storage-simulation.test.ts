import assert from "node:assert/strict";
import { availableParallelism } from "node:os";
import { after, test } from "node:test";
import { plantedBugs } from "./planted-bugs.ts";
import { type BatchReport, type Simulator, startSimulator } from "./simulate.ts";

/** Number of histories, which `npm run test:soak` increases. */
const histories = Number(process.env.VITRINE_ROUNDS ?? 200);
/** First seed. Default: random. A failing seed is repeated with `VITRINE_SEED=<seed> node --test <this file>`. */
const firstSeed = Number(process.env.VITRINE_SEED ?? Math.floor(Math.random() * 2 ** 31));
/** Maximum histories until a planted bug is found. */
const MAX_HISTORIES = 3_000;
const BATCH_SIZE = 100;

const threads = process.env.VITRINE_ROUNDS === undefined ? 1 : availableParallelism();
const simulators = Array.from({ length: threads }, () => startSimulator());
const [simulator] = simulators as [Simulator];
after(() => Promise.all(simulators.map((one) => one.close())));

test(`${histories} histories from seed ${firstSeed}: carts, stock, checkouts, payments, and orders stay consistent`, async (context) => {
  const start = performance.now();
  let nextSeed = firstSeed;
  let [completed, orders] = [0, 0];
  const runBatches = async (one: Simulator): Promise<void> => {
    while (nextSeed < firstSeed + histories) {
      const batch = { firstSeed: nextSeed, count: Math.min(BATCH_SIZE, firstSeed + histories - nextSeed) };
      nextSeed += batch.count;
      const report = await one.run(batch);
      assertConsistent(report);
      completed += report.histories;
      orders += report.orders;
    }
  };
  await Promise.all(simulators.map(runBatches));
  assert.ok(orders > histories / 10, "the histories create orders");
  const minutes = (performance.now() - start) / 60_000;
  context.diagnostic(
    `${completed} histories from seed ${firstSeed}, ${orders} orders, ${Math.round(completed / minutes)} per minute`,
  );
});

test("a seed always has the same history", async () => {
  const batch = { firstSeed: 1, count: 20 };
  const [first, second] = await Promise.all([simulator.run(batch), simulator.run(batch)]);
  assertConsistent(first);
  assert.deepEqual(first.digests, second.digests);
});

for (const bugName of Object.keys(plantedBugs))
  test(`the simulation finds a planted bug: ${bugName}`, async (context) => {
    const { failure } = await simulator.run({ firstSeed: 1, count: MAX_HISTORIES, bugName });
    assert.ok(failure);
    context.diagnostic(`seed ${failure.seed}: ${failure.violations[0]}`);
    assertConsistent(await simulator.run({ firstSeed: failure.seed, count: 1 }));
  });

function assertConsistent({ failure }: BatchReport): void {
  assert.equal(failure, undefined, `seed ${failure?.seed}: ${failure?.violations.join("; ")}`);
}
