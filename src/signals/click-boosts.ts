import { normalize } from "@vitrine/search";
import { lowerBound } from "../runtime/lower-bound.ts";

/** Clicks on a document in the results of a query. */
export interface Click<Id> {
  readonly locale: string;
  readonly text: string;
  readonly id: Id;
  /** Weighted number of clicks, greater than 0. */
  readonly weight: number;
}

export interface ClickBoost<Id> {
  readonly id: Id;
  /** Points that are added to the score, between 0 and `maxPoints`. */
  readonly points: number;
}

export interface ClickBoosts<Id> {
  /** Returns the boosts for a query: at most `maxBoosts`, highest first. */
  find(text: string, locale: string): readonly ClickBoost<Id>[];
}

/**
 * Maximum points for clicks. They decide between documents that contain the words equally well, and are fewer than the
 * difference between a word in a title and in a less important field.
 */
const maxPoints = 2;
/** Weight at which the best document of a query gets half of `maxPoints`, because few clicks may be chance. */
const priorWeight = 40;
const maxBoosts = 10;
/** Minimum length of a prefix, because a shorter prefix does not show the shopper's intention. */
const minPrefixLength = 3;
/** Maximum number of queries with a common prefix. Beyond it, the prefix does not show the shopper's intention. */
const maxQueries = 64;

/**
 * Indexes clicks by query. A query with clicks uses its own clicks. A prefix of such queries uses the sum of their
 * clicks, so that a product already has the position that it has for the full query (most popular completion:
 * Bar-Yossef and Kraus, WWW 2011).
 *
 *      keys      boot   boots   rain coat
 *      clicks    7: 30  7: 80   12: 200        id: weight
 *                9: 55
 *
 *      "boots" finds 7; "boo" finds 7 with 110 and 9 with 55
 */
export function packClicks<Id extends number | string>(clicks: readonly Click<Id>[]): ClickBoosts<Id> {
  const locales = new Map<string, ClickedQueries<Id>>();
  for (const [locale, some] of Map.groupBy(clicks, (click) => click.locale)) locales.set(locale, packQueries(some));
  return {
    find(text, locale) {
      const queries = locales.get(locale);
      return queries === undefined ? [] : findIn(queries, normalize(text));
    },
  };
}

interface ClickedQueries<Id> {
  /** Normalized queries in ascending order. */
  readonly keys: readonly string[];
  readonly weights: ReadonlyMap<string, ReadonlyMap<Id, number>>;
  readonly boosts: ReadonlyMap<string, readonly ClickBoost<Id>[]>;
}

function packQueries<Id extends number | string>(clicks: readonly Click<Id>[]): ClickedQueries<Id> {
  const weights = new Map<string, Map<Id, number>>();
  for (const { text, id, weight } of clicks) {
    const key = normalize(text);
    const ofKey = weights.get(key) ?? new Map<Id, number>();
    ofKey.set(id, (ofKey.get(id) ?? 0) + weight);
    if (key !== "") weights.set(key, ofKey);
  }
  const boosts = new Map(Array.from(weights, ([key, ofKey]) => [key, boostsOf(ofKey)]));
  return { keys: [...weights.keys()].sort(), weights, boosts };
}

function findIn<Id extends number | string>(
  { keys, weights, boosts }: ClickedQueries<Id>,
  key: string,
): readonly ClickBoost<Id>[] {
  const exact = boosts.get(key);
  if (exact !== undefined || key.length < minPrefixLength) return exact ?? [];
  const first = lowerBound(0, keys.length, (at) => (keys[at] as string) < key);
  if (!keys[first]?.startsWith(key) || keys[first + maxQueries]?.startsWith(key)) return [];
  const sum = new Map<Id, number>();
  for (let at = first; keys[at]?.startsWith(key); at += 1)
    for (const [id, weight] of weights.get(keys[at] as string) ?? []) sum.set(id, (sum.get(id) ?? 0) + weight);
  return boostsOf(sum);
}

function boostsOf<Id extends number | string>(weights: ReadonlyMap<Id, number>): readonly ClickBoost<Id>[] {
  const heaviest = [...weights].sort((one, other) => other[1] - one[1] || (one[0] < other[0] ? -1 : 1));
  const max = heaviest[0]?.[1] ?? 0;
  return heaviest
    .slice(0, maxBoosts)
    .map(([id, weight]) => ({ id, points: (weight / (max + priorWeight)) * maxPoints }));
}
