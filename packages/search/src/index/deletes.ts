import { countWords, hasBit, setBit } from "../arrays/bits.ts";
import { sharedUint32 } from "../arrays/shared-arrays.ts";
import type { DocumentTable, LeafDeletes } from "./leaf.ts";

export function noDeletes(): LeafDeletes {
  return { deletedCount: 0, fewDeleted: [] };
}

/** Deleted documents that are listed one by one, at most. */
const maxListed = 64;

/** Deletes further documents.  @param externalIds ascending; unknown ids are ignored */
export function addDeletes(
  documents: DocumentTable,
  externalIds: ArrayLike<number>,
  before: LeafDeletes = noDeletes(),
): LeafDeletes {
  let deleted: Uint32Array | undefined;
  let count = before.deletedCount;
  eachDocId(documents, externalIds, (docId) => {
    if (before.deleted !== undefined && hasBit(before.deleted, docId)) return;
    if (deleted === undefined) {
      deleted = noneOf(documents);
      if (before.deleted !== undefined) deleted.set(before.deleted);
    }
    setBit(deleted, docId);
    count += 1;
  });
  return deleted === undefined ? before : listed(deleted, count);
}

/** Deletes further documents.  @param bits of the leaf's documents */
export function addDeletedBits(bits: Uint32Array, before: LeafDeletes): LeafDeletes {
  const deleted = bits.slice();
  let count = 0;
  for (let word = 0; word < deleted.length; word += 1) {
    if (before.deleted !== undefined) deleted[word] = (deleted[word] as number) | (before.deleted[word] as number);
    for (let left = deleted[word] as number; left !== 0; left &= left - 1) count += 1;
  }
  return listed(deleted, count);
}

/** Returns the documents of a leaf with one of the ids, one bit per doc id.  @param externalIds ascending */
export function docIdBits(documents: DocumentTable, externalIds: ArrayLike<number>): Uint32Array {
  const bits = noneOf(documents);
  eachDocId(documents, externalIds, (docId) => setBit(bits, docId));
  return bits;
}

function noneOf({ externalIds }: DocumentTable): Uint32Array {
  return sharedUint32(countWords(externalIds.length));
}

function listed(deleted: Uint32Array, deletedCount: number): LeafDeletes {
  if (deletedCount > maxListed) return { deleted, deletedCount };
  const fewDeleted: number[] = [];
  for (let word = 0; word < deleted.length; word += 1)
    for (let left = deleted[word] as number; left !== 0; left &= left - 1)
      fewDeleted.push(word * 32 + 31 - Math.clz32(left & -left));
  return { deleted, deletedCount, fewDeleted };
}

/**
 * Both lists are in ascending order. A galloping search starts at the previous match, so the time depends on the shorter
 * list.
 */
function eachDocId(
  { externalIds, byExternalId }: DocumentTable,
  wanted: ArrayLike<number>,
  take: (docId: number) => void,
): void {
  const count = byExternalId.length;
  const idAt = (place: number): number => externalIds[byExternalId[place] as number] as number;
  let from = 0;
  for (let index = 0; index < wanted.length && from < count; index += 1) {
    const externalId = wanted[index] as number;
    let step = 1;
    while (from + step < count && idAt(from + step) < externalId) step *= 2;
    let low = from + (step >>> 1);
    let high = Math.min(count, from + step + 1);
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (idAt(middle) < externalId) low = middle + 1;
      else high = middle;
    }
    from = low;
    if (from < count && idAt(from) === externalId) take(byExternalId[from] as number);
  }
}
