import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { test } from "node:test";
import { product, variant } from "../support/catalog.ts";
import {
  createCartWriter,
  createImportWriter,
  createOrderWriter,
  createRulesWriter,
  importedHandles,
  type KillWriter,
} from "../support/kill-writers.ts";
import { after, assertOneOrderEach, slowShop } from "../support/order-rounds.ts";
import { serve } from "../support/server-process.ts";
import { makeStore } from "../support/shop.ts";
import { freshDatabase } from "../support/test-database.ts";

/** Number of rounds, which `npm run test:soak` increases. */
const rounds = Number(process.env.VITRINE_ROUNDS ?? 2);
const CART_WRITERS = 3;
/** Milliseconds from an acknowledged write to the kill. */
const MAX_DELAY_MS = 60;

test(`kill -9 under load, ${rounds} rounds: no acknowledged cart, order, import, or rule is lost or repeated`, async (context) => {
  const { databaseUrl } = await freshDatabase();
  const env = databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl };
  const storeDir = await makeStore({
    ...slowShop,
    rows: [
      ...(slowShop.rows ?? []),
      product(2, "unlimited", "Unlimited", [{ id: variant.unlimited, price: 1_999 }]),
      ...importedHandles.map((handle, index) => product(3 + index, handle, "Import 0", [{ id: 30 + index, price: 1 }])),
    ],
    config: { ...slowShop.config, console: true, server: { threads: 2, maxWait: 60_000 } },
  });
  let server = await serve(storeDir, "", env);
  if (rounds > 2) {
    // Only a server that stops saves its compiled code, with which the next ones start in half the time.
    server.child.kill("SIGTERM");
    await server.finished;
    server = await serve(storeDir, "", env);
  }
  try {
    const shop = { storeDir, env };
    const orders = createOrderWriter(1);
    const writers: readonly KillWriter[] = [
      orders,
      await createImportWriter(shop),
      await createRulesWriter(shop),
      ...Array.from({ length: CART_WRITERS }, createCartWriter),
    ];
    const counts = { carts: 0, orders: 0, imports: 0, rules: 0 };
    for (let round = 0; round < rounds; round += 1) {
      const { origin } = server;
      // The server is killed soon after a write of a kind that changes with each round.
      const chosenWriter = writers[round % 4];
      const firstWrite = Promise.withResolvers<void>();
      const work = writers.map((writer) =>
        keepWriting(writer, origin, () => {
          counts[writer.kind] += 1;
          if (writer === chosenWriter) firstWrite.resolve();
        }),
      );
      await Promise.race([firstWrite.promise, Promise.all(work)]);
      await after(Math.random() * MAX_DELAY_MS);
      server.child.kill("SIGKILL");
      assert.equal((await server.finished).signal, "SIGKILL");
      await Promise.all(work);
      server = await serve(storeDir, "", env);
      for (const writer of writers) await writer.check(server.origin);
    }
    assert.equal(await assertOneOrderEach(storeDir, databaseUrl), orders.countOrders());
    context.diagnostic(`${rounds} rounds, acknowledged: ${JSON.stringify(counts)}, 0 lost`);
  } finally {
    server.child.kill("SIGKILL");
    await server.finished;
    await rm(storeDir, { recursive: true, force: true });
  }
});

/** Writes until the server is killed.  @throws AssertionError if a response is wrong */
async function keepWriting(writer: KillWriter, origin: string, onAcknowledged: () => void): Promise<void> {
  for (;;) {
    try {
      await writer.write(origin);
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error;
      return;
    }
    onAcknowledged();
  }
}
