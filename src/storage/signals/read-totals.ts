import { dayOf, getDecayFactor } from "../../signals/decay.ts";
import { isVisible, limitWeight } from "../../signals/privacy.ts";
import { kindsWithTotals, type SignalTotals } from "../../signals/signals.ts";
import type { Database, SqlRow } from "../database.ts";
import { formatCountSql, signalsLockStatement } from "./count-signals.ts";

/** Maximum rows of each kind. More rows would not change suggestions or the order of results. */
const maxRowsByKind = { found: 10_000, chosen: 10_000, bought: 5_000, bought_together: 10_000 } as const;
/** Number of rows to read for each returned row, because rows from too few IP networks are omitted after the read. */
const CANDIDATES_PER_ROW = 3;
/** Rows per transaction. A transaction takes the database a few milliseconds. */
const BATCH_SIZE = 200;

type ShownSignalKind = keyof typeof maxRowsByKind;

/**
 * Reads the totals of searches, clicks, and sales before today that come from enough IP networks to be shown to
 * shoppers. Totals change only at the start of a day, so that the effect of a single visit cannot be observed.
 * @param enabledBoosts the boosts to read
 */
export async function readTotals(
  database: Database,
  now: number,
  enabledBoosts: { readonly clicks: boolean; readonly sales: boolean },
): Promise<SignalTotals> {
  const today = dayOf(now);
  await moveDaysToTotals(database, today);
  const popularTotals = await listTotals(database, "found", today);
  const clickTotals = enabledBoosts.clicks ? await listTotals(database, "chosen", today) : [];
  const salesTotals = enabledBoosts.sales ? await listTotals(database, "bought", today) : [];
  const pairTotals = enabledBoosts.sales ? await listTotals(database, "bought_together", today) : [];
  return {
    popularSearches: popularTotals.map(({ row, weight }) => ({
      ...readTerm(row),
      visitors: Math.max(1, Math.round(weight)),
    })),
    clicks: clickTotals.map(({ row, weight }) => ({ ...readTerm(row), id: String(row.product), weight })),
    sales: salesTotals.map(({ row, weight }) => ({ id: String(row.product), weight })),
    pairs: pairTotals.map(({ row, weight }) => ({
      ids: JSON.parse(String(row.product)) as readonly [string, string],
      weight,
    })),
  };
}

function readTerm(row: SqlRow): { readonly locale: string; readonly text: string } {
  return { locale: String(row.locale), text: String(row.term) };
}

/** Reads the totals that come from enough IP networks, highest weight first. */
async function listTotals(
  database: Database,
  kind: ShownSignalKind,
  today: number,
): Promise<readonly { readonly row: SqlRow; readonly weight: number }[]> {
  const rows = await database.read(
    `SELECT locale, term, product, networks, weight FROM signal_counts WHERE kind = $1 AND day = 0 AND weight > 0
      ORDER BY weight DESC, locale, term, product LIMIT ${CANDIDATES_PER_ROW * maxRowsByKind[kind]}`,
    [kind],
  );
  return rows
    .filter(({ networks }) => isVisible({ kind, networks: Number(networks) }, "shoppers"))
    .slice(0, maxRowsByKind[kind])
    .map((row) => ({
      row,
      weight: limitWeight(kind, Number(row.networks), Number(row.weight) / getDecayFactor(today)),
    }));
}

/** Adds the counts of days before today to the totals. */
async function moveDaysToTotals(database: Database, today: number): Promise<void> {
  for (const kind of kindsWithTotals) {
    for (;;) {
      const [row] = await database.read(
        "SELECT MIN(day) AS day FROM signal_counts WHERE kind = $1 AND day > 0 AND day < $2",
        [kind, today],
      );
      if (typeof row?.day !== "number") break;
      await moveBatch(database, kind, row.day);
    }
  }
}

async function moveBatch(database: Database, kind: (typeof kindsWithTotals)[number], day: number): Promise<void> {
  const batchSql = `FROM signal_counts WHERE kind = $1 AND day = $2 ORDER BY locale, term, product LIMIT ${BATCH_SIZE}`;
  await database.write([
    signalsLockStatement,
    {
      sql: formatCountSql(
        `SELECT 0, kind, locale, term, product, networks, weight * CAST($3 AS DOUBLE PRECISION) FROM (SELECT * ${batchSql}) AS moved WHERE TRUE`,
      ),
      params: [kind, day, getDecayFactor(day)],
    },
    {
      sql: `DELETE FROM signal_counts WHERE kind = $1 AND day = $2
        AND (locale, term, product) IN (SELECT locale, term, product ${batchSql})`,
      params: [kind, day],
    },
  ]);
}
