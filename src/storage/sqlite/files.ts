import { statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { SetupError } from "../../setup-error.ts";
import { FileReplacedError, isSqliteLocked, lacksSpaceForIndex } from "./errors.ts";

/**
 * Returns the device and inode of a file. Another file of the same name has a different result. Undefined if the file
 * does not exist.
 */
export function readFileIdentity(file: string): string | undefined {
  try {
    const { dev, ino } = statSync(file, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}

/**
 * Throws if a file was replaced.
 * @param expectedIdentity result of `readFileIdentity` when the file was opened
 * @throws FileReplacedError
 */
export function requireSameFile(file: string, expectedIdentity: string | undefined): void {
  if (readFileIdentity(file) === expectedIdentity) return;
  throw new FileReplacedError(
    `${file} was deleted or replaced while in use, so nothing is read from it or written to it. ` +
      "Restore the same file, or stop the server, replace the file with a backup, and start the server.",
  );
}

export interface OpenFile {
  readonly database: DatabaseSync;
  /** Whether no other process can open the file until it is closed. */
  readonly isExclusive: boolean;
}

/**
 * Opens a file for reading, shared with other processes. If the disk has no space for the shared index of the
 * write-ahead log, opens the file exclusively, without an index.
 * @param busyTimeoutMs maximum milliseconds to wait for a lock
 */
export function openReadOnlyFile(file: string, busyTimeoutMs: number): OpenFile {
  const options = { timeout: busyTimeoutMs, defensive: true };
  const sharedConnection = new DatabaseSync(file, { ...options, readOnly: true });
  try {
    // SQLite opens the write-ahead log only at the first read, so read once to detect a lack of disk space.
    sharedConnection.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").all();
    return { database: sharedConnection, isExclusive: false };
  } catch (error) {
    sharedConnection.close();
    if (!lacksSpaceForIndex(error)) throw error;
  }
  const exclusiveConnection = new DatabaseSync(file, options);
  exclusiveConnection.exec("PRAGMA locking_mode=EXCLUSIVE; PRAGMA query_only=ON");
  return { database: exclusiveConnection, isExclusive: true };
}

/**
 * Makes this process the only server of a data folder. Commands may still write to the folder's database. The lock is
 * an SQLite lock on an empty file, which ends with the process, even after `kill -9`.
 * @returns a function that releases the lock
 * @throws SetupError if another server has the lock
 */
export function lockStore(dataDir: string): () => void {
  const file = join(dataDir, "server.lock");
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { timeout: 0 });
    // With a journal in memory, a server can start even if the disk is full.
    database.exec("PRAGMA journal_mode=MEMORY; BEGIN EXCLUSIVE");
  } catch (error) {
    if (database?.isOpen === true) database.close();
    throw new SetupError(
      isSqliteLocked(error)
        ? `${dataDir}: another Vitrine server is using this store. Stop it first, or serve a copy of the folder.`
        : `${file}: cannot be locked: ${error instanceof Error ? error.message : String(error)}. Make the folder writable.`,
    );
  }
  const lockHolder = database;
  lockHolders.add(lockHolder);
  return () => {
    lockHolders.delete(lockHolder);
    lockHolder.close();
  };
}

/** Keep references to the connections: the garbage collector would close them, which releases their locks. */
const lockHolders = new Set<DatabaseSync>();
