import { wordsFor } from "./bits.ts";
import type { Range } from "./dictionary.ts";
import type { Plan } from "./expansion.ts";
import type { Part, View } from "./part.ts";
import { addPlaces, addRuns, fillWith, giveBack, intersect, type PlaceSet, takeSet, unite } from "./place-set.ts";
import type { Postings } from "./postings.ts";
import { type WideBits, wideBits } from "./wide.ts";

interface Kept {
  readonly set: PlaceSet;
  lastUsed: number;
}

/** Sets of documents that were marked for words of late, the longest unused first. */
type Memory = Map<Plan, Kept>;

/** By part: for words in what names a thing, and in descriptions. */
const memories = new WeakMap<Part, { readonly head: Memory; readonly body: Memory }>();
const mostKept = 48;
let answers = 0;

/** Must be called before an answer is looked for: what `placesOf` has given until then may change from now on. */
export function beginAnswer(): void {
  answers += 1;
}

export function answerNumber(): number {
  return answers;
}

/** All documents that hold a word. The words before the one that is being typed come again with each letter, so they are kept.
 *  @param withBody in its description too  @returns to be read until the next answer is looked for */
export function placesOf(part: Part, plan: Plan, withBody: boolean): PlaceSet {
  const { head, body } = memoriesOf(part);
  if (!withBody || plan.bodySize === 0) return kept(head, plan, () => markHead(part, plan));
  return kept(body, plan, () => markBody(part, plan));
}

/** By part: documents that did not count when it was last asked. */
const knownDead = new WeakMap<Part, { dead: Uint32Array; readonly set: PlaceSet }>();

/** The documents of a part that do not count. @returns to be read until the next answer is looked for */
export function deadOf({ part, dead }: View): PlaceSet | undefined {
  if (dead === undefined) return undefined;
  let known = knownDead.get(part);
  if (known?.dead === dead) return known.set;
  known ??= { dead, set: takeSet(part.documents.numbers.length) };
  known.dead = dead;
  fillWith(known.set, dead, 0, dead.length);
  // They are few most often, and blocks without any need not be read.
  intersect(known.set, [known.set]);
  knownDead.set(part, known);
  return known.set;
}

function memoriesOf(part: Part): { readonly head: Memory; readonly body: Memory } {
  let found = memories.get(part);
  if (found === undefined) {
    found = { head: new Map(), body: new Map() };
    memories.set(part, found);
  }
  return found;
}

function kept(memory: Memory, plan: Plan, find: () => PlaceSet): PlaceSet {
  const known = memory.get(plan);
  if (known?.lastUsed === answers) return known.set;
  const found = known ?? { set: find(), lastUsed: answers };
  found.lastUsed = answers;
  memory.delete(plan);
  memory.set(plan, found);
  for (const [oldest, { set, lastUsed }] of memory) {
    if (memory.size <= mostKept || lastUsed === answers) break;
    memory.delete(oldest);
    giveBack(set);
  }
  return found.set;
}

/** Documents that may hold all words, in descriptions too: they are in all of some sets, and still to be read, as not all words are
 *  looked up beforehand.
 *  @returns empty: some word stands nowhere */
export function placesOfAll(part: Part, plans: readonly Plan[]): readonly PlaceSet[] {
  const order = rarestFirst(plans, true);
  const [rarest] = order;
  if (rarest === undefined || sizeOf(rarest, true) === 0) return [];
  const most = sizeOf(rarest, true) * markedPerCandidate;
  const { body } = memoriesOf(part);
  return order
    .filter((plan) => plan === rarest || body.has(plan) || plan.bodySize <= most)
    .map((plan) => placesOf(part, plan, true));
}

export function rarestFirst(plans: readonly Plan[], withBody: boolean): readonly Plan[] {
  return [...plans].sort((one, other) => sizeOf(one, withBody) - sizeOf(other, withBody));
}

/** Postings that match a word. */
export function sizeOf({ headSize, bodySize }: Plan, withBody: boolean): number {
  return withBody ? headSize + bodySize : headSize;
}

/** A word is looked up beforehand where that is cheaper than reading each candidate: marking a posting takes a small part of the
 *  time of reading a document. */
const markedPerCandidate = 6;

function markHead(part: Part, plan: Plan): PlaceSet {
  const size = part.documents.numbers.length;
  const set = takeSet(size);
  const known: WideBits[] = [];
  const others: Range[] = [];
  for (const range of widest(plan)) {
    const bits = wideBits(part, range.low, range.high);
    if (bits === undefined) others.push(range);
    else known.push(bits);
  }
  known.forEach(({ bits, from }, index) => {
    const own = index === 0 ? set : takeSet(size);
    fillWith(own, bits, from, wordsFor(size));
    if (index === 0) return;
    unite(set, own);
    giveBack(own);
  });
  addRanges(set, part.head.postings, others);
  addRuns(set, part.head.postings, plan.bent.lows, plan.bent.highs);
  for (const { documents } of plan.sequences) addPlaces(set, documents, 0, documents.length);
  return set;
}

/** Documents that are described by a word, or named by it. */
function markBody(part: Part, plan: Plan): PlaceSet {
  const { postings } = part.body;
  const set = takeSet(part.documents.numbers.length);
  addRanges(set, postings, widest(plan));
  addRuns(set, postings, plan.bent.lows, plan.bent.highs);
  unite(set, placesOf(part, plan, false));
  return set;
}

function addRanges(set: PlaceSet, postings: Postings, ranges: readonly Range[]): void {
  addRuns(
    set,
    postings,
    ranges.map(({ low }) => low),
    ranges.map(({ high }) => high),
  );
}

/** What a word may stand for without what lies within other ranges. */
function widest({ ranges }: Plan): Plan["ranges"] {
  return ranges.filter((range) => !isRepeated(range, ranges));
}

/** Whether a range says no more than another: that of a word than that of its first letters. */
function isRepeated(range: Plan["ranges"][number], ranges: Plan["ranges"]): boolean {
  const { low, high } = range;
  return ranges.some((other) => {
    if (other.low > low || other.high < high) return false;
    return other.low < low || other.high > high || ranges.indexOf(other) < ranges.indexOf(range);
  });
}
