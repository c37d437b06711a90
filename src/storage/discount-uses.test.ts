import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Discount } from "../pricing/discount.ts";
import { confirmDiscountUse, createDiscountUseStore } from "./discount-uses.ts";
import { openTestDatabase } from "./test-database.fixture.ts";

const { database, close } = await openTestDatabase();
after(close);

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

test("a use that servers with different clocks reserve for two checkouts is given to one order", async () => {
  const uses = createDiscountUseStore(database);
  const discount = discountOf("clocks", 1);
  const [behind, ahead] = [0, 3_600_000];
  const confirm = (checkoutId: string, orderId: string, now: number) =>
    database.write(confirmDiscountUse(discount, { checkoutId, customerId: undefined }, orderId, now));
  assert.ok(await uses.reserve(discount, "checkout-1", behind));
  assert.ok(await uses.reserve(discount, "checkout-2", ahead));
  await confirm("checkout-2", "order-2", ahead);
  await assert.rejects(confirm("checkout-1", "order-1", behind));
  assert.ok(await uses.isUsedUp(discount, { checkoutId: "checkout-1", customerId: undefined }, behind));
  const [row] = await database.read("SELECT COUNT(*) AS orders FROM discount_uses WHERE checkout_id LIKE 'order-%'");
  assert.equal(row?.orders, 1);
});
