import { Problem } from "../problem.ts";
import type { Slots } from "../runtime/slots.ts";

/** Limit of concurrent requests of one kind in a thread. */
export interface RequestLimit {
  readonly slots: Slots;
  /** Seconds after which a rejected client may try again. */
  readonly retryAfter: number;
}

/**
 * Runs a request if a slot is free.
 * @param owner id of the token, or a constant if owners do not matter  @throws Problem `rate_limited`
 */
export async function withSlot<T>(
  { slots, retryAfter }: RequestLimit,
  owner: string,
  work: () => Promise<T>,
): Promise<T> {
  using slot = slots.tryAcquire(owner);
  if (slot === undefined)
    throw new Problem("rate_limited", "Too many of these requests are in progress: send them in sequence.", [], {
      retryAfter,
    });
  return await work();
}
