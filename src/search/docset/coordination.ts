import { type BitSet, type BitSets, batchLength, type CoordinationSets } from "./bit-set.ts";

/** The words of a query, as what coordination counts: how many of them a document holds. */
export interface CoordinationQuery {
  /** By word: the documents that hold it; words with the fewest documents come first. */
  readonly sets: readonly BitSet[];
  /** By word: about how many documents those are. */
  readonly costs: readonly number[];
  /** Doc ids are below this. */
  readonly size: number;
  /** Documents that hold this many words or more do not count. */
  readonly below: number;
  readonly deleted: BitSet | undefined;
  /** The number of words that a document holds, where that may be fewer than the sets it is in. */
  readonly recount?: (docId: number) => number;
  /** Address of a batch of doc ids that may be overwritten. */
  readonly batch: number;
}

/** A word's documents are counted alone, and not with those of all later words, where they are fewer than one in this many: then
 *  looking at each of them is quicker than passing over the blocks of all sets. */
const docsPerLookup = 512;

/** Finds the documents that hold the most words, and those that hold one word less where `found` has a set for them. Deleted
 *  documents may be among them.
 *
 *  A document that holds all but n of the words holds one of the n + 1 rarest. So documents of the rarest words are counted first,
 *  until no other document can hold as many.
 *  @param found empty sets  @returns how many words the most are; 0: no document holds any */
export function findTopCoordination(
  bitSets: BitSets,
  { sets, costs, size, below, deleted, recount, batch }: CoordinationQuery,
  found: CoordinationSets,
): number {
  let best = 0;
  for (let first = 0; first < sets.length && sets.length - first >= leastWanted(best, found); first += 1) {
    if (recount !== undefined) {
      best = recountEach(first);
      continue;
    }
    const isAlone = (costs[first] as number) * docsPerLookup < size;
    best = bitSets.coordinate(sets, first, isAlone, { below, deleted, best }, found);
    if (!isAlone) break;
  }
  return best;

  /** Counts each document that holds word `first` and none before it. */
  function recountEach(first: number): number {
    const own = [sets[first] as BitSet];
    for (let from = 0; ; ) {
      const count = bitSets.findDocIds(own, deleted, from, size, batch);
      for (let entry = 0; entry < count; entry += 1) {
        const docId = bitSets.docIdAt(batch, entry);
        from = docId + 1;
        if (isInAny(first, docId)) continue;
        const held = recount?.(docId) ?? 0;
        if (held < leastWanted(best, found) || held >= below) continue;
        if (held > best) raise(held);
        bitSets.addDocIds(held < best && found.next ? found.next : found.top, Uint32Array.of(docId), 0, 1);
      }
      if (count < batchLength) return best;
    }
  }

  function isInAny(end: number, docId: number): boolean {
    for (let at = 0; at < end; at += 1) if (bitSets.has(sets[at] as BitSet, docId)) return true;
    return false;
  }

  /** Empties the sets for documents that hold more words than any before. */
  function raise(to: number): void {
    if (found.next !== undefined) {
      bitSets.clear(found.next);
      if (to === best + 1) [found.top, found.next] = [found.next, found.top];
    }
    bitSets.clear(found.top);
    best = to;
  }
}

/** Words that a document must hold to be put into either set. */
function leastWanted(best: number, { next }: CoordinationSets): number {
  return Math.max(1, next === undefined ? best : best - 1);
}
