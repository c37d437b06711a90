// A process that locks a store, writes continuously, and reports each acknowledged write to its parent process.
import { randomUUID } from "node:crypto";
import { lockStore } from "./files.ts";
import { openSqlite } from "./sqlite.ts";

const [file = "", dir = ""] = process.argv.slice(2);
lockStore(dir);
const database = await openSqlite(file);
await database.write([{ sql: "CREATE TABLE IF NOT EXISTS t (id TEXT PRIMARY KEY)", params: [] }]);
process.send?.("ready");
await Promise.all(
  Array.from({ length: 20 }, async () => {
    for (;;) {
      const id = randomUUID();
      await database.write([{ sql: "INSERT INTO t (id) VALUES ($1)", params: [id] }]);
      process.send?.(id);
    }
  }),
);
