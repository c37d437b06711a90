import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { SetupError } from "../../setup-error.ts";

/** Makes this process the one server of a data folder; commands beside it may still write to its database.
 *  The lock is SQLite's own on a file that holds nothing, so it ends with the process, `kill -9` included.
 *  @returns lets go of it  @throws SetupError where another server has it */
export function lockStore(dataDir: string): () => void {
  const file = join(dataDir, "server.lock");
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { timeout: 0 });
    // A journal in memory: a full disk does not keep a server from starting.
    database.exec("PRAGMA journal_mode=MEMORY; BEGIN EXCLUSIVE");
  } catch (error) {
    if (database?.isOpen === true) database.close();
    const isTaken = error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY;
    throw new SetupError(
      isTaken
        ? `${dataDir}: another Vitrine server is using this store. Stop it first, or serve a copy of the folder.`
        : `${file}: cannot be locked: ${error instanceof Error ? error.message : String(error)}. Make the folder writable.`,
    );
  }
  const lock = database;
  held.add(lock);
  return () => {
    held.delete(lock);
    lock.close();
  };
}

/** A connection that nothing refers to is closed by the garbage collector, and its lock with it. */
const held = new Set<DatabaseSync>();
const SQLITE_BUSY = 5;
