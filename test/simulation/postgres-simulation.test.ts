import assert from "node:assert/strict";
import { after, test } from "node:test";
import { freshDatabase } from "../support/test-database.ts";
import { plantedBugs } from "./planted-bugs.ts";
import { startSimulator } from "./simulate.ts";

/** Number of histories, which `npm run test:soak` increases. */
const histories = Number(process.env.VITRINE_ROUNDS ?? 2);
/** First seed. Default: random. A failing seed is repeated with `VITRINE_SEED=<seed>`. */
const firstSeed = Number(process.env.VITRINE_SEED ?? Math.floor(Math.random() * 2 ** 31));
/** Maximum histories until a planted bug is found. */
const MAX_HISTORIES = 1_000;
/** Planted bugs that a few hundred histories reveal. In memory, more histories reveal all of them. */
const bugNames = [
  "an edit after its deadline",
  "two orders from one cart",
  "an edit that another server overwrites",
  "an edit that is repeated after a lost response",
  "an idempotency key that is not stored",
  "a write that is applied in part",
  "a reservation for other items than those of the checkout",
  "an outdated cart in a cache",
  "an order without its event",
];

const { databaseUrl } = await freshDatabase();
const skip = databaseUrl === undefined && "needs PostgreSQL";
const simulator = databaseUrl === undefined ? undefined : startSimulator({ databaseUrl });
after(() => simulator?.close());

test(`${histories} histories from seed ${firstSeed} with interleaved transactions: carts, stock, checkouts, payments, and orders stay consistent`, {
  skip,
}, async (context) => {
  const start = performance.now();
  const report = await simulator?.run({ firstSeed, count: histories });
  assert.equal(report?.failure, undefined, `seed ${report?.failure?.seed}: ${report?.failure?.violations.join("; ")}`);
  const minutes = (performance.now() - start) / 60_000;
  context.diagnostic(
    `${histories} histories, ${report?.steps} steps, ${report?.orders} orders, ${Math.round(histories / minutes)} per minute`,
  );
});

// A history takes a hundred times longer than in memory, so planted bugs are searched for in soak tests only.
if (process.env.VITRINE_ROUNDS !== undefined)
  for (const bugName of bugNames)
    test(`the simulation finds a planted bug: ${bugName}`, { skip }, async (context) => {
      assert.ok(plantedBugs[bugName]);
      const report = await simulator?.run({ firstSeed: 1, count: MAX_HISTORIES, bugName });
      assert.ok(report?.failure);
      context.diagnostic(`seed ${report.failure.seed}: ${report.failure.violations[0]}`);
      const correct = await simulator?.run({ firstSeed: report.failure.seed, count: 1 });
      assert.equal(correct?.failure, undefined, "the bug is the cause");
    });
