export type SqlValue = string | number | null | Uint8Array;
export type SqlRow = Readonly<Record<string, SqlValue>>;

export interface Statement {
  /** SQL for both SQLite and PostgreSQL; parameters are `$1`, `$2` ... */
  readonly sql: string;
  readonly params: readonly SqlValue[];
  /**
   * Minimum number of rows that this statement returns or changes; with fewer, the write fails with `WriteConflict`.
   */
  readonly requireRows?: number;
}

/** The shop's database. Both methods throw `DatabaseUnavailable` if it cannot be reached, read, or written. */
export interface Database {
  /** Reads committed rows. */
  read(sql: string, params?: readonly SqlValue[]): Promise<readonly SqlRow[]>;
  /**
   * Runs all statements or none, in order; resolves after the commit is on disk.
   * @param beginBy latest start, on the clock of `performance.now()`; a started write is not interrupted
   * @returns the rows of each RETURNING
   * @throws WriteNotStarted if the write could not start in time
   * @throws CommitInDoubt if the write may be committed; after all other errors nothing was written
   */
  write(statements: readonly Statement[], beginBy?: number): Promise<readonly (readonly SqlRow[])[]>;
  /**
   * Maximum milliseconds from a request to the start of its write: a write that starts in time ends within five seconds
   * of the request, unless the disk hangs.
   */
  readonly beginMs: number;
  /**
   * Statements at the start of a write that must not run at the same time as another with them; empty if all writes are
   * serial.
   */
  readonly exclusively: readonly Statement[];
  /** Whether the indexes of an empty table are best created after its first rows are stored. */
  readonly indexesLast: boolean;
  /**
   * Milliseconds since 1970 by the clock of the database server, which its clients share. Default: this machine's
   * clock.
   */
  readonly now?: () => number;
  close(): Promise<void>;
  /** Connections to the database server; undefined without one. */
  readonly connections?: () => { readonly inUse: number; readonly idle: number; readonly waiting: number };
}

/** A condition of the write failed: nothing was written. */
export class WriteConflict extends Error {
  override readonly name = "WriteConflict";
}

/** The database currently cannot be reached, read, or written. */
export class DatabaseUnavailable extends Error {
  override readonly name = "DatabaseUnavailable";
}

/** The write could not start in time: nothing was written. */
export class WriteNotStarted extends DatabaseUnavailable {}

/** The response to the commit was lost: the write may be committed, or may be committed soon. */
export class CommitInDoubt extends DatabaseUnavailable {}

/** Another transaction held a lock for too long: nothing was written. */
export class LockTimeout extends DatabaseUnavailable {}
