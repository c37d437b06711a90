import { createHmac } from "node:crypto";
import type { Database, Statement } from "./database.ts";
import { countableTerm } from "./search-term.ts";

/** From so many visitors on a term is shown to others. */
const SHOWN_FROM = 20;
/** A term that nobody searched for so many days is forgotten. */
const KEPT_DAYS = 180;
/** More terms than this suggest nothing that the first do not. */
const MAX_POPULAR = 10_000;
/** How long searches are gathered before they are written, in milliseconds. */
const FLUSH_MS = 2_000;
/** Searches gathered at most; further ones are not counted, which a flood alone brings about. */
const MAX_GATHERED = 2_000;
const DAY_MS = 86_400_000;

export interface PopularTerm {
  readonly locale: string;
  readonly text: string;
  /** How many visitors searched it; the same one counts once a day. */
  readonly visitors: number;
}

/** Counts searches in the database. */
export interface StoredSearchLog {
  /** Never throws and never waits for the disk. @param visitor address and agent; only a hash of it is written */
  record(term: string, locale: string, visitor: string, now: number): void;
  /** Writes what is gathered; never throws. */
  flush(): Promise<void>;
  /** Writes what is gathered and stops. */
  close(): Promise<void>;
}

export interface SearchLogOptions {
  /** Random text of 128 bits or more. */
  readonly newSalt: () => string;
  readonly log?: { warn(fields: { readonly error: unknown }, message: string): void };
}

interface Search {
  readonly term: string;
  readonly locale: string;
  readonly visitor: string;
  readonly day: number;
}

/** Counts what shoppers search. Visitors are told apart by a hash whose salt is made anew each day and deleted with the
 *  hashes when the day is over, so that no one can be followed from one day to the next. */
export function createSearchLog(database: Database, { newSalt, log }: SearchLogOptions): StoredSearchLog {
  let gathered: Search[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  let salt: { readonly day: number; readonly text: string } | undefined;
  let hasFailed = false;

  const saltOf = async (day: number): Promise<string> => {
    if (salt?.day !== day) salt = { day, text: await beginDay(database, day, newSalt()) };
    return salt.text;
  };
  const write = async (): Promise<void> => {
    const searches = gathered;
    gathered = [];
    try {
      for (const day of new Set(searches.map((search) => search.day))) {
        const key = await saltOf(day);
        const ofDay = searches.filter((search) => search.day === day);
        await database.write(ofDay.flatMap((search) => count(search, key)));
      }
      hasFailed = false;
    } catch (error) {
      if (!hasFailed) log?.warn({ error }, "searches could not be counted");
      hasFailed = true;
    }
  };
  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    if (gathered.length > 0) writing = writing.then(write);
    return writing;
  };

  return {
    record(text, locale, visitor, now) {
      const term = countableTerm(text);
      if (term === undefined || gathered.length >= MAX_GATHERED) return;
      gathered.push({ term, locale, visitor, day: Math.floor(now / DAY_MS) });
      timer ??= setTimeout(flush, FLUSH_MS).unref();
    },
    flush,
    close: flush,
  };
}

/** What enough visitors searched, most first. */
export async function popularTerms(database: Database): Promise<readonly PopularTerm[]> {
  const rows = await database.read(
    `SELECT locale, term, visitors FROM search_terms WHERE visitors >= $1 ORDER BY visitors DESC, locale, term LIMIT ${MAX_POPULAR}`,
    [SHOWN_FROM],
  );
  return rows.map((row) => ({ locale: String(row.locale), text: String(row.term), visitors: Number(row.visitors) }));
}

/** Forgets the visits of earlier days: for a shop in which nobody has searched today. */
export async function sweepSearches(database: Database, now: number): Promise<void> {
  await database.write(forgetBefore(Math.floor(now / DAY_MS)));
}

/** Forgets the days before. @returns the day's salt: `candidate`, or that of the node that was first */
async function beginDay(database: Database, day: number, candidate: string): Promise<string> {
  const rows = await database.write([
    ...forgetBefore(day),
    {
      sql: `INSERT INTO search_salts (day, salt) VALUES ($1, $2)
        ON CONFLICT (day) DO UPDATE SET salt = search_salts.salt RETURNING salt`,
      params: [day, candidate],
    },
  ]);
  return String(rows[3]?.[0]?.salt);
}

function forgetBefore(day: number): readonly Statement[] {
  return [
    { sql: "DELETE FROM search_visits WHERE day < $1", params: [day] },
    { sql: "DELETE FROM search_salts WHERE day < $1", params: [day] },
    { sql: "DELETE FROM search_terms WHERE last_day < $1", params: [day - KEPT_DAYS] },
  ];
}

/** One more visitor for the term, where this one has not searched it today. */
function count({ term, locale, visitor, day }: Search, salt: string): readonly Statement[] {
  const hash = createHmac("sha256", salt).update(visitor).digest("base64url").slice(0, 22);
  const params = [day, locale, term, hash];
  return [
    {
      sql: `INSERT INTO search_terms (locale, term, visitors, last_day)
        SELECT CAST($2 AS TEXT), CAST($3 AS TEXT), 1, CAST($1 AS BIGINT)
        WHERE NOT EXISTS (SELECT 1 FROM search_visits WHERE day = $1 AND locale = $2 AND term = $3 AND visitor = $4)
        ON CONFLICT (locale, term) DO UPDATE SET visitors = search_terms.visitors + 1, last_day = excluded.last_day`,
      params,
    },
    {
      sql: "INSERT INTO search_visits (day, locale, term, visitor) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING",
      params,
    },
  ];
}
