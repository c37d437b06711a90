import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Database } from "./database.ts";
import { migrate } from "./migrate.ts";
import { openSqlite } from "./sqlite/sqlite.ts";

/** Creates an empty SQLite database. */
export async function openTestDatabase(): Promise<{ readonly database: Database; close(): Promise<void> }> {
  const dir = await mkdtemp(join(tmpdir(), "vitrine-database-"));
  const database = await openSqlite(join(dir, "vitrine.db"));
  await migrate(database);
  return {
    database,
    async close() {
      await database.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
