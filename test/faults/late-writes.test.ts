import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { add, assertCartError, assertMutated, readCart } from "../support/assertions.ts";
import { variant } from "../support/catalog.ts";
import type { Client, Reply } from "../support/client.ts";
import { startShop } from "../support/shop.ts";

/**
 * Delay in milliseconds at the current load of the machine. A queued write waits 4 s at most, and a connection without
 * traffic closes after 20 s, so the delay must stay between them also if the load changes.
 */
const SLOW_MS = 7_000;
/** Duration in milliseconds of the measurement of the machine's speed. */
const PROBE_MS = 500;

test("7.2 a write answered with 502 while the disk hangs is never applied; a started write reports its outcome", async () => {
  const shop = await startShop();
  try {
    const client = shop.client();
    const otherClient = shop.client();
    await add(client, variant.unlimited, 3);
    await add(otherClient, variant.unlimited, 1);
    hangOnNote(join(shop.storeDir, "data", "vitrine.db"), "slow");

    const slow = client.post("/cart/update.js", { note: "slow" });
    await setTimeout(100);
    const lateReplies = Promise.all([
      ...Array.from({ length: 6 }, () => client.post("/cart/add.js", { id: variant.unlimited, quantity: 1 })),
      client.post("/cart/clear.js"),
      client.post("/cart/add.js", { id: variant.unlimited, quantity: 1 }, { "idempotency-key": "late" }),
    ]);
    const lateElsewhere = await otherClient.post("/cart/add.js", { id: variant.unlimited, quantity: 1 });
    for (const reply of [lateElsewhere, ...(await lateReplies)])
      assertCartError(reply, 502, "cart_service_unavailable");
    assert.equal(assertMutated(await slow).note, "slow");

    // This write queues after the delayed ones, so its response shows that none of them remains.
    await removeTrigger(client, join(shop.storeDir, "data", "vitrine.db"));
    assert.equal((await readCart(client)).item_count, 3);
    assert.equal((await readCart(otherClient)).item_count, 1);
    const addBody = { id: variant.unlimited, quantity: 1 };
    const keyed = await client.post("/cart/add.js", addBody, { "idempotency-key": "late" });
    assert.equal(assertMutated(keyed).item_count, 4, "a key that was refused is not used");
  } finally {
    await shop.close();
  }
});

/** Delays later writes with this note, like a stalled disk, by a statement that counts for a long time. */
function hangOnNote(file: string, note: string): void {
  const counting = (steps: number): string =>
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${steps}) SELECT COUNT(*) FROM n`;
  const database = new DatabaseSync(file);
  const probeSteps = 100_000;
  const started = performance.now();
  let probes = 0;
  while (performance.now() - started < PROBE_MS) {
    database.prepare(counting(probeSteps)).get();
    probes += 1;
  }
  const steps = Math.ceil((probes * probeSteps * SLOW_MS) / (performance.now() - started));
  database.exec(`CREATE TRIGGER hang AFTER UPDATE ON carts WHEN NEW.data LIKE '%"note":"${note}"%' BEGIN
    UPDATE carts SET updated_at = updated_at + (${counting(steps)}) * 0 WHERE id = NEW.id; END`);
  database.close();
}

async function removeTrigger(client: Client, file: string): Promise<Reply> {
  const database = new DatabaseSync(file, { timeout: 5_000 });
  database.exec("DROP TRIGGER hang");
  database.close();
  return client.get("/cart.js");
}
