import { dayOf } from "../../signals/decay.ts";
import { isVisible } from "../../signals/privacy.ts";
import type { SearchReport, SearchReportOptions, SearchReportRow, SearchTotals } from "../../signals/search-report.ts";
import { reportedKinds } from "../../signals/signals.ts";
import type { Database, SqlRow } from "../database.ts";

/**
 * Number of terms to read for each reported term, because terms from too few IP networks are omitted after the read.
 */
const CANDIDATES_PER_TERM = 3;
/** Minimum number of searches of a reported term, because fewer searches cannot come from enough IP networks. */
const MIN_SEARCHES = 5;

/** Reads the searches of several days that came from enough IP networks. */
export async function readSearchReport(
  database: Database,
  { days, sortBy, limit }: SearchReportOptions,
  now: number,
): Promise<SearchReport> {
  const to = dayOf(now);
  const period = [to - days + 1, to];
  const [rows, totals] = await Promise.all([
    database.read(
      `SELECT c.kind, c.locale, c.term, c.networks, c.weight
        FROM signal_counts c JOIN (SELECT locale, term FROM signal_counts WHERE ${periodCondition} GROUP BY locale, term
          HAVING ${formatSumSql("searched")} >= ${MIN_SEARCHES} AND ${sums[sortBy]} > 0 ORDER BY ${sums[sortBy]} DESC, term, locale LIMIT $3) AS most
          ON c.locale = most.locale AND c.term = most.term
        WHERE ${periodCondition}`,
      [...period, CANDIDATES_PER_TERM * limit],
    ),
    database.read(
      `SELECT day, kind, SUM(weight) AS weight FROM signal_counts WHERE ${periodCondition} GROUP BY day, kind ORDER BY day`,
      period,
    ),
  ]);
  const reportedTerms = [...Map.groupBy(rows, ({ locale, term }) => JSON.stringify([locale, term])).values()]
    .filter((termRows) => isVisible({ kind: "searched", networks: mergeNetworkBits(termRows) }, "merchant"))
    .map((termRows): SearchReportRow => {
      return { locale: String(termRows[0]?.locale), term: String(termRows[0]?.term), ...sumTotals(termRows) };
    })
    .sort((a, b) => weights[sortBy](b) - weights[sortBy](a) || (a.term < b.term ? -1 : 1));
  return {
    rows: reportedTerms.slice(0, limit),
    days: Array.from(
      Map.groupBy(totals, (row) => Number(row.day)),
      ([day, dayRows]) => ({ day, ...sumTotals(dayRows) }),
    ),
  };
}

const periodCondition = `kind IN (${reportedKinds.map((kind) => `'${kind}'`).join(", ")}) AND day BETWEEN $1 AND $2`;

const formatSumSql = (kind: (typeof reportedKinds)[number]): string =>
  `SUM(CASE WHEN kind = '${kind}' THEN weight ELSE 0 END)`;

const sums: Readonly<Record<SearchReportOptions["sortBy"], string>> = {
  searched: formatSumSql("searched"),
  not_found: formatSumSql("not_found"),
  not_chosen: `${formatSumSql("searched")} - ${formatSumSql("not_found")} - ${formatSumSql("clicked")}`,
  added: formatSumSql("added"),
};

const weights: Readonly<Record<SearchReportOptions["sortBy"], (totals: SearchTotals) => number>> = {
  searched: ({ searchCount }) => searchCount,
  not_found: ({ notFoundCount }) => notFoundCount,
  not_chosen: ({ searchCount, notFoundCount, clickedCount }) => searchCount - notFoundCount - clickedCount,
  added: ({ addedCount }) => addedCount,
};

/** Combines the IP network bitmaps of several rows. */
export function mergeNetworkBits(rows: readonly SqlRow[]): number {
  return Number(rows.reduce((bits, { networks }) => bits | BigInt(Number(networks)), 0n));
}

function sumTotals(rows: readonly SqlRow[]): SearchTotals {
  const sumWeights = (kind: (typeof reportedKinds)[number]): number =>
    rows.reduce((sum, row) => sum + (row.kind === kind ? Number(row.weight) : 0), 0);
  return {
    searchCount: sumWeights("searched"),
    notFoundCount: sumWeights("not_found"),
    clickedCount: sumWeights("clicked"),
    addedCount: sumWeights("added"),
  };
}
