import type { Plan } from "./expansion.ts";
import type { Part, Zone } from "./part.ts";
import {
  addPlaces,
  eachPlace,
  giveBack,
  isIn,
  type MutablePlaceSet,
  type PlaceSet,
  type Places,
  takeSet,
} from "./place-set.ts";
import { firstNotBelow } from "./postings.ts";
import { findWide, wideFrom } from "./wide.ts";

/** Documents that may hold all words of a query, the best by static rank first. Each is still to be read. */
export interface Candidates {
  /** Calls back with places of a zone, ascending, until told true. */
  each(zone: Zone, isEnough: (place: number) => boolean): void;
  /** Must be called when done. */
  release(): void;
}

/** A word is looked up beforehand where that is cheaper than reading each candidate: marking a posting takes a small part of the
 *  time of reading a document. */
const markedPerCandidate = 24;

/** @param withBody words may stand in descriptions too  @returns undefined where some word stands nowhere */
export function findCandidates(part: Part, plans: readonly Plan[], withBody: boolean): Candidates | undefined {
  const sizes = plans.map((plan) => planSize(part, plan, withBody));
  if (sizes.includes(0)) return undefined;
  const order = plans.map((_, word) => word).sort((one, other) => (sizes[one] as number) - (sizes[other] as number));
  const [rarest = 0, ...others] = order;
  const taken: MutablePlaceSet[] = [];
  const setOf = (word: number): Places => placesOf(part, plans[word] as Plan, withBody, taken);
  const list = withBody ? undefined : singleList(part, plans[rarest] as Plan);
  const driver = list === undefined ? setOf(rarest) : undefined;
  const most = (sizes[rarest] as number) * markedPerCandidate;
  const filters = others.filter((word) => markCost(part, plans[word] as Plan, withBody) <= most).map(setOf);
  return {
    each(zone, isEnough) {
      if (list !== undefined) eachListed(part, list, filters, zone, isEnough);
      else if (driver !== undefined) eachPlace(driver, filters, zone, isEnough);
    },
    release: () => giveBack(taken),
  };
}

/** Postings that match a word. */
export function planSize(part: Part, plan: Plan, withBody: boolean): number {
  let size = 0;
  const { starts } = part.head.postings;
  const bodyStarts = part.body.postings.starts;
  for (const ranges of [plan.ranges, plan.bent])
    for (const { low, high } of ranges) {
      size += (starts[high] as number) - (starts[low] as number);
      if (withBody) size += (bodyStarts[high] as number) - (bodyStarts[low] as number);
    }
  for (const { documents } of plan.sequences) size += documents.length;
  return size;
}

interface List {
  readonly from: number;
  readonly to: number;
}

/** The postings of a word that is one term and nothing else: they ascend. */
function singleList(part: Part, { ranges, sequences, bent }: Plan): List | undefined {
  const { starts } = part.head.postings;
  const held = ranges.filter(({ low, high }) => starts[low] !== starts[high]);
  const [first] = held;
  if (first === undefined || sequences.length > 0 || bent.length > 0) return undefined;
  if (!held.every(({ low, high }) => low === first.low && high === low + 1)) return undefined;
  return { from: starts[first.low] as number, to: starts[first.high] as number };
}

/** Postings to be marked to know beforehand which documents hold a word. */
export function markCost(part: Part, plan: Plan, withBody: boolean): number {
  if (withBody) return planSize(part, plan, true);
  const { starts } = part.head.postings;
  const size = planSize(part, { ...plan, ranges: [] }, false);
  return plan.ranges
    .filter(({ low, high }) => wideBits(part, low, high) === undefined && !isInside(part, low, high, plan.ranges))
    .reduce((sum, { low, high }) => sum + (starts[high] as number) - (starts[low] as number), size);
}

/** Whether a range says no more than one whose documents are known: that of a word than that of its first letters. */
function isInside(part: Part, low: number, high: number, ranges: Plan["ranges"]): boolean {
  const { starts } = part.head.postings;
  if (starts[low] === starts[high]) return true;
  return ranges.some((other) => {
    const isWider = other.low <= low && other.high >= high && (other.low < low || other.high > high);
    return isWider && wideBits(part, other.low, other.high) !== undefined;
  });
}

function wideBits({ wide, head }: Part, low: number, high: number): PlaceSet | undefined {
  const { starts } = head.postings;
  if ((starts[high] as number) - (starts[low] as number) < wideFrom) return undefined;
  const index = findWide(wide, low, high);
  const at = index < 0 ? 0 : (wide.bitsAt[index] as number);
  return at === 0 ? undefined : { bits: wide.bits, offset: at - 1 };
}

/** All documents that hold a word. @param taken sets to be given back */
export function placesOf(part: Part, plan: Plan, withBody: boolean, taken: MutablePlaceSet[]): Places {
  const found: PlaceSet[] = [];
  let marked: MutablePlaceSet | undefined;
  const add = (documents: Uint32Array, from: number, to: number): void => {
    if (from === to) return;
    if (marked === undefined) {
      marked = takeSet(part.documents.numbers.length);
      taken.push(marked);
      found.push(marked);
    }
    addPlaces(marked, documents, from, to);
  };
  const { postings } = part.head;
  const body = part.body.postings;
  for (const some of [plan.ranges, plan.bent])
    for (const { low, high } of some) {
      const known = wideBits(part, low, high);
      if (known !== undefined) found.push(known);
      else if (some === plan.bent || !isInside(part, low, high, plan.ranges))
        add(postings.documents, postings.starts[low] as number, postings.starts[high] as number);
      if (withBody) add(body.documents, body.starts[low] as number, body.starts[high] as number);
    }
  for (const { documents } of plan.sequences) add(documents, 0, documents.length);
  return found;
}

function eachListed(
  part: Part,
  { from, to }: List,
  filters: readonly Places[],
  zone: Zone,
  isEnough: (place: number) => boolean,
): void {
  const { documents } = part.head.postings;
  for (let posting = firstNotBelow(documents, from, to, zone.from); posting < to; posting += 1) {
    const place = documents[posting] as number;
    if (place >= zone.to) return;
    if (filters.every((filter) => isIn(filter, place)) && isEnough(place)) return;
  }
}
