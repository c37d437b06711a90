import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { CommitInDoubtError, type Database, DatabaseUnavailableError } from "./database.ts";
import { migrate } from "./migrate.ts";
import { openSqlite } from "./sqlite/sqlite.ts";
import { createStockChangeStore } from "./stock-changes.ts";

test("if the response to a commit is lost and the stock cannot be read, the change may be saved", async (context) => {
  const dir = await mkdtemp(join(tmpdir(), "vitrine-stock-"));
  const database = await openSqlite(join(dir, "vitrine.db"));
  context.after(async () => {
    await database.close();
    await rm(dir, { recursive: true, force: true });
  });
  await migrate(database);
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
