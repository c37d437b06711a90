import { closeSync, openSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import type { MessagePort } from "node:worker_threads";
import { SetupError } from "../../setup-error.ts";
import type { Database } from "../database.ts";
import { explainSqlite } from "./errors.ts";
import { identityOf } from "./files.ts";
import { connectSqliteThread, type OnGroup, type SqliteClient, startSqliteThread } from "./thread.ts";
import type { Role } from "./worker.ts";

/** How long a write waits for another process's lock: short, since a shopper waits too. */
const BUSY_MS = 1_000;
/** Milliseconds that a write may wait until it begins. That lock is all that it waits for then, but for the disk. */
const BEGIN_MS = 3_800;

/** The database, and the way in for other threads. */
export interface SqliteDatabase extends Database {
  /** @param port of a `connectSqlite` in another thread */
  connect(role: Role, port: MessagePort): void;
}

/** Opens an SQLite file, made where it is missing. Two threads, one that writes and one that reads: neither a disk's sync
 *  nor another process's lock ever holds up the event loop, or a read. Writes that arrive together share one transaction and one sync.
 *  @param busyMs how long a write waits for another process's lock  @param onGroup told of each group of writes
 *  @throws SetupError where the file cannot be opened, or neither be written nor read */
export async function openSqlite(
  file: string,
  { busyMs = BUSY_MS, onGroup }: { readonly busyMs?: number; readonly onGroup?: OnGroup } = {},
): Promise<SqliteDatabase> {
  const identity = makeFile(file);
  const writer = startSqliteThread({ file, identity, role: "writer", busyMs }, onGroup);
  const reader = startSqliteThread({ file, identity, role: "reader", busyMs });
  try {
    // The file's header alone does not tell that it can be used: take the lock and read the schema.
    await writer.run([schema]).catch(async (error: unknown) => {
      // A disk that is full, or another's lock, is got over later: what can be read is shown meanwhile.
      const [rows] = await reader.run([schema]);
      if (Number(rows?.[0]?.tables) === 0) throw error;
    });
  } catch (error) {
    await reader.close();
    await writer.close();
    throw unusable(file, error);
  }
  return {
    ...databaseOf(writer, reader),
    connect: (role, port) => (role === "writer" ? writer : reader).connect(port),
  };
}

/** The database that another thread of this process has opened. @param pass hands the end of a port to that thread, for `SqliteDatabase.connect` */
export function connectSqlite(pass: (role: Role, port: MessagePort) => void, onGroup?: OnGroup): Database {
  const connect = (role: Role, told?: OnGroup): SqliteClient =>
    connectSqliteThread(role, (port) => pass(role, port), told);
  return databaseOf(connect("writer", onGroup), connect("reader"));
}

function databaseOf(writer: SqliteClient, reader: SqliteClient): Database {
  return {
    async read(sql, params = []) {
      const [rows = []] = await reader.run([{ sql, params }]);
      return rows;
    },
    write: (statements, beginBy) => writer.run(statements, beginBy),
    beginMs: BEGIN_MS,
    alone: [],
    indexesLast: true,
    async close() {
      await reader.close();
      // The last to close takes the write-ahead log into the file.
      await writer.close();
    },
  };
}

const schema = { sql: "SELECT COUNT(*) AS tables FROM sqlite_schema", params: [] };

/** Makes the file where it is missing, its owner's alone; the write-ahead log gets the same rights. @returns what tells it from another that takes its place */
function makeFile(file: string): string | undefined {
  try {
    closeSync(openSync(file, "a", 0o600));
  } catch {
    // It may be readable all the same: opening it tells.
  }
  try {
    new DatabaseSync(file).close();
  } catch (error) {
    throw unusable(file, new Error(explainSqlite(file, error)));
  }
  return identityOf(file);
}

function unusable(file: string, error: unknown): SetupError {
  const message = error instanceof Error ? error.message : String(error);
  return new SetupError(`the database cannot be used: ${message.includes(file) ? message : `${file}: ${message}`}`);
}
