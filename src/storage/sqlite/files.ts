import { statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { SetupError } from "../../setup-error.ts";
import { FileReplaced, lacksSpaceForIndex } from "./errors.ts";

/** Device and inode of a file, which distinguish it from another file of the same name; undefined if there is no such file. */
export function identityOf(file: string): string | undefined {
  try {
    const { dev, ino } = statSync(file, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}

/** @param expected `identityOf` the file when it was opened  @throws FileReplaced */
export function requireSameFile(file: string, expected: string | undefined): void {
  if (identityOf(file) === expected) return;
  throw new FileReplaced(
    `${file} was deleted or replaced while in use, so nothing is read from it or written to it. ` +
      "Put the very same file back, or stop the server, put a backup in its place and start it again.",
  );
}

export interface OpenFile {
  readonly database: DatabaseSync;
  /** No other process can open the file in the meantime: close it soon. */
  readonly isAlone: boolean;
}

/**
 * Opens a file for reading, shared with other processes. If the disk is too full for the shared index of the
 * write-ahead log, the file is opened exclusively, which needs none.
 * @param busyMs milliseconds to wait for a lock
 */
export function openReadOnly(file: string, busyMs: number): OpenFile {
  const options = { timeout: busyMs, defensive: true };
  const shared = new DatabaseSync(file, { ...options, readOnly: true });
  try {
    // SQLite opens the log at the first read.
    shared.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").all();
    return { database: shared, isAlone: false };
  } catch (error) {
    shared.close();
    if (!lacksSpaceForIndex(error)) throw error;
  }
  const alone = new DatabaseSync(file, options);
  alone.exec("PRAGMA locking_mode=EXCLUSIVE; PRAGMA query_only=ON");
  return { database: alone, isAlone: true };
}

/**
 * Makes this process the only server of a data folder; commands may still write to its database. SQLite's lock on an
 * empty file ends with the process, also after `kill -9`.
 * @returns a function that releases the lock
 * @throws SetupError if another server has it
 */
export function lockStore(dataDir: string): () => void {
  const file = join(dataDir, "server.lock");
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { timeout: 0 });
    // A journal in memory: a server can start even if the disk is full.
    database.exec("PRAGMA journal_mode=MEMORY; BEGIN EXCLUSIVE");
  } catch (error) {
    if (database?.isOpen === true) database.close();
    const isLocked = error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY;
    throw new SetupError(
      isLocked
        ? `${dataDir}: another Vitrine server is using this store. Stop it first, or serve a copy of the folder.`
        : `${file}: cannot be locked: ${error instanceof Error ? error.message : String(error)}. Make the folder writable.`,
    );
  }
  const lock = database;
  locks.add(lock);
  return () => {
    locks.delete(lock);
    lock.close();
  };
}

/** The garbage collector closes unreferenced connections, which releases their locks. */
const locks = new Set<DatabaseSync>();
const SQLITE_BUSY = 5;
