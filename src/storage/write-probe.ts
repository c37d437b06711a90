import { type Database, DatabaseUnavailable } from "./database.ts";

/** Milliseconds for which the result of a probe is cached. Also the time limit of a probe. */
const PROBE_TIMEOUT_MS = 1_000;

/**
 * Creates a function that tests whether the database accepts writes. It writes to the disk at most once a second.
 * @param onFailed receives the error of each probe that failed or took longer than a second
 */
export function createWriteProbe(database: Database, onFailed: (error: unknown) => void): () => Promise<boolean> {
  let startedAt = Number.NEGATIVE_INFINITY;
  let isRunning = false;
  let lastResult = Promise.resolve(false);

  const probe = async (at: number): Promise<boolean> => {
    isRunning = true;
    try {
      await database.write([
        { sql: "UPDATE write_probe SET probed_at = $1", params: [Math.round(at)], requireRows: 1 },
      ]);
      return true;
    } catch (error) {
      onFailed(error);
      return false;
    } finally {
      isRunning = false;
    }
  };
  return async () => {
    if (!isRunning && performance.now() - startedAt >= PROBE_TIMEOUT_MS) {
      startedAt = performance.now();
      lastResult = probe(startedAt);
    }
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<boolean>((resolve) => {
      timer = setTimeout(
        () => {
          onFailed(new DatabaseUnavailable("a write took longer than a second"));
          resolve(false);
        },
        startedAt + PROBE_TIMEOUT_MS - performance.now(),
      );
    });
    return Promise.race([lastResult, timeout]).finally(() => clearTimeout(timer));
  };
}
