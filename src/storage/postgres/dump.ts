import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { HOUR_MS } from "../../runtime/durations.ts";
import { SetupError } from "../../setup-error.ts";
import type { SqlRow } from "../database.ts";
import { type DatabaseFacts, readDatabaseFacts } from "../database-facts.ts";
import { requireClientTool, runClientTool } from "./client-tools.ts";
import { openConnections } from "./connections.ts";
import { describeRemedy } from "./errors.ts";

/** Maximum milliseconds of a statement, which may count the rows of a large table. */
const STATEMENT_TIMEOUT_MS = HOUR_MS;
/** Maximum milliseconds to wait for a connection. */
const CONNECT_TIMEOUT_MS = 15_000;

/**
 * Dumps the tables of a database with pg_dump, in its custom format, also while servers write to it. The dump and the
 * returned facts describe the same snapshot.
 * @param env environment of pg_dump
 * @param handleDump reads the dump to its end
 * @throws SetupError if the database cannot be read, or pg_dump is missing, older than the server, or fails
 */
export async function dumpPostgres(
  url: string,
  env: NodeJS.ProcessEnv,
  handleDump: (dump: Readable) => Promise<void>,
): Promise<DatabaseFacts> {
  return runOnConnection(url, async (queryRows) => {
    // The snapshot of a transaction can be used by another session until the transaction ends.
    await queryRows("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    await queryRows("SET LOCAL statement_timeout = 0");
    await queryRows("SET LOCAL idle_in_transaction_session_timeout = 0");
    const [session] = await queryRows(
      "SELECT pg_export_snapshot() AS snapshot, current_schema() AS schema, current_setting('server_version_num') AS version",
    );
    await requireClientTool("pg_dump", Number(session?.version), env);
    const facts = await readDatabaseFacts(queryRows, tablesSql).catch((error: unknown) => {
      throw new SetupError(`DATABASE_URL: the database has no store yet: ${String(error)}. Start the server first.`);
    });
    const { childProcess, completion: toolCompletion } = runClientTool(
      "pg_dump",
      url,
      [
        "--format=custom",
        // The dump is not compressed here, because the backup file is compressed as a whole.
        "--compress=0",
        "--no-owner",
        "--no-privileges",
        // With --schema, the dump would contain CREATE SCHEMA, but an empty target database already has the schema.
        `--table="${session?.schema}".*`,
        `--snapshot=${session?.snapshot}`,
      ],
      env,
    );
    childProcess.stdin?.end();
    try {
      await Promise.all([handleDump(childProcess.stdout as Readable), toolCompletion]);
    } finally {
      childProcess.kill();
    }
    await queryRows("COMMIT");
    return facts;
  });
}

/** Checks that a database has no tables, and that pg_restore is installed.  @throws SetupError */
export async function requireEmptyPostgres(url: string, env: NodeJS.ProcessEnv): Promise<void> {
  await runOnConnection(url, async (queryRows) => {
    const [row] = await queryRows(
      `SELECT COUNT(*) AS tables, current_setting('server_version_num') AS version FROM (${tablesSql}) AS t`,
    );
    if (Number(row?.tables) > 0)
      throw new SetupError(
        `DATABASE_URL: the database is not empty: it has ${row?.tables} tables. Create an empty database, and use its URL.`,
      );
    await requireClientTool("pg_restore", Number(row?.version), env);
  });
}

/**
 * Loads a dump into an empty database, in one transaction.
 * @returns the facts of the loaded database
 * @throws SetupError if pg_restore fails; nothing was written
 */
export async function loadPostgres(
  url: string,
  env: NodeJS.ProcessEnv,
  dump: AsyncIterable<Uint8Array>,
): Promise<DatabaseFacts> {
  const args = ["--no-owner", "--no-privileges", "--exit-on-error", "--single-transaction"];
  const { childProcess, completion: toolCompletion } = runClientTool("pg_restore", url, args, env);
  childProcess.stdout?.resume();
  const [, dumpResult] = await Promise.allSettled([
    pipeline(dump, childProcess.stdin as NodeJS.WritableStream),
    toolCompletion,
  ]);
  // If pg_restore fails, it closes its input, and both promises reject. The error of pg_restore contains the cause.
  if (dumpResult?.status === "rejected") throw dumpResult.reason;
  return runOnConnection(url, (queryRows) => readDatabaseFacts(queryRows, tablesSql));
}

const tablesSql = "SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() ORDER BY tablename";

type QueryFunction = (sql: string) => Promise<readonly SqlRow[]>;

/** Runs work on one connection.  @throws SetupError if the database is unreachable */
async function runOnConnection<T>(url: string, task: (queryRows: QueryFunction) => Promise<T>): Promise<T> {
  const connections = openConnections(url, 1, STATEMENT_TIMEOUT_MS);
  let isConnected = false;
  try {
    return await connections.use(performance.now() + CONNECT_TIMEOUT_MS, (client) => {
      isConnected = true;
      return task(async (sql) => (await client.query(sql)).rows as readonly SqlRow[]);
    });
  } catch (error) {
    if (isConnected || !(error instanceof Error)) throw error;
    throw new SetupError(`DATABASE_URL: cannot be used: ${error.message}. ${describeRemedy(error)}`);
  } finally {
    await connections.close();
  }
}
