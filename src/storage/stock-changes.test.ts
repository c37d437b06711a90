import assert from "node:assert/strict";
import { test } from "node:test";
import { CommitInDoubtError, type Database, DatabaseUnavailableError } from "./database.ts";
import { createStockChangeStore } from "./stock-changes.ts";
import { openTestDatabase } from "./test-database.fixture.ts";

test("if the response to a commit is lost and the stock cannot be read, the change may be saved", async (context) => {
  const { database, close } = await openTestDatabase();
  context.after(close);
  let losesResponse = true;
  const brokenDatabase: Database = {
    ...database,
    async read(sql, params) {
      if (sql.includes("FROM stock_levels")) throw new DatabaseUnavailableError("the database is unavailable");
      return database.read(sql, params);
    },
    async write(...args) {
      const rows = await database.write(...args);
      if (!losesResponse) return rows;
      losesResponse = false;
      throw new CommitInDoubtError("the connection broke");
    },
  };
  const stock = createStockChangeStore(brokenDatabase, () => "id");
  const batch = { absolute: [{ variantId: "1", quantity: 4 }], relative: [], expected: [], revision: 1 };
  await assert.rejects(stock.change(batch, { scope: "api", fingerprint: "batch" }, Date.now()), CommitInDoubtError);
});
