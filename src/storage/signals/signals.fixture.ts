import { createHmac } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Database } from "../database.ts";
import { migrate } from "../migrate.ts";
import { openSqlite } from "../sqlite/sqlite.ts";
import type { CounterOptions } from "./count-signals.ts";

/** Creates an empty SQLite database. */
export async function openTestDatabase(): Promise<{ readonly database: Database; close(): Promise<void> }> {
  const dir = await mkdtemp(join(tmpdir(), "vitrine-signals-"));
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

let ids = 0;

export const counterOptions: CounterOptions = {
  newSalt() {
    ids += 1;
    return `salt ${ids}`;
  },
  digest: (text) => createHmac("sha256", "key").update(text).digest("base64url"),
  newRows: { take: () => true, refund: () => undefined },
};
