import { normalizeCountableTerm } from "../../signals/countable-term.ts";
import { dayOf, getDecayFactor } from "../../signals/decay.ts";
import { kindsWithTotals, preferenceKind, reportedKinds } from "../../signals/signals.ts";
import type { Database } from "../database.ts";
import { purgeRows, purgeRowsInOrder } from "../purging.ts";
import { deleteSalts } from "./count-signals.ts";

/** Days for which the merchant's search report is stored. */
export const REPORT_DAYS = 35;
/**
 * Minimum weight of a stored total. The weight of one IP network falls below it after 30 days, and the weight of 20
 * networks after 160 days.
 */
const MIN_WEIGHT = 0.5;

const keyColumns = ["kind", "locale", "term", "product", "day"];

/** Deletes the visitor hashes of earlier days, the counts of old days, and totals with little weight. */
export async function purgeSignals(database: Database, now: number): Promise<void> {
  const today = dayOf(now);
  await database.write([deleteSalts(today)]);
  await purgeRowsInOrder(database, {
    table: "signal_visits",
    keyColumns: ["day", "visitor"],
    conditionSql: "day < $1",
    boundValue: today,
  });
  const counts = { table: "signal_counts", keyColumns };
  const formatKindCondition = (kinds: readonly string[]): string =>
    `kind IN (${kinds.map((kind) => `'${kind}'`).join(", ")})`;
  const expiredCondition = `${formatKindCondition([...reportedKinds, preferenceKind])} AND day < $1`;
  await purgeRows(database, { ...counts, conditionSql: expiredCondition, boundValue: today - REPORT_DAYS + 1 });
  const decayedTotalsSql = `${formatKindCondition(kindsWithTotals)} AND day = 0 AND weight < $1`;
  await purgeRows(database, {
    ...counts,
    conditionSql: decayedTotalsSql,
    boundValue: MIN_WEIGHT * getDecayFactor(today),
  });
}

/** Numbers of deleted rows. */
export interface DeletionResult {
  /** Number of deleted search terms. */
  readonly terms: number;
  /** Number of deleted pairs of a search term and a product that was clicked after it. */
  readonly clicks: number;
}

/**
 * Deletes searches, and the clicks after them.
 * @param text a search in any case and with any whitespace. Default: all searches
 */
export async function forgetSearches(database: Database, text?: string): Promise<DeletionResult> {
  const term = text === undefined ? "" : normalizeCountableTerm(text);
  // Terms with personal data are never stored.
  if (term === undefined) return { terms: 0, clicks: 0 };
  const selectedRowsSql =
    term === "" ? "term <> $1" : `(term = $1 OR (kind IN ('reformulated', 'dismissed') AND product = $1))`;
  const selection = { conditionSql: selectedRowsSql, boundValue: term };
  const [row] = await database.read(
    `SELECT (SELECT COUNT(*) FROM (SELECT DISTINCT locale, term FROM signal_counts WHERE ${selection.conditionSql}) AS t) AS terms,
      (SELECT COUNT(*) FROM (SELECT DISTINCT locale, term, product FROM signal_counts WHERE kind = 'chosen' AND ${selection.conditionSql}) AS c) AS clicks`,
    [term],
  );
  await purgeRowsInOrder(database, { ...selection, table: "signal_counts", keyColumns });
  return { terms: Number(row?.terms), clicks: Number(row?.clicks) };
}
