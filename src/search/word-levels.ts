import type { Plan } from "./expansion.ts";
import { type Found, mostHeld } from "./most-held.ts";
import type { Part, View, Zone } from "./part.ts";
import { giveBack, intersect, isAnyIn, type PlaceSet, putEither, putMoved, takeSet, unite } from "./place-set.ts";
import { answerNumber, deadOf, placesOf, rarestFirst } from "./word-places.ts";

/** The documents of a part that hold most of some words. */
export interface Levels {
  /** How many words they hold; 0: no document that counts holds any. */
  readonly count: number;
  /** Some that do not count may be among them. */
  readonly most: PlaceSet;
}

/** What is known of some words, found out when it is asked for. */
interface Kept {
  readonly plans: readonly Plan[];
  readonly dead: View["dead"];
  readonly sets: PlaceSet[];
  lastUsed: number;
  /** Documents that hold all words; "none": none that counts does. */
  all?: PlaceSet | "none";
  /** Whether any document that counts holds all words. */
  isMet?: boolean;
  levels?: Levels;
  less?: PlaceSet;
  /** Zones no document of which holds all words, descriptions included. */
  readonly lacking: Zone[];
}

/** By part: what is known of words of late, the longest unused first. The words before the one that is being typed come again with
 *  each letter, and one word more makes little difference. */
const keptOf = new WeakMap<Part, Kept[]>();
const mostKept = 24;

/** Documents that hold all of some words; "none": none that counts does.
 *  @param plans one at least  @returns to be read until the next answer is looked for */
export function allOf(view: View, plans: readonly Plan[]): PlaceSet | "none" {
  const last = plans.at(-1) as Plan;
  if (last.headSize === 0) return "none";
  const own = placesOf(view.part, last, false);
  if (plans.length === 1) return own;
  const kept = keptFor(view, plans);
  if (kept.all === undefined) {
    const before = isMet(view, plans) ? allOf(view, plans.slice(0, -1)) : "none";
    kept.all = before === "none" ? "none" : newSet(view, kept, (set) => intersect(set, [before, own]));
  }
  return kept.all;
}

/** Whether any document that counts holds all of some words.
 *  @param plans two at least, each stands somewhere */
export function isMet(view: View, plans: readonly Plan[]): boolean {
  const kept = keptFor(view, plans);
  if (kept.isMet === undefined) {
    const before = allOf(view, plans.slice(0, -1));
    kept.isMet = before !== "none" && isAnyIn([before, placesOf(view.part, plans.at(-1) as Plan, false)], deadOf(view));
  }
  return kept.isMet;
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
export function lessOf(view: View, plans: readonly Plan[]): PlaceSet {
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

function newSet({ part }: View, { sets }: Kept, fill: (set: PlaceSet) => void): PlaceSet {
  const set = takeSet(part.documents.numbers.length);
  sets.push(set);
  fill(set);
  return set;
}

/** Levels of words that no document holds all of: by those of all words but the last, where these tell. */
function findLevels(view: View, plans: readonly Plan[], kept: Kept): Levels {
  const before = plans.slice(0, -1);
  const own = placesOf(view.part, plans.at(-1) as Plan, false);
  if (!isKnown(view, before)) return countAll(view, plans, kept);
  const { count, most } = levelsOf(view, before);
  if (isAnyIn([most, own], deadOf(view)))
    return { count: count + 1, most: newSet(view, kept, (set) => intersect(set, [most, own])) };
  if (count === 0) return countAll(view, plans, kept);
  return {
    count,
    most: newSet(view, kept, (set) => {
      if (count > 1) intersect(set, [lessOf(view, before), own]);
      else unite(set, own);
      unite(set, most);
    }),
  };
}

/** Whether levels were found out before: to find those of each beginning of a text that was not typed letter by letter takes long. */
function isKnown(view: View, plans: readonly Plan[]): boolean {
  if (plans.length === 1) return true;
  const known = knownOf(view, plans);
  return known?.levels !== undefined || (known?.all !== undefined && known.all !== "none");
}

function findLess(view: View, plans: readonly Plan[], kept: Kept): PlaceSet {
  const before = plans.slice(0, -1);
  const own = placesOf(view.part, plans.at(-1) as Plan, false);
  if (isKnown(view, before)) {
    const { count, most } = levelsOf(view, before);
    if (levelsOf(view, plans).count === count + 1)
      return newSet(view, kept, (set) => {
        if (count === 1) putEither(set, most, own);
        else putMoved(set, most, lessOf(view, before), own);
      });
    if (count === 2) return newSet(view, kept, (set) => putEither(set, lessOf(view, before), own));
  }
  countAll(view, plans, kept);
  return kept.less as PlaceSet;
}

function countAll(view: View, plans: readonly Plan[], kept: Kept): Levels {
  const { part } = view;
  const ordered = rarestFirst(plans, false);
  const size = part.documents.numbers.length;
  const found: Required<Found> = { most: takeSet(size), less: takeSet(size) };
  const sets = ordered.map((plan) => placesOf(part, plan, false));
  const sizes = ordered.map(({ headSize }) => headSize);
  const count = mostHeld({ sets, sizes, size, below: plans.length + 1, dead: deadOf(view) }, found);
  kept.sets.push(found.most, found.less);
  kept.less = found.less;
  return { count, most: found.most };
}
