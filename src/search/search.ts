import { type Attempt, attempts, exactReading, raritiesOf } from "./attempts.ts";
import type { Plan } from "./expansion.ts";
import { holding } from "./holding.ts";
import { findLoosest } from "./loose.ts";
import { popularityOf, titleLengthOf, type View, type Zone } from "./part.ts";
import { giveBack } from "./place-set.ts";
import { describedPoints, placePoints, unavailablePoints } from "./ranking.ts";
import type { Hit, Query } from "./search-index.ts";
import { offerSingle } from "./single-word.ts";
import { LooseSource, type Source, WholeSource } from "./sources.ts";
import type { Synonyms } from "./synonyms.ts";
import { TopK } from "./top-k.ts";
import { beginAnswer } from "./word-places.ts";

/** Documents of a zone that hold all words and are scored; those after them, worse by static rank, are not looked at. */
export const scoredDocuments = 256;
/** The same where words had to be dropped. */
export const scoredLoosely = 128;

/** Hits by type. The query is read ever more freely until something in the shop answers (of whatever type, so that what is found
 *  of one type does not depend on which others were asked for), and last with as few words dropped as may be. */
export function search(query: Query, views: readonly View[], synonyms: Synonyms): Map<number, readonly Hit[]> {
  const found = firstAnswer(query, views, synonyms, answer);
  return found ?? new Map([...query.limits.keys()].map((type) => [type, []]));
}

/** The reading of a query that is answered: the first that finds something. */
export function answeringAttempt(query: Query, views: readonly View[], synonyms: Synonyms): Attempt | undefined {
  return firstAnswer(query, views, synonyms, (attempt, from) => (findsAny(attempt, from) ? attempt : undefined));
}

/** Whether a query finds a document of any type with all of its words as they were typed. */
export function findsAsTyped(query: Query, views: readonly View[], synonyms: Synonyms): boolean {
  beginAnswer();
  const { done, value } = attempts(query, views, synonyms, finds).next();
  return done !== true && finds(value);
}

/** Whether a document of any type holds all words of a query, each as it was typed and whole: none is completed, misspelt or dropped. */
export function findsExactly(query: Query, views: readonly View[], synonyms: Synonyms): boolean {
  beginAnswer();
  const reading = exactReading(query, views, synonyms);
  return reading !== undefined && finds(reading);
}

function firstAnswer<T>(
  query: Query,
  views: readonly View[],
  synonyms: Synonyms,
  ask: (attempt: Attempt, from: Source) => T | undefined,
): T | undefined {
  beginAnswer();
  const readings = attempts(query, views, synonyms, finds);
  for (;;) {
    const { done, value } = readings.next();
    if (value === undefined) return undefined;
    const found = done ? firstLooseAnswer(value, ask) : ask(value, new WholeSource(value));
    if (done || found !== undefined) return found;
  }
}

/** Asks of what holds as many words as possible: in what names a thing first, then in descriptions too. */
function firstLooseAnswer<T>(attempt: Attempt, ask: (attempt: Attempt, from: Source) => T | undefined): T | undefined {
  const rarities = raritiesOf(attempt);
  for (const withBody of [false, true]) {
    for (let below = attempt.words.length; below > 1; ) {
      const loosest = attempt.views.map((view, index) =>
        findLoosest(view, attempt.plans[index] as readonly Plan[], below, withBody, attempt.counted),
      );
      const count = Math.max(0, ...loosest.map((one) => one.count));
      const loose: Attempt = { ...attempt, loose: { rarities, count, withBody } };
      const found = count === 0 ? undefined : ask(loose, new LooseSource(loose, loosest));
      for (const { taken } of loosest) if (taken !== undefined) giveBack(taken);
      if (found !== undefined) return found;
      below = count;
    }
  }
  return undefined;
}

/** @returns undefined where nothing in the shop answers this reading */
function answer(attempt: Attempt, from: Source): Map<number, readonly Hit[]> | undefined {
  const { limits, unavailable } = attempt.query;
  const hits = new Map<number, readonly Hit[]>();
  let hasFound = false;
  for (const [type, limit] of limits) {
    const top = new TopK(limit);
    attempt.views.forEach((view, index) => {
      const plans = attempt.plans[index] as readonly Plan[];
      for (const zone of view.part.documents.zones) {
        if (zone.type !== type) continue;
        // Zones in stock come first: those out of stock fill what is left.
        if (!zone.isAvailable && (unavailable === "hide" || (unavailable === "last" && top.floor >= describedPoints)))
          continue;
        if (offerZone(attempt, index, plans, from, zone, top, limit)) hasFound = true;
      }
    });
    hits.set(
      type,
      top.take().map((hit) => ({ ...hit, type })),
    );
  }
  if (hasFound) return hits;
  const isElsewhere = findsAny(attempt, from, ({ type, isAvailable }) => {
    return !limits.has(type) || limits.get(type) === 0 || (!isAvailable && unavailable === "hide");
  });
  return isElsewhere ? hits : undefined;
}

/** Offers what a zone holds. @returns whether it holds anything that is accepted */
function offerZone(
  attempt: Attempt,
  viewIndex: number,
  plans: readonly Plan[],
  from: Source,
  zone: Zone,
  top: TopK,
  limit: number,
): boolean {
  const view = attempt.views[viewIndex] as View;
  if (limit === 0) return false;
  const isLast = !zone.isAvailable && attempt.query.unavailable === "last";
  const offer = createOffer(attempt, view, zone, top, isLast ? unavailablePoints : 0);
  const most = Math.max(limit, attempt.loose === undefined ? scoredDocuments : scoredLoosely);
  let left = most;
  const read = (more: number) => (place: number) => {
    offer.take(place, more);
    left -= 1;
    return left === 0;
  };
  if (plans.length === 1) offerSingle(attempt, view, plans[0] as Plan, zone, offer, limit);
  else from.each(viewIndex, zone, false, most, read(0));
  // What is only described comes behind all else of the zone.
  left = most;
  if (attempt.loose === undefined && top.floor < offer.base)
    from.each(viewIndex, zone, true, most, read(describedPoints));
  return offer.hasFound();
}

/** Where documents of a zone are offered. */
export interface Offer {
  /** Points of every document of the zone, below what its words give. */
  readonly base: number;
  /** Whether a document with so many points for its words would be kept, for all that is known. */
  wants(place: number, points: number): boolean;
  /** Whole points for its words below which no document is kept. */
  floor(): number;
  /** Takes a document whose words have just been read (see `holding`). */
  take(place: number, more: number): void;
  hasFound(): boolean;
}

function createOffer(attempt: Attempt, view: View, { type }: Zone, top: TopK, base: number): Offer {
  const { numbers, traits } = view.part.documents;
  const { accept } = attempt.query;
  let hasFound = false;
  return {
    base,
    wants: (place, points) =>
      !hasFound || top.wants(points + popularityOf(traits[place] as number) + base, numbers[place] as number),
    floor: () => (hasFound ? Math.floor(top.floor - base) : Number.NEGATIVE_INFINITY),
    take(place, more) {
      const score = scoreOf(attempt, view, place) + base + more;
      if (hasFound && score < top.floor) return;
      const number = numbers[place] as number;
      if (hasFound && !top.wants(score, number)) return;
      if (accept?.(number, type) === false) return;
      hasFound = true;
      top.offer(score, number);
    },
    hasFound: () => hasFound,
  };
}

/** Score of the document that was read last, in stock and named by its words. */
export function scoreOf({ words, loose }: Attempt, { part }: View, place: number): number {
  const traits = part.documents.traits[place] as number;
  const { points, positions } = holding;
  let sum = 0;
  for (let word = 0; word < words.length; word += 1) {
    const held = points[word] as number;
    sum += held > 0 && loose !== undefined ? held + (loose.rarities[word] as number) : held;
  }
  // Popularity orders equals: all else is whole points.
  return (
    sum +
    (words.length > 1 ? placePoints(words.length, points, positions, titleLengthOf(traits)) : 0) +
    popularityOf(traits)
  );
}

/** Whether a reading finds a document that is accepted, of any type or in some zones alone. */
function findsAny(attempt: Attempt, from: Source, isWanted: (zone: Zone) => boolean = () => true): boolean {
  const { accept } = attempt.query;
  return attempt.views.some(({ part }, index) => {
    const { numbers, zones } = part.documents;
    return zones.filter(isWanted).some((zone) => {
      let hasFound = false;
      for (const withBody of attempt.loose === undefined ? [false, true] : [false])
        if (!hasFound)
          from.each(index, zone, withBody, 1, (place) => {
            hasFound = accept?.(numbers[place] as number, zone.type) !== false;
            return hasFound;
          });
      return hasFound;
    });
  });
}

/** Whether a reading finds anything; or whether a document that counts holds one of its words, accepted or not. */
function finds(attempt: Attempt, word?: number): boolean {
  if (word === undefined) return findsAny(attempt, new WholeSource(attempt));
  const { accept: _, ...query } = attempt.query;
  const plans = attempt.plans.map((ofView) => [ofView[word] as Plan]);
  const alone: Attempt = { ...attempt, query, plans, words: attempt.words.slice(word, word + 1) };
  return finds(alone);
}
