import { getOrCreate } from "./cache.ts";

/** A job that runs repeatedly until it is closed. */
export interface PollLoop {
  /**
   * Runs the job immediately, or as soon as the run in progress ends. Callers that wait at the same time share one run.
   * Rejects with the error of that run.
   */
  runNow(): Promise<void>;
  /** Prevents further runs and waits for the run in progress. */
  close(): Promise<void>;
}

export interface PollOptions {
  /** Name of the job in the log (`${name} failed`) and in `/metrics`. */
  readonly name: string;
  /** Milliseconds between the end of a run and the start of the next. */
  readonly intervalMs: number;
  readonly log: { recurring(fields: { readonly error: unknown }, message: string): void };
  /** Whether the first run starts immediately instead of after `intervalMs`. */
  readonly startsImmediately?: boolean;
}

/**
 * Starts a job that runs repeatedly. Runs never overlap. The error of a failed run is logged, and the job continues.
 * The timer does not keep the process alive.
 * @param task the job. It resolves to "again" if the next run should start immediately. `close` aborts its signal
 */
export function poll(options: PollOptions, task: (signal: AbortSignal) => Promise<unknown>): PollLoop {
  const { name, intervalMs, log, startsImmediately = false } = options;
  const counts = getOrCreate(countsByName, name, () => ({ successCount: 0, failureCount: 0 }));
  const abortController = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let previousRun: Promise<void> = Promise.resolve();
  let nextRun: Promise<void> | undefined;

  const runJob = async (): Promise<void> => {
    nextRun = undefined;
    clearTimeout(timer);
    if (abortController.signal.aborted) return;
    let delayMs = intervalMs;
    try {
      if ((await task(abortController.signal)) === "again") delayMs = 0;
      counts.successCount += 1;
    } catch (error) {
      counts.failureCount += 1;
      if (!abortController.signal.aborted) log.recurring({ error }, `${name} failed`);
      throw error;
    } finally {
      if (!abortController.signal.aborted) timer = setTimeout(runInBackground, delayMs).unref();
    }
  };
  const runNow = (): Promise<void> => {
    if (nextRun !== undefined) return nextRun;
    const currentRun = previousRun.then(runJob);
    previousRun = currentRun.catch(() => undefined);
    nextRun = currentRun;
    return currentRun;
  };
  const runInBackground = (): void => {
    runNow().catch(() => undefined);
  };
  if (startsImmediately) runInBackground();
  else timer = setTimeout(runInBackground, intervalMs).unref();
  return {
    runNow,
    async close() {
      abortController.abort();
      clearTimeout(timer);
      await previousRun;
    },
  };
}

/** Statistics of all jobs with the same name in this thread. */
export interface PollStatistics {
  readonly successCount: number;
  readonly failureCount: number;
}

const countsByName = new Map<string, { -readonly [Key in keyof PollStatistics]: PollStatistics[Key] }>();

/** Statistics by job name. */
export const pollStatistics: ReadonlyMap<string, PollStatistics> = countsByName;
