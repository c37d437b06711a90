import type { Plan } from "./expansion.ts";
import type { Part } from "./part.ts";
import { addPlaces, giveBack, type MutablePlaceSet, type PlaceSet, type Places, takeSet } from "./place-set.ts";
import { findWide, wideFrom } from "./wide.ts";

interface Kept {
  readonly places: Places;
  readonly marked: MutablePlaceSet | undefined;
  lastUsed: number;
}

/** By part: sets of documents that were marked for words of late, in what names a thing and in all, the longest unused first. */
const keptOf = new WeakMap<Part, { readonly head: Map<Plan, Kept>; readonly both: Map<Plan, Kept> }>();
const mostKept = 48;
let answers = 0;

/** Must be called before an answer is looked for: what `placesOf` has given until then may change from now on. */
export function beginAnswer(): void {
  answers += 1;
}

export function answerNumber(): number {
  return answers;
}

function keptFor(part: Part): { readonly head: Map<Plan, Kept>; readonly both: Map<Plan, Kept> } {
  let kept = keptOf.get(part);
  if (kept === undefined) {
    kept = { head: new Map(), both: new Map() };
    keptOf.set(part, kept);
  }
  return kept;
}

/** All documents that hold a word. The words before the one that is being typed come again with each letter, so they are kept.
 *  @param withBody in its description too  @returns to be read until the next answer is looked for */
export function placesOf(part: Part, plan: Plan, withBody: boolean): Places {
  const kept = withBody ? keptFor(part).both : keptFor(part).head;
  const known = kept.get(plan);
  if (known !== undefined) {
    if (known.lastUsed !== answers) {
      known.lastUsed = answers;
      kept.delete(plan);
      kept.set(plan, known);
    }
    return known.places;
  }
  const found = mark(part, plan, withBody);
  kept.set(plan, found);
  for (const [oldest, { marked, lastUsed }] of kept) {
    if (kept.size <= mostKept || lastUsed === answers) break;
    kept.delete(oldest);
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
  const { both } = keptFor(part);
  return order
    .filter((plan) => plan === rarest || both.has(plan) || sizeOf(plan, true) <= most)
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
const markedPerCandidate = 24;

function mark(part: Part, plan: Plan, withBody: boolean): Kept {
  const places: PlaceSet[] = [];
  let marked: MutablePlaceSet | undefined;
  const add = (documents: Uint32Array, from: number, to: number): void => {
    if (from === to) return;
    if (marked === undefined) {
      marked = takeSet(part.documents.numbers.length);
      places.push(marked);
    }
    addPlaces(marked, documents, from, to);
  };
  const { postings } = part.head;
  const body = part.body.postings;
  const addTerms = (low: number, high: number): void => {
    add(postings.documents, postings.starts[low] as number, postings.starts[high] as number);
    if (withBody) add(body.documents, body.starts[low] as number, body.starts[high] as number);
  };
  const { ranges, bent, sequences } = plan;
  for (const range of ranges) {
    const { low, high } = range;
    if (isRepeated(range, ranges)) continue;
    const known = wideBits(part, low, high);
    if (known === undefined) addTerms(low, high);
    else {
      places.push(known);
      if (withBody) add(body.documents, body.starts[low] as number, body.starts[high] as number);
    }
  }
  for (let run = 0; run < bent.lows.length; run += 1) addTerms(bent.lows[run] as number, bent.highs[run] as number);
  for (const { documents } of sequences) add(documents, 0, documents.length);
  return { places, marked, lastUsed: answers };
}

/** Whether a range says no more than another: that of a word than that of its first letters. */
function isRepeated(range: Plan["ranges"][number], ranges: Plan["ranges"]): boolean {
  const { low, high } = range;
  return ranges.some((other) => {
    if (other.low > low || other.high < high) return false;
    return other.low < low || other.high > high || ranges.indexOf(other) < ranges.indexOf(range);
  });
}

/** The documents of a range, where they are known beforehand. */
function wideBits({ wide, head }: Part, low: number, high: number): PlaceSet | undefined {
  const { starts } = head.postings;
  if ((starts[high] as number) - (starts[low] as number) < wideFrom) return undefined;
  const index = findWide(wide, low, high);
  const at = index < 0 ? 0 : (wide.bitsAt[index] as number);
  return at === 0 ? undefined : { bits: wide.bits, offset: at - 1 };
}
