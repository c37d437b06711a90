import type { Database } from "../database.ts";
import { sweepInOrder, sweepRows } from "../sweeping.ts";
import { countableTerm } from "./search-term.ts";
import {
  createVisitLog,
  dayOf,
  forgetSalts,
  isByMany,
  settle,
  settled,
  shownFromNetworks,
  type Visit,
  type VisitLogOptions,
  type VisitTable,
} from "./visit-log.ts";

/** A term that nobody searched for so many days is forgotten. */
const KEPT_DAYS = 180;
/** More terms than this suggest nothing that the first do not. */
const MAX_POPULAR = 10_000;

export interface PopularTerm {
  readonly locale: string;
  readonly text: string;
  /** How many networks searched it; the same one counts once a day. */
  readonly visitors: number;
}

/** Counts searches in the database. */
export interface StoredSearchLog {
  /** Never throws and never waits for the disk. @param network a block of addresses; hashes of it alone are written */
  record(term: string, locale: string, network: string, now: number): void;
  /** Writes what is gathered; never throws. */
  flush(): Promise<void>;
  /** Writes what is gathered and stops. */
  close(): Promise<void>;
}

interface Search extends Visit {
  readonly term: string;
  readonly locale: string;
}

/** Counts what shoppers search, by networks. @param options.newRows asked for each term that nobody searched before */
export function createSearchLog(database: Database, options: VisitLogOptions): StoredSearchLog {
  const visits = createVisitLog(database, searches, options);
  return {
    record(text, locale, network, now) {
      const term = countableTerm(text);
      if (term !== undefined) visits.record({ term, locale, network, now });
    },
    flush: visits.flush,
    close: visits.close,
  };
}

/** What enough networks searched before today, most first. */
export async function popularTerms(database: Database, now: number): Promise<readonly PopularTerm[]> {
  const rows = await database.read(
    `SELECT locale, term, visitors, networks
      FROM (SELECT locale, term, ${settled("visitors")}, ${settled("networks")} FROM search_terms) AS terms
      WHERE visitors >= $2 ORDER BY visitors DESC, locale, term LIMIT ${MAX_POPULAR}`,
    [dayOf(now), shownFromNetworks],
  );
  return rows
    .filter(isByMany)
    .map((row) => ({ locale: String(row.locale), text: String(row.term), visitors: Number(row.visitors) }));
}

/** Deletes the visits of earlier days, which may be millions, and terms that nobody searched for long. */
export async function sweepSearches(database: Database, now: number): Promise<void> {
  const day = dayOf(now);
  await database.write([forgetSalts(day)]);
  const visits = { table: "search_visits", key: ["day", "locale", "term", "visitor"], where: "day < $1", bound: day };
  await sweepInOrder(database, visits);
  const terms = { table: "search_terms", key: ["locale", "term"], where: "last_day < $1", bound: day - KEPT_DAYS };
  await sweepRows(database, terms);
}

const isNotVisited =
  "NOT EXISTS (SELECT 1 FROM search_visits WHERE day = $1 AND locale = $2 AND term = $3 AND visitor = $4)";

/** What a search changes. @param day SQL of its day */
const counted = (day: string): string => `${settle("search_terms", "visitors", day)},
    ${settle("search_terms", "networks", day)},
    visitors = search_terms.visitors + 1,
    networks = search_terms.networks | CAST($5 AS BIGINT),
    last_day = CASE WHEN search_terms.last_day < ${day} THEN ${day} ELSE search_terms.last_day END`;

const upsertTerm = `INSERT INTO search_terms (locale, term, visitors, networks, last_day)
    SELECT CAST($2 AS TEXT), CAST($3 AS TEXT), 1, CAST($5 AS BIGINT), CAST($1 AS BIGINT) WHERE ${isNotVisited}
    ON CONFLICT (locale, term) DO UPDATE SET ${counted("excluded.last_day")} RETURNING visitors`;

const updateTerm = `UPDATE search_terms SET ${counted("CAST($1 AS BIGINT)")}
    WHERE locale = $2 AND term = $3 AND ${isNotVisited} RETURNING visitors`;

const insertVisit = `INSERT INTO search_visits (day, locale, term, visitor)
    SELECT CAST($1 AS BIGINT), CAST($2 AS TEXT), CAST($3 AS TEXT), CAST($4 AS TEXT)
    WHERE EXISTS (SELECT 1 FROM search_terms WHERE locale = $2 AND term = $3)
    ON CONFLICT DO NOTHING`;

const searches: VisitTable<Search> = {
  name: "searches",
  row: ({ locale, term }) => [locale, term],
  count({ locale, term }, { day, visitor, networkBit, mayAdd }) {
    const visit = [day, locale, term, visitor];
    return [
      { sql: mayAdd ? upsertTerm : updateTerm, params: [...visit, networkBit] },
      { sql: insertVisit, params: visit },
    ];
  },
};
