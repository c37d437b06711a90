import type { Plan } from "./expansion.ts";
import { Reader } from "./holding.ts";
import { mostHeld } from "./most-held.ts";
import type { View } from "./part.ts";
import { type MutablePlaceSet, takeSet } from "./place-set.ts";
import type { FieldPoints } from "./ranking.ts";
import { placesOf, rarestFirst, sizeOf } from "./word-places.ts";

/** The documents of a part that hold most words of a query: the same number each. */
export interface Loosest {
  /** How many words each holds; 0: no document holds any. */
  readonly count: number;
  /** Some that do not count may be among them. To be given back. */
  readonly places: MutablePlaceSet;
}

/** Documents that count and hold as many words as any does, below a number.
 *  @param below fewer words than that  @param withBody words count in descriptions too */
export function findLoosest(
  { part, dead }: View,
  plans: readonly Plan[],
  below: number,
  withBody: boolean,
  counted: FieldPoints,
): Loosest {
  const known = rarestFirst(plans, withBody).filter((plan) => sizeOf(plan, withBody) > 0);
  const size = part.documents.numbers.length;
  const places = takeSet(size);
  const holders = {
    unions: known.map((plan) => placesOf(part, plan, withBody)),
    sizes: known.map((plan) => sizeOf(plan, withBody)),
    size,
    below,
    dead,
    // Where only some fields count, postings do not tell how many words a document holds.
    ...(!counted.isAll && { recount: counter(part, known, withBody, counted) }),
  };
  return { count: mostHeld(holders, places), places };
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
