import { DatabaseSync, type StatementSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";
import type { SqlRow, Statement } from "./database.ts";

/** "writer" runs groups of writes, each group in one transaction; "reader" runs single statements on committed rows. */
export type Role = "writer" | "reader";

export interface WorkerOptions {
  readonly file: string;
  readonly role: Role;
  /** How long a statement waits for another process's lock, in milliseconds. */
  readonly busyMs: number;
}

/** Statements of each job, in the order in which they arrived; "close" ends the thread. */
export type Batch = readonly (readonly Statement[])[] | "close";

/** What became of one job. */
export type Outcome =
  | { readonly kind: "rows"; readonly rows: readonly (readonly SqlRow[])[] }
  | { readonly kind: "conflict" | "unavailable" | "bug"; readonly message: string };

/** Primary result codes of a database that cannot be reached, read or written:
 *  BUSY, READONLY, IOERR, CORRUPT, FULL, CANTOPEN, NOTADB. */
const UNAVAILABLE_CODES: ReadonlySet<number> = new Set([5, 8, 10, 11, 13, 14, 26]);
/** Of these, a connection that only waited or found no room is as good as before; the others are opened anew. */
const HARMLESS_CODES: ReadonlySet<number> = new Set([5, 13]);
/** Texts are few; lists of parameters make some more. */
const MAX_CACHED_STATEMENTS = 200;

class Conflict extends Error {}

interface Prepared {
  readonly statement: StatementSync;
  readonly returnsRows: boolean;
}

interface Connection {
  readonly database: DatabaseSync;
  readonly statements: Map<string, Prepared>;
}

if (parentPort !== null) serve(workerData as WorkerOptions, parentPort);

function serve(options: WorkerOptions, port: NonNullable<typeof parentPort>): void {
  let connection: Connection | undefined;
  const runAll = options.role === "writer" ? writeGroup : readEach;
  port.on("message", (batch: Batch) => {
    if (batch === "close") {
      connection?.database.close();
      port.close();
      return;
    }
    try {
      connection ??= connect(options);
      port.postMessage(runAll(connection, batch));
    } catch (error) {
      const outcome = explain(error);
      port.postMessage(batch.map(() => outcome));
      if (!HARMLESS_CODES.has(resultCode(error))) {
        // Opened again at the next job: a disk that came back is found without a restart.
        closeQuietly(connection);
        connection = undefined;
      }
    }
  });
}

function connect({ file, role, busyMs }: WorkerOptions): Connection {
  const database = new DatabaseSync(file, { timeout: busyMs, readOnly: role === "reader", defensive: true });
  try {
    if (role === "writer") {
      database.exec(
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA secure_delete=ON; PRAGMA cache_size=-32768; PRAGMA journal_size_limit=67108864",
      );
    }
    database.exec("PRAGMA foreign_keys=ON");
    return { database, statements: new Map() };
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Every job in a savepoint of its own, all of them in one transaction: one fsync for the group.
 *  @throws what makes the whole group fail; nothing is written then */
function writeGroup(connection: Connection, batch: readonly (readonly Statement[])[]): readonly Outcome[] {
  try {
    command(connection, "BEGIN IMMEDIATE");
    const outcomes = batch.map((job) => writeOne(connection, job));
    command(connection, "COMMIT");
    return outcomes;
  } catch (error) {
    if (connection.database.isTransaction) command(connection, "ROLLBACK");
    throw error;
  }
}

function writeOne(connection: Connection, job: readonly Statement[]): Outcome {
  command(connection, "SAVEPOINT job");
  try {
    const rows = job.map((statement) => run(connection, statement));
    command(connection, "RELEASE job");
    return { kind: "rows", rows };
  } catch (error) {
    // Some errors make SQLite roll back the whole transaction by itself.
    if (UNAVAILABLE_CODES.has(resultCode(error)) || !connection.database.isTransaction) throw error;
    command(connection, "ROLLBACK TO job");
    command(connection, "RELEASE job");
    return explain(error);
  }
}

function readEach(connection: Connection, batch: readonly (readonly Statement[])[]): readonly Outcome[] {
  return batch.map((job) => {
    try {
      return { kind: "rows", rows: job.map((statement) => run(connection, statement)) };
    } catch (error) {
      if (UNAVAILABLE_CODES.has(resultCode(error))) throw error;
      return explain(error);
    }
  });
}

function run(connection: Connection, { sql, params, requireRow }: Statement): readonly SqlRow[] {
  const { statement, returnsRows } = prepare(connection, sql);
  if (returnsRows) {
    const rows = statement.all(...params) as unknown as readonly SqlRow[];
    if (requireRow === true && rows.length === 0) throw new Conflict(sql);
    return rows;
  }
  const { changes } = statement.run(...params);
  if (requireRow === true && Number(changes) === 0) throw new Conflict(sql);
  return [];
}

function command(connection: Connection, sql: string): void {
  prepare(connection, sql).statement.run();
}

function prepare({ database, statements }: Connection, sql: string): Prepared {
  const known = statements.get(sql);
  if (known !== undefined) return known;
  if (statements.size >= MAX_CACHED_STATEMENTS) statements.clear();
  const statement = database.prepare(sql.replace(/\$(\d+)/g, "?$1"));
  const prepared = { statement, returnsRows: statement.columns().length > 0 };
  statements.set(sql, prepared);
  return prepared;
}

function explain(error: unknown): Outcome {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof Conflict) return { kind: "conflict", message };
  return { kind: UNAVAILABLE_CODES.has(resultCode(error)) ? "unavailable" : "bug", message };
}

/** SQLite's primary result code; -1 for an error that is not SQLite's. */
function resultCode(error: unknown): number {
  return error instanceof Error && "errcode" in error && typeof error.errcode === "number" ? error.errcode & 255 : -1;
}

function closeQuietly(connection: Connection | undefined): void {
  try {
    connection?.database.close();
  } catch {
    // The connection is broken; nothing more can be done with it.
  }
}
