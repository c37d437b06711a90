import type { Leaf, LeafReader, Partition } from "../index/leaf.ts";
import type { TermQuery } from "../query/expand.ts";
import {
  acquireBitSet,
  type BitSet,
  intersect,
  isAnyIn,
  releaseBitSet,
  select,
  symmetricDifference,
  unite,
} from "./bit-set.ts";
import { type Found, findTopCoordination } from "./coordination.ts";
import { answerNumber, cheapestFirst, deletedOf, filterOf } from "./filter-cache.ts";

/** The documents of a leaf that hold most of some words. */
export interface TopCoordination {
  /** How many words they hold; 0: no document that counts holds any. */
  readonly count: number;
  /** Some that do not count may be among them. */
  readonly most: BitSet;
}

/** What is known of some words, found out when it is asked for. */
interface Kept {
  readonly termQueries: readonly TermQuery[];
  readonly deleted: LeafReader["deleted"];
  readonly sets: BitSet[];
  lastUsed: number;
  /** Documents that hold all words; "none": none that counts does. */
  all?: BitSet | "none";
  /** Whether any document that counts holds all words. */
  isMet?: boolean;
  top?: TopCoordination;
  less?: BitSet;
  /** Zones no document of which holds all words, descriptions included. */
  readonly lacking: Partition[];
}

/** By leaf: what is known of words of late, the longest unused first. The words before the one that is being typed come again with
 *  each letter, and one word more makes little difference. */
const keptOf = new WeakMap<Leaf, Kept[]>();
const mostKept = 24;

/** Documents that hold all of some words; "none": none that counts does.
 *  @param termQueries one at least  @returns to be read until the next answer is looked for */
export function allOf(reader: LeafReader, termQueries: readonly TermQuery[]): BitSet | "none" {
  const last = termQueries.at(-1) as TermQuery;
  if (last.namingCost === 0) return "none";
  const own = filterOf(reader.leaf, last, false);
  if (termQueries.length === 1) return own;
  const kept = keptFor(reader, termQueries);
  if (kept.all === undefined) {
    const before = isMet(reader, termQueries) ? allOf(reader, termQueries.slice(0, -1)) : "none";
    kept.all = before === "none" ? "none" : newSet(reader, kept, (set) => intersect(set, [before, own]));
  }
  return kept.all;
}

/** Whether any document that counts holds all of some words.
 *  @param termQueries two at least, each stands somewhere */
export function isMet(reader: LeafReader, termQueries: readonly TermQuery[]): boolean {
  const kept = keptFor(reader, termQueries);
  if (kept.isMet === undefined) {
    const before = allOf(reader, termQueries.slice(0, -1));
    kept.isMet =
      before !== "none" &&
      isAnyIn([before, filterOf(reader.leaf, termQueries.at(-1) as TermQuery, false)], deletedOf(reader));
  }
  return kept.isMet;
}

/** Whether it is known that no document of a partition that counts holds all of some words, in its description or elsewhere. */
export function isLacking(reader: LeafReader, partition: Partition, termQueries: readonly TermQuery[]): boolean {
  const isKnown = (some: readonly TermQuery[]) => knownOf(reader, some)?.lacking.includes(partition) === true;
  if (isKnown(termQueries)) return true;
  // What does not hold the first words does not hold all.
  for (let end = termQueries.length - 1; end > 1; end -= 1) {
    if (!isKnown(termQueries.slice(0, end))) continue;
    noteLacking(reader, partition, termQueries);
    return true;
  }
  return false;
}

export function noteLacking(reader: LeafReader, partition: Partition, termQueries: readonly TermQuery[]): void {
  keptFor(reader, termQueries).lacking.push(partition);
}

/** Documents that hold most of some words.
 *  @param termQueries one at least, each stands somewhere  @returns to be read until the next answer is looked for */
export function topCoordinationOf(reader: LeafReader, termQueries: readonly TermQuery[]): TopCoordination {
  const all = allOf(reader, termQueries);
  if (all !== "none") return { count: termQueries.length, most: all };
  const kept = keptFor(reader, termQueries);
  kept.top ??= findTop(reader, termQueries, kept);
  return kept.top;
}

/** Documents that hold one word less than those of `topCoordinationOf`, of which there are two at least. */
export function nextCoordinationOf(reader: LeafReader, termQueries: readonly TermQuery[]): BitSet {
  const kept = keptFor(reader, termQueries);
  kept.less ??= findNext(reader, termQueries, kept);
  return kept.less;
}

function keptFor({ leaf, deleted }: LeafReader, termQueries: readonly TermQuery[]): Kept {
  let ofLeaf = keptOf.get(leaf);
  if (ofLeaf === undefined) {
    ofLeaf = [];
    keptOf.set(leaf, ofLeaf);
  }
  const now = answerNumber();
  const at = ofLeaf.findLastIndex((one) => one.deleted === deleted && isSame(one.termQueries, termQueries));
  const known = ofLeaf[at];
  if (known?.lastUsed === now) return known;
  if (known !== undefined) ofLeaf.splice(at, 1);
  const found = known ?? { termQueries, deleted, sets: [], lacking: [], lastUsed: now };
  found.lastUsed = now;
  ofLeaf.push(found);
  while (ofLeaf.length > mostKept && ofLeaf[0]?.lastUsed !== now)
    for (const set of ofLeaf.shift()?.sets ?? []) releaseBitSet(set);
  return found;
}

function knownOf({ leaf, deleted }: LeafReader, termQueries: readonly TermQuery[]): Kept | undefined {
  return keptOf.get(leaf)?.findLast((one) => one.deleted === deleted && isSame(one.termQueries, termQueries));
}

function isSame(one: readonly TermQuery[], other: readonly TermQuery[]): boolean {
  if (one.length !== other.length) return false;
  for (let word = one.length - 1; word >= 0; word -= 1) if (one[word] !== other[word]) return false;
  return true;
}

function newSet({ leaf }: LeafReader, { sets }: Kept, fill: (set: BitSet) => void): BitSet {
  const set = acquireBitSet(leaf.documents.externalIds.length);
  sets.push(set);
  fill(set);
  return set;
}

/** TopCoordination of words that no document holds all of: by those of all words but the last, where these tell. */
function findTop(reader: LeafReader, termQueries: readonly TermQuery[], kept: Kept): TopCoordination {
  const before = termQueries.slice(0, -1);
  const own = filterOf(reader.leaf, termQueries.at(-1) as TermQuery, false);
  if (!isKnown(reader, before)) return countAll(reader, termQueries, kept);
  const { count, most } = topCoordinationOf(reader, before);
  if (isAnyIn([most, own], deletedOf(reader)))
    return { count: count + 1, most: newSet(reader, kept, (set) => intersect(set, [most, own])) };
  if (count === 0) return countAll(reader, termQueries, kept);
  return {
    count,
    most: newSet(reader, kept, (set) => {
      if (count > 1) intersect(set, [nextCoordinationOf(reader, before), own]);
      else unite(set, own);
      unite(set, most);
    }),
  };
}

/** Whether top were found out before: to find those of each beginning of a text that was not typed letter by letter takes long. */
function isKnown(reader: LeafReader, termQueries: readonly TermQuery[]): boolean {
  if (termQueries.length === 1) return true;
  const known = knownOf(reader, termQueries);
  return known?.top !== undefined || (known?.all !== undefined && known.all !== "none");
}

function findNext(reader: LeafReader, termQueries: readonly TermQuery[], kept: Kept): BitSet {
  const before = termQueries.slice(0, -1);
  const own = filterOf(reader.leaf, termQueries.at(-1) as TermQuery, false);
  if (isKnown(reader, before)) {
    const { count, most } = topCoordinationOf(reader, before);
    if (topCoordinationOf(reader, termQueries).count === count + 1)
      return newSet(reader, kept, (set) => {
        if (count === 1) symmetricDifference(set, most, own);
        else select(set, most, nextCoordinationOf(reader, before), own);
      });
    if (count === 2)
      return newSet(reader, kept, (set) => symmetricDifference(set, nextCoordinationOf(reader, before), own));
  }
  countAll(reader, termQueries, kept);
  return kept.less as BitSet;
}

function countAll(reader: LeafReader, termQueries: readonly TermQuery[], kept: Kept): TopCoordination {
  const { leaf } = reader;
  const ordered = cheapestFirst(termQueries, false);
  const size = leaf.documents.externalIds.length;
  const found: Required<Found> = { most: acquireBitSet(size), less: acquireBitSet(size) };
  const sets = ordered.map((termQuery) => filterOf(leaf, termQuery, false));
  const sizes = ordered.map(({ namingCost }) => namingCost);
  const count = findTopCoordination(
    { sets, sizes, size, below: termQueries.length + 1, deleted: deletedOf(reader) },
    found,
  );
  kept.sets.push(found.most, found.less);
  kept.less = found.less;
  return { count, most: found.most };
}
