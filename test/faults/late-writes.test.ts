import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { add, assertCartError, assertMutated, readCart } from "../support/assertions.ts";
import { variant } from "../support/catalog.ts";
import { startShop } from "../support/shop.ts";
import { until } from "../support/until.ts";

/**
 * Bounds in milliseconds of the duration of the slow write. A queued write waits 4 s at most, and a connection without
 * traffic closes after 20 s.
 */
const SLOW_MS = { least: 4_500, wanted: 8_000, most: 19_000 };
/** Duration in milliseconds of the measurement of the machine's speed. */
const PROBE_MS = 500;
/** The load of the machine can change during an attempt, so that the write becomes too fast or too slow to test anything. */
const MAX_ATTEMPTS = 6;

test("7.2 a write answered with 502 while the disk hangs is never applied; a started write reports its outcome", async () => {
  const shop = await startShop();
  try {
    const file = join(shop.storeDir, "data", "vitrine.db");
    let steps = countStepsOf(SLOW_MS.wanted);
    for (let attempt = 1; ; attempt += 1) {
      assert.ok(attempt <= MAX_ATTEMPTS, "the machine's speed changes too much for this test");
      const client = shop.client();
      const otherClient = shop.client();
      await add(client, variant.unlimited, 3);
      await add(otherClient, variant.unlimited, 1);
      hangOnNote(file, "slow", steps);

      const started = performance.now();
      const slow = client.post("/cart/update.js", { note: "slow" }).then(
        (reply) => ({ reply, ms: performance.now() - started }),
        () => ({ reply: undefined, ms: performance.now() - started }),
      );
      await setTimeout(100);
      const lateReplies = await Promise.all([
        otherClient.post("/cart/add.js", { id: variant.unlimited, quantity: 1 }),
        ...Array.from({ length: 6 }, () => client.post("/cart/add.js", { id: variant.unlimited, quantity: 1 })),
        client.post("/cart/clear.js"),
        client.post("/cart/add.js", { id: variant.unlimited, quantity: 1 }, { "idempotency-key": "late" }),
      ]);
      const { reply, ms } = await slow;
      await removeTrigger(file);
      if (ms < SLOW_MS.least || ms > SLOW_MS.most) {
        steps = Math.ceil((steps * SLOW_MS.wanted) / ms);
        continue;
      }
      assert.ok(reply);
      for (const late of lateReplies) assertCartError(late, 502, "cart_service_unavailable");
      assert.equal(assertMutated(reply).note, "slow");

      // This write queues after the delayed ones, so its response shows that none of them remains.
      const addBody = { id: variant.unlimited, quantity: 1 };
      await client.get("/cart.js");
      assert.equal((await readCart(client)).item_count, 3);
      assert.equal((await readCart(otherClient)).item_count, 1);
      const keyed = await client.post("/cart/add.js", addBody, { "idempotency-key": "late" });
      assert.equal(assertMutated(keyed).item_count, 4, "a key that was refused is not used");
      break;
    }
  } finally {
    await shop.close();
  }
});

/** Returns a statement that counts to `steps`. */
function createCount(steps: number): string {
  return `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${steps}) SELECT COUNT(*) FROM n`;
}

/** Returns the number of steps that take `ms` milliseconds to count at the current load of the machine. */
function countStepsOf(ms: number): number {
  const database = new DatabaseSync(":memory:");
  const probe = database.prepare(createCount(100_000));
  const started = performance.now();
  let steps = 0;
  while (performance.now() - started < PROBE_MS) {
    probe.get();
    steps += 100_000;
  }
  database.close();
  return Math.ceil((steps * ms) / (performance.now() - started));
}

/** Delays later writes with this note, like a stalled disk, by a statement that counts to `steps`. */
function hangOnNote(file: string, note: string, steps: number): void {
  const database = new DatabaseSync(file, { timeout: 5_000 });
  database.exec(`CREATE TRIGGER hang AFTER UPDATE ON carts WHEN NEW.data LIKE '%"note":"${note}"%' BEGIN
    UPDATE carts SET updated_at = updated_at + (${createCount(steps)}) * 0 WHERE id = NEW.id; END`);
  database.close();
}

async function removeTrigger(file: string): Promise<void> {
  // The statement of an attempt that took too long can still run, so that the file is locked.
  await until(() => {
    const database = new DatabaseSync(file, { timeout: 1_000 });
    try {
      database.exec("DROP TRIGGER hang");
      return true;
    } finally {
      database.close();
    }
  });
}
