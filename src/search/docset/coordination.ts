import { addDocIds, type BitSet, batchLength, coordinate, docIdAt, empty, findDocIds, hasDoc } from "./bit-set.ts";

/** What is asked of `findTopCoordination`. */
export interface Holders {
  /** By word: the documents that hold it, words that few hold first. */
  readonly sets: readonly BitSet[];
  /** By word: about how many those are. */
  readonly sizes: readonly number[];
  /** Places there are. */
  readonly size: number;
  /** A document that holds so many words, or more, does not count. */
  readonly below: number;
  /** Documents that do not count. */
  readonly deleted: BitSet | undefined;
  /** How many of the words a document holds, where that may be fewer than those of whose sets it is. */
  readonly recount?: (docId: number) => number;
}

/** Where documents are put that hold most words, and those that hold one word less (1 at least) where that is asked for. Some that do
 *  not count may be among them. */
export interface Found {
  most: BitSet;
  less?: BitSet;
}

/** Places that are looked at all at once in the time in which one is found and looked at. */
const docsPerLookup = 512;

/** @param found empty sets  @returns how many words most are; 0: no document holds any
 *
 *  A document that holds all but n of the words holds one of the n + 1 rarest. So documents of the rarest words are looked at first,
 *  until what is left cannot be better, or is had more quickly all at once. */
export function findTopCoordination(holders: Holders, found: Found): number {
  const { sets, sizes, size, below, deleted, recount } = holders;
  let best = 0;
  for (let first = 0; first < sets.length && sets.length - first >= leastWanted(best, found); first += 1) {
    if (recount !== undefined) best = recountEach(holders, recount, first, best, found);
    else {
      const isAlone = (sizes[first] as number) * docsPerLookup < size;
      best = coordinate(sets, first, isAlone, { below, deleted, best }, found);
      if (!isAlone) break;
    }
  }
  return best;
}

/** Words that a document must hold to be put anywhere. */
function leastWanted(best: number, { less }: Found): number {
  return Math.max(1, less === undefined ? best : best - 1);
}

/** Looks at each document that holds a word and none before it. */
function recountEach(
  { sets, size, below, deleted }: Holders,
  recount: (docId: number) => number,
  first: number,
  before: number,
  found: Found,
): number {
  let best = before;
  const own = [sets[first] as BitSet];
  for (let from = 0; ; ) {
    const count = findDocIds(own, deleted, from, size, 0);
    for (let entry = 0; entry < count; entry += 1) {
      const docId = docIdAt(0, entry);
      from = docId + 1;
      if (isInAny(sets, first, docId)) continue;
      const held = recount(docId);
      if (held < leastWanted(best, found) || held >= below) continue;
      if (held > best) best = raise(best, held, found);
      addDocIds(held < best && found.less ? found.less : found.most, Uint32Array.of(docId), 0, 1);
    }
    if (count < batchLength) return best;
  }
}

function isInAny(sets: readonly BitSet[], end: number, docId: number): boolean {
  for (let at = 0; at < end; at += 1) if (hasDoc(sets[at] as BitSet, docId)) return true;
  return false;
}

/** Makes room for documents that hold more words. */
function raise(best: number, to: number, found: Found): number {
  if (found.less !== undefined) {
    empty(found.less);
    if (to === best + 1) [found.most, found.less] = [found.less, found.most];
  }
  empty(found.most);
  return to;
}
