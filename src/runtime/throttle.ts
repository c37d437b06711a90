/** Limits how often a task runs. */
export interface Throttle {
  /** Runs the task at once, or at the end of the interval after its last start. Calls until then share one run. */
  run(): void;
  /** Runs the task at once if a run is due, and waits for its end. */
  close(): Promise<void>;
}

/**
 * Creates a throttle. Runs do not overlap, and its timer does not keep the process alive.
 * @param intervalMs minimum milliseconds between two starts
 * @param task must not reject
 */
export function createThrottle(intervalMs: number, task: () => Promise<unknown>): Throttle {
  let isDue = false;
  let timer: NodeJS.Timeout | undefined;
  let lastRun: Promise<unknown> = Promise.resolve();
  const runDueTask = (): void => {
    timer = undefined;
    if (!isDue) return;
    isDue = false;
    timer = setTimeout(runDueTask, intervalMs).unref();
    lastRun = lastRun.then(task);
  };
  return {
    run() {
      isDue = true;
      if (timer === undefined) runDueTask();
    },
    async close() {
      clearTimeout(timer);
      runDueTask();
      clearTimeout(timer);
      await lastRun;
    },
  };
}
