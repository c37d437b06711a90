import pg from "pg";
import { SetupError } from "../setup-error.ts";
import { type Database, DatabaseUnavailable, type SqlRow, type Statement, WriteConflict } from "./database.ts";
import { isBrokenConnection, isUnavailable, isWorthAnotherTry } from "./postgres-errors.ts";

export interface PostgresOptions {
  /** Connections at most; each takes memory of the server's. */
  readonly connections?: number;
  /** How long one statement may take in all, in milliseconds; an import's longest takes some seconds. */
  readonly statementMs?: number;
}

/** Connections of one node: a write holds one for about a millisecond. */
const CONNECTIONS = 10;
/** Milliseconds until a connection that does not come about is given up. */
const CONNECT_MS = 2_000;
/** Milliseconds until a statement is given up: a shopper is answered within five seconds. */
const STATEMENT_MS = 2_000;
/** Milliseconds a statement waits for another's lock. */
const LOCK_MS = 1_000;
/** Any number, as long as nobody else takes advisory locks by it in this database. */
const LOCK_KEY = 7_046_113;
/** Tries of a write that was in another's way. */
const MAX_TRIES = 4;

/** Opens a PostgreSQL database. Every wait has an end; a connection that broke is replaced at the next statement.
 *  @param url "postgres://user:password@host:5432/name"  @throws SetupError where it cannot be used */
export async function openPostgres(url: string, options: PostgresOptions = {}): Promise<Database> {
  const { connections = CONNECTIONS, statementMs = STATEMENT_MS } = options;
  const pool = new pg.Pool({
    ...readAddress(url),
    max: connections,
    types: { getTypeParser },
    application_name: "vitrine",
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: statementMs,
    // The server's own limit comes first; this one is for a server that says nothing any more.
    query_timeout: statementMs + 500,
    lock_timeout: Math.min(LOCK_MS, statementMs),
    idle_in_transaction_session_timeout: 10_000,
    keepAlive: true,
    verify: (client, done) => void verifySession(client).then(() => done(), done),
  });
  // An idle connection that breaks is only left behind; without a listener it would end the process.
  pool.on("error", () => {});
  // One that breaks inside a transaction tells its statement, and would end the process without a listener of its own.
  pool.on("connect", (client) => client.on("error", () => {}));
  try {
    await pool.query("SELECT 1");
  } catch (error) {
    await pool.end();
    throw error instanceof SetupError
      ? error
      : new SetupError(
          `DATABASE_URL: cannot be used: ${messageOf(error)}. See that the server runs and the address is right.`,
        );
  }
  return {
    read: async (sql, params = []) => rowsOf(await attempt(() => pool.query(sql, [...params]), isReadWorthAnotherTry)),
    write: (statements) => attempt(() => write(pool, statements)),
    alone: [{ sql: "SELECT pg_advisory_xact_lock($1)", params: [LOCK_KEY] }],
    close: () => pool.end(),
    connections: () => ({
      inUse: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
  };
}

/** A read changes nothing: what met a connection that broke while idle is asked again on another. */
function isReadWorthAnotherTry(error: unknown): boolean {
  return isWorthAnotherTry(error) || isBrokenConnection(error);
}

/** Runs it again where another transaction was in the way, and says `DatabaseUnavailable` where the database is away. */
async function attempt<T>(work: () => Promise<T>, worthAnotherTry = isWorthAnotherTry): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof WriteConflict) throw error;
      if (worthAnotherTry(error) && tries < MAX_TRIES) continue;
      if (worthAnotherTry(error) || isUnavailable(error)) throw new DatabaseUnavailable(messageOf(error));
      throw error;
    }
  }
}

async function write(pool: pg.Pool, statements: readonly Statement[]): Promise<readonly (readonly SqlRow[])[]> {
  const [only, ...more] = statements;
  if (only === undefined) return [];
  // A single statement is a transaction of its own: one round trip instead of three.
  if (more.length === 0) return [await run(pool, only)];
  const client = await pool.connect();
  let failure: unknown;
  try {
    await client.query("BEGIN");
    const rows: (readonly SqlRow[])[] = [];
    for (const statement of statements) rows.push(await run(client, statement));
    await client.query("COMMIT");
    return rows;
  } catch (error) {
    failure = error;
    await client.query("ROLLBACK").catch((broken: unknown) => (failure = broken));
    throw error;
  } finally {
    // A connection whose state is in doubt is closed rather than used again.
    client.release(failure !== undefined && isUnavailable(failure));
  }
}

async function run(on: pg.Pool | pg.PoolClient, { sql, params, requireRow }: Statement): Promise<readonly SqlRow[]> {
  const result = await on.query(sql, [...params]);
  if (requireRow === true && result.rowCount === 0) throw new WriteConflict("the condition of the write did not hold");
  return rowsOf(result);
}

function rowsOf(result: pg.QueryResult): readonly SqlRow[] {
  return result.rows as readonly SqlRow[];
}

/** Asked of each new connection: carts are read and written at the primary alone, as a standby may be behind, and what was answered
 *  must survive a power cut, whatever a role, a database or a reloaded configuration says by now. */
async function verifySession(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query(
    `SELECT pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on' AS is_standby,
      current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS synchronous_commit`,
  );
  if (rows[0]?.is_standby === true)
    throw new DatabaseUnavailable("the database takes no writes: it is a standby or read-only");
  for (const setting of ["fsync", "synchronous_commit"] as const) {
    if (rows[0]?.[setting] === "off")
      throw new DatabaseUnavailable(`the database runs with ${setting}=off and may lose carts: turn it on`);
  }
}

/** @throws SetupError that does not tell the password */
function readAddress(url: string): pg.PoolConfig {
  const parsed = URL.parse(url);
  if (parsed === null || !/^postgres(ql)?:$/.test(parsed.protocol)) {
    throw new SetupError('DATABASE_URL: must be an address like "postgres://user:password@host:5432/name".');
  }
  return { connectionString: url };
}

/** BIGINT as a number: revisions, times and counts stay far below 2^53. */
const getTypeParser: typeof pg.types.getTypeParser = ((oid: number, format?: "text" | "binary") =>
  oid === pg.types.builtins.INT8
    ? Number
    : pg.types.getTypeParser(oid, format as "text")) as typeof pg.types.getTypeParser;

function messageOf(error: unknown): string {
  return error instanceof Error && error.message !== ""
    ? error.message
    : String((error as { readonly code?: unknown })?.code ?? error);
}
