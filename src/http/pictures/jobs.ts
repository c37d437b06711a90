/** Work that takes seconds of a processor, a few pieces at a time: callers take turns, so that one who asks for much waits for themselves alone. */
export interface PictureJobs {
  /** @param caller whose turn it is  @returns undefined where too much of this caller's, or of all callers', waits already */
  start<T>(caller: string, job: () => Promise<T>): Promise<T> | undefined;
  /** Begins nothing more: what waits is dropped, its promise never settles. @returns when all that runs is done */
  close(): Promise<void>;
}

/** @param limits.running jobs at a time  @param limits.perCaller, limits.inAll jobs that wait */
export function createPictureJobs(limits: {
  readonly running: number;
  readonly perCaller: number;
  readonly inAll: number;
}): PictureJobs {
  /** Caller -> jobs that wait; whose turn comes next stands first. */
  const waiting = new Map<string, (() => Promise<void>)[]>();
  let count = 0;
  let running = 0;
  let isClosed = false;
  const done = Promise.withResolvers<void>();
  const runNext = (): void => {
    for (const [caller, jobs] of waiting.entries().take(1)) {
      if (running >= limits.running) return;
      waiting.delete(caller);
      const job = jobs.shift();
      if (jobs.length > 0) waiting.set(caller, jobs);
      count -= 1;
      running += 1;
      void job?.().finally(() => {
        running -= 1;
        if (isClosed && running === 0) done.resolve();
        runNext();
      });
    }
  };
  return {
    start(caller, job) {
      const own = waiting.get(caller) ?? [];
      if (isClosed || own.length >= limits.perCaller || count >= limits.inAll) return undefined;
      return new Promise((resolve, reject) => {
        own.push(() => job().then(resolve, reject));
        waiting.set(caller, own);
        count += 1;
        runNext();
      });
    },
    close() {
      isClosed = true;
      waiting.clear();
      if (running === 0) done.resolve();
      return done.promise;
    },
  };
}
