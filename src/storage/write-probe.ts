import { type Database, DatabaseUnavailable } from "./database.ts";

/** Milliseconds for which the result of a probe is cached. Also the time limit of a probe. */
const PROBE_MS = 1_000;

/**
 * Creates a function that tests whether the database accepts writes. It writes to the disk at most once a second.
 * @param onRefused receives the error of each probe that failed or took longer than a second
 */
export function createWriteProbe(database: Database, onRefused: (error: unknown) => void): () => Promise<boolean> {
  let startedAt = Number.NEGATIVE_INFINITY;
  let isUnderWay = false;
  let answer = Promise.resolve(false);

  const probe = async (at: number): Promise<boolean> => {
    isUnderWay = true;
    try {
      await database.write([
        { sql: "UPDATE write_probe SET probed_at = $1", params: [Math.round(at)], requireRows: 1 },
      ]);
      return true;
    } catch (error) {
      onRefused(error);
      return false;
    } finally {
      isUnderWay = false;
    }
  };
  return async () => {
    if (!isUnderWay && performance.now() - startedAt >= PROBE_MS) {
      startedAt = performance.now();
      answer = probe(startedAt);
    }
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(
        () => {
          onRefused(new DatabaseUnavailable("a write took longer than a second"));
          resolve(false);
        },
        startedAt + PROBE_MS - performance.now(),
      );
    });
    return Promise.race([answer, late]).finally(() => clearTimeout(timer));
  };
}
