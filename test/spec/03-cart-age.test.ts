import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { createApp } from "../../src/app.ts";
import { createCartStore, purgeCarts } from "../../src/storage/cart-store.ts";
import { openDatabase } from "../../src/storage/open-database.ts";
import { add, assertMutated, readCart } from "../support/assertions.ts";
import { variant } from "../support/catalog.ts";
import { createClient } from "../support/client.ts";
import { makeStore, testSecret } from "../support/shop.ts";
import { freshDatabase } from "../support/test-database.ts";

const DAY = 86_400_000;
const start = Date.now();
let now = start;
const storeDir = await makeStore({});
const { databaseUrl } = await freshDatabase();
const source = databaseUrl === undefined ? {} : { databaseUrl };
const app = await createApp({ storeDir, secret: testSecret, logLevel: "silent", now: () => now, ...source });
const origin = await app.listen("127.0.0.1", 0);
const database = await openDatabase(
  databaseUrl === undefined ? { file: join(storeDir, "data", "vitrine.db") } : { url: databaseUrl },
);
after(async () => {
  await database.close();
  await app.close();
  await rm(storeDir, { recursive: true, force: true });
});

const sweepOn = async (day: number): Promise<number> => {
  now = start + day * DAY;
  // This cart of another shopper was written ten days ago.
  const other = {
    id: randomUUID(),
    checkoutId: randomUUID(),
    revision: 0,
    lines: [],
    discountCodes: [],
    giftCards: [],
  };
  await createCartStore(database, "other").save(other, { ...other, revision: 1 }, { now: now - 10 * DAY });
  return purgeCarts(database, 30, now, (message) => assert.fail(message));
};

for (const [name, headers] of [
  ["", {}],
  [" with a key", { "idempotency-key": "same" }],
] as const) {
  test(`3 a write${name} that changes nothing extends the lifetime of the cart and of its cookie`, async () => {
    now = start;
    const client = createClient(origin);
    const { revision } = await add(client, variant.unlimited, 2);
    const same = async (day: number): Promise<void> => {
      now = start + day * DAY;
      const reply = await client.post("/cart/update.js", { updates: [2] }, headers);
      assert.equal(assertMutated(reply).revision, revision);
      assert.ok(reply.headers["set-cookie"]?.some((line) => line.startsWith("cart=")));
    };
    await same(0.9);
    await sweepOn(30.8);
    assert.equal((await readCart(client)).item_count, 2, "the cookie of day 0.9 still gives access");
    // The token expires after 30 days, like the cookie.
    client.cookies.delete("csrf_token");
    await same(30.8);
    await sweepOn(60.7);
    assert.equal((await readCart(client)).item_count, 2);
    await sweepOn(62.9);
    assert.equal((await readCart(client)).item_count, 0);
  });
}
