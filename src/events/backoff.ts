import { createHash } from "node:crypto";

/** Number of attempts after which an event is given up: about three days. */
export const MAX_ATTEMPTS = 14;
const FIRST_MS = 5_000;
const FACTOR = 4;
const LONGEST_MS = 12 * 3_600_000;

/**
 * Returns the delay before the next attempt: about 5, 20 and 80 seconds, 5, 20 and 85 minutes, 6 hours, then 12 hours.
 * Up to a third is subtracted, depending on the event id, so that events that failed together are not retried together.
 * @param attempts number of attempts so far, at least 1
 * @returns milliseconds; undefined if the event is given up
 */
export function backoff(attempts: number, eventId: string, retryAfterMs = 0): number | undefined {
  if (attempts >= MAX_ATTEMPTS) return undefined;
  const full = Math.min(FIRST_MS * FACTOR ** (attempts - 1), LONGEST_MS);
  const share = createHash("sha256").update(`${eventId} ${attempts}`).digest().readUInt32BE() / 2 ** 32;
  return Math.min(Math.max(Math.round(full * (1 - share / 3)), retryAfterMs), LONGEST_MS);
}
