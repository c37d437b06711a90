import type { DatabaseMetrics, DatabaseOutcome } from "../observability/metrics.ts";
import { isTracing, withSpan } from "../runtime/spans.ts";
import { type Database, DatabaseUnavailableError, WriteConflict } from "./database.ts";

/**
 * Wraps a database with spans, if spans are created, and with reports of every read and write.
 * @param onDone Default: no reports
 */
export function observeDatabase(database: Database, onDone?: DatabaseMetrics["recordDatabaseOperation"]): Database {
  const tracedDatabase = isTracing() ? traceDatabase(database) : database;
  return onDone === undefined ? tracedDatabase : reportOperations(tracedDatabase, onDone);
}

/** Returns the sums of the connections to several databases. Undefined if none of them has a server. */
export function sumConnections(databases: readonly Database[]): Database["connections"] {
  const counters = databases.flatMap(({ connections }) => connections ?? []);
  if (counters.length === 0) return undefined;
  return () => {
    const sum = { inUseCount: 0, idleCount: 0, waitingCount: 0 };
    for (const { inUseCount, idleCount, waitingCount } of counters.map((getCounts) => getCounts())) {
      sum.inUseCount += inUseCount;
      sum.idleCount += idleCount;
      sum.waitingCount += waitingCount;
    }
    return sum;
  };
}

function traceDatabase(database: Database): Database {
  return {
    ...database,
    read: (sql, params) => withSpan("database read", { "db.query.text": sql }, () => database.read(sql, params)),
    write: (statements, startDeadline) =>
      withSpan("database write", { "db.operation.batch.size": statements.length }, () =>
        database.write(statements, startDeadline),
      ),
  };
}

function reportOperations(database: Database, onDone: DatabaseMetrics["recordDatabaseOperation"]): Database {
  const observeWork = async <T>(operation: "read" | "write", promise: Promise<T>): Promise<T> => {
    const start = performance.now();
    try {
      const result = await promise;
      onDone(operation, "done", performance.now() - start);
      return result;
    } catch (error) {
      onDone(operation, classifyError(error), performance.now() - start);
      throw error;
    }
  };
  return {
    ...database,
    read: (sql, params) => observeWork("read", database.read(sql, params)),
    write: (statements, startDeadline) => observeWork("write", database.write(statements, startDeadline)),
  };
}

function classifyError(error: unknown): DatabaseOutcome {
  if (error instanceof WriteConflict) return "conflict";
  return error instanceof DatabaseUnavailableError ? "unavailable" : "error";
}
