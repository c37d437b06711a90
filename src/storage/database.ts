export type SqlValue = string | number | null | Uint8Array;
export type SqlRow = Readonly<Record<string, SqlValue>>;

export interface Statement {
  /** One SQL text for SQLite and PostgreSQL; parameters are `$1`, `$2` ... */
  readonly sql: string;
  readonly params: readonly SqlValue[];
  /** Refuse the whole write with `WriteConflict` where this statement returns or touches fewer rows. */
  readonly requireRows?: number;
}

/** Where the shop's data is kept. Both methods throw `DatabaseUnavailable` when it cannot be reached, read or written. */
export interface Database {
  /** Committed rows. */
  read(sql: string, params?: readonly SqlValue[]): Promise<readonly SqlRow[]>;
  /** All statements or none, in order; resolves after the commit is on disk. Rows are those of each RETURNING.
   *  Nothing was written where it throws, but for `CommitInDoubt`.
   *  @param beginBy until when it may wait for its turn, on the clock of `performance.now()`; throws `NotBegun` then. What has begun
   *  is waited for */
  write(statements: readonly Statement[], beginBy?: number): Promise<readonly (readonly SqlRow[])[]>;
  /** Milliseconds that a write somebody waits for may wait until it begins: one that begins then still ends within five seconds,
   *  unless the disk hangs. */
  readonly beginMs: number;
  /** Put in front of a write that must not run beside another that begins with it; empty where writes are one after the other anyway. */
  readonly alone: readonly Statement[];
  /** Whether the indexes of an empty table are best made when its first rows are there. */
  readonly indexesLast: boolean;
  /** Milliseconds since 1970 by the clock of the database's server, which several servers share, whatever their own say; absent: it
   *  is this machine's. */
  readonly now?: () => number;
  close(): Promise<void>;
  /** Connections to the database's server; absent where there is none. */
  readonly connections?: () => { readonly inUse: number; readonly idle: number; readonly waiting: number };
}

/** The condition of a write did not hold: nothing was written. */
export class WriteConflict extends Error {
  override readonly name = "WriteConflict";
}

/** The database cannot be reached, read or written now. */
export class DatabaseUnavailable extends Error {
  override readonly name = "DatabaseUnavailable";
}

/** The write did not come to its turn in time: nothing was written, and nothing will be. */
export class WriteNotStarted extends DatabaseUnavailable {}

/** The answer to the commit was lost: it was written, or will be in a moment, or was not. */
export class CommitInDoubt extends DatabaseUnavailable {}

/** Another transaction held a lock for too long: nothing was written. */
export class LockTaken extends DatabaseUnavailable {}
