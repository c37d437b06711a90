import { markCost, placesOf, planSize } from "./candidates.ts";
import type { Plan } from "./expansion.ts";
import { Reader } from "./holding.ts";
import type { View, Zone } from "./part.ts";
import {
  addIntersection,
  addPlaces,
  eachPlace,
  giveBack,
  isIn,
  type MutablePlaceSet,
  mostHeld,
  type PlaceSet,
  type Places,
  takeSet,
} from "./place-set.ts";
import type { FieldPoints } from "./ranking.ts";

/** The documents of a part that hold most words of a query: the same number each. */
export interface Loosest {
  /** How many words each holds; 0: no document holds any. */
  readonly count: number;
  each(zone: Zone, isEnough: (place: number) => boolean): void;
  /** Must be called when done. */
  release(): void;
}

/** By place: the words a document holds, one bit each. All 0 between two calls. */
let masks = new Uint16Array(0);
let touched = new Uint32Array(0);

/** How many times the postings of a wide word are those that must still be marked, at least. */
const mostlyKnown = 4;

/** Documents that count and hold as many words as any does, below a number.
 *  @param below fewer words than that  @param withBody words count in descriptions too */
export function findLoosest(
  { part, dead }: View,
  plans: readonly Plan[],
  below: number,
  withBody: boolean,
  counted: FieldPoints,
): Loosest {
  const size = part.documents.numbers.length;
  if (masks.length < size) {
    masks = new Uint16Array(size);
    touched = new Uint32Array(size);
  }
  const taken: MutablePlaceSet[] = [];
  const known = plans.filter((plan) => planSize(part, plan, withBody) > 0);
  // Where only some fields count, postings do not tell how many words a document holds.
  const recount = counted.isAll ? undefined : counter(part, known, withBody, counted);
  // Words that nearly every document may hold are asked of those that hold another.
  const wide =
    withBody || recount !== undefined
      ? []
      : known.filter((plan) => markCost(part, plan, false) * mostlyKnown <= planSize(part, plan, false));
  const sets = wide.map((plan): Places => placesOf(part, plan, false, taken));
  const rare = known.filter((plan) => !wide.includes(plan));
  const count = touch(part, rare, withBody);
  let found = most(sets, count, below, dead, recount);
  let all: MutablePlaceSet | undefined;
  if (sets.length >= found.count && sets.length > 0 && below > sets.length) {
    // What holds wide words alone may hold as many.
    all = takeSet(size);
    taken.push(all);
    addIntersection(all, sets, size);
    removeTouched(all, count);
    if (!holdsLiving(all, dead, size)) all = undefined;
    else if (sets.length > found.count) found = { count: sets.length, places: [] };
  }
  clear(count);
  // Where words that are everywhere could still make up as many, all words are counted alike.
  if (found.count < sets.length)
    found = mostHeld([...sets, ...rare.map((plan) => placesOf(part, plan, false, taken))], size, below, dead);
  const places = all ?? takeSet(size);
  if (all === undefined) taken.push(places);
  addPlaces(places, found.places, 0, found.places.length);
  return {
    count: found.count,
    each: (zone, isEnough) => eachPlace([places], [], zone, isEnough),
    release: () => giveBack(taken),
  };
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

/** Notes which documents hold which words. @returns how many documents that are */
function touch(part: View["part"], plans: readonly Plan[], withBody: boolean): number {
  let count = 0;
  const { postings } = part.head;
  const body = part.body.postings;
  const take = (documents: Uint32Array, low: number, high: number, bit: number): void => {
    for (let posting = low; posting < high; posting += 1) {
      const place = documents[posting] as number;
      const mask = masks[place] as number;
      if (mask === 0) {
        touched[count] = place;
        count += 1;
      }
      masks[place] = mask | bit;
    }
  };
  plans.forEach((plan, index) => {
    const bit = 1 << index;
    for (const some of [plan.ranges, plan.bent])
      for (const { low, high } of some) {
        take(postings.documents, postings.starts[low] as number, postings.starts[high] as number, bit);
        if (withBody) take(body.documents, body.starts[low] as number, body.starts[high] as number, bit);
      }
    for (const { documents } of plan.sequences) take(documents, 0, documents.length, bit);
  });
  return count;
}

function clear(count: number): void {
  for (let index = 0; index < count; index += 1) masks[touched[index] as number] = 0;
}

interface Most {
  readonly count: number;
  readonly places: readonly number[];
}

/** Those of the touched documents that hold most words. */
function most(
  sets: readonly Places[],
  touchedCount: number,
  below: number,
  dead: Uint8Array | undefined,
  recount?: (place: number) => number,
): Most {
  let best = 1;
  let places: number[] = [];
  for (let index = 0; index < touchedCount; index += 1) {
    const place = touched[index] as number;
    let count = bitCount(masks[place] as number);
    if (count + sets.length < best || dead?.[place] === 1) continue;
    if (recount !== undefined) count = recount(place);
    for (const set of sets) if (isIn(set, place)) count += 1;
    if (count < best || count >= below) continue;
    if (count > best) places = [];
    best = count;
    places.push(place);
  }
  return { count: places.length === 0 ? 0 : best, places };
}

function bitCount(mask: number): number {
  let count = mask - ((mask >>> 1) & 0x5555);
  count = (count & 0x3333) + ((count >>> 2) & 0x3333);
  count = (count + (count >>> 4)) & 0x0f0f;
  return (count + (count >>> 8)) & 0x1f;
}

/** Leaves out what holds another word too. */
function removeTouched({ bits }: MutablePlaceSet, touchedCount: number): void {
  for (let index = 0; index < touchedCount; index += 1) {
    const place = touched[index] as number;
    bits[place >>> 5] = (bits[place >>> 5] as number) & ~(1 << (place & 31));
  }
}

function holdsLiving(places: PlaceSet, dead: Uint8Array | undefined, size: number): boolean {
  let holds = false;
  eachPlace([places], [], { from: 0, to: size }, (place) => {
    holds = dead?.[place] !== 1;
    return holds;
  });
  return holds;
}
