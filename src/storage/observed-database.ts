import { type Database, DatabaseUnavailableError, WriteConflict } from "./database.ts";

type DatabaseOutcome = "done" | "conflict" | "unavailable" | "error";

/** Wraps a database, and reports every read and write. */
export function observeDatabase(
  database: Database,
  onDone: (operation: "read" | "write", outcome: DatabaseOutcome, ms: number) => void,
): Database {
  const observeWork = async <T>(operation: "read" | "write", work: Promise<T>): Promise<T> => {
    const start = performance.now();
    try {
      const result = await work;
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
