import { createHash } from "node:crypto";

/** How often an event is tried before it is given up: about three days. */
export const MAX_ATTEMPTS = 14;
const FIRST_MS = 5_000;
const FACTOR = 4;
const LONGEST_MS = 12 * 3_600_000;

/** How long an event waits after so many attempts: about 5 and 20 seconds, 80 seconds, 5 and 20 minutes, 85 minutes, 6 hours, then 12 hours, of which up to a third is left
 *  out, another part for each event, so that what failed together is not tried together.
 *  @param attempts 1 or more  @returns milliseconds; undefined: it is given up */
export function backoff(attempts: number, eventId: string, retryAfterMs = 0): number | undefined {
  if (attempts >= MAX_ATTEMPTS) return undefined;
  const whole = Math.min(FIRST_MS * FACTOR ** (attempts - 1), LONGEST_MS);
  const share = createHash("sha256").update(`${eventId} ${attempts}`).digest().readUInt32BE() / 2 ** 32;
  return Math.min(Math.max(Math.round(whole * (1 - share / 3)), retryAfterMs), LONGEST_MS);
}
