import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Discount } from "../pricing/discount.ts";
import type { Database } from "./database.ts";
import { createDiscountUseStore, purgeDiscountUses } from "./discount-uses.ts";
import { migrate } from "./migrate.ts";
import { openSqlite } from "./sqlite/sqlite.ts";

let dir: string;
let database: Database;
before(async () => {
  dir = await mkdtemp(join(tmpdir(), "vitrine-uses-"));
  database = await openSqlite(join(dir, "vitrine.db"));
  await migrate(database);
});
after(async () => {
  await database.close();
  await rm(dir, { recursive: true, force: true });
});

const discountOf = (id: string, usageLimit: number): Discount => ({
  kind: "discount",
  id,
  title: id,
  valueType: "percentage",
  value: 10,
  minimumSubtotal: 0,
  products: [],
  collections: [],
  usageLimit,
});

test("a checkout reserves a discount use once, for any number of views", async () => {
  const uses = createDiscountUseStore(database);
  const discount = discountOf("once", 2);
  for (let n = 0; n < 3; n += 1) assert.equal(await uses.reserve(discount, "one", n), true);
  assert.equal(await uses.isUsedUp(discount, { checkoutId: "two", customerId: undefined }, 9), false);
  assert.equal(await uses.reserve(discount, "two", 9), true);
  assert.equal(await uses.reserve(discount, "three", 9), false);
  assert.equal(await uses.isUsedUp(discount, { checkoutId: "three", customerId: undefined }, 9), true);
  assert.equal(await uses.isUsedUp(discount, { checkoutId: undefined, customerId: undefined }, 9), true);
  assert.equal(
    await uses.isUsedUp(discount, { checkoutId: "one", customerId: undefined }, 9),
    false,
    "a checkout with a reservation keeps it",
  );
});

test("concurrent checkouts get as many uses as the limit allows, and more after the merchant raises it", async () => {
  const uses = createDiscountUseStore(database);
  const reserveAll = (limit: number): Promise<boolean[]> =>
    Promise.all(Array.from({ length: 30 }, (_, n) => uses.reserve(discountOf("rush", limit), `checkout-${n}`, n)));
  assert.equal((await reserveAll(7)).filter(Boolean).length, 7);
  assert.equal((await reserveAll(3)).filter(Boolean).length, 7, "reservations above a lowered limit stay");
  assert.equal((await reserveAll(9)).filter(Boolean).length, 9);
});

test("a reservation expires half an hour after the last view, is available to others then, and is purged", async () => {
  const uses = createDiscountUseStore(database);
  const discount = discountOf("lapsing", 2);
  const reserveAt = (checkoutId: string, minute: number): Promise<boolean> =>
    uses.reserve(discount, checkoutId, minute * 60_000);
  assert.deepEqual(
    [await reserveAt("one", 100), await reserveAt("two", 100), await reserveAt("three", 100)],
    [true, true, false],
  );
  assert.equal(await reserveAt("one", 120), true);
  assert.equal(await uses.isUsedUp(discount, { checkoutId: "three", customerId: undefined }, 129 * 60_000), true);
  assert.deepEqual([await reserveAt("three", 130), await reserveAt("two", 130)], [true, false]);
  await uses.release(discount, "one");
  assert.deepEqual([await reserveAt("two", 131), await reserveAt("one", 131)], [true, false]);
  await purgeDiscountUses(database, 161 * 60_000);
  assert.deepEqual(
    await database.read("SELECT 1 AS one FROM discount_uses WHERE expires_at <= $1", [161 * 60_000]),
    [],
  );
});

test("as reservations expire, concurrent checkouts get at most the allowed uses, even while some are released", async () => {
  const uses = createDiscountUseStore(database);
  const discount = discountOf("turns", 5);
  for (let round = 0; round < 5; round += 1) {
    const now = round * 3_600_000;
    const reserveAt = await Promise.all(
      Array.from({ length: 40 }, async (_, n) => {
        const checkoutId = `checkout-${(n + 3 * round) % 40}`;
        const isReserved = await uses.reserve(discount, checkoutId, now);
        if (isReserved && n % 2 === 0) await uses.release(discount, checkoutId);
        return isReserved && n % 2 === 1;
      }),
    );
    const [row] = await database.read(
      "SELECT COUNT(*) AS count FROM discount_uses WHERE discount_id = 'turns' AND expires_at > $1",
      [now],
    );
    assert.equal(row?.count, reserveAt.filter(Boolean).length);
    assert.ok(Number(row?.count) <= 5);
  }
});
