import { withTimeout } from "../runtime/with-timeout.ts";
import { type Database, DatabaseUnavailableError, WriteConflict } from "./database.ts";
import { LATEST_VERSION } from "./schema-version.ts";

const newerSchemaMessage =
  "the database was migrated by a version of Vitrine that this one does not support: install that version on this server";

/** Milliseconds for which the result of a probe is cached. Also the time limit of a probe. */
const PROBE_TIMEOUT_MS = 1_000;

const probeSql = `UPDATE write_probe SET probed_at = $1
  WHERE (SELECT COALESCE(MAX(compatible_from), 0) FROM schema_versions) <= $2`;

/**
 * Creates a function that tests whether the database accepts writes from this version of the server. It writes to the
 * disk at most once a second.
 * @param onFailed receives the error of each probe that failed or took longer than a second
 */
export function createWriteProbe(database: Database, onFailed: (error: unknown) => void): () => Promise<boolean> {
  let startedAt = Number.NEGATIVE_INFINITY;
  let isRunning = false;
  let lastResult = Promise.resolve(false);

  const tryWrite = async (time: number): Promise<boolean> => {
    isRunning = true;
    try {
      await database.write([{ sql: probeSql, params: [Math.round(time), LATEST_VERSION], requireRows: 1 }]);
      return true;
    } catch (error) {
      onFailed(error instanceof WriteConflict ? new DatabaseUnavailableError(newerSchemaMessage) : error);
      return false;
    } finally {
      isRunning = false;
    }
  };
  return async () => {
    if (!isRunning && performance.now() - startedAt >= PROBE_TIMEOUT_MS) {
      startedAt = performance.now();
      lastResult = tryWrite(startedAt);
    }
    const createError = (): DatabaseUnavailableError =>
      new DatabaseUnavailableError("a write took longer than a second");
    return withTimeout(lastResult, startedAt + PROBE_TIMEOUT_MS - performance.now(), createError).catch((error) => {
      onFailed(error);
      return false;
    });
  };
}
