import { Problem } from "../../../problem.ts";

/** How much of one kind of work is under way at once in a thread. */
export interface Slots {
  /** @throws Problem `rate_limited` where as much is under way as may be */
  run<T>(work: () => Promise<T>): Promise<T>;
}

/** @param most at once  @param retryAfter seconds after which another try is worth it */
export function createSlots(most: number, retryAfter: number): Slots {
  let taken = 0;
  return {
    async run(work) {
      if (taken >= most)
        throw new Problem("rate_limited", "Many such requests are under way: send one after the other.", [], {
          retryAfter,
        });
      taken += 1;
      try {
        return await work();
      } finally {
        taken -= 1;
      }
    },
  };
}
