import type { Plan } from "./expansion.ts";
import { type Found, holdsLiving, mostHeld } from "./most-held.ts";
import type { Part, View, Zone } from "./part.ts";
import { addChunk, giveBack, type MutablePlaceSet, type Places, takeSet } from "./place-set.ts";
import { addIntersection, batch, Chunk, chunkWords, readWords } from "./place-words.ts";
import { answerNumber, placesOf, rarestFirst } from "./word-places.ts";

/** The documents of a part that hold most of some words. */
export interface Levels {
  /** How many words they hold; 0: no document that counts holds any. */
  readonly count: number;
  /** Some that do not count may be among them. */
  readonly most: Places;
}

/** What is known of some words, found out when it is asked for. */
interface Kept {
  readonly plans: readonly Plan[];
  readonly dead: Uint8Array | undefined;
  readonly sets: MutablePlaceSet[];
  lastUsed: number;
  /** Documents that hold all words; "none": none that counts does. */
  all?: Places | "none";
  /** Whether any document holds all words. */
  met?: Met;
  levels?: Levels;
  less?: Places;
  /** Zones no document of which holds all words, descriptions included. */
  readonly lacking: Zone[];
}

/** By part: what is known of words of late, the longest unused first. The words before the one that is being typed come again with
 *  each letter, and one word more makes little difference. */
const keptOf = new WeakMap<Part, Kept[]>();
const mostKept = 24;

/** Documents that hold all of some words; "none": none that counts does.
 *  @param plans one at least  @returns to be read until the next answer is looked for */
export function allOf(view: View, plans: readonly Plan[]): Places | "none" {
  const last = plans.at(-1) as Plan;
  if (last.headSize === 0) return "none";
  const own = placesOf(view.part, last, false);
  if (plans.length === 1) return own;
  const kept = keptFor(view, plans);
  if (kept.all === undefined) {
    const before = metAll(view, plans) === "some" ? allOf(view, plans.slice(0, -1)) : "none";
    kept.all =
      before === "none" ? "none" : newSet(view, kept, (set, size) => addIntersection(set, [before, own], size));
  }
  return kept.all;
}

/** Whether any document holds all of some words.
 *  @param plans two at least, each stands somewhere */
export function metAll(view: View, plans: readonly Plan[]): Met {
  const kept = keptFor(view, plans);
  if (kept.met === undefined) {
    const before = allOf(view, plans.slice(0, -1));
    kept.met = before === "none" ? "none" : meetAny([before, placesOf(view.part, plans.at(-1) as Plan, false)], view);
  }
  return kept.met;
}

/** Whether it is known that no document of a zone that counts holds all of some words, in its description or elsewhere. */
export function isLacking(view: View, zone: Zone, plans: readonly Plan[]): boolean {
  const isKnown = (some: readonly Plan[]) => knownOf(view, some)?.lacking.includes(zone) === true;
  if (isKnown(plans)) return true;
  // What does not hold the first words does not hold all.
  for (let end = plans.length - 1; end > 1; end -= 1) {
    if (!isKnown(plans.slice(0, end))) continue;
    noteLacking(view, zone, plans);
    return true;
  }
  return false;
}

export function noteLacking(view: View, zone: Zone, plans: readonly Plan[]): void {
  keptFor(view, plans).lacking.push(zone);
}

/** Documents that hold most of some words.
 *  @param plans one at least, each stands somewhere  @returns to be read until the next answer is looked for */
export function levelsOf(view: View, plans: readonly Plan[]): Levels {
  const all = allOf(view, plans);
  if (all !== "none") return { count: plans.length, most: all };
  const kept = keptFor(view, plans);
  kept.levels ??= findLevels(view, plans, kept);
  return kept.levels;
}

/** Documents that hold one word less than those of `levelsOf`, of which there are two at least. */
export function lessOf(view: View, plans: readonly Plan[]): Places {
  const kept = keptFor(view, plans);
  kept.less ??= findLess(view, plans, kept);
  return kept.less;
}

function keptFor({ part, dead }: View, plans: readonly Plan[]): Kept {
  let ofPart = keptOf.get(part);
  if (ofPart === undefined) {
    ofPart = [];
    keptOf.set(part, ofPart);
  }
  const now = answerNumber();
  const at = ofPart.findLastIndex((one) => one.dead === dead && isSame(one.plans, plans));
  const known = ofPart[at];
  if (known?.lastUsed === now) return known;
  if (known !== undefined) ofPart.splice(at, 1);
  const found = known ?? { plans, dead, sets: [], lacking: [], lastUsed: now };
  found.lastUsed = now;
  ofPart.push(found);
  while (ofPart.length > mostKept && ofPart[0]?.lastUsed !== now)
    for (const set of ofPart.shift()?.sets ?? []) giveBack(set);
  return found;
}

function knownOf({ part, dead }: View, plans: readonly Plan[]): Kept | undefined {
  return keptOf.get(part)?.findLast((one) => one.dead === dead && isSame(one.plans, plans));
}

function isSame(one: readonly Plan[], other: readonly Plan[]): boolean {
  if (one.length !== other.length) return false;
  for (let word = one.length - 1; word >= 0; word -= 1) if (one[word] !== other[word]) return false;
  return true;
}

function newSet({ part }: View, { sets }: Kept, fill: (set: MutablePlaceSet, size: number) => void): Places {
  const size = part.documents.numbers.length;
  const set = takeSet(size);
  sets.push(set);
  fill(set, size);
  return [set];
}

/** Levels of words that no document holds all of: by those of all words but the last, where these tell. */
function findLevels(view: View, plans: readonly Plan[], kept: Kept): Levels {
  const before = plans.slice(0, -1);
  const own = placesOf(view.part, plans.at(-1) as Plan, false);
  if (!isKnown(view, before)) return countAll(view, plans, kept);
  const { count, most } = levelsOf(view, before);
  const both = [most, own];
  const met = meetAny(both, view);
  if (met === "some")
    return { count: count + 1, most: newSet(view, kept, (set, size) => addIntersection(set, both, size)) };
  if (met === "none" && count > 0) {
    const more = count === 1 ? [own] : [lessOf(view, before), own];
    return {
      count,
      most: newSet(view, kept, (set, size) => {
        addIntersection(set, [most], size);
        addIntersection(set, more, size);
      }),
    };
  }
  return countAll(view, plans, kept);
}

/** Whether levels were found out before: to find those of each beginning of a text that was not typed letter by letter takes long. */
function isKnown(view: View, plans: readonly Plan[]): boolean {
  if (plans.length === 1) return true;
  const known = knownOf(view, plans);
  return known?.levels !== undefined || (known?.all !== undefined && known.all !== "none");
}

function findLess(view: View, plans: readonly Plan[], kept: Kept): Places {
  const before = plans.slice(0, -1);
  const own = placesOf(view.part, plans.at(-1) as Plan, false);
  if (!isKnown(view, before)) {
    countAll(view, plans, kept);
    return kept.less as Places;
  }
  const levels = levelsOf(view, before);
  if (levelsOf(view, plans).count === levels.count + 1)
    return newSet(view, kept, (set, size) => {
      if (levels.count === 1) addEither(set, levels.most, own, size);
      else addMoved(set, levels.most, lessOf(view, before), own, size);
    });
  if (levels.count === 2) return newSet(view, kept, (set, size) => addEither(set, lessOf(view, before), own, size));
  countAll(view, plans, kept);
  return kept.less as Places;
}

function countAll(view: View, plans: readonly Plan[], kept: Kept): Levels {
  const { part, dead } = view;
  const ordered = rarestFirst(plans, false);
  const size = part.documents.numbers.length;
  const found: Required<Found> = { most: takeSet(size), less: takeSet(size) };
  const unions = ordered.map((plan) => placesOf(part, plan, false));
  const sizes = ordered.map(({ headSize }) => headSize);
  const count = mostHeld({ unions, sizes, size, below: plans.length + 1, dead }, found);
  kept.sets.push(found.most, found.less);
  kept.less = [found.less];
  return { count, most: [found.most] };
}

/** What documents a search for some places has met. */
export type Met = "none" | "none that counts" | "some";

/** Whether any document that counts is in all of some unions. */
export function meetAny(unions: readonly Places[], { part, dead }: View): Met {
  let met: Met = "none";
  const last = ((part.documents.numbers.length + 31) >>> 5) - 1;
  for (let next = 0; next <= last; ) {
    next = readWords(unions, next, last, wordsToMeet);
    for (let at = 0; at < batch.count; at += 1) {
      if (holdsLiving(batch.bits[at] as number, batch.words[at] as number, dead)) return "some";
      met = "none that counts";
    }
  }
  return met;
}

/** The first word mostly tells. */
const wordsToMeet = 32;

const [first, second, third] = [new Chunk(), new Chunk(), new Chunk()];
const changed = new Uint32Array(chunkWords);

/** Adds what is in one of two unions and not in both. */
function addEither(set: MutablePlaceSet, some: Places, others: Places, size: number): void {
  const words = (size + 31) >>> 5;
  for (let start = 0; start < words; start += chunkWords) {
    const end = Math.min(words, start + chunkWords);
    first.read(some, start, end);
    second.read(others, start, end);
    const { bits, from } = first;
    const { bits: otherBits, from: otherFrom } = second;
    const length = end - start;
    for (let word = 0; word < length; word += 1)
      changed[word] = (bits[from + word] as number) ^ (otherBits[otherFrom + word] as number);
    addChunk(set, changed, start, end);
  }
  for (const chunk of [first, second, third]) chunk.release();
}

/** Adds what is in `most` and not in `own`, and what is in `less` and in `own`. */
function addMoved(set: MutablePlaceSet, most: Places, less: Places, own: Places, size: number): void {
  const words = (size + 31) >>> 5;
  for (let start = 0; start < words; start += chunkWords) {
    const end = Math.min(words, start + chunkWords);
    first.read(most, start, end);
    second.read(less, start, end);
    third.read(own, start, end);
    const { bits: mostBits, from: mostFrom } = first;
    const { bits: lessBits, from: lessFrom } = second;
    const { bits: ownBits, from: ownFrom } = third;
    const length = end - start;
    for (let word = 0; word < length; word += 1) {
      const has = ownBits[ownFrom + word] as number;
      changed[word] = ((mostBits[mostFrom + word] as number) & ~has) | ((lessBits[lessFrom + word] as number) & has);
    }
    addChunk(set, changed, start, end);
  }
  for (const chunk of [first, second, third]) chunk.release();
}
