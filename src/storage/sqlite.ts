import { SetupError } from "../setup-error.ts";
import type { Database } from "./database.ts";
import { type OnGroup, startSqliteThread } from "./sqlite-thread.ts";

/** How long a write waits for another process's lock: short, since a shopper waits too. */
const BUSY_MS = 1_000;

/** Opens an SQLite file, made where it is missing. Two threads, one that writes and one that reads: neither a disk's sync
 *  nor another process's lock ever holds up the event loop, or a read. Writes that arrive together share one transaction and one sync.
 *  @param busyMs how long a write waits for another process's lock  @param onGroup told of each group of writes
 *  @throws SetupError where the file cannot be opened and written */
export async function openSqlite(
  file: string,
  { busyMs = BUSY_MS, onGroup }: { readonly busyMs?: number; readonly onGroup?: OnGroup } = {},
): Promise<Database> {
  const writer = startSqliteThread({ file, role: "writer", busyMs }, onGroup);
  try {
    // The file's header alone does not tell that it can be written: take the lock and read the schema.
    await writer.run([{ sql: "SELECT COUNT(*) AS tables FROM sqlite_schema", params: [] }]);
  } catch (error) {
    await writer.close();
    throw new SetupError(
      `${file}: cannot be used as database: ${error instanceof Error ? error.message : String(error)}. ` +
        "See that its folder can be written, that the disk has room, and that the file is a database of Vitrine.",
    );
  }
  const reader = startSqliteThread({ file, role: "reader", busyMs });
  return {
    async read(sql, params = []) {
      const [rows = []] = await reader.run([{ sql, params }]);
      return rows;
    },
    write: (statements) => writer.run(statements),
    alone: [],
    async close() {
      await reader.close();
      // The last to close takes the write-ahead log into the file.
      await writer.close();
    },
  };
}
