import type { Log } from "../observability/log.ts";
import { lapseCheckouts } from "../storage/checkouts/lapse.ts";
import type { OnStock } from "../storage/checkouts/reservations.ts";
import type { Database } from "../storage/database.ts";

/** How often checkouts are looked for whose time is over, in milliseconds. */
const LAPSE_MS = 2_000;

/** Lets go what checkouts hold whose time is over, every few seconds, from the start on: what a server that died has left is let go by any
 *  other, or by itself once it is back. @returns stops it */
export function lapseSteadily(
  parts: { readonly database: Database; readonly onStock: OnStock },
  now: () => number,
  log: Log,
): () => void {
  let isLapsing = false;
  const lapse = async (): Promise<void> => {
    if (isLapsing) return;
    isLapsing = true;
    try {
      await lapseCheckouts(parts, now());
    } catch (error) {
      log.recurring({ error }, "checkouts whose time is over were not let go");
    }
    isLapsing = false;
  };
  const timer = setInterval(lapse, LAPSE_MS);
  timer.unref();
  return () => clearInterval(timer);
}
