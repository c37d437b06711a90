import type { Plan } from "./expansion.ts";
import { Reader } from "./holding.ts";
import { mostHeld } from "./most-held.ts";
import type { View } from "./part.ts";
import { isAnyIn, type PlaceSet, takeSet } from "./place-set.ts";
import type { FieldPoints } from "./ranking.ts";
import { isMet, lessOf, levelsOf } from "./word-levels.ts";
import { deadOf, placesOf, rarestFirst, sizeOf } from "./word-places.ts";

/** The documents of a part that hold most words of a query: the same number each. */
export interface Loosest {
  /** How many words each holds; 0: no document holds any. */
  readonly count: number;
  /** They are in all sets of one of these, and in no other; some that do not count may be among them. */
  readonly sources: readonly (readonly PlaceSet[])[];
  /** To be given back. */
  readonly taken?: PlaceSet;
}

/** Documents that count and hold as many words as any does, below a number.
 *  @param below fewer words than that  @param withBody words count in descriptions too */
export function findLoosest(
  view: View,
  plans: readonly Plan[],
  below: number,
  withBody: boolean,
  counted: FieldPoints,
): Loosest {
  const quick = withBody || !counted.isAll ? undefined : fromLevels(view, plans, below);
  return quick ?? fromAll(view, plans, below, withBody, counted);
}

/** The same from what is known of all words but the last. @returns undefined where that does not tell */
function fromLevels(view: View, plans: readonly Plan[], below: number): Loosest | undefined {
  const last = plans.at(-1) as Plan;
  const before = plans.slice(0, -1).filter(({ headSize }) => headSize > 0);
  const own = last.headSize === 0 ? undefined : placesOf(view.part, last, false);
  if (before.length === 0) return own === undefined ? { count: 0, sources: [] } : { count: 1, sources: [[own]] };
  const { count, most } = levelsOf(view, before);
  if (count === 0 || count >= below) return undefined;
  if (own === undefined) return { count, sources: [[most]] };
  const both = [most, own];
  // Where all words before the last are held, it is known already whether all are.
  const isAny = count === plans.length - 1 ? isMet(view, plans) : isAnyIn(both, deadOf(view));
  if (isAny) return count + 1 < below ? { count: count + 1, sources: [both] } : undefined;
  return { count, sources: [[most], count === 1 ? [own] : [lessOf(view, before), own]] };
}

/** The same by looking at all words. */
function fromAll(view: View, plans: readonly Plan[], below: number, withBody: boolean, counted: FieldPoints): Loosest {
  const { part } = view;
  const known = rarestFirst(plans, withBody).filter((plan) => sizeOf(plan, withBody) > 0);
  const size = part.documents.numbers.length;
  const found = { most: takeSet(size) };
  const count = mostHeld(
    {
      sets: known.map((plan) => placesOf(part, plan, withBody)),
      sizes: known.map((plan) => sizeOf(plan, withBody)),
      size,
      below,
      dead: deadOf(view),
      // Where only some fields count, postings do not tell how many words a document holds.
      ...(!counted.isAll && { recount: counter(part, known, withBody, counted) }),
    },
    found,
  );
  return { count, sources: [[found.most]], taken: found.most };
}

/** Counts the words that a document holds in fields that count. */
function counter(
  part: View["part"],
  plans: readonly Plan[],
  withBody: boolean,
  counted: FieldPoints,
): (place: number) => number {
  const reader = new Reader(plans);
  return (place) => {
    const held = reader.readHead(part, place, counted);
    return withBody ? held + reader.readBody(part, place, counted) : held;
  };
}
