import pg from "pg";
import { SetupError } from "../../setup-error.ts";
import {
  CommitInDoubt,
  type Database,
  DatabaseUnavailable,
  LockTaken,
  NotBegun,
  type SqlRow,
  type Statement,
  WriteConflict,
} from "../database.ts";
import { isAnswerLost, isBrokenConnection, isLockTaken, isUnavailable, isWorthAnotherTry } from "./errors.ts";

export interface PostgresOptions {
  /** Connections at most; each takes memory of the server's. */
  readonly connections?: number;
  /** How long one statement may take in all, in milliseconds; an import's longest takes some seconds. */
  readonly statementMs?: number;
}

/** Connections of one node: a write holds one for about a millisecond. */
export const CONNECTIONS = 10;
/** Milliseconds until a connection that does not come about is given up. */
const CONNECT_MS = 2_000;
/** Milliseconds until a statement is given up: a shopper is answered within five seconds. */
const STATEMENT_MS = 2_000;
/** Milliseconds after a statement's limit in which the server has said so, unless it is gone; and for one that somebody waits for. */
const SILENCE_MS = 500;
const GRACE_MS = 100;
/** Milliseconds that a write may wait for a free connection, and a read: a statement's time is left then. */
const BEGIN_MS = 2_800;
/** Milliseconds a statement waits for another's lock. */
const LOCK_MS = 1_000;
/** Milliseconds that the server waits for the rest of a transaction. */
const IDLE_MS = 10_000;
/** Any number, as long as nobody else takes advisory locks by it in this database. */
const LOCK_KEY = 7_046_113;
/** Tries of a write that was in another's way. */
const MAX_TRIES = 4;

/** Opens a PostgreSQL database. Every wait has an end; a connection that broke is replaced at the next statement.
 *  @param url "postgres://user:password@host:5432/name"  @throws SetupError where it cannot be used */
export async function openPostgres(url: string, options: PostgresOptions = {}): Promise<Database> {
  const { connections = CONNECTIONS, statementMs = STATEMENT_MS } = options;
  // This machine's own clock may be wrong, or be set meanwhile; how long ago the database's was read is measured by another.
  let clock = { at: 0, read: 0 };
  const pool = new pg.Pool({
    ...readAddress(url),
    max: connections,
    types: { getTypeParser },
    application_name: "vitrine",
    Client: Connection,
    // The server's own limit comes first; this one is for a server that says nothing any more.
    query_timeout: statementMs + SILENCE_MS,
    keepAlive: true,
    verify: (client, done) =>
      void verifySession(client).then((time) => {
        clock = time;
        done();
      }, done),
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
  const begin = beginWith(statementMs);
  const beginBy = (): number => performance.now() + Math.max(statementMs, BEGIN_MS);
  return {
    read: (sql, params = []) => attempt(() => read(pool, begin, { sql, params }, beginBy())),
    write: (statements, by) => {
      // One that somebody waits for is short as a whole, however many statements it has.
      const endBy = by === undefined ? Number.POSITIVE_INFINITY : by + statementMs + GRACE_MS;
      return attempt(() => write(pool, begin, statements, by ?? beginBy(), endBy));
    },
    beginMs: BEGIN_MS,
    alone: [{ sql: "SELECT pg_advisory_xact_lock($1)", params: [LOCK_KEY] }],
    // A statement is limited in time there, and an index of all rows is one.
    indexesLast: false,
    now: () => Math.round(clock.read + performance.now() - clock.at),
    close: () => pool.end(),
    connections: () => ({
      inUse: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
  };
}

/** Begins a transaction with its limits. A connection has none of its own: a pooler such as PgBouncer gives each transaction another
 *  connection to the server, and refuses those that ask for more than a name. */
function beginWith(statementMs: number): string {
  return [
    "BEGIN",
    `SET LOCAL statement_timeout = ${statementMs}`,
    `SET LOCAL lock_timeout = ${Math.min(LOCK_MS, statementMs)}`,
    `SET LOCAL idle_in_transaction_session_timeout = ${IDLE_MS}`,
  ].join("; ");
}

/** Sends statements without waiting for the answers of those before, and gives up where it does not come about. The pool has no
 *  such limit: there, waiting for a connection that is in use would count too. */
class Connection extends pg.Client {
  constructor(config: pg.ClientConfig = {}) {
    const more = { connectionTimeoutMillis: CONNECT_MS, pipeline: true };
    super({ ...config, ...more });
  }
}

/** Runs it again where nothing was done, since another transaction was in the way or the connection broke while idle, and says
 *  `DatabaseUnavailable` where the database is away. */
async function attempt<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof WriteConflict || error instanceof DatabaseUnavailable) throw error;
      const isPassing = isWorthAnotherTry(error) || isBrokenConnection(error);
      if (isPassing && tries < MAX_TRIES) continue;
      if (isLockTaken(error)) throw new LockTaken(messageOf(error));
      if (isPassing || isUnavailable(error)) throw new DatabaseUnavailable(messageOf(error));
      throw error;
    }
  }
}

/** A connection for a while, also where all are in use now. @throws NotBegun where none is free by then */
async function connect(pool: pg.Pool, beginBy: number): Promise<pg.PoolClient> {
  const connecting = pool.connect();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const giveUp = (): void => reject(new NotBegun("no connection to the database was free in time"));
    timer = setTimeout(giveUp, beginBy - performance.now());
  });
  try {
    return await Promise.race([connecting, late]);
  } catch (error) {
    // One that comes too late is the next one's.
    if (error instanceof NotBegun) connecting.then((client) => client.release()).catch(() => undefined);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

async function read(pool: pg.Pool, begin: string, statement: Statement, beginBy: number): Promise<readonly SqlRow[]> {
  return withConnection(pool, beginBy, async (client) => {
    const [rows = []] = await answers(client.query(begin), [run(client, statement)], client.query("COMMIT"));
    return rows;
  });
}

async function write(
  pool: pg.Pool,
  begin: string,
  statements: readonly Statement[],
  beginBy: number,
  endBy: number,
): Promise<readonly (readonly SqlRow[])[]> {
  const [only, ...more] = statements;
  if (only === undefined) return [];
  return withConnection(pool, beginBy, async (client) => {
    const begun = client.query(begin);
    // One alone that is to touch a row has touched it or nothing: no second look is needed before it is committed.
    if (more.length === 0 && (only.requireRows ?? 0) <= 1)
      return commit(answers(begun, [run(client, only, endBy)], client.query("COMMIT")));
    const sent: Promise<readonly SqlRow[]>[] = [];
    let rows: readonly (readonly SqlRow[])[] = [];
    try {
      for (const [index, statement] of statements.entries()) {
        sent.push(run(client, statement, endBy));
        // Where its condition fails, what follows is not begun.
        const isAwaited = statement.requireRows !== undefined || index === more.length;
        if (isAwaited) rows = await answers(begun, sent);
      }
    } catch (error) {
      if (!isUnavailable(error)) await client.query("ROLLBACK");
      throw error;
    }
    await commit(client.query("COMMIT"));
    return rows;
  });
}

/** Waits for the answers to all that was sent, also where one failed: the connection is free then. @throws the first failure */
async function answers(
  begun: Promise<unknown>,
  sent: readonly Promise<readonly SqlRow[]>[],
  committed?: Promise<unknown>,
): Promise<readonly (readonly SqlRow[])[]> {
  const settled = await Promise.allSettled([begun, ...sent, committed]);
  const failed = settled.find(({ status }) => status === "rejected");
  if (failed?.status === "rejected") throw failed.reason;
  return Promise.all(sent);
}

/** A connection for as long as `work` takes; one whose state is in doubt is closed, and its transaction ends with it. */
async function withConnection<T>(
  pool: pg.Pool,
  beginBy: number,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await connect(pool, beginBy);
  let isBroken = false;
  try {
    return await work(client);
  } catch (error) {
    isBroken = isUnavailable(error);
    throw error;
  } finally {
    client.release(isBroken);
  }
}

/** @throws CommitInDoubt where no answer comes to what commits */
async function commit<T>(committing: Promise<T>): Promise<T> {
  try {
    return await committing;
  } catch (error) {
    throw isAnswerLost(error) ? new CommitInDoubt(messageOf(error)) : error;
  }
}

/** @param endBy until when an answer counts, where that is before the connection's own limits */
async function run(
  client: pg.PoolClient,
  { sql, params, requireRows = 0 }: Statement,
  endBy = Number.POSITIVE_INFINITY,
): Promise<readonly SqlRow[]> {
  const left = endBy - performance.now();
  if (left <= 0) throw new DatabaseUnavailable("the transaction took too long and was given up");
  const limit = left < STATEMENT_MS + SILENCE_MS ? { query_timeout: left } : {};
  const result = await client.query({ text: sql, values: [...params], ...limit });
  if ((result.rowCount ?? 0) < requireRows) throw new WriteConflict("the condition of the write did not hold");
  return result.rows as readonly SqlRow[];
}

/** Asked of each new connection: carts are read and written at the primary alone, as a standby may be behind, and what was answered
 *  must survive a power cut, whatever a role, a database or a reloaded configuration says by now.
 *  @returns the database's time in milliseconds since 1970, and when it was read, by `performance.now()` */
async function verifySession(client: pg.PoolClient): Promise<{ readonly at: number; readonly read: number }> {
  const asked = performance.now();
  const { rows } = await client.query(
    `SELECT pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on' AS is_standby,
      current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS synchronous_commit,
      CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS DOUBLE PRECISION) AS time`,
  );
  if (rows[0]?.is_standby === true)
    throw new DatabaseUnavailable("the database takes no writes: it is a standby or read-only");
  for (const setting of ["fsync", "synchronous_commit"] as const) {
    if (rows[0]?.[setting] === "off")
      throw new DatabaseUnavailable(`the database runs with ${setting}=off and may lose carts: turn it on`);
  }
  return { at: (asked + performance.now()) / 2, read: Number(rows[0]?.time) };
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
