import { wordsFor } from "../arrays/bits.ts";
import { frequentBits, type RangeBits } from "../index/champion-lists.ts";
import type { Leaf, LeafReader } from "../index/leaf.ts";
import type { Postings } from "../index/postings.ts";
import type { TermQuery } from "../query/expand.ts";
import type { Range } from "../terms/dictionary.ts";
import {
  acquireBitSet,
  addDocIds,
  addRuns,
  type BitSet,
  fillWords,
  intersect,
  releaseBitSet,
  unite,
} from "./bit-set.ts";

interface Kept {
  readonly set: BitSet;
  lastUsed: number;
}

/** Sets of documents that were marked for words of late, the longest unused first. */
type GenerationCache = Map<TermQuery, Kept>;

/** By leaf: for words in what names a thing, and in descriptions. */
const memories = new WeakMap<Leaf, { readonly naming: GenerationCache; readonly body: GenerationCache }>();
const mostKept = 48;
let answers = 0;

/** Must be called before an answer is looked for: what `filterOf` has given until then may change from now on. */
export function beginAnswer(): void {
  answers += 1;
}

export function answerNumber(): number {
  return answers;
}

/** All documents that hold a word. The words before the one that is being typed come again with each letter, so they are kept.
 *  @param withBody in its description too  @returns to be read until the next answer is looked for */
export function filterOf(leaf: Leaf, termQuery: TermQuery, withBody: boolean): BitSet {
  const { naming, body } = memoriesOf(leaf);
  if (!withBody || termQuery.bodyCost === 0) return kept(naming, termQuery, () => namingFilter(leaf, termQuery));
  return kept(body, termQuery, () => bodyFilter(leaf, termQuery));
}

/** By leaf: documents that did not count when it was last asked. */
const knownDeleted = new WeakMap<Leaf, { deleted: Uint32Array; readonly set: BitSet }>();

/** The documents of a leaf that do not count. @returns to be read until the next answer is looked for */
export function deletedOf({ leaf, deleted }: LeafReader): BitSet | undefined {
  if (deleted === undefined) return undefined;
  let known = knownDeleted.get(leaf);
  if (known?.deleted === deleted) return known.set;
  known ??= { deleted, set: acquireBitSet(leaf.documents.externalIds.length) };
  known.deleted = deleted;
  fillWords(known.set, deleted, 0, deleted.length);
  // They are few most often, and blocks without any need not be read.
  intersect(known.set, [known.set]);
  knownDeleted.set(leaf, known);
  return known.set;
}

function memoriesOf(leaf: Leaf): { readonly naming: GenerationCache; readonly body: GenerationCache } {
  let found = memories.get(leaf);
  if (found === undefined) {
    found = { naming: new Map(), body: new Map() };
    memories.set(leaf, found);
  }
  return found;
}

function kept(memory: GenerationCache, termQuery: TermQuery, find: () => BitSet): BitSet {
  const known = memory.get(termQuery);
  if (known?.lastUsed === answers) return known.set;
  const found = known ?? { set: find(), lastUsed: answers };
  found.lastUsed = answers;
  memory.delete(termQuery);
  memory.set(termQuery, found);
  for (const [oldest, { set, lastUsed }] of memory) {
    if (memory.size <= mostKept || lastUsed === answers) break;
    memory.delete(oldest);
    releaseBitSet(set);
  }
  return found.set;
}

/** Documents that may hold all words, in descriptions too: they are in all of some sets, and still to be read, as not all words are
 *  looked up beforehand.
 *  @returns empty: some word stands nowhere */
export function conjunctionFilters(leaf: Leaf, termQueries: readonly TermQuery[]): readonly BitSet[] {
  const order = cheapestFirst(termQueries, true);
  const [rarest] = order;
  if (rarest === undefined || costOf(rarest, true) === 0) return [];
  const most = costOf(rarest, true) * markedPerCandidate;
  const { body } = memoriesOf(leaf);
  return order
    .filter((termQuery) => termQuery === rarest || body.has(termQuery) || termQuery.bodyCost <= most)
    .map((termQuery) => filterOf(leaf, termQuery, true));
}

export function cheapestFirst(termQueries: readonly TermQuery[], withBody: boolean): readonly TermQuery[] {
  return [...termQueries].sort((one, other) => costOf(one, withBody) - costOf(other, withBody));
}

/** Postings that match a word. */
export function costOf({ namingCost, bodyCost }: TermQuery, withBody: boolean): number {
  return withBody ? namingCost + bodyCost : namingCost;
}

/** A word is looked up beforehand where that is cheaper than relaxation each candidate: marking a posting takes a small leaf of the
 *  time of relaxation a document. */
const markedPerCandidate = 6;

function namingFilter(leaf: Leaf, termQuery: TermQuery): BitSet {
  const size = leaf.documents.externalIds.length;
  const set = acquireBitSet(size);
  const known: RangeBits[] = [];
  const others: Range[] = [];
  for (const range of widest(termQuery)) {
    const bits = frequentBits(leaf, range.low, range.high);
    if (bits === undefined) others.push(range);
    else known.push(bits);
  }
  known.forEach(({ bits, from }, index) => {
    const own = index === 0 ? set : acquireBitSet(size);
    fillWords(own, bits, from, wordsFor(size));
    if (index === 0) return;
    unite(set, own);
    releaseBitSet(own);
  });
  addRanges(set, leaf.naming.postings, others);
  addRuns(set, leaf.naming.postings, termQuery.fuzzy.lows, termQuery.fuzzy.highs);
  for (const { documents } of termQuery.phraseMatches) addDocIds(set, documents, 0, documents.length);
  return set;
}

/** Documents that are described by a word, or named by it. */
function bodyFilter(leaf: Leaf, termQuery: TermQuery): BitSet {
  const { postings } = leaf.body;
  const set = acquireBitSet(leaf.documents.externalIds.length);
  addRanges(set, postings, widest(termQuery));
  addRuns(set, postings, termQuery.fuzzy.lows, termQuery.fuzzy.highs);
  unite(set, filterOf(leaf, termQuery, false));
  return set;
}

function addRanges(set: BitSet, postings: Postings, ranges: readonly Range[]): void {
  addRuns(
    set,
    postings,
    ranges.map(({ low }) => low),
    ranges.map(({ high }) => high),
  );
}

/** What a word may stand for without what lies within other ranges. */
function widest({ ranges }: TermQuery): TermQuery["ranges"] {
  return ranges.filter((range) => !isRepeated(range, ranges));
}

/** Whether a range says no more than another: that of a word than that of its first letters. */
function isRepeated(range: TermQuery["ranges"][number], ranges: TermQuery["ranges"]): boolean {
  const { low, high } = range;
  return ranges.some((other) => {
    if (other.low > low || other.high < high) return false;
    return other.low < low || other.high > high || ranges.indexOf(other) < ranges.indexOf(range);
  });
}
