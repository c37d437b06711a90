import type { Query } from "@vitrine/search";
import { DAY_MS } from "../../runtime/durations.ts";
import { documentTypes } from "../documents.ts";
import type { SearchContext } from "../search-context.ts";
import type { RankingFactor } from "./parse-search-rules.ts";

/** Returns the boosts of the ranking rules for a query; undefined without such rules. */
export function listRankingBoosts(q: string, { catalog, locale, now, rules }: SearchContext): Query["documentBoosts"] {
  const ranking = rules?.getRulesForQuery(q, locale).ranking ?? [];
  if (ranking.length === 0) return undefined;
  const { marginOf, unitsOf, createdAt } = catalog.facets().rankingValues;
  const computeShareByFactor: Readonly<Record<RankingFactor["name"], (number: number, amount: number) => number>> = {
    margin: (number, amount) => marginOf(number) / amount,
    stock: (number, amount) => Math.min(1, unitsOf(number) / amount),
    newness: (number, amount) => {
      const time = createdAt(number);
      return time === 0 ? 0 : Math.min(1, Math.max(0, 1 - countDays(time, now) / amount));
    },
  };
  return ranking.map(({ name, amount, points }) => ({
    type: documentTypes.product,
    reason: `${name}, ranked by a search rule`,
    pointsOf: (number) => computeShareByFactor[name](number, amount) * points,
  }));
}

/** Returns part of a cache key. It changes whenever the ranking rules for a query may score a product differently. */
export function getRankingCacheKey(q: string, { catalog, locale, now, rules }: SearchContext): string {
  const names = new Set(rules?.getRulesForQuery(q, locale).ranking.map(({ name }) => name));
  return `${names.has("stock") ? catalog.stock.epoch() : ""} ${names.has("newness") ? countDays(0, now) : ""}`;
}

/** Full days between two times, so that the order of results changes only once a day. */
function countDays(start: number, end: number): number {
  return Math.floor(end / DAY_MS) - Math.floor(start / DAY_MS);
}
