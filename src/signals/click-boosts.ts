import { normalize } from "@vitrine/search";
import { lowerBound } from "../runtime/lower-bound.ts";
import type { ClickedProduct } from "./signals.ts";

export interface ClickBoost {
  readonly id: string;
  /** Points that are added to the score, between 0 and `MAX_CLICK_BOOST`. */
  readonly points: number;
}

export interface ClickBoosts {
  /** Returns the boosts for a query: at most `MAX_BOOSTS`, highest first. */
  find(text: string, locale: string): readonly ClickBoost[];
}

/**
 * Maximum points that clicks add to a score. Clicks can reorder documents that match the query equally well, but they
 * count less than the difference between a match in the title and a match in a less important field.
 */
const MAX_CLICK_BOOST = 2;
/** Number of clicks with which the top document of a query gets half of `MAX_CLICK_BOOST`. Fewer may be chance. */
const PRIOR_WEIGHT = 40;
const MAX_BOOSTS = 10;
/** Minimum length of a prefix in characters, because a shorter prefix does not show the shopper's intention. */
const MIN_PREFIX_LENGTH = 3;
/**
 * Maximum number of queries with a common prefix. If there are more, the prefix does not show the shopper's intention.
 */
const MAX_QUERIES = 64;

/**
 * Indexes clicks by query. A query with clicks uses its own clicks. A prefix of such queries uses the sum of their
 * clicks: "boo" uses the clicks of "boot" and "boots". So a product has the same position while the shopper is still
 * typing (most popular completion: Bar-Yossef and Kraus, WWW 2011).
 */
export function packClicks(clicks: readonly ClickedProduct[]): ClickBoosts {
  const locales = new Map<string, ClickedQueries>();
  for (const [locale, localeClicks] of Map.groupBy(clicks, (click) => click.locale))
    locales.set(locale, packQueries(localeClicks));
  return {
    find(text, locale) {
      const queries = locales.get(locale);
      return queries === undefined ? [] : findQueryBoosts(queries, normalize(text));
    },
  };
}

interface ClickedQueries {
  /** Normalized queries in ascending order. */
  readonly keys: readonly string[];
  readonly weights: ReadonlyMap<string, ReadonlyMap<string, number>>;
  readonly boosts: ReadonlyMap<string, readonly ClickBoost[]>;
}

function packQueries(clicks: readonly ClickedProduct[]): ClickedQueries {
  const weights = new Map<string, Map<string, number>>();
  for (const { text, id, weight } of clicks) {
    const key = normalize(text);
    const keyWeights = weights.get(key) ?? new Map<string, number>();
    keyWeights.set(id, (keyWeights.get(id) ?? 0) + weight);
    if (key !== "") weights.set(key, keyWeights);
  }
  const boosts = new Map(Array.from(weights, ([key, keyWeights]) => [key, toBoosts(keyWeights)]));
  return { keys: [...weights.keys()].sort(), weights, boosts };
}

function findQueryBoosts({ keys, weights, boosts }: ClickedQueries, key: string): readonly ClickBoost[] {
  const exactQueryBoosts = boosts.get(key);
  if (exactQueryBoosts !== undefined || key.length < MIN_PREFIX_LENGTH) return exactQueryBoosts ?? [];
  const firstIndex = lowerBound(0, keys.length, (index) => (keys[index] as string) < key);
  if (!keys[firstIndex]?.startsWith(key) || keys[firstIndex + MAX_QUERIES]?.startsWith(key)) return [];
  const totalWeights = new Map<string, number>();
  for (let index = firstIndex; keys[index]?.startsWith(key); index += 1)
    for (const [id, weight] of weights.get(keys[index] as string) ?? [])
      totalWeights.set(id, (totalWeights.get(id) ?? 0) + weight);
  return toBoosts(totalWeights);
}

function toBoosts(weights: ReadonlyMap<string, number>): readonly ClickBoost[] {
  const sortedWeights = [...weights].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  const maxWeight = sortedWeights[0]?.[1] ?? 0;
  return sortedWeights
    .slice(0, MAX_BOOSTS)
    .map(([id, weight]) => ({ id, points: (weight / (maxWeight + PRIOR_WEIGHT)) * MAX_CLICK_BOOST }));
}
