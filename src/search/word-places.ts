import type { Plan } from "./expansion.ts";
import type { Part } from "./part.ts";
import { addPlaces, giveBack, type MutablePlaceSet, type PlaceSet, type Places, takeSet } from "./place-set.ts";
import { wideBits } from "./wide.ts";

interface Kept {
  readonly places: Places;
  readonly marked: MutablePlaceSet | undefined;
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
export function placesOf(part: Part, plan: Plan, withBody: boolean): Places {
  const { head, body } = memoriesOf(part);
  const named = kept(head, plan, () => markHead(part, plan));
  if (!withBody || plan.bodySize === 0) return named;
  return [...named, ...kept(body, plan, () => markBody(part, plan))];
}

function memoriesOf(part: Part): { readonly head: Memory; readonly body: Memory } {
  let found = memories.get(part);
  if (found === undefined) {
    found = { head: new Map(), body: new Map() };
    memories.set(part, found);
  }
  return found;
}

function kept(memory: Memory, plan: Plan, find: () => Pick<Kept, "places" | "marked">): Places {
  const known = memory.get(plan);
  if (known?.lastUsed === answers) return known.places;
  const found = known ?? { ...find(), lastUsed: answers };
  found.lastUsed = answers;
  memory.delete(plan);
  memory.set(plan, found);
  for (const [oldest, { marked, lastUsed }] of memory) {
    if (memory.size <= mostKept || lastUsed === answers) break;
    memory.delete(oldest);
    if (marked !== undefined) giveBack(marked);
  }
  return found.places;
}

/** Documents that may hold all words, in descriptions too: they are in all of some unions, and still to be read, as not all words are
 *  looked up beforehand.
 *  @returns empty: some word stands nowhere */
export function placesOfAll(part: Part, plans: readonly Plan[]): readonly Places[] {
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

function markHead(part: Part, { ranges, bent, sequences }: Plan): Pick<Kept, "places" | "marked"> {
  const places: PlaceSet[] = [];
  const { starts, documents } = part.head.postings;
  const marking = new Marking(part);
  for (const range of ranges) {
    if (isRepeated(range, ranges)) continue;
    const known = wideBits(part, range.low, range.high);
    if (known === undefined) marking.add(documents, starts[range.low] as number, starts[range.high] as number);
    else places.push(known);
  }
  for (let run = 0; run < bent.lows.length; run += 1)
    marking.add(documents, starts[bent.lows[run] as number] as number, starts[bent.highs[run] as number] as number);
  for (const sequence of sequences) marking.add(sequence.documents, 0, sequence.documents.length);
  return { places: marking.set === undefined ? places : [...places, marking.set], marked: marking.set };
}

function markBody(part: Part, { ranges, bent }: Plan): Pick<Kept, "places" | "marked"> {
  const { starts, documents } = part.body.postings;
  const marking = new Marking(part);
  for (const range of ranges)
    if (!isRepeated(range, ranges)) marking.add(documents, starts[range.low] as number, starts[range.high] as number);
  for (let run = 0; run < bent.lows.length; run += 1)
    marking.add(documents, starts[bent.lows[run] as number] as number, starts[bent.highs[run] as number] as number);
  return { places: marking.set === undefined ? [] : [marking.set], marked: marking.set };
}

/** Takes a set once there is something to be marked. */
class Marking {
  readonly #size: number;
  set: MutablePlaceSet | undefined;

  constructor({ documents }: Part) {
    this.#size = documents.numbers.length;
  }

  add(places: Uint32Array, from: number, to: number): void {
    if (from === to) return;
    this.set ??= takeSet(this.#size);
    addPlaces(this.set, places, from, to);
  }
}

/** Whether a range says no more than another: that of a word than that of its first letters. */
function isRepeated(range: Plan["ranges"][number], ranges: Plan["ranges"]): boolean {
  const { low, high } = range;
  return ranges.some((other) => {
    if (other.low > low || other.high < high) return false;
    return other.low < low || other.high > high || ranges.indexOf(other) < ranges.indexOf(range);
  });
}
