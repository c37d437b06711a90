import { DAY_MS } from "../../runtime/durations.ts";
import { dayOf } from "../../signals/decay.ts";
import { type Database, type Statement, tryWrite } from "../database.ts";
import { readSearchReport } from "../signals/report.ts";
import { emitEvent } from "./outbox.ts";

/** Number of days in a report. Within a week, enough shoppers make the same search even in a small shop. */
const REPORT_DAYS = 7;
/** Maximum number of searches in one event. */
const MAX_SEARCHES = 100;
/** Milliseconds after midnight after which all servers have written the counts of the previous day. */
const DAY_END_DELAY_MS = 5 * 60_000;

/**
 * Emits an event that lists searches without results from the seven days before today (UTC). All servers together emit
 * at most one such event a day, and none if all searches had results.
 * @param newId returns at least 128 random bits
 */
export async function emitSearchesWithoutResults(
  database: Database,
  { now, newId }: { readonly now: number; readonly newId: () => string },
): Promise<void> {
  const day = dayOf(now - DAY_END_DELAY_MS) - 1;
  const [progress] = await database.read("SELECT last FROM sequences WHERE name = 'search_not_found'");
  if (progress === undefined) {
    await database.write([{ ...sequenceStatement, params: [day] }]);
    return;
  }
  if (Number(progress.last) >= day) return;
  const end = day * DAY_MS;
  const { rows } = await readSearchReport(
    database,
    { days: REPORT_DAYS, sortBy: "not_found", limit: MAX_SEARCHES },
    end,
  );
  const searches = rows.map(({ term, locale, notFoundCount }) => ({ query: term, locale, visitors: notFoundCount }));
  const event = {
    id: newId(),
    type: "search.not_found",
    orderKey: "searches",
    payload: { day: new Date(end).toISOString().slice(0, 10), days: REPORT_DAYS, searches },
    createdAt: now,
  } as const;
  // The condition fails if another server has already emitted this event.
  await tryWrite(database, [
    {
      sql: "UPDATE sequences SET last = $1 WHERE name = 'search_not_found' AND last = $2",
      params: [day, Number(progress.last)],
      requireRows: 1,
    },
    ...(searches.length === 0 ? [] : emitEvent(event)),
  ]);
}

const sequenceStatement: Statement = {
  sql: "INSERT INTO sequences (name, last) VALUES ('search_not_found', $1) ON CONFLICT (name) DO NOTHING",
  params: [],
};
