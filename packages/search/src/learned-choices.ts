import { cutQuery } from "./analysis/chunks.ts";
import { phraseKey } from "./suggest/phrases.ts";

/** What shoppers who searched a text chose. */
export interface LearnedChoice<Id> {
  readonly locale: string;
  readonly text: string;
  readonly id: Id;
  /** How many chose it; greater than 0. */
  readonly weight: number;
}

/** A document that shoppers chose after a search. */
export interface LearnedStrength<Id> {
  readonly id: Id;
  /** Above 0, below 1: how many chose it beside the one that most chose. */
  readonly strength: number;
}

/** A document that comes earlier for a query than its words bring it. */
export interface Lift {
  readonly id: number;
  /** See `LearnedStrength`; 0: nobody chose it. */
  readonly strength: number;
  /** Points that the caller adds; 0: none. */
  readonly boost: number;
}

/** What was learned of a query's documents, with what the caller wants of them. */
export function liftsOf(
  learned: readonly LearnedStrength<number>[],
  boosts: ReadonlyMap<number, number> | undefined,
): readonly Lift[] {
  if (learned.length === 0 && boosts === undefined) return [];
  const chosen = learned.map(({ id, strength }) => ({ id, strength, boost: boosts?.get(id) ?? 0 }));
  const known = new Set(learned.map(({ id }) => id));
  const others = Array.from(boosts ?? []).filter(([id]) => !known.has(id));
  return [...chosen, ...others.map(([id, boost]) => ({ id, strength: 0, boost }))];
}

/** What was learned, looked up by what was typed. */
export interface LearnedChoices<Id> {
  /** Strongest first, `maxStrengths` at most. */
  find(text: string, locale: string): readonly LearnedStrength<Id>[];
}

/** Choices by which a strength falls short: the best document of a query has half of what it can have when so many chose it, as few choices may be chance. */
const priorWeight = 40;
/** Documents that one query looks at. */
const maxStrengths = 10;
/** Letters from which on a beginning says what is meant. */
const minBeginning = 3;
/** A beginning of more learned queries than this says nothing yet. */
const maxQueries = 64;

/** Where a text was chosen from, what was chosen there counts alone. Where it is the beginning of such texts, each of these counts by how many chose:
 *  what is likely meant (most popular completion: Bar-Yossef and Kraus, WWW 2011), so that a product stands where it will stand when the query is
 *  whole.
 *
 *      keys      boot   boots   rain coat
 *      chosen    7: 30  7: 80   12: 200        id: weight
 *                9: 55
 *
 *      "boots" finds 7 alone; "boo" finds 7 with 110 and 9 with 55 */
export function packLearned<Id extends number | string>(choices: readonly LearnedChoice<Id>[]): LearnedChoices<Id> {
  const locales = new Map<string, LearnedQueries<Id>>();
  for (const [locale, some] of Map.groupBy(choices, (choice) => choice.locale)) locales.set(locale, packQueries(some));
  return {
    find(text, locale) {
      const queries = locales.get(locale);
      return queries === undefined ? [] : findIn(queries, phraseKey(cutQuery(text)));
    },
  };
}

interface LearnedQueries<Id> {
  /** Ascending. */
  readonly keys: readonly string[];
  readonly chosen: ReadonlyMap<string, ReadonlyMap<Id, number>>;
  readonly strengths: ReadonlyMap<string, readonly LearnedStrength<Id>[]>;
}

function packQueries<Id extends number | string>(choices: readonly LearnedChoice<Id>[]): LearnedQueries<Id> {
  const chosen = new Map<string, Map<Id, number>>();
  for (const { text, id, weight } of choices) {
    const key = phraseKey(text);
    const weights = chosen.get(key) ?? new Map<Id, number>();
    weights.set(id, (weights.get(id) ?? 0) + weight);
    if (key !== "") chosen.set(key, weights);
  }
  const strengths = new Map(Array.from(chosen, ([key, weights]) => [key, strengthsOf(weights)]));
  return { keys: [...chosen.keys()].sort(), chosen, strengths };
}

function findIn<Id extends number | string>(
  { keys, chosen, strengths }: LearnedQueries<Id>,
  key: string,
): readonly LearnedStrength<Id>[] {
  const own = strengths.get(key);
  if (own !== undefined || key.length < minBeginning) return own ?? [];
  const first = firstNotBefore(keys, key);
  if (!keys[first]?.startsWith(key) || keys[first + maxQueries]?.startsWith(key)) return [];
  const sum = new Map<Id, number>();
  for (let at = first; keys[at]?.startsWith(key); at += 1)
    for (const [id, weight] of chosen.get(keys[at] as string) ?? []) sum.set(id, (sum.get(id) ?? 0) + weight);
  return strengthsOf(sum);
}

function strengthsOf<Id extends number | string>(weights: ReadonlyMap<Id, number>): readonly LearnedStrength<Id>[] {
  const heaviest = [...weights].sort((one, other) => other[1] - one[1] || (one[0] < other[0] ? -1 : 1));
  const most = heaviest[0]?.[1] ?? 0;
  return heaviest.slice(0, maxStrengths).map(([id, weight]) => ({ id, strength: weight / (most + priorWeight) }));
}

/** @param keys ascending */
function firstNotBefore(keys: readonly string[], key: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] as string) < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
