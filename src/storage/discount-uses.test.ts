import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Discount } from "../pricing/discount.ts";
import type { Database } from "./database.ts";
import { createDiscountUses } from "./discount-uses.ts";
import { migrate } from "./migrate.ts";
import { openSqlite } from "./sqlite.ts";

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

test("a checkout uses a discount once, however often it is counted", async () => {
  const uses = createDiscountUses(database);
  const discount = discountOf("once", 2);
  for (let n = 0; n < 3; n += 1) assert.equal(await uses.count(discount, "one", n), true);
  assert.equal(await uses.isUsedUp(discount, "two"), false);
  assert.equal(await uses.count(discount, "two", 0), true);
  assert.equal(await uses.count(discount, "three", 0), false);
  assert.equal(await uses.isUsedUp(discount, "three"), true);
  assert.equal(await uses.isUsedUp(discount, undefined), true);
  assert.equal(await uses.isUsedUp(discount, "one"), false, "who has used it has it still");
});

test("of many at once as many get it as may, and more where the merchant allows more", async () => {
  const uses = createDiscountUses(database);
  const count = (limit: number): Promise<boolean[]> =>
    Promise.all(Array.from({ length: 30 }, (_, n) => uses.count(discountOf("rush", limit), `checkout-${n}`, n)));
  assert.equal((await count(7)).filter(Boolean).length, 7);
  assert.equal((await count(3)).filter(Boolean).length, 7, "those who had it keep it");
  assert.equal((await count(9)).filter(Boolean).length, 9);
});
