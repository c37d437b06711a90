import type { Plan } from "./expansion.ts";
import { type Found, mostHeld } from "./most-held.ts";
import type { Part, View } from "./part.ts";
import {
  addBits,
  addIntersection,
  chunkWords,
  fillPlaces,
  giveBack,
  type MutablePlaceSet,
  type Places,
  readChunk,
  takeSet,
} from "./place-set.ts";
import { answerNumber, placesOf, rarestFirst } from "./word-places.ts";

/** The documents of a part that hold most of some words, and those that hold one less. */
export interface Levels {
  /** How many words `most` hold; 0: no document that counts holds any. */
  readonly count: number;
  /** Some that do not count may be among them. */
  readonly most: Places;
  /** Absent where `most` hold one word: all others hold one less. */
  readonly less?: Places;
}

interface Kept extends Levels {
  readonly plans: readonly Plan[];
  readonly dead: Uint8Array | undefined;
  readonly sets: readonly MutablePlaceSet[];
  lastUsed: number;
}

/** By part: levels of late, the longest unused first. */
const keptOf = new WeakMap<Part, Kept[]>();
const mostKept = 16;

/** Levels of the words before the one that is being typed: they come again with each letter.
 *  @param plans one at least, each stands somewhere  @returns to be read until the next answer is looked for */
export function levelsOf(view: View, plans: readonly Plan[]): Levels {
  const { part, dead } = view;
  const last = plans.at(-1) as Plan;
  if (plans.length === 1) return { count: 1, most: placesOf(part, last, false) };
  let kept = keptOf.get(part);
  if (kept === undefined) {
    kept = [];
    keptOf.set(part, kept);
  }
  const at = kept.findLastIndex((one) => one.dead === dead && isSame(one.plans, plans));
  const found = at < 0 ? findLevels(view, plans) : (kept[at] as Kept);
  if (at >= 0) kept.splice(at, 1);
  kept.push(found);
  found.lastUsed = answerNumber();
  while (kept.length > mostKept && kept[0]?.lastUsed !== found.lastUsed)
    for (const set of kept.shift()?.sets ?? []) giveBack(set);
  return found;
}

/** Documents that hold all words of a query: the same in all of some unions.
 *  @returns undefined where levels do not tell; empty: no document holds all */
export function placesByLevels(view: View, plans: readonly Plan[]): readonly Places[] | undefined {
  if (plans.length < 3 || plans.some(({ headSize }) => headSize === 0)) return undefined;
  const levels = levelsOf(view, plans.slice(0, -1));
  if (levels.count < plans.length - 1) return [];
  return [levels.most, placesOf(view.part, plans.at(-1) as Plan, false)];
}

/** What documents a search for some places has met. */
export type Met = "none" | "none that counts" | "some";

const batch = new Uint32Array(64);

/** Whether any document that counts is in all of some unions. */
export function meetAny(unions: readonly Places[], { part, dead }: View): Met {
  const size = part.documents.numbers.length;
  for (let from = 0; ; ) {
    const count = fillPlaces(unions, from, size, batch);
    for (let entry = 0; entry < count; entry += 1) if (dead?.[batch[entry] as number] !== 1) return "some";
    if (count < batch.length) return from === 0 && count === 0 ? "none" : "none that counts";
    from = (batch[count - 1] as number) + 1;
  }
}

function isSame(one: readonly Plan[], other: readonly Plan[]): boolean {
  return one.length === other.length && one.every((plan, word) => plan === other[word]);
}

function findLevels(view: View, plans: readonly Plan[]): Kept {
  const { part, dead } = view;
  const size = part.documents.numbers.length;
  const found: Required<Found> = { most: takeSet(size), less: takeSet(size) };
  const count = addWord(view, plans, found) ?? countAll(view, plans, found);
  return {
    plans,
    dead,
    count,
    most: [found.most],
    ...(count > 1 && { less: [found.less] }),
    sets: [found.most, found.less],
    lastUsed: 0,
  };
}

/** Finds levels by those of all words but the last. @returns how many words most hold; undefined where that does not tell */
function addWord(view: View, plans: readonly Plan[], { most, less }: Required<Found>): number | undefined {
  const before = levelsOf(view, plans.slice(0, -1));
  const own = placesOf(view.part, plans.at(-1) as Plan, false);
  const size = view.part.documents.numbers.length;
  const both = [before.most, own];
  const met = meetAny(both, view);
  if (met === "some") {
    addIntersection(most, both, size);
    if (before.less === undefined) addEither(less, before.most, own, size);
    else addMoved(less, before.most, before.less, own, size);
    return before.count + 1;
  }
  if (met !== "none" || before.count !== 1) return undefined;
  addEither(most, before.most, own, size);
  return 1;
}

function countAll({ part, dead }: View, plans: readonly Plan[], found: Found): number {
  const ordered = rarestFirst(plans, false);
  const unions = ordered.map((plan) => placesOf(part, plan, false));
  const sizes = ordered.map(({ headSize }) => headSize);
  return mostHeld({ unions, sizes, size: part.documents.numbers.length, below: plans.length + 1, dead }, found);
}

const [one, two, three] = [new Uint32Array(chunkWords), new Uint32Array(chunkWords), new Uint32Array(chunkWords)];

/** Adds what is in one of two unions and not in both. */
function addEither(set: MutablePlaceSet, some: Places, others: Places, size: number): void {
  const words = (size + 31) >>> 5;
  for (let start = 0; start < words; start += chunkWords) {
    const end = Math.min(words, start + chunkWords);
    readChunk(some, start, end, one);
    readChunk(others, start, end, two);
    for (let word = start; word < end; word += 1) {
      const bits = (one[word - start] as number) ^ (two[word - start] as number);
      if (bits !== 0) addBits(set, word, bits);
    }
  }
}

/** Adds what is in `most` and not in `own`, and what is in `less` and in `own`. */
function addMoved(set: MutablePlaceSet, most: Places, less: Places, own: Places, size: number): void {
  const words = (size + 31) >>> 5;
  for (let start = 0; start < words; start += chunkWords) {
    const end = Math.min(words, start + chunkWords);
    readChunk(most, start, end, one);
    readChunk(less, start, end, two);
    readChunk(own, start, end, three);
    for (let word = start; word < end; word += 1) {
      const has = three[word - start] as number;
      const bits = ((one[word - start] as number) & ~has) | ((two[word - start] as number) & has);
      if (bits !== 0) addBits(set, word, bits);
    }
  }
}
