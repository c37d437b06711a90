import type { SynonymSuggestion, SynonymSuggestions } from "../../console/console.ts";
import { dayOf, getDecayFactor } from "../../signals/decay.ts";
import { isVisible } from "../../signals/privacy.ts";
import type { Database } from "../database.ts";
import { mergeNetworkBits } from "./report.ts";

/** Number of pairs to read for each suggestion, because pairs of too few IP networks are omitted after the read. */
const CANDIDATES_PER_SUGGESTION = 10;

/** Creates the storage of suggested synonyms.  @param now returns milliseconds since 1970 */
export function createSynonymStore(database: Database, now: () => number): SynonymSuggestions {
  return {
    async list(limit) {
      const scale = getDecayFactor(dayOf(now()));
      const rows = await database.read(
        `SELECT c.locale, c.term, c.product, c.day, c.networks, c.weight
          FROM signal_counts c JOIN (SELECT locale, term, product FROM signal_counts WHERE kind = 'reformulated'
            GROUP BY locale, term, product ORDER BY SUM(CASE WHEN day = 0 THEN weight / CAST($1 AS DOUBLE PRECISION) ELSE weight END) DESC,
            locale, term, product LIMIT $2) AS most
            ON c.locale = most.locale AND c.term = most.term AND c.product = most.product
          WHERE c.kind = 'reformulated' AND NOT EXISTS (SELECT 1 FROM signal_counts d
            WHERE d.kind = 'dismissed' AND d.locale = c.locale AND d.term = c.term AND d.product = c.product)`,
        [scale, CANDIDATES_PER_SUGGESTION * limit],
      );
      const pairs = Map.groupBy(rows, ({ locale, term, product }) => JSON.stringify([locale, term, product]));
      return [...pairs.values()]
        .filter((pairRows) => isVisible({ kind: "reformulated", networks: mergeNetworkBits(pairRows) }, "merchant"))
        .map((pairRows): SynonymSuggestion => {
          const [firstRow] = pairRows;
          const shoppers = pairRows.reduce(
            (sum, row) => sum + Number(row.weight) / (Number(row.day) === 0 ? scale : 1),
            0,
          );
          return {
            locale: String(firstRow?.locale),
            from: String(firstRow?.term),
            to: String(firstRow?.product),
            shoppers: Math.max(1, Math.round(shoppers)),
          };
        })
        .sort((a, b) => b.shoppers - a.shoppers || (a.from < b.from ? -1 : 1))
        .slice(0, limit);
    },
    async dismiss({ locale, from, to }) {
      await database.write([
        {
          sql: `INSERT INTO signal_counts (kind, locale, term, product, day, networks, weight)
            SELECT 'dismissed', locale, term, product, 0, 0, 0 FROM signal_counts
            WHERE kind = 'reformulated' AND locale = $1 AND term = $2 AND product = $3 LIMIT 1
            ON CONFLICT DO NOTHING`,
          params: [locale, from, to],
        },
      ]);
    },
  };
}
