/** A job that runs repeatedly until it is closed. */
export interface Poll {
  /**
   * Runs the job now, after the run in progress. Calls that wait at the same time share one run. Rejects with the error
   * of that run.
   */
  now(): Promise<void>;
  /** Prevents further runs and waits for the run in progress. */
  close(): Promise<void>;
}

export interface PollOptions {
  /** Name of the job in the log (`${name} failed`) and in `/metrics`. */
  readonly name: string;
  /** Milliseconds between the end of a run and the start of the next. */
  readonly everyMs: number;
  readonly log: { recurring(fields: { readonly error: unknown }, message: string): void };
  /** Whether the first run starts immediately instead of after `everyMs`. */
  readonly startsNow?: boolean;
}

/**
 * Starts a job that runs repeatedly. Runs never overlap. The error of a failed run is logged, and the job continues.
 * The timer does not keep the process alive.
 * @param run the job. It resolves to "again" if the next run should start immediately. `close` aborts its signal
 */
export function poll(options: PollOptions, run: (signal: AbortSignal) => Promise<unknown>): Poll {
  const { name, everyMs, log, startsNow = false } = options;
  const counts = countsOf(name);
  const closing = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;

  const runOnce = async (): Promise<void> => {
    next = undefined;
    clearTimeout(timer);
    if (closing.signal.aborted) return;
    let waitMs = everyMs;
    try {
      if ((await run(closing.signal)) === "again") waitMs = 0;
      counts.done += 1;
    } catch (error) {
      counts.failed += 1;
      if (!closing.signal.aborted) log.recurring({ error }, `${name} failed`);
      throw error;
    } finally {
      if (!closing.signal.aborted) timer = setTimeout(runByTimer, waitMs).unref();
    }
  };
  const now = (): Promise<void> => {
    if (next !== undefined) return next;
    const mine = running.then(runOnce);
    running = mine.catch(() => undefined);
    next = mine;
    return mine;
  };
  const runByTimer = (): void => {
    now().catch(() => undefined);
  };
  if (startsNow) runByTimer();
  else timer = setTimeout(runByTimer, everyMs).unref();
  return {
    now,
    async close() {
      closing.abort();
      clearTimeout(timer);
      await running;
    },
  };
}

/** Statistics of all jobs with the same name in this thread. */
export interface PollStatistics {
  readonly done: number;
  readonly failed: number;
}

type Counts = { -readonly [Key in keyof PollStatistics]: PollStatistics[Key] };

const countsByName = new Map<string, Counts>();

function countsOf(name: string): Counts {
  const counts = countsByName.get(name) ?? { done: 0, failed: 0 };
  countsByName.set(name, counts);
  return counts;
}

/** Statistics by job name. */
export const pollStatistics: ReadonlyMap<string, PollStatistics> = countsByName;
