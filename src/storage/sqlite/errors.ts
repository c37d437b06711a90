/** Error if the file was deleted or replaced while open, so that data written to it is lost when the process ends. */
export class FileReplacedError extends Error {
  override readonly name = "FileReplaced";
}

/** SQLite's primary result codes of a database that cannot be reached, read, or written, with solutions. */
const solutions: ReadonlyMap<number, string> = new Map([
  [5, "another process holds its lock: find and stop it"], // BUSY
  [8, "give the server's user write access to the file and its folder"], // READONLY
  [10, "check the system's log for disk errors, and the free space"], // IOERR
  [11, "it is damaged: stop the server and restore a backup, or export readable data with sqlite3's .recover"], // CORRUPT
  [13, "its disk is full: free some space; a running server needs no restart"], // FULL
  [14, "check that its folder exists, and that the user of this process can read and write the folder and the file"], // CANTOPEN
  [26, "it is damaged, or no database: stop the server and restore a backup"], // NOTADB
]);

/** Codes IOERR_SHMSIZE, IOERR_SHMOPEN, IOERR_SHMMAP: no disk space for the index of the write-ahead log. */
const WAL_INDEX_SPACE_CODES: ReadonlySet<number> = new Set([4_874, 4_618, 5_386]);
const SQLITE_FULL = 13;
const SQLITE_BUSY = 5;
/** Result codes of errors after which the connection remains usable. */
const RECOVERABLE_CODES: ReadonlySet<number> = new Set([SQLITE_BUSY, SQLITE_FULL]);

/** Returns whether an error means that the database is unusable, and not that the statement is wrong. */
export function isSqliteUnavailable(error: unknown): boolean {
  return error instanceof FileReplacedError || solutions.has(getPrimaryCode(error));
}

/** Returns whether a statement failed because another process held the lock for too long. */
export function isSqliteLocked(error: unknown): boolean {
  return getPrimaryCode(error) === SQLITE_BUSY;
}

/** Returns whether a statement failed because its disk is full. */
export function isSqliteFull(error: unknown): boolean {
  return getPrimaryCode(error) === SQLITE_FULL;
}

/**
 * Returns whether the connection is broken, so that the file must be opened again. A deleted file still exists while it
 * is open, and may be restored.
 */
export function isConnectionBroken(error: unknown): boolean {
  return !RECOVERABLE_CODES.has(getPrimaryCode(error)) && !(error instanceof FileReplacedError);
}

/**
 * Returns whether the disk lacks space for the shared index, without which only one connection can open a file in WAL
 * mode.
 */
export function lacksSpaceForIndex(error: unknown): boolean {
  return WAL_INDEX_SPACE_CODES.has(getResultCode(error));
}

/** Returns a message with the file, the error, and a solution. */
export function explainSqliteError(file: string, error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const solution = solutions.get(lacksSpaceForIndex(error) ? SQLITE_FULL : getPrimaryCode(error));
  return solution === undefined ? message : `${file}: ${message}: ${solution}.`;
}

/** Returns the SQLite result code of an error; -1 for other errors. */
function getResultCode(error: unknown): number {
  return error instanceof Error && "errcode" in error && typeof error.errcode === "number" ? error.errcode : -1;
}

function getPrimaryCode(error: unknown): number {
  const code = getResultCode(error);
  return code < 0 ? code : code & 255;
}
