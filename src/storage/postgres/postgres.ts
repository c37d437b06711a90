import type pg from "pg";
import { SetupError } from "../../setup-error.ts";
import {
  CommitInDoubt,
  type Database,
  DatabaseUnavailable,
  LockTimeout,
  type SqlRow,
  type Statement,
  WriteConflict,
} from "../database.ts";
import { type Connections, openConnections } from "./connections.ts";
import { isBrokenConnection, isLockTimeout, isResponseLost, isRetryable, isUnavailable } from "./errors.ts";

export interface PostgresOptions {
  /** Maximum number of connections. Each connection uses memory of the server. */
  readonly connections?: number;
  /** Maximum milliseconds of a statement. The longest statement of an import takes a few seconds. */
  readonly statementMs?: number;
}

/** Default number of connections of one process. A write occupies a connection for about a millisecond. */
export const CONNECTIONS = 10;
/** Milliseconds after which a statement is canceled, so that a shopper gets a response within five seconds. */
const STATEMENT_MS = 2_000;
/** Milliseconds after a statement's time limit for which the driver waits for the server to report the timeout. */
const SILENCE_MS = 500;
/** Milliseconds added to the total time limit of a write with a deadline. */
const GRACE_MS = 100;
/** Maximum milliseconds that a write or a read may wait for a free connection, before the time of its statement. */
const BEGIN_MS = 2_800;
/** Maximum milliseconds that a statement waits for a lock of another transaction. */
const LOCK_MS = 1_000;
/** Maximum milliseconds that the server waits for the next statement of a transaction. */
const IDLE_MS = 10_000;
/** Arbitrary number of an advisory lock. No other program may use the same number in this database. */
const LOCK_KEY = 7_046_113;
/** Maximum attempts of a write that conflicts with another write. */
const MAX_TRIES = 4;

/**
 * Opens a PostgreSQL database. Every wait has a time limit, and the next statement replaces a broken connection.
 * @param url "postgres://user:password@host:5432/name"
 * @throws SetupError if the database cannot be used
 */
export async function openPostgres(url: string, options: PostgresOptions = {}): Promise<Database> {
  const { connections = CONNECTIONS, statementMs = STATEMENT_MS } = options;
  // The server's own limit comes first. The driver's limit is for a server that no longer responds.
  const pool = openConnections(url, connections, statementMs + SILENCE_MS);
  try {
    await pool.use(performance.now() + BEGIN_MS, (client) => client.query("SELECT 1"));
  } catch (error) {
    await pool.close();
    throw error instanceof SetupError
      ? error
      : new SetupError(
          `DATABASE_URL: cannot be used: ${messageOf(error)}. Check that the server is running and the URL is correct.`,
        );
  }
  const begin = beginWith(statementMs);
  const beginBy = (): number => performance.now() + Math.max(statementMs, BEGIN_MS);
  return {
    read: (sql, params = []) => attempt(() => read(pool, begin, { sql, params }, beginBy())),
    write: (statements, by) => {
      // A write with a deadline has a total time limit, regardless of its number of statements.
      const endBy = by === undefined ? Number.POSITIVE_INFINITY : by + statementMs + GRACE_MS;
      return attempt(() => write(pool, begin, statements, by ?? beginBy(), endBy));
    },
    beginMs: BEGIN_MS,
    exclusively: [{ sql: "SELECT pg_advisory_xact_lock($1)", params: [LOCK_KEY] }],
    // Creating an index of all rows at once may exceed the time limit of statements.
    indexesLast: false,
    now: pool.now,
    close: pool.close,
    connections: pool.count,
  };
}

/**
 * Returns SQL that starts a transaction with its time limits. Limits cannot be set per connection, because a pooler
 * such as PgBouncer uses another server connection for each transaction and rejects such startup parameters.
 */
function beginWith(statementMs: number): string {
  return [
    "BEGIN",
    `SET LOCAL statement_timeout = ${statementMs}`,
    `SET LOCAL lock_timeout = ${Math.min(LOCK_MS, statementMs)}`,
    `SET LOCAL idle_in_transaction_session_timeout = ${IDLE_MS}`,
  ].join("; ");
}

/**
 * Retries work that had no effect because of another transaction or a broken idle connection.
 * @throws DatabaseUnavailable if the database is unreachable
 */
async function attempt<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof WriteConflict || error instanceof DatabaseUnavailable) throw error;
      const isPassing = isRetryable(error) || isBrokenConnection(error);
      if (isPassing && tries < MAX_TRIES) continue;
      if (isLockTimeout(error)) throw new LockTimeout(messageOf(error));
      if (isPassing || isUnavailable(error)) throw new DatabaseUnavailable(messageOf(error));
      throw error;
    }
  }
}

async function read(
  pool: Connections,
  begin: string,
  statement: Statement,
  beginBy: number,
): Promise<readonly SqlRow[]> {
  return pool.use(beginBy, async (client) => {
    const [rows = []] = await answers(client.query(begin), [run(client, statement)], client.query("COMMIT"));
    return rows;
  });
}

async function write(
  pool: Connections,
  begin: string,
  statements: readonly Statement[],
  beginBy: number,
  endBy: number,
): Promise<readonly (readonly SqlRow[])[]> {
  const [only, ...more] = statements;
  if (only === undefined) return [];
  return pool.use(beginBy, async (client) => {
    const beginning = client.query(begin);
    // A single statement that requires one row needs no check before the commit, because a failure changes nothing.
    if (more.length === 0 && (only.requireRows ?? 0) <= 1)
      return commit(answers(beginning, [run(client, only, endBy)], client.query("COMMIT")));
    const sent: Promise<readonly SqlRow[]>[] = [];
    let rows: readonly (readonly SqlRow[])[] = [];
    try {
      for (const [index, statement] of statements.entries()) {
        sent.push(run(client, statement, endBy));
        // If a condition fails, the statements after it are not sent.
        const isAwaited = statement.requireRows !== undefined || index === more.length;
        if (isAwaited) rows = await answers(beginning, sent);
      }
    } catch (error) {
      if (!isUnavailable(error)) await client.query("ROLLBACK");
      throw error;
    }
    await commit(client.query("COMMIT"));
    return rows;
  });
}

/**
 * Waits for the responses to all statements that were sent, even if one failed. After that the connection is free.
 * @throws the first error
 */
async function answers(
  beginning: Promise<unknown>,
  sent: readonly Promise<readonly SqlRow[]>[],
  committed?: Promise<unknown>,
): Promise<readonly (readonly SqlRow[])[]> {
  const settled = await Promise.allSettled([beginning, ...sent, committed]);
  const failed = settled.find(({ status }) => status === "rejected");
  if (failed?.status === "rejected") throw failed.reason;
  return Promise.all(sent);
}

/** Waits for a commit.  @throws CommitInDoubt if the response to the commit is lost */
async function commit<T>(committing: Promise<T>): Promise<T> {
  try {
    return await committing;
  } catch (error) {
    throw isResponseLost(error) ? new CommitInDoubt(messageOf(error)) : error;
  }
}

/** Runs a statement.  @param endBy latest response, if earlier than the connection's own limits */
async function run(
  client: pg.PoolClient,
  { sql, params, requireRows = 0 }: Statement,
  endBy = Number.POSITIVE_INFINITY,
): Promise<readonly SqlRow[]> {
  const left = endBy - performance.now();
  if (left <= 0) throw new DatabaseUnavailable("the transaction took too long and was canceled");
  const limit = left < STATEMENT_MS + SILENCE_MS ? { query_timeout: left } : {};
  const result = await client.query({ text: sql, values: [...params], ...limit });
  if ((result.rowCount ?? 0) < requireRows) throw new WriteConflict("a condition of the write failed");
  return result.rows as readonly SqlRow[];
}

function messageOf(error: unknown): string {
  return error instanceof Error && error.message !== ""
    ? error.message
    : String((error as { readonly code?: unknown })?.code ?? error);
}
