import type { SearchReport, SearchReportOptions, SearchReportRow, SearchTotals } from "../../console/console.ts";
import type { Database, SqlRow } from "../database.ts";
import { sweepInOrder, sweepRows } from "../sweeping.ts";
import { countableTerm } from "./search-term.ts";
import { bitsIn, createVisitLog, dayOf, type Visit, type VisitLogOptions, type VisitTable } from "./visit-log.ts";

/** A search is shown once so many networks made it, within the days that are looked at. One person searches from two or three (at home, at work, on the
 *  way), so that what five of them typed is nobody's name; and five a week is what a small shop's misses come to. */
export const shownSearchesFrom = 5;
/** Days for which searches are kept. */
export const searchDaysKept = 35;

/** Something that came of a search. */
export interface CountedOutcome {
  readonly term: string;
  readonly locale: string;
  readonly outcome: "searched" | "not_found" | "chosen" | "added";
}

/** Counts searches and what comes of them, by the day. */
export interface SearchDayLog {
  /** Never throws and never waits for the disk. @param network a block of addresses; hashes of it alone are written */
  record(outcome: CountedOutcome, network: string, now: number): void;
  /** Writes what is gathered and stops. */
  close(): Promise<void>;
}

/** @param options.newRows asked for each term of a day that nobody searched on it before */
export function createSearchDayLog(database: Database, options: VisitLogOptions): SearchDayLog {
  const visits = createVisitLog(database, outcomes, options);
  return {
    record(outcome, network, now) {
      const term = countableTerm(outcome.term);
      if (term !== undefined) visits.record({ ...outcome, term, network, now });
    },
    close: visits.close,
  };
}

/** What was searched in some days, the most first; what too few networks searched is left out. */
export async function readSearchReport(
  database: Database,
  { days, by, limit }: SearchReportOptions,
  now: number,
): Promise<SearchReport> {
  const to = dayOf(now);
  const from = to - days + 1;
  const sum = sums[by];
  const [rows, totals] = await Promise.all([
    database.read(
      `SELECT d.locale, d.term, d.visitors, d.not_found, d.chosen, d.added, d.networks
        FROM search_days d JOIN (SELECT locale, term FROM search_days WHERE day BETWEEN $1 AND $2 GROUP BY locale, term
          HAVING SUM(visitors) >= ${shownSearchesFrom} AND ${sum} > 0 ORDER BY ${sum} DESC, term, locale LIMIT $3) AS most
          ON d.locale = most.locale AND d.term = most.term
        WHERE d.day BETWEEN $1 AND $2`,
      [from, to, CANDIDATES * limit],
    ),
    database.read(
      `SELECT day, SUM(visitors) AS visitors, SUM(not_found) AS not_found, SUM(chosen) AS chosen, SUM(added) AS added
        FROM search_days WHERE day BETWEEN $1 AND $2 GROUP BY day ORDER BY day`,
      [from, to],
    ),
  ]);
  const shown = [...Map.groupBy(rows, ({ locale, term }) => JSON.stringify([locale, term])).values()]
    .filter(isByMany)
    .map(added)
    .sort((one, other) => weights[by](other) - weights[by](one) || (one.term < other.term ? -1 : 1));
  return { rows: shown.slice(0, limit), days: totals.map((row) => ({ day: Number(row.day), ...countsOf(row) })) };
}

/** Deletes what tells the visitors of earlier days apart, and days of long ago. */
export async function sweepSearchDays(database: Database, now: number): Promise<void> {
  const day = dayOf(now);
  const key = ["day", "locale", "term"];
  const visits = { table: "search_day_visits", key: [...key, "outcome", "visitor"], where: "day < $1", bound: day };
  await sweepInOrder(database, visits);
  await sweepRows(database, { table: "search_days", key, where: "day < $1", bound: day - searchDaysKept + 1 });
}

/** Terms of which fewer networks are known than were counted may turn out to be too few's: so many times as many are looked at. */
const CANDIDATES = 3;

const sums = {
  searched: "SUM(visitors)",
  not_found: "SUM(not_found)",
  not_chosen: "SUM(visitors - not_found - chosen)",
  added: "SUM(added)",
} as const;

const weights: Readonly<Record<keyof typeof sums, (counts: SearchTotals) => number>> = {
  searched: ({ searched }) => searched,
  not_found: ({ notFound }) => notFound,
  not_chosen: ({ searched, notFound, chosen }) => searched - notFound - chosen,
  added: ({ added: taken }) => taken,
};

/** @param rows of one term, by the day */
function isByMany(rows: readonly SqlRow[]): boolean {
  const networks = rows.reduce((bits, row) => bits | BigInt(Number(row.networks)), 0n);
  return bitsIn(Number(networks)) >= shownSearchesFrom;
}

function added(rows: readonly SqlRow[]): SearchReportRow {
  const counts = rows.map(countsOf);
  const total = (name: keyof SearchTotals): number => counts.reduce((sum, one) => sum + one[name], 0);
  return {
    locale: String(rows[0]?.locale),
    term: String(rows[0]?.term),
    searched: total("searched"),
    notFound: total("notFound"),
    chosen: total("chosen"),
    added: total("added"),
  };
}

function countsOf(row: SqlRow): SearchTotals {
  return {
    searched: Number(row.visitors),
    notFound: Number(row.not_found),
    chosen: Number(row.chosen),
    added: Number(row.added),
  };
}

interface OutcomeVisit extends CountedOutcome, Visit {}

const isNotVisited = `NOT EXISTS (SELECT 1 FROM search_day_visits
    WHERE day = $1 AND locale = $2 AND term = $3 AND outcome = $4 AND visitor = $5)`;
const one = (outcome: CountedOutcome["outcome"]): string =>
  `CASE WHEN CAST($4 AS TEXT) = '${outcome}' THEN 1 ELSE 0 END`;
const counted = `visitors = search_days.visitors + ${one("searched")}, not_found = search_days.not_found + ${one("not_found")},
    chosen = search_days.chosen + ${one("chosen")}, added = search_days.added + ${one("added")},
    networks = search_days.networks | CAST($6 AS BIGINT)`;

/** Other outcomes follow on a search, and add no row. */
const returning = "RETURNING CASE WHEN CAST($4 AS TEXT) = 'searched' THEN visitors ELSE 0 END AS visitors";

const upsertDay = `INSERT INTO search_days (day, locale, term, visitors, not_found, chosen, added, networks)
    SELECT CAST($1 AS BIGINT), CAST($2 AS TEXT), CAST($3 AS TEXT), ${one("searched")}, ${one("not_found")}, ${one("chosen")}, ${one("added")}, CAST($6 AS BIGINT)
    WHERE ${isNotVisited} ON CONFLICT (day, locale, term) DO UPDATE SET ${counted} ${returning}`;

const updateDay = `UPDATE search_days SET ${counted} WHERE day = $1 AND locale = $2 AND term = $3 AND ${isNotVisited} ${returning}`;

const insertVisit = `INSERT INTO search_day_visits (day, locale, term, outcome, visitor)
    SELECT CAST($1 AS BIGINT), CAST($2 AS TEXT), CAST($3 AS TEXT), CAST($4 AS TEXT), CAST($5 AS TEXT)
    WHERE EXISTS (SELECT 1 FROM search_days WHERE day = $1 AND locale = $2 AND term = $3) ON CONFLICT DO NOTHING`;

const outcomes: VisitTable<OutcomeVisit> = {
  name: "searches of the day",
  row: ({ locale, term }) => [locale, term],
  kind: ({ outcome }) => outcome,
  count({ locale, term, outcome }, { day, visitor, networkBit, mayAdd }) {
    const visit = [day, locale, term, outcome, visitor];
    return [
      { sql: mayAdd ? upsertDay : updateDay, params: [...visit, networkBit] },
      { sql: insertVisit, params: visit },
    ];
  },
};
