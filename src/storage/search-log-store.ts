import { createHmac } from "node:crypto";
import type { Database, Statement } from "./database.ts";
import { countableTerm } from "./search-term.ts";
import { sweepInOrder, sweepRows } from "./sweeping.ts";

/** Each network that searches a term sets one of so many bits of it, always the same; a number with so many bits is exact. */
const NETWORK_BITS = 48;
/** A term is shown to others from so many bits on: about 26 networks, seldom fewer than 22 and never fewer than 20. Which networks share a bit,
 *  nobody can know, so that nobody can bring a term to where one shopper's search makes the difference. */
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

export interface SearchLogOptions {
  /** Random text of 128 bits or more. */
  readonly newSalt: () => string;
  /** A keyed digest, base64url; the key is not in the database. */
  readonly digest: (text: string) => string;
  /** Asked for each term that nobody searched before, by network. */
  readonly newTerms: {
    take(network: string, now: number): boolean;
    giveBack(network: string, now: number): void;
  };
  readonly log?: { warn(fields: { readonly error: unknown }, message: string): void };
}

interface Search {
  readonly term: string;
  readonly locale: string;
  readonly network: string;
  readonly now: number;
}

/** Counts what shoppers search. Networks are told apart within a day by a hash whose salt is made anew each day and deleted when the day
 *  is over (the hashes within some hours), so that no one can be followed from one day to the next. */
export function createSearchLog(database: Database, options: SearchLogOptions): StoredSearchLog {
  const { newSalt, digest, newTerms, log } = options;
  /** A network's searches of one term count once. */
  let gathered = new Map<string, Search>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  let salt: { readonly day: number; readonly text: string } | undefined;
  let hasFailed = false;

  const saltOf = async (day: number): Promise<string> => {
    if (salt?.day !== day) salt = { day, text: await beginDay(database, day, newSalt()) };
    return salt.text;
  };
  const writeDay = async (searches: readonly Search[], salt: string): Promise<void> => {
    const mayAdd = searches.map(({ network, now }) => newTerms.take(network, now));
    const counted = await database.write(
      searches.flatMap((search, index) => count(search, { salt, digest, mayAdd: mayAdd[index] === true })),
    );
    searches.forEach(({ network, now }, index) => {
      const isAdded = counted[2 * index]?.[0]?.visitors === 1;
      if (mayAdd[index] === true && !isAdded) newTerms.giveBack(network, now);
    });
  };
  const write = async (): Promise<void> => {
    const searches = [...gathered.values()];
    gathered = new Map();
    try {
      for (const day of new Set(searches.map(dayOf))) {
        const salt = await saltOf(day);
        await writeDay(
          searches.filter((search) => dayOf(search) === day),
          salt,
        );
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
    if (gathered.size > 0) writing = writing.then(write);
    return writing;
  };

  return {
    record(text, locale, network, now) {
      const term = countableTerm(text);
      if (term === undefined || gathered.size >= MAX_GATHERED) return;
      const search = { term, locale, network, now };
      gathered.set(JSON.stringify([term, locale, network, dayOf(search)]), search);
      timer ??= setTimeout(flush, FLUSH_MS).unref();
    },
    flush,
    close: flush,
  };
}

/** What enough networks searched before today, most first. That a term is shown and how it ranks changes as a day begins alone, so that
 *  nobody can see when the last search came that it took. */
export async function popularTerms(database: Database, now: number): Promise<readonly PopularTerm[]> {
  const settled = (column: string): string =>
    `CASE WHEN last_day < $1 THEN ${column} ELSE settled_${column} END AS ${column}`;
  const rows = await database.read(
    `SELECT locale, term, visitors, networks
      FROM (SELECT locale, term, ${settled("visitors")}, ${settled("networks")} FROM search_terms) AS terms
      WHERE visitors >= $2 ORDER BY visitors DESC, locale, term LIMIT ${MAX_POPULAR}`,
    [Math.floor(now / DAY_MS), SHOWN_FROM],
  );
  return rows
    .filter((row) => bitsIn(Number(row.networks)) >= SHOWN_FROM)
    .map((row) => ({ locale: String(row.locale), text: String(row.term), visitors: Number(row.visitors) }));
}

/** Deletes the visits of earlier days, which may be millions, and terms that nobody searched for long. */
export async function sweepSearches(database: Database, now: number): Promise<void> {
  const day = Math.floor(now / DAY_MS);
  await database.write([forgetSalts(day)]);
  const visits = { table: "search_visits", key: ["day", "locale", "term", "visitor"], where: "day < $1", bound: day };
  await sweepInOrder(database, visits);
  const terms = { table: "search_terms", key: ["locale", "term"], where: "last_day < $1", bound: day - KEPT_DAYS };
  await sweepRows(database, terms);
}

/** Forgets what tells the visitors of the days before apart. @returns the day's salt: `candidate`, or that of the node that was first */
async function beginDay(database: Database, day: number, candidate: string): Promise<string> {
  const rows = await database.write([
    forgetSalts(day),
    {
      sql: `INSERT INTO search_salts (day, salt) VALUES ($1, $2)
        ON CONFLICT (day) DO UPDATE SET salt = search_salts.salt RETURNING salt`,
      params: [day, candidate],
    },
  ]);
  return String(rows[1]?.[0]?.salt);
}

function forgetSalts(day: number): Statement {
  return { sql: "DELETE FROM search_salts WHERE day < $1", params: [day] };
}

/** One more visitor for the term, where this network has not searched it today: the first statement returns how many there are then.
 *  @param at.mayAdd the term may be new */
function count(
  search: Search,
  at: { readonly salt: string; readonly digest: SearchLogOptions["digest"]; readonly mayAdd: boolean },
): readonly Statement[] {
  const { term, locale, network } = search;
  const hash = createHmac("sha256", at.salt).update(network).digest("base64url").slice(0, 22);
  const bit =
    Buffer.from(at.digest(JSON.stringify([locale, term, network])), "base64url").readUInt32BE() % NETWORK_BITS;
  const visit = [dayOf(search), locale, term, hash];
  return [
    { sql: at.mayAdd ? upsertTerm : updateTerm, params: [...visit, 2 ** bit] },
    { sql: insertVisit, params: visit },
  ];
}

const isNotVisited =
  "NOT EXISTS (SELECT 1 FROM search_visits WHERE day = $1 AND locale = $2 AND term = $3 AND visitor = $4)";

/** What a search changes. @param day SQL of its day: as another begins, what the last one left is settled */
const counted = (day: string): string => {
  const settle = (column: string): string =>
    `settled_${column} = CASE WHEN search_terms.last_day < ${day} THEN search_terms.${column} ELSE search_terms.settled_${column} END`;
  return `${settle("visitors")}, ${settle("networks")},
    visitors = search_terms.visitors + 1,
    networks = search_terms.networks | CAST($5 AS BIGINT),
    last_day = CASE WHEN search_terms.last_day < ${day} THEN ${day} ELSE search_terms.last_day END`;
};

const upsertTerm = `INSERT INTO search_terms (locale, term, visitors, networks, last_day)
    SELECT CAST($2 AS TEXT), CAST($3 AS TEXT), 1, CAST($5 AS BIGINT), CAST($1 AS BIGINT) WHERE ${isNotVisited}
    ON CONFLICT (locale, term) DO UPDATE SET ${counted("excluded.last_day")} RETURNING visitors`;

const updateTerm = `UPDATE search_terms SET ${counted("CAST($1 AS BIGINT)")}
    WHERE locale = $2 AND term = $3 AND ${isNotVisited} RETURNING visitors`;

const insertVisit = `INSERT INTO search_visits (day, locale, term, visitor)
    SELECT CAST($1 AS BIGINT), CAST($2 AS TEXT), CAST($3 AS TEXT), CAST($4 AS TEXT)
    WHERE EXISTS (SELECT 1 FROM search_terms WHERE locale = $2 AND term = $3)
    ON CONFLICT DO NOTHING`;

function dayOf({ now }: Search): number {
  return Math.floor(now / DAY_MS);
}

/** @param number whole, below 2^53 */
function bitsIn(number: number): number {
  let bits = 0;
  for (let rest = number; rest > 0; rest = Math.floor(rest / 2)) bits += rest % 2;
  return bits;
}
