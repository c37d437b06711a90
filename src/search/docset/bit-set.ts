import { allocate, kernel, listAt, listLength, memoryWords } from "./kernel.ts";

/** Documents of a leaf, one bit a docId, in the memory of the kernel (see `kernel/layout.ts`). */
export interface BitSet {
  readonly at: number;
  /** 64-bit words of its overview. */
  readonly words: number;
}

/** Places that one such word stands for. */
const docsPerWord = 32_768;
const bytesPerWord = 8 + docsPerWord / 8;
const lineLength = 64;

/** By words: sets not in use. */
const pool = new Map<number, BitSet[]>();
/** Sets that were not given back, as what they belonged to went away as a whole. */
const lost = new FinalizationRegistry<BitSet>(({ at, words }) => releaseBitSet(setAt(at, words)));

function setAt(at: number, words: number): BitSet {
  const set = { at, words };
  lost.register(set, { at, words });
  return set;
}

/** An empty set for docIds below `size`. */
export function acquireBitSet(size: number): BitSet {
  const words = Math.ceil(size / docsPerWord);
  const set = pool.get(words)?.pop() ?? setAt(allocate(words * bytesPerWord + lineLength), words);
  kernel.clear(set.at, words);
  return set;
}

/** Lets others use a set. */
export function releaseBitSet(set: BitSet): void {
  const alike = pool.get(set.words);
  if (alike === undefined) pool.set(set.words, [set]);
  else alike.push(set);
}

/** Adds entries `from` up to, not including, `to` of a list of docIds. */
export function addDocIds(set: BitSet, docIds: Uint32Array, from: number, to: number): void {
  addRuns(set, { starts: [from, to], documents: docIds }, [0], [1]);
}

/** Adds the documents of runs of terms: of terms `lows[n]` up to, not including, `highs[n]`. */
export function addRuns(
  { at, words }: BitSet,
  { starts, documents }: { readonly starts: ArrayLike<number>; readonly documents: Uint32Array },
  lows: ArrayLike<number>,
  highs: ArrayLike<number>,
): void {
  let listed = 0;
  for (let run = 0; run < lows.length; run += 1) {
    const end = starts[highs[run] as number] as number;
    for (let from = starts[lows[run] as number] as number; from < end; ) {
      const to = Math.min(end, from + listLength - listed);
      copy(documents, from, to, listAt / 4 + listed);
      listed += to - from;
      from = to;
      if (listed < listLength) continue;
      kernel.insert(at, words, listAt, listed);
      listed = 0;
    }
  }
  if (listed > 0) kernel.insert(at, words, listAt, listed);
}

function copy(documents: Uint32Array, from: number, to: number, into: number): void {
  if (to - from > shortRun) memoryWords.set(documents.subarray(from, to), into);
  else for (let entry = from; entry < to; entry += 1) memoryWords[into + entry - from] = documents[entry] as number;
}

/** Entries that are copied one by one in the time that a call takes. */
const shortRun = 48;

/** Makes a set what is in words of bits, 32 docIds each. @param length words, from `from` on */
export function fillWords({ at, words }: BitSet, bits: Uint32Array, from: number, length: number): void {
  memoryWords.set(bits.subarray(from, from + length), blocksAt(at, words) / 4);
  kernel.fill(at, words, length * 4);
}

/** Where the blocks of a set begin. */
function blocksAt(at: number, words: number): number {
  return at + ((words * 8 + lineLength - 1) & -lineLength);
}

export function hasDoc({ at, words }: BitSet, docId: number): boolean {
  const overview = memoryWords[(at >>> 2) + (docId >>> 14)] as number;
  if (((overview >>> ((docId >>> 9) & 31)) & 1) === 0) return false;
  return (((memoryWords[(blocksAt(at, words) >>> 2) + (docId >>> 5)] as number) >>> (docId & 31)) & 1) === 1;
}

/** Adds what is in a set to another. */
export function unite(into: BitSet, set: BitSet): void {
  kernel.union(into.at, set.at, into.words);
}

/** Makes a set what is in all of some. */
export function intersect(into: BitSet, sets: readonly BitSet[]): void {
  handOver(sets);
  kernel.intersect(into.at, sets.length, into.words);
}

/** Makes a set what is in exactly one of two. */
export function symmetricDifference(into: BitSet, one: BitSet, other: BitSet): void {
  kernel.symmetricDifference(into.at, one.at, other.at, into.words);
}

/** Makes a set what is in `most` and not in `own`, and what is in `less` and in `own`. */
export function select(into: BitSet, most: BitSet, less: BitSet, own: BitSet): void {
  kernel.select(into.at, most.at, less.at, own.at, into.words);
}

/** Counts, of documents that hold word `first` (`isAlone`) or any from it on, and none before it, how many of the words they hold. Those that
 *  hold most so far, `best` or more and fewer than `below`, are put into `found.most`; into `found.less`, those that hold one less.
 *  @param sets by word  @returns how many words are most now */
export function coordinate(
  sets: readonly BitSet[],
  first: number,
  isAlone: boolean,
  { below, deleted, best }: { readonly below: number; readonly deleted: BitSet | undefined; readonly best: number },
  found: { most: BitSet; less?: BitSet },
): number {
  handOver(sets);
  const { most, less } = found;
  memoryWords[mostAt] = most.at;
  memoryWords[mostAt + 1] = less?.at ?? 0;
  const now = kernel.coordinate(first, sets.length, isAlone, below, deleted?.at ?? 0, best, most.words);
  // The kernel takes the one for the other rather than moving what is in it.
  if (less !== undefined && memoryWords[mostAt] === less.at) [found.most, found.less] = [less, most];
  return now;
}

/** Word of the memory where the kernel is told which sets to fill. */
const mostAt = 32;

/** Places that are found at once, at most: as many as a list of them has room for. */
export const batchLength = 64;
/** Where the lists lie, in the memory: behind what the kernel keeps for itself. */
const batchesAt = 4_096;
/** A list for who asks for one docId alone, perhaps in the middle of others. */
const ofOne = 7;

/** Finds docIds from `from` up to, not including, `to` that are in all of some sets and not in `deleted`, ascending.
 *  @param list which they are put into, 0 to 6  @returns how many; `most`: there may be more behind the last */
export function findDocIds(
  sets: readonly BitSet[],
  deleted: BitSet | undefined,
  from: number,
  to: number,
  list: number,
  most = batchLength,
): number {
  handOver(sets);
  const { words } = sets[0] as BitSet;
  return kernel.docIds(sets.length, deleted?.at ?? 0, words, from, to, batchesAt + list * batchLength * 4, most);
}

/** An entry of a list of docIds that were found. */
export function docIdAt(list: number, entry: number): number {
  return memoryWords[batchesAt / 4 + list * batchLength + entry] as number;
}

/** Whether any document that counts is in all of some sets. */
export function isAnyIn(sets: readonly BitSet[], deleted: BitSet | undefined): boolean {
  const { words } = sets[0] as BitSet;
  return findDocIds(sets, deleted, 0, words * docsPerWord, ofOne, 1) > 0;
}

export function empty({ at, words }: BitSet): void {
  kernel.clear(at, words);
}

/** Tells the kernel which sets it is to work on. */
function handOver(sets: readonly BitSet[]): void {
  for (let index = 0; index < sets.length; index += 1) memoryWords[index] = (sets[index] as BitSet).at;
}
