import { createHash } from "node:crypto";
import { HOUR_MS } from "../runtime/durations.ts";

/** Maximum number of attempts to deliver an event, which take about three days in total. */
export const MAX_ATTEMPTS = 14;
const FIRST_DELAY_MS = 5_000;
const DELAY_FACTOR = 4;
const MAX_DELAY_MS = 12 * HOUR_MS;

/**
 * Returns the delay before the next attempt: about 5, 20 and 80 seconds, 5, 20 and 85 minutes, 6 hours, then 12 hours.
 * Up to a third is subtracted, depending on the event id, so that events that failed together are not retried together.
 * @param attempts number of attempts so far, at least 1
 * @returns milliseconds; undefined if the event is given up
 */
export function computeBackoffDelay(attempts: number, eventId: string, retryAfterMs = 0): number | undefined {
  if (attempts >= MAX_ATTEMPTS) return undefined;
  const delayBeforeJitter = Math.min(FIRST_DELAY_MS * DELAY_FACTOR ** (attempts - 1), MAX_DELAY_MS);
  const randomFactor = createHash("sha256").update(`${eventId} ${attempts}`).digest().readUInt32BE() / 2 ** 32;
  return Math.min(Math.max(Math.round(delayBeforeJitter * (1 - randomFactor / 3)), retryAfterMs), MAX_DELAY_MS);
}
