import type pg from "pg";
import { SetupError } from "../../setup-error.ts";
import {
  CommitInDoubtError,
  type Database,
  DatabaseUnavailableError,
  LockTimeout,
  type SqlRow,
  type Statement,
  WriteConflict,
} from "../database.ts";
import { createChangeSignal } from "./change-signal.ts";
import { applicationNamesSql, parseConnectedVersions } from "./connected-versions.ts";
import { type Connections, createClient, openConnections } from "./connections.ts";
import { createIndexConcurrently } from "./create-index.ts";
import {
  describeRemedy,
  describeUnavailability,
  isBrokenConnection,
  isLockTimeout,
  isResponseLost,
  isRetryable,
  isUnavailable,
  messageOf,
} from "./errors.ts";

export interface PostgresOptions {
  /** Maximum number of connections. Each connection uses memory of the database server. */
  readonly connections?: number | undefined;
  /** Maximum milliseconds of a statement. The longest statement of an import takes a few seconds. */
  readonly statementTimeoutMs?: number | undefined;
  /** Maximum milliseconds that a statement waits for a lock of another transaction. */
  readonly lockTimeoutMs?: number;
  /** Whether the first read or write connects. Default: `openPostgres` connects, and fails if it cannot. */
  readonly connectsLazily?: boolean;
}

/** Default number of connections of one process. A write occupies a connection for about a millisecond. */
export const DEFAULT_CONNECTIONS = 10;
/** Milliseconds after which a statement is canceled, so that a shopper gets a response within five seconds. */
const STATEMENT_TIMEOUT_MS = 2_000;
/** Additional milliseconds for which the driver waits for the server to report the timeout of a statement. */
const DRIVER_GRACE_PERIOD_MS = 500;
/** Milliseconds added to the time limit of a write with a deadline. */
const GRACE_PERIOD_MS = 100;
/** Maximum milliseconds that a read or write waits for a free connection. */
const MAX_START_DELAY_MS = 2_800;
/** Default of `lockTimeoutMs`. */
const LOCK_TIMEOUT_MS = 1_000;
/** Maximum milliseconds that the server waits for the next statement of a transaction. */
const IDLE_TIMEOUT_MS = 10_000;
/** Milliseconds between two polls for changes whose notifications were lost. */
const POLL_INTERVAL_MS = 1_000;
/** Arbitrary number of an advisory lock. No other program may use the same number in this database. */
const ADVISORY_LOCK_KEY = 7_046_113;
/** Maximum attempts of a write that conflicts with another write. */
const MAX_ATTEMPTS = 4;

/** Returns the number of connections of each thread.  @param threads number of threads that connect to the database */
export function countConnectionsOfThread(threads: number): number {
  return Math.max(2, Math.ceil(DEFAULT_CONNECTIONS / threads));
}

/**
 * Opens a PostgreSQL database. Every wait has a time limit. A broken connection is replaced at the next statement.
 * @param url "postgres://user:password@host:5432/name"
 * @throws SetupError if the database cannot be used
 */
export async function openPostgres(url: string, options: PostgresOptions = {}): Promise<Database> {
  const { connections = DEFAULT_CONNECTIONS, statementTimeoutMs = STATEMENT_TIMEOUT_MS } = options;
  const lockTimeoutMs = options.lockTimeoutMs ?? Math.min(LOCK_TIMEOUT_MS, statementTimeoutMs);
  // The server's own time limit applies first. The driver's limit is for a server that no longer responds.
  const pool = openConnections(url, connections, statementTimeoutMs + DRIVER_GRACE_PERIOD_MS);
  try {
    // The pool verifies each new connection with a query.
    if (options.connectsLazily !== true) await pool.use(performance.now() + MAX_START_DELAY_MS, async () => {});
  } catch (error) {
    await pool.close();
    throw error instanceof SetupError
      ? error
      : new SetupError(`DATABASE_URL: cannot be used: ${messageOf(error)}. ${describeRemedy(error)}`);
  }
  return createPostgresDatabase(pool, { statementTimeoutMs, lockTimeoutMs, createListener: () => createClient(url) });
}

/**
 * Creates the database of a connection pool.
 * @param options.createListener creates the client that receives messages of other servers, without connecting it
 */
export function createPostgresDatabase(
  pool: Connections,
  options: {
    readonly statementTimeoutMs: number;
    readonly lockTimeoutMs: number;
    readonly createListener: () => pg.Client;
  },
): Database {
  const { statementTimeoutMs, lockTimeoutMs, createListener } = options;
  const beginSql = formatBeginSql(statementTimeoutMs, lockTimeoutMs);
  const getDeadline = (): number => performance.now() + Math.max(statementTimeoutMs, MAX_START_DELAY_MS);
  const lockSql = `${beginSql}; SET LOCAL idle_in_transaction_session_timeout = 0; SELECT pg_advisory_xact_lock(${ADVISORY_LOCK_KEY})`;
  const read: Database["read"] = (sql, params = []) =>
    retryWork(() => readRows(pool, beginSql, { sql, params }, getDeadline()));
  const signal = createChangeSignal({
    createClient: createListener,
    // A message needs no flush to disk.
    runStatement: (sql, params) =>
      readRows(pool, `${beginSql}; SET LOCAL synchronous_commit = off`, { sql, params }, getDeadline()),
  });
  return {
    read,
    write: async (statements, maxStartTime) => {
      // A write with a deadline has a total time limit, regardless of its number of statements.
      const responseDeadline =
        maxStartTime === undefined ? Number.POSITIVE_INFINITY : maxStartTime + statementTimeoutMs + GRACE_PERIOD_MS;
      const rows = await retryWork(() =>
        writeStatements(pool, beginSql, statements, maxStartTime ?? getDeadline(), responseDeadline),
      );
      const topics = statements.flatMap(({ topic }) => topic ?? []);
      if (topics.length > 0) signal.announce(topics);
      return rows;
    },
    onChange: signal.listen,
    pollIntervalMs: POLL_INTERVAL_MS,
    maxStartDelayMs: MAX_START_DELAY_MS,
    lockStatements: [{ sql: "SELECT pg_advisory_xact_lock($1)", params: [ADVISORY_LOCK_KEY] }],
    createIndex: (sql) => retryWork(() => createIndexConcurrently(pool, getDeadline, lockSql, sql)),
    // Creating an index of all rows at once may exceed the time limit of statements.
    defersIndexCreation: false,
    now: pool.now,
    readConnectedVersions: async () => parseConnectedVersions(await read(applicationNamesSql)),
    async close() {
      await signal.close();
      await pool.close();
    },
    connections: pool.countConnections,
  };
}

/**
 * Returns SQL that starts a transaction with its time limits. Limits cannot be set per connection, because a pooler
 * such as PgBouncer uses another server connection for each transaction and rejects such startup parameters.
 */
function formatBeginSql(statementTimeoutMs: number, lockTimeoutMs: number): string {
  return [
    "BEGIN",
    `SET LOCAL statement_timeout = ${statementTimeoutMs}`,
    `SET LOCAL lock_timeout = ${lockTimeoutMs}`,
    `SET LOCAL idle_in_transaction_session_timeout = ${IDLE_TIMEOUT_MS}`,
  ].join("; ");
}

/**
 * Runs work, and repeats it if it had no effect because of another transaction or a broken idle connection.
 * @throws DatabaseUnavailableError if the database is unreachable
 */
async function retryWork<T>(task: () => Promise<T>): Promise<T> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await task();
    } catch (error) {
      if (error instanceof WriteConflict || error instanceof DatabaseUnavailableError) throw error;
      const isTransient = isRetryable(error) || isBrokenConnection(error);
      if (isTransient && attempts < MAX_ATTEMPTS) continue;
      if (isLockTimeout(error)) throw new LockTimeout(messageOf(error));
      if (isTransient || isUnavailable(error)) throw new DatabaseUnavailableError(describeUnavailability(error));
      throw error;
    }
  }
}

async function readRows(
  pool: Connections,
  beginSql: string,
  statement: Statement,
  startDeadline: number,
): Promise<readonly SqlRow[]> {
  return pool.use(startDeadline, async (client) => {
    const [rows = []] = await awaitResults(
      client.query(beginSql),
      [runStatement(client, statement)],
      client.query("COMMIT"),
    );
    return rows;
  });
}

async function writeStatements(
  pool: Connections,
  beginSql: string,
  statements: readonly Statement[],
  startDeadline: number,
  responseDeadline: number,
): Promise<readonly (readonly SqlRow[])[]> {
  const [firstStatement, ...otherStatements] = statements;
  if (firstStatement === undefined) return [];
  return pool.use(startDeadline, async (client) => {
    const beginResult = client.query(beginSql);
    // Fast path: a single statement that requires one row needs no check before the commit, because a failure changes
    // nothing.
    if (otherStatements.length === 0 && (firstStatement.requireRows ?? 0) <= 1)
      return awaitCommit(
        awaitResults(beginResult, [runStatement(client, firstStatement, responseDeadline)], client.query("COMMIT")),
      );
    const results: Promise<readonly SqlRow[]>[] = [];
    let rows: readonly (readonly SqlRow[])[] = [];
    try {
      for (const [index, statement] of statements.entries()) {
        results.push(runStatement(client, statement, responseDeadline));
        // If a condition fails, the statements after it are not sent.
        const isAwaited = statement.requireRows !== undefined || index === otherStatements.length;
        if (isAwaited) rows = await awaitResults(beginResult, results);
      }
    } catch (error) {
      if (!isUnavailable(error)) await client.query("ROLLBACK");
      throw error;
    }
    await awaitCommit(client.query("COMMIT"));
    return rows;
  });
}

/**
 * Waits for the responses to all statements that were sent, even if one failed. After that the connection is free.
 * @throws the first error
 */
async function awaitResults(
  beginResult: Promise<unknown>,
  results: readonly Promise<readonly SqlRow[]>[],
  commitResult?: Promise<unknown>,
): Promise<readonly (readonly SqlRow[])[]> {
  const outcomes = await Promise.allSettled([beginResult, ...results, commitResult]);
  const failure = outcomes.find(({ status }) => status === "rejected");
  if (failure?.status === "rejected") throw failure.reason;
  return Promise.all(results);
}

/** Waits for a commit.  @throws CommitInDoubtError if the response to the commit is lost */
async function awaitCommit<T>(commitResult: Promise<T>): Promise<T> {
  try {
    return await commitResult;
  } catch (error) {
    throw isResponseLost(error) ? new CommitInDoubtError(messageOf(error)) : error;
  }
}

/**
 * Runs a statement.  @param responseDeadline latest time of the response, if earlier than the connection's own limits
 */
async function runStatement(
  client: pg.PoolClient,
  { sql, params, requireRows = 0 }: Statement,
  responseDeadline = Number.POSITIVE_INFINITY,
): Promise<readonly SqlRow[]> {
  const remainingMs = responseDeadline - performance.now();
  if (remainingMs <= 0) throw new DatabaseUnavailableError("the transaction took too long and was canceled");
  const timeoutOption =
    remainingMs < STATEMENT_TIMEOUT_MS + DRIVER_GRACE_PERIOD_MS ? { query_timeout: remainingMs } : {};
  const result = await client.query({ text: sql, values: [...params], ...timeoutOption });
  if ((result.rowCount ?? 0) < requireRows) throw new WriteConflict("a condition of the write failed");
  return result.rows as readonly SqlRow[];
}
