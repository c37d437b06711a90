import assert from "node:assert/strict";
import { after, test } from "node:test";
import { CommitInDoubtError, type Database } from "../database.ts";
import { openTestDatabase } from "../test-database.fixture.ts";
import { saveRefundDue } from "./payments.ts";

const { database, close } = await openTestDatabase();
after(close);

test("a payment is not reported for a refund if its commit failed and another server used it for an order meanwhile", async () => {
  const payment = { amount: 100, currency: "USD", reference: "payment" };
  let isFirstWrite = true;
  const failingDatabase: Database = {
    ...database,
    async write(statements, startDeadline) {
      if (!isFirstWrite) return database.write(statements, startDeadline);
      isFirstWrite = false;
      const sql = "INSERT INTO payments VALUES ($1, 'checkout', 'order', 100, 'USD', NULL, 1, NULL)";
      await database.write([{ sql, params: [payment.reference] }]);
      throw new CommitInDoubtError("the connection broke");
    },
  };
  const parts = { database: failingDatabase, newId: () => "event" };
  const isStored = await saveRefundDue(parts, { id: "checkout", orderId: "order" }, payment, "paid_twice", 1);
  assert.equal(isStored, false, "the caller reads the stored payment");
});
