import { Problem } from "../problem.ts";
import type { JobSlots } from "../runtime/slots.ts";

/** Limits how many requests of one kind run concurrently in a thread. */
export interface RequestLimit {
  readonly jobSlots: JobSlots;
  /** Seconds after which a rejected client may try again. */
  readonly retryAfter: number;
}

/**
 * Runs a request if the number of concurrent requests is below the limit.
 * @param owner id of the API token, or a constant if the limit is for all clients together
 * @throws Problem `rate_limited`
 */
export async function runInJobSlot<T>(
  { jobSlots, retryAfter }: RequestLimit,
  owner: string,
  task: () => Promise<T>,
): Promise<T> {
  using slot = jobSlots.tryAcquire(owner);
  if (slot === undefined)
    throw new Problem("rate_limited", "Too many of these requests are in progress: send them in sequence.", [], {
      retryAfter,
    });
  return await task();
}
