import { createHmac } from "node:crypto";
import { normalizeCountableTerm } from "../../signals/countable-term.ts";
import { dayOf } from "../../signals/decay.ts";
import { hashToNetworkBit } from "../../signals/privacy.ts";
import { type CountedSignal, preferenceKind } from "../../signals/signals.ts";
import type { Database, Statement } from "../database.ts";

/** Counts searches, clicks, and sales of shoppers in the database. */
export interface SignalCounter {
  /**
   * Records a search, click, or sale without waiting for the disk. Never throws. Drops search terms with personal data.
   * @param network a block of IP addresses; only hashes of it are stored  @param now milliseconds since 1970
   */
  record(signal: CountedSignal, network: string, now: number): void;
  /** Writes the recorded searches, clicks and sales. Never throws. */
  flush(): Promise<void>;
}

export interface CounterOptions {
  /** Returns a random string of at least 128 bits. */
  readonly newSalt: () => string;
  /** Returns a keyed digest, base64url. The key is not in the database. */
  readonly digest: (text: string) => string;
  /** Limits the number of new rows per IP network. */
  readonly newRows: {
    take(network: string, now: number): boolean;
    refund(network: string, now: number): void;
  };
  readonly log?: { warn(fields: { readonly error: unknown }, message: string): void };
}

/** Maximum milliseconds until a recorded search, click or sale is written. */
const FLUSH_INTERVAL_MS = 2_000;
/** Maximum number of searches, clicks and sales per write. Others are dropped, but only during a flood of requests. */
const MAX_BATCH_VISITS = 2_000;

interface CountedVisit extends Required<CountedSignal> {
  readonly network: string;
  readonly now: number;
}

/**
 * Creates a counter of searches, clicks and sales. For the same search or product, an IP network counts once per action
 * and day. Networks are hashed with a daily salt, which is deleted after the day, so that a network cannot be
 * recognized on another day.
 */
export function createSignalCounter(
  database: Database,
  { newSalt, digest, newRows, log }: CounterOptions,
): SignalCounter {
  let batch = new Map<string, CountedVisit>();
  let timer: NodeJS.Timeout | undefined;
  let pendingWrite: Promise<void> = Promise.resolve();
  let salt: { readonly day: number; readonly text: string } | undefined;
  let hasFailed = false;

  const readSalt = async (day: number): Promise<string> => {
    if (salt?.day !== day) salt = { day, text: await saveSalt(database, day, newSalt()) };
    return salt.text;
  };
  const writeVisits = async (visits: readonly CountedVisit[], day: number): Promise<void> => {
    const saltText = await readSalt(day);
    const newRowFlags = visits.map(({ kind, network, now }) => newRows.take(`${kind} ${network}`, now));
    const results = await database.write(
      visits.flatMap((visit, index) => {
        const { kind, locale, term, product, network } = visit;
        const target = getLimitKey(visit);
        const termNetworkDigest = digest(
          JSON.stringify(target === "" ? [locale, term, network] : [locale, term, target, network]),
        );
        const visitor = createHmac("sha256", saltText).update(getVisitKey(visit, day)).digest("base64url").slice(0, 22);
        const row = [day, kind, locale, term, product];
        return [
          {
            sql: countVisitsSql,
            params: [...row, hashToNetworkBit(termNetworkDigest), visit.weight, visitor, newRowFlags[index] ? 1 : 0],
          },
          { sql: insertVisitSql, params: [...row, visitor] },
        ];
      }),
    );
    visits.forEach(({ kind, network, now, weight }, index) => {
      const [row] = results[2 * index] ?? [];
      const isNew = row !== undefined && row.weight === weight && row.known === 0;
      if (newRowFlags[index] === true && !isNew) newRows.refund(`${kind} ${network}`, now);
    });
  };
  const write = async (): Promise<void> => {
    const visits = [...batch.values()];
    batch = new Map();
    try {
      for (const [day, dayVisits] of Map.groupBy(visits, ({ now }) => dayOf(now))) await writeVisits(dayVisits, day);
      hasFailed = false;
    } catch (error) {
      if (!hasFailed) log?.warn({ error }, "shoppers' signals could not be counted");
      hasFailed = true;
    }
  };
  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    if (batch.size > 0) pendingWrite = pendingWrite.then(write);
    return pendingWrite;
  };

  return {
    record(signal, network, now) {
      const term = normalizeCountableTerm(signal.term);
      if (term === undefined || batch.size >= MAX_BATCH_VISITS) return;
      const visit = { product: "", action: "", weight: 1, ...signal, term, network, now };
      const key = getVisitKey(visit, dayOf(now));
      // If an IP network prefers both the draft and the live rules in a test, only its first preference counts.
      if (visit.kind !== preferenceKind || !batch.has(key)) batch.set(key, visit);
      timer ??= setTimeout(flush, FLUSH_INTERVAL_MS).unref();
    },
    flush,
  };
}

function getVisitKey(visit: CountedVisit, day: number): string {
  const { kind, locale, term, action, network } = visit;
  return JSON.stringify([day, kind, locale, term, getLimitKey(visit), action, network]);
}

/**
 * Returns the part of the key that limits how often an IP network counts. Normally this is the product. For a
 * preference in a test of search rules it is "", so a network counts only once a day.
 */
function getLimitKey({ kind, product }: CountedVisit): string {
  return kind === preferenceKind ? "" : product;
}

/** Returns SQL that adds a count to a row, or inserts the row.  @param source SQL of the row's values */
export const formatCountSql = (source: string): string =>
  `INSERT INTO signal_counts (day, kind, locale, term, product, networks, weight) ${source}
    ON CONFLICT (kind, locale, term, product, day) DO UPDATE
    SET networks = signal_counts.networks | excluded.networks, weight = signal_counts.weight + excluded.weight`;

/**
 * First statement of a transaction that adds daily counts to totals, or counts orders. Other servers wait until the
 * transaction ends.
 */
export const signalsLockStatement: Statement = {
  sql: "UPDATE sequences SET last = last + 1 WHERE name = 'signals'",
  params: [],
};

const sameRowSql = "kind = $2 AND locale = $3 AND term = $4 AND product = $5";

/**
 * Counts a search, click or sale. The returned column "known" is 1 if a total of earlier days exists for it. The row
 * for today then does not count toward the limit of new rows.
 */
const countVisitsSql = `${formatCountSql(`SELECT CAST($1 AS BIGINT), CAST($2 AS TEXT), CAST($3 AS TEXT), CAST($4 AS TEXT), CAST($5 AS TEXT),
      CAST($6 AS BIGINT), CAST($7 AS DOUBLE PRECISION)
    WHERE NOT EXISTS (SELECT 1 FROM signal_visits WHERE day = $1 AND visitor = $8)
      AND (CAST($9 AS BIGINT) = 1 OR EXISTS (SELECT 1 FROM signal_counts WHERE ${sameRowSql} AND day IN (0, $1)))`)}
    RETURNING weight, (SELECT COUNT(*) FROM signal_counts AS total WHERE ${sameRowSql} AND day = 0) AS known`;

const insertVisitSql = `INSERT INTO signal_visits (day, visitor) SELECT CAST($1 AS BIGINT), CAST($6 AS TEXT)
    WHERE EXISTS (SELECT 1 FROM signal_counts WHERE ${sameRowSql} AND day = $1) ON CONFLICT DO NOTHING`;

/** Returns a statement that deletes the salts of earlier days. */
export function deleteSalts(day: number): Statement {
  return { sql: "DELETE FROM signal_salts WHERE day < $1", params: [day] };
}

/** Stores the day's salt, unless another server has stored one.  @returns the stored salt */
async function saveSalt(database: Database, day: number, candidate: string): Promise<string> {
  const rows = await database.write([
    deleteSalts(day),
    {
      sql: `INSERT INTO signal_salts (day, salt) VALUES ($1, $2)
        ON CONFLICT (day) DO UPDATE SET salt = signal_salts.salt RETURNING salt`,
      params: [day, candidate],
    },
  ]);
  return String(rows[1]?.[0]?.salt);
}
