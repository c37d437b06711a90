import { DatabaseSync } from "node:sqlite";
import { lacksRoomForIndex } from "./errors.ts";

export interface OpenFile {
  readonly database: DatabaseSync;
  /** Nobody else can open the file meanwhile: to be closed soon. */
  readonly isAlone: boolean;
}

/** Opens a file beside its other users, to read it. Where a full disk has no room for the index of the write-ahead log
 *  that they would share, it is opened alone, which needs none.
 *  @param busyMs how long another's lock is waited for */
export function openReadOnly(file: string, busyMs: number): OpenFile {
  const options = { timeout: busyMs, defensive: true };
  const shared = new DatabaseSync(file, { ...options, readOnly: true });
  try {
    // The log is looked for at the first read.
    shared.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").all();
    return { database: shared, isAlone: false };
  } catch (error) {
    shared.close();
    if (!lacksRoomForIndex(error)) throw error;
  }
  const alone = new DatabaseSync(file, options);
  alone.exec("PRAGMA locking_mode=EXCLUSIVE; PRAGMA query_only=ON");
  return { database: alone, isAlone: true };
}
