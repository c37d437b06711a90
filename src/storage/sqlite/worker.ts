import { DatabaseSync, type StatementSync } from "node:sqlite";
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import { type Cache, createCache } from "../../runtime/cache.ts";
import type { ChangeTopic, SqlRow, Statement } from "../database.ts";
import { type JobBatch, type JobOutcome, type JobOutcomes, packOutcome, unpackJobs } from "./batch.ts";
import { explainSqliteError, isConnectionBroken, isSqliteLocked, isSqliteUnavailable } from "./errors.ts";
import { type OpenFile, openReadOnlyFile, readFileIdentity, requireSameFile } from "./files.ts";

/**
 * Role of a thread. "writer" runs groups of writes, each group in one transaction. "reader" runs single statements that
 * read committed rows.
 */
export type ThreadRole = "writer" | "reader";

export interface WorkerOptions {
  readonly file: string;
  /** Device and inode of the file when the database was opened. */
  readonly identity: string | undefined;
  readonly role: ThreadRole;
  /** Maximum milliseconds that a statement waits for another process's lock. */
  readonly busyMs: number;
}

/** Message to the thread: a batch, "close" to end the thread, or a port through which another thread sends batches. */
export type WorkerMessage = JobBatch | "close" | { readonly connect: MessagePort };

/** Message to the thread that started this one: outcomes of its batch, or topics of changes by any thread. */
export type MessageFromWorker = JobOutcomes | { readonly changedTopics: ReadonlySet<ChangeTopic> };

/**
 * Maximum number of cached statements. There are few different SQL texts, but their parameter lists differ in length.
 */
const MAX_CACHED_STATEMENTS = 200;

class ConflictError extends Error {}

interface PreparedStatement {
  readonly statement: StatementSync;
  readonly returnsRows: boolean;
}

interface Connection extends OpenFile {
  readonly statements: Cache<string, PreparedStatement>;
  readonly file: string;
  /**
   * Device and inode of the database file, its write-ahead log (`-wal`), and the log's index (`-shm`), by path. The
   * last two are added when SQLite creates them.
   */
  readonly files: Map<string, string | undefined>;
}

if (parentPort !== null) serveJobs(workerData as WorkerOptions, parentPort);

function serveJobs(options: WorkerOptions, port: NonNullable<typeof parentPort>): void {
  let connection: Connection | undefined;
  const runJobs = options.role === "writer" ? runWriteJobs : runReadJobs;
  const ports = new Set<MessagePort>();
  /** Receives batches that other threads have already sent, so that all of them share one commit. */
  const receiveWaitingBatches = (senderPort: MessagePort): readonly ReceivedBatch[] =>
    [...ports].flatMap((from) => {
      const portMessage = from === senderPort ? undefined : receiveMessageOnPort(from);
      return portMessage === undefined ? [] : [{ from, batch: portMessage.message as JobBatch }];
    });
  const runBatches = (batches: readonly ReceivedBatch[]): void => {
    let isBroken = false;
    try {
      connection ??= connect(options);
      const outcomes = runJobs(
        connection,
        batches.flatMap(({ batch }) => unpackJobs(batch)),
      ).map(packOutcome);
      let start = 0;
      for (const { from, batch } of batches) {
        from.postMessage(outcomes.slice(start, start + batch.jobs));
        start += batch.jobs;
      }
      const changedTopics = new Set(batches.flatMap(({ batch }) => batch.topics));
      if (changedTopics.size > 0) port.postMessage({ changedTopics } satisfies MessageFromWorker);
    } catch (error) {
      const outcome = explainError(options.file, error);
      for (const { from, batch } of batches) from.postMessage(Array.from({ length: batch.jobs }, () => outcome));
      isBroken = isConnectionBroken(error);
    }
    if (!isBroken && connection?.isExclusive !== true) return;
    // Close the connection, so that the next job opens the file again. The server can thus recover from a disk error
    // without a restart.
    closeQuietly(connection);
    connection = undefined;
  };
  const handleBatch = (from: MessagePort, batch: JobBatch): void =>
    runBatches([{ from, batch }, ...receiveWaitingBatches(from)]);
  port.on("message", (request: WorkerMessage) => {
    if (request === "close") {
      connection?.database.close();
      port.close();
    } else if ("connect" in request) {
      const clientPort = request.connect;
      ports.add(clientPort);
      clientPort
        .on("message", (batch: JobBatch) => handleBatch(clientPort, batch))
        .once("close", () => ports.delete(clientPort));
      // The ports of other threads do not keep this thread alive.
      clientPort.unref();
    } else handleBatch(port, request);
  });
}

/** A batch, and the port for its outcomes. */
interface ReceivedBatch {
  readonly from: MessagePort;
  readonly batch: JobBatch;
}

function connect({ file, identity, role, busyMs: busyWaitMs }: WorkerOptions): Connection {
  // Check first: opening a missing file would create an empty one.
  requireSameFile(file, identity);
  const openFile = role === "writer" ? openWriter(file, busyWaitMs) : openReadOnlyFile(file, busyWaitMs);
  return {
    ...openFile,
    statements: createCache({ name: "statements", maxWeight: MAX_CACHED_STATEMENTS }),
    file,
    files: new Map([[file, identity]]),
  };
}

function openWriter(file: string, busyTimeoutMs: number): OpenFile {
  const database = new DatabaseSync(file, { timeout: busyTimeoutMs, defensive: true });
  try {
    database.exec(
      "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA secure_delete=ON; PRAGMA cache_size=-32768; PRAGMA journal_size_limit=67108864; PRAGMA wal_autocheckpoint=4096; PRAGMA foreign_keys=ON",
    );
    return { database, isExclusive: false };
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * Runs jobs in one transaction with one fsync. Each job succeeds or fails separately.
 * @throws errors that fail the whole group, in which case nothing is written
 */
function runWriteJobs(connection: Connection, batch: readonly (readonly Statement[])[]): readonly JobOutcome[] {
  try {
    runCommand(connection, "BEGIN IMMEDIATE");
    requireSameFiles(connection);
    const outcomes = batch.map((job) => writeJob(connection, job));
    runCommand(connection, "COMMIT");
    requireSameFiles(connection);
    return outcomes;
  } catch (error) {
    if (connection.database.isTransaction) runCommand(connection, "ROLLBACK");
    throw error;
  }
}

function writeJob(connection: Connection, job: readonly Statement[]): JobOutcome {
  // A savepoint undoes the changes of a failed job. A single statement that fails or changes no row needs none.
  const needsSavepoint = job.length > 1 || job.some(({ requireRows = 0 }) => requireRows > 1);
  if (needsSavepoint) runCommand(connection, "SAVEPOINT job");
  try {
    const rows = job.map((statement) => runStatement(connection, statement));
    if (needsSavepoint) runCommand(connection, "RELEASE job");
    return { kind: "rows", rows };
  } catch (error) {
    // Some errors make SQLite roll back the entire transaction.
    if (isSqliteUnavailable(error) || !connection.database.isTransaction) throw error;
    if (needsSavepoint) {
      runCommand(connection, "ROLLBACK TO job");
      runCommand(connection, "RELEASE job");
    }
    return explainError(connection.file, error);
  }
}

/** Throws if a file was deleted or replaced, so that a commit to it is not acknowledged.  @throws FileReplacedError */
function requireSameFiles({ file, files }: Connection): void {
  for (const path of [`${file}-wal`, `${file}-shm`]) {
    // SQLite creates these files at a new database's first write, and deletes them when the database is closed.
    const fileIdentity = files.has(path) ? undefined : readFileIdentity(path);
    if (fileIdentity !== undefined) files.set(path, fileIdentity);
  }
  for (const [path, identity] of files) requireSameFile(path, identity);
}

function runReadJobs(connection: Connection, batch: readonly (readonly Statement[])[]): readonly JobOutcome[] {
  requireSameFile(connection.file, connection.files.get(connection.file));
  return batch.map((job) => {
    try {
      return { kind: "rows", rows: job.map((statement) => runStatement(connection, statement)) };
    } catch (error) {
      if (isSqliteUnavailable(error)) throw error;
      return explainError(connection.file, error);
    }
  });
}

function runStatement(connection: Connection, { sql, params, requireRows = 0 }: Statement): readonly SqlRow[] {
  const { statement, returnsRows } = prepareSql(connection, sql);
  if (returnsRows) {
    const rows = statement.all(...params) as unknown as readonly SqlRow[];
    if (rows.length < requireRows) throw new ConflictError(sql);
    return rows;
  }
  const { changes } = statement.run(...params);
  if (Number(changes) < requireRows) throw new ConflictError(sql);
  return [];
}

function runCommand(connection: Connection, sql: string): void {
  prepareSql(connection, sql).statement.run();
}

function prepareSql({ database, statements }: Connection, sql: string): PreparedStatement {
  return statements.getOrCreate(sql, () => {
    const statement = database.prepare(sql.replace(/\$(\d+)/g, "?$1"));
    return { statement, returnsRows: statement.columns().length > 0 };
  });
}

function explainError(file: string, error: unknown): JobOutcome {
  if (error instanceof ConflictError) return { kind: "conflict", message: error.message };
  const kind = isSqliteLocked(error) ? "locked" : isSqliteUnavailable(error) ? "unavailable" : "bug";
  return { kind, message: explainSqliteError(file, error) };
}

function closeQuietly(connection: Connection | undefined): void {
  try {
    connection?.database.close();
  } catch {
    // Ignore the error: the connection is broken, and no further cleanup is possible.
  }
}
