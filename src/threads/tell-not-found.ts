import type { Log } from "../observability/log.ts";
import type { Database } from "../storage/database.ts";
import { emitNotFound } from "../storage/events/not-found.ts";

/** How often it is looked whether a day is over, in milliseconds. */
const LOOK_MS = 60_000;

/** Puts an event into the outbox for each day on which shoppers found nothing. @returns stops it */
export function tellNotFound(
  database: Database,
  {
    now,
    newId,
    log,
  }: { readonly now: () => number; readonly newId: () => string; readonly log: Pick<Log, "recurring"> },
): () => Promise<void> {
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  const look = async (): Promise<void> => {
    await emitNotFound(database, { now: now(), newId }).catch((error: unknown) => {
      if (!isClosed) log.recurring({ error }, "searches without results could not be told of");
    });
    if (!isClosed) timer = setTimeout(next, LOOK_MS).unref();
  };
  const next = (): void => {
    looking = look();
  };
  let looking = look();
  return async () => {
    isClosed = true;
    clearTimeout(timer);
    await looking;
  };
}
