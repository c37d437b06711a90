/** What waits for one of the things that a thread does, and how long that takes. */
export interface Backlog {
  /** @param count of those that wait from now on */
  begin(count: number): void;
  /** @param count of those that are done */
  end(count: number): void;
  /** How long it takes until all that wait are done, in milliseconds: as many as they are, at the rate at which those before them were done. */
  expectedMs(): number;
}

/** @param guessMs how long one takes, until some were done */
export function createBacklog(guessMs: number): Backlog {
  let waiting = 0;
  /** From one that is done to the next, while others wait. */
  let intervalMs = guessMs;
  let intervals = GUESSED;
  let endedAt: number | undefined;
  return {
    begin(count) {
      waiting += count;
    },
    end(count) {
      if (count === 0) return;
      const now = performance.now();
      // The first may have waited for a disk.
      if (endedAt !== undefined) {
        intervals = Math.min(intervals + count, MEMORY);
        intervalMs += ((now - endedAt) / count - intervalMs) * Math.min(1, count / intervals);
      }
      waiting -= count;
      endedAt = waiting === 0 ? undefined : now;
    },
    expectedMs: () => waiting * intervalMs,
  };
}

/** Intervals of which the mean is taken: many are done in one turn of the event loop, and none until the next, so the last few tell nothing. */
const MEMORY = 50;
/** For how many of them the guess counts. */
const GUESSED = 10;
