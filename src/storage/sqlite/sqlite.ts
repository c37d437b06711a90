import { closeSync, openSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import type { MessagePort } from "node:worker_threads";
import { SetupError } from "../../setup-error.ts";
import { system } from "../../system.ts";
import type { ChangeTopic, Database } from "../database.ts";
import { explainSqliteError } from "./errors.ts";
import { readFileIdentity } from "./files.ts";
import { type CommitListener, connectSqliteThread, type SqliteClient, startSqliteThread } from "./thread.ts";
import type { ThreadRole } from "./worker.ts";

/** Maximum milliseconds that a write waits for another process's lock. The limit is short, because a shopper waits. */
const BUSY_TIMEOUT_MS = 1_000;
/** Maximum milliseconds before a write starts. A started write waits only for another process's lock and the disk. */
const MAX_START_DELAY_MS = 3_800;

/** The database, with connections for other threads. */
export interface SqliteDatabase extends Database {
  /** Connects another thread to the database.  @param port a port from `connectSqlite` in the other thread */
  connect(role: ThreadRole, port: MessagePort): void;
}

/**
 * Opens an SQLite file, and creates the file if missing. One thread writes and another reads. So a sync of the disk or
 * a lock of another process blocks neither the event loop nor reads. Writes that arrive together share one transaction
 * and one sync.
 * @param busyMs maximum milliseconds that a write waits for another process's lock
 * @param onGroup receives each group of writes
 * @throws SetupError if the file cannot be opened, or can be neither written nor read
 */
export async function openSqlite(
  file: string,
  { busyMs = BUSY_TIMEOUT_MS, onGroup }: { busyMs?: number | undefined; onGroup?: CommitListener | undefined } = {},
): Promise<SqliteDatabase> {
  const identity = createFile(file);
  const listeners: ((topic: ChangeTopic) => void)[] = [];
  const callListeners = (topics: ReadonlySet<ChangeTopic>): void => {
    for (const topic of topics) for (const listener of listeners) listener(topic);
  };
  const writer = startSqliteThread({ file, identity, role: "writer", busyMs }, onGroup, callListeners);
  const reader = startSqliteThread({ file, identity, role: "reader", busyMs });
  try {
    // A valid header does not prove that the file is usable, so take the lock and read the schema.
    await writer.run([schema]).catch(async (error: unknown) => {
      // A full disk or a lock of another process may be temporary. Until then the shop is read-only.
      const [rows] = await reader.run([schema]);
      if (Number(rows?.[0]?.tables) === 0) throw error;
    });
  } catch (error) {
    await reader.close();
    await writer.close();
    throw createUnusableFileError(file, error);
  }
  return {
    ...createDatabase(writer, reader),
    onChange: (listener) => void listeners.push(listener),
    connect: (role, port) => (role === "writer" ? writer : reader).connect(port),
  };
}

/**
 * Connects to the database that another thread of this process has opened.
 * @param sendPort sends a port to that thread, for `SqliteDatabase.connect`
 */
export function connectSqlite(
  sendPort: (role: ThreadRole, port: MessagePort) => void,
  onCommit?: CommitListener,
): Database {
  const connect = (role: ThreadRole, commitListener?: CommitListener): SqliteClient =>
    connectSqliteThread(role, (port) => sendPort(role, port), commitListener);
  return createDatabase(connect("writer", onCommit), connect("reader"));
}

function createDatabase(writer: SqliteClient, reader: SqliteClient): Database {
  return {
    async read(sql, params = []) {
      const [rows = []] = await reader.run([{ sql, params }]);
      return rows;
    },
    write: (statements, startDeadline) => writer.run(statements, startDeadline),
    maxStartDelayMs: MAX_START_DELAY_MS,
    lockStatements: [],
    defersIndexCreation: true,
    now: system.now,
    async close() {
      await reader.close();
      // Close the writer last, because the last connection to close merges the write-ahead log into the file.
      await writer.close();
    },
  };
}

const schema = { sql: "SELECT COUNT(*) AS tables FROM sqlite_schema", params: [] };

/**
 * Creates the file if missing, accessible only to its owner. The write-ahead log gets the same permissions.
 * @returns the file's identity
 */
function createFile(file: string): string | undefined {
  try {
    closeSync(openSync(file, "a", 0o600));
  } catch {
    // Ignore the error: the file may still be readable, which is checked when it is opened.
  }
  try {
    new DatabaseSync(file).close();
  } catch (error) {
    throw createUnusableFileError(file, new Error(explainSqliteError(file, error)));
  }
  return readFileIdentity(file);
}

function createUnusableFileError(file: string, error: unknown): SetupError {
  const message = error instanceof Error ? error.message : String(error);
  return new SetupError(`the database cannot be used: ${message.includes(file) ? message : `${file}: ${message}`}`);
}
