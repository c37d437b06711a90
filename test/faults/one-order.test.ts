import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { test } from "node:test";
import {
  after,
  assertOneOrderEach,
  moveRound,
  openForm,
  rounds,
  slowShop,
  startPayment,
  startRound,
} from "../support/order-rounds.ts";
import { serve } from "../support/server-process.ts";
import { makeStore } from "../support/shop.ts";
import { freshDatabase } from "../support/test-database.ts";

/** Number of concurrent shoppers while the server is killed. */
const AT_ONCE = 3;

test(`one cart creates one order if the server is killed during several submissions and a payment, ${rounds} rounds`, {
  timeout: 60_000 + rounds * 10_000,
}, async () => {
  const { databaseUrl } = await freshDatabase();
  const env = databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl };
  const storeDir = await makeStore(slowShop);
  let server = await serve(storeDir, "", env);
  try {
    for (let number = 1; number <= rounds; number += 1) {
      const shoppers = await Promise.all(
        Array.from({ length: AT_ONCE }, async (_, index) => {
          const round = await startRound(server.origin, number + index * rounds);
          const send = await openForm(round);
          const notifyPaid = index === 0 ? await startPayment(round, send) : undefined;
          return { round, send, notifyPaid };
        }),
      );
      const answers = Promise.allSettled(
        shoppers.flatMap(({ send, notifyPaid }) => [
          ...["Pier 1", "Pier 2", "Pier 3"].map((address1) =>
            send({ order: "", address1, address2: String(Math.random() * 50) }),
          ),
          ...(notifyPaid === undefined ? [] : [notifyPaid()]),
        ]),
      );
      await after(Math.random() * 120);
      server.child.kill("SIGKILL");
      await server.finished;
      await answers;
      server = await serve(storeDir, "", env);
      for (const { round, send, notifyPaid } of shoppers) {
        moveRound(round, server.origin);
        const { status, headers, text } = await send({ order: "", name: "Ada B. Quay" });
        assert.match(`${status} ${headers.location}`, /^303 \/orders\//, text);
        if (notifyPaid !== undefined) assert.equal((await notifyPaid()).status, 200);
      }
    }
    assert.equal(await assertOneOrderEach(storeDir, databaseUrl), rounds * AT_ONCE);
  } finally {
    server.child.kill("SIGKILL");
    await server.finished;
    await rm(storeDir, { recursive: true, force: true });
  }
});
