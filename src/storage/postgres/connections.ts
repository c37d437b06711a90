import pg from "pg";
import type { ConnectionCounts } from "../../observability/metrics.ts";
import { withTimeout } from "../../runtime/with-timeout.ts";
import { SetupError } from "../../setup-error.ts";
import { CommitInDoubtError, DatabaseUnavailableError, WriteNotStartedError } from "../database.ts";
import { formatApplicationName } from "./connected-versions.ts";
import { isDatabaseUrl, passwordAdvice } from "./database-url.ts";
import { isBrokenConnection, isConnectionLimit, isUnavailable } from "./errors.ts";

/** A connection pool for one database. It verifies each new connection, and limits their number. */
export interface Connections {
  /**
   * Runs `task` on a connection. Closes a connection in an unknown state, which ends its transaction.
   * @param startDeadline latest start, as a time of `performance.now()`
   * @throws WriteNotStartedError if no connection is free in time
   */
  use<T>(startDeadline: number, task: (client: pg.PoolClient) => Promise<T>): Promise<T>;
  /** Returns the database's time in milliseconds since 1970, because this machine's clock may be wrong or change. */
  now(): number;
  countConnections(): ConnectionCounts;
  close(): Promise<void>;
}

/** Milliseconds after which an attempt to connect fails. */
const CONNECT_TIMEOUT_MS = 2_000;
/** Milliseconds for which a pool opens no more connections after the database rejected one because of its limit. */
const LIMIT_LIFETIME_MS = 10_000;

/**
 * Creates a pool without opening a connection.
 * @param queryTimeoutMs the driver's own limit for one statement
 * @throws SetupError if the URL is not a PostgreSQL URL
 */
export function openConnections(url: string, max: number, queryTimeoutMs: number): Connections {
  let databaseClock = { measuredAt: 0, databaseTime: 0 };
  // A server, proxy or failover usually closes all connections at the same moment, and the pool detects each
  // separately. After one connection breaks, connections of the same or an older generation are therefore closed
  // instead of used.
  let generation = 0;
  const generations = new WeakMap<pg.PoolClient, number>();
  const retireGeneration = (brokenGeneration: number): void => {
    generation = Math.max(generation, brokenGeneration + 1);
  };
  const pool = new pg.Pool({
    ...parseUrl(url),
    max,
    types: { getTypeParser },
    application_name: formatApplicationName(),
    Client: Connection,
    query_timeout: queryTimeoutMs,
    keepAlive: true,
    verify: (client, done) =>
      void verifySession(client).then((time) => {
        databaseClock = time;
        done();
      }, done),
  });
  // The pool removes an idle connection that breaks. Without a listener the error would end the process.
  pool.on("error", (_error, client) => retireGeneration(generationOf(client)));
  const openClients = new Set<pg.PoolClient>();
  pool.on("remove", (client) => openClients.delete(client));
  pool.on("connect", (client) => {
    openClients.add(client);
    generations.set(client, generation);
    // A connection that breaks inside a transaction also rejects its statement. This listener keeps the process alive.
    client.on("error", () => {});
  });

  function generationOf(client: pg.PoolClient): number {
    return generations.get(client) ?? generation;
  }

  let limitedUntil = Number.NEGATIVE_INFINITY;
  async function connect(startDeadline: number): Promise<pg.PoolClient> {
    for (;;) {
      const initialGeneration = generation;
      if (performance.now() >= limitedUntil) pool.options.max = max;
      try {
        const client = await connectBeforeDeadline(pool, startDeadline);
        if (generationOf(client) >= generation) return client;
        client.release(true);
      } catch (error) {
        if (isBrokenConnection(error)) retireGeneration(initialGeneration);
        if (!isConnectionLimit(error) || openClients.size === 0 || performance.now() >= startDeadline) throw error;
        // Wait for one of the connections that the database allows.
        pool.options.max = openClients.size;
        limitedUntil = performance.now() + LIMIT_LIFETIME_MS;
      }
    }
  }

  return {
    async use(startDeadline, task) {
      const client = await connect(startDeadline);
      let mustDestroyClient = false;
      try {
        return await task(client);
      } catch (error) {
        mustDestroyClient = isUnavailable(error);
        if (error instanceof CommitInDoubtError || isBrokenConnection(error)) retireGeneration(generationOf(client));
        throw error;
      } finally {
        client.release(mustDestroyClient);
      }
    },
    now: () => Math.round(databaseClock.databaseTime + performance.now() - databaseClock.measuredAt),
    countConnections: () => ({
      inUseCount: pool.totalCount - pool.idleCount,
      idleCount: pool.idleCount,
      waitingCount: pool.waitingCount,
    }),
    close: () => pool.end(),
  };
}

/** Creates a client outside the pool, without connecting it. */
export function createClient(url: string): pg.Client {
  const timeouts = { connectionTimeoutMillis: CONNECT_TIMEOUT_MS, keepAlive: true };
  return new pg.Client({ ...parseUrl(url), ...timeouts, application_name: formatApplicationName() });
}

/**
 * Client that sends statements without waiting for earlier responses, and limits the time to connect. The pool's own
 * limit would include the wait for a free connection.
 */
class Connection extends pg.Client {
  constructor(config: pg.ClientConfig = {}) {
    const options = { connectionTimeoutMillis: CONNECT_TIMEOUT_MS, pipeline: true };
    super({ ...config, ...options });
  }
}

/** Gets a free or new connection.  @throws WriteNotStartedError if no connection is free by `startDeadline` */
async function connectBeforeDeadline(pool: pg.Pool, startDeadline: number): Promise<pg.PoolClient> {
  const connection = pool.connect();
  const createError = (): WriteNotStartedError =>
    new WriteNotStartedError("no connection to the database was free in time");
  try {
    return await withTimeout(connection, startDeadline - performance.now(), createError);
  } catch (error) {
    // If the connection becomes free too late, return it to the pool for the next caller.
    if (error instanceof WriteNotStartedError) connection.then((client) => client.release()).catch(() => undefined);
    throw error;
  }
}

/**
 * Checks a new connection. Carts must use the primary, because a standby may be behind. Commits must survive a power
 * cut, regardless of the settings of the role, the database or a reloaded configuration.
 * @returns the database's time in milliseconds since 1970, and the `performance.now()` time at which it was read
 */
async function verifySession(
  client: pg.PoolClient,
): Promise<{ readonly measuredAt: number; readonly databaseTime: number }> {
  const start = performance.now();
  const { rows } = await client.query(
    `SELECT pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on' AS is_standby,
      current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS synchronous_commit,
      CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS DOUBLE PRECISION) AS time`,
  );
  if (rows[0]?.is_standby === true)
    throw new DatabaseUnavailableError("the database accepts no writes: it is a standby or read-only");
  for (const setting of ["fsync", "synchronous_commit"] as const) {
    if (rows[0]?.[setting] === "off")
      throw new DatabaseUnavailableError(`the database runs with ${setting}=off and may lose carts: turn it on`);
  }
  return { measuredAt: (start + performance.now()) / 2, databaseTime: Number(rows[0]?.time) };
}

/** Checks the database URL.  @throws SetupError with a message that does not contain the password */
function parseUrl(url: string): pg.PoolConfig {
  if (!isDatabaseUrl(url))
    throw new SetupError(
      `DATABASE_URL: must be a URL like "postgres://user:password@host:5432/name". ${passwordAdvice}`,
    );
  return { connectionString: url };
}

/** Parses BIGINT values as numbers, because revisions, times and counts stay far below 2^53. */
const getTypeParser: typeof pg.types.getTypeParser = ((typeOid: number, format?: "text" | "binary") =>
  typeOid === pg.types.builtins.INT8
    ? Number
    : pg.types.getTypeParser(typeOid, format as "text")) as typeof pg.types.getTypeParser;
