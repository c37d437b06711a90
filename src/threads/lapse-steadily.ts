import type { Log } from "../observability/log.ts";
import { type Poll, poll } from "../runtime/poll.ts";
import { lapseCheckouts } from "../storage/checkouts/lapse.ts";
import type { OnStock } from "../storage/checkouts/reservations.ts";
import type { Database } from "../storage/database.ts";

/** Milliseconds between two runs. */
const LAPSE_MS = 2_000;

/** Releases the reservations of checkouts that have expired. Each server does so for all: reservations of a server that died expire, too. */
export function lapseSteadily(
  parts: { readonly database: Database; readonly onStock: OnStock },
  now: () => number,
  log: Pick<Log, "recurring">,
): Poll {
  return poll({ name: "releasing expired checkouts", everyMs: LAPSE_MS, log }, () => lapseCheckouts(parts, now()));
}
