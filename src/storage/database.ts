import type { ConnectionCounts } from "../observability/metrics.ts";

export type SqlValue = string | number | null | Uint8Array;
export type SqlRow = Readonly<Record<string, SqlValue>>;

export interface Statement {
  /** SQL text that both SQLite and PostgreSQL accept. Parameters are `$1`, `$2` and so on. */
  readonly sql: string;
  readonly params: readonly SqlValue[];
  /**
   * Minimum number of rows that the statement must return or change. With fewer, the write fails with `WriteConflict`.
   */
  readonly requireRows?: number;
  /** Subject of the change. Listeners of `Database.onChange` are called after the commit. */
  readonly topic?: ChangeTopic;
}

/** Subject of a change that all servers read. */
export type ChangeTopic = "catalog" | "stock" | "rules";

/**
 * The shop's database. Both methods throw `DatabaseUnavailableError` if it cannot be reached, read, or written.
 */
export interface Database {
  /** Reads committed rows. */
  read(sql: string, params?: readonly SqlValue[]): Promise<readonly SqlRow[]>;
  /**
   * Runs all statements in order in one transaction. Resolves after the commit is on disk.
   * @param startDeadline latest start, as a time of `performance.now()`. A started write is not interrupted
   * @returns the rows of each RETURNING clause
   * @throws WriteNotStartedError if the write could not start in time
   * @throws CommitInDoubtError if the write may be committed. After any other error nothing was written
   */
  write(statements: readonly Statement[], startDeadline?: number): Promise<readonly (readonly SqlRow[])[]>;
  /**
   * Maximum milliseconds from a request to the start of its write. A write that starts in time ends within five seconds
   * of the request, unless the disk hangs.
   */
  readonly maxStartDelayMs: number;
  /** Statements that take an exclusive lock at the start of a write. Empty if the database runs one write at a time. */
  readonly lockStatements: readonly Statement[];
  /**
   * Creates an index of an existing table without blocking writes to the table. Undefined if the database cannot do so.
   * @param sql "CREATE INDEX IF NOT EXISTS name ON …"
   * @throws LockTimeout if another process holds the exclusive lock
   */
  readonly createIndex?: (sql: string) => Promise<void>;
  /** Whether to create the indexes of an empty table after its first rows are stored. */
  readonly defersIndexCreation: boolean;
  /** Returns milliseconds since 1970 by a clock that all clients of the database share. */
  readonly now: () => number;
  /**
   * Calls a listener after commits of statements with a topic by all threads of this process, and, with PostgreSQL, by
   * other servers. Calls may be lost, so callers must also poll (see `pollChanges`). Undefined for a database that is
   * only polled.
   */
  readonly onChange?: (listener: (topic: ChangeTopic) => void) => void;
  /** Milliseconds between two polls for changes that may cause no call of a listener. Default: 200. */
  readonly pollIntervalMs?: number;
  close(): Promise<void>;
  /**
   * Reads the versions of Vitrine that are connected to the database server. Undefined for a database that only one
   * server can open.
   */
  readonly readConnectedVersions?: () => Promise<readonly ConnectedVersion[]>;
  /** Returns the number of connections to the database server. Undefined for a database without a server. */
  readonly connections?: () => ConnectionCounts;
}

/**
 * Runs a write that other processes may have made unnecessary.
 * @returns the rows of each RETURNING clause; undefined if a condition failed, and nothing was written
 */
export async function tryWrite(
  database: Pick<Database, "write">,
  ...write: Parameters<Database["write"]>
): Promise<readonly (readonly SqlRow[])[] | undefined> {
  try {
    return await database.write(...write);
  } catch (error) {
    if (!(error instanceof WriteConflict)) throw error;
    return undefined;
  }
}

/** Returns SQL placeholders such as "$3, $4".  @param from number of the first placeholder */
export function formatPlaceholders(count: number, from = 1): string {
  return Array.from({ length: count }, (_, index) => `$${from + index}`).join(", ");
}

/** Reads rows for any number of values.  @param createQuery returns the SQL and the parameters of a batch of values */
export async function readInBatches(
  database: Database,
  values: readonly string[],
  createQuery: (batch: readonly string[]) => readonly [sql: string, params: readonly SqlValue[]],
): Promise<readonly SqlRow[]> {
  const rows: SqlRow[] = [];
  for (const batch of splitByPowersOfTwo(values)) rows.push(...(await database.read(...createQuery(batch))));
  return rows;
}

/** Maximum length of a part in {@link splitByPowersOfTwo}. */
const MAX_PART_LENGTH = 512;

/**
 * Splits a list into parts whose lengths are powers of two, from 512 to 1, so that ten SQL texts suffice for any
 * length.
 */
export function splitByPowersOfTwo<T>(list: readonly T[]): readonly (readonly T[])[] {
  const parts: (readonly T[])[] = [];
  for (let offset = 0, length = MAX_PART_LENGTH; offset < list.length; ) {
    while (length > list.length - offset) length /= 2;
    parts.push(list.slice(offset, offset + length));
    offset += length;
  }
  return parts;
}

/** Version of a server or command that uses a database. */
export interface ConnectedVersion {
  /** Version of Vitrine, such as "0.1.0". */
  readonly version: string;
  readonly schemaVersion: number;
}

/** Error if a condition of the write failed; nothing was written. */
export class WriteConflict extends Error {
  override readonly name = "WriteConflict";
}

/** Error if the database currently cannot be reached, read, or written. */
export class DatabaseUnavailableError extends Error {
  override readonly name = "DatabaseUnavailableError";
  /** Whether the write may be committed. */
  readonly isInDoubt: boolean = false;
}

/** Error if the write could not start in time; nothing was written. */
export class WriteNotStartedError extends DatabaseUnavailableError {}

/** Error if the response to the commit was lost. The write may have been committed, or may still be committed soon. */
export class CommitInDoubtError extends DatabaseUnavailableError {
  override readonly isInDoubt = true;
}

/** Error if another transaction held a lock for too long; nothing was written. */
export class LockTimeout extends DatabaseUnavailableError {}
