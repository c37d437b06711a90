import { countWords, hasBit, setBit } from "../arrays/bits.ts";
import { createSharedUint32 } from "../arrays/shared-arrays.ts";
import type { DocumentTable, LeafDeletes } from "./leaf.ts";

export function createEmptyDeletes(): LeafDeletes {
  return { deletedCount: 0, fewDeletedDocIds: [] };
}

/** Maximum number of deleted documents that are listed by doc id in addition to the bit set. */
const maxListedDeletes = 64;

/** Marks further documents as deleted.  @param externalIds ids in ascending order; unknown ids are ignored */
export function addDeletes(
  documents: DocumentTable,
  externalIds: ArrayLike<number>,
  previousDeletes: LeafDeletes = createEmptyDeletes(),
): LeafDeletes {
  let deletedBits: Uint32Array | undefined;
  let deletedCount = previousDeletes.deletedCount;
  forEachDocId(documents, externalIds, (docId) => {
    if (previousDeletes.deleted !== undefined && hasBit(previousDeletes.deleted, docId)) return;
    if (deletedBits === undefined) {
      deletedBits = createDocIdBits(documents);
      if (previousDeletes.deleted !== undefined) deletedBits.set(previousDeletes.deleted);
    }
    setBit(deletedBits, docId);
    deletedCount += 1;
  });
  return deletedBits === undefined ? previousDeletes : createDeletes(deletedBits, deletedCount);
}

/** Marks further documents as deleted.  @param bits documents to delete, one bit per doc id */
export function addDeletedBits(bits: Uint32Array, previousDeletes: LeafDeletes): LeafDeletes {
  const deletedBits = bits.slice();
  let deletedCount = 0;
  for (let word = 0; word < deletedBits.length; word += 1) {
    if (previousDeletes.deleted !== undefined)
      deletedBits[word] = (deletedBits[word] as number) | (previousDeletes.deleted[word] as number);
    for (let remainingBits = deletedBits[word] as number; remainingBits !== 0; remainingBits &= remainingBits - 1)
      deletedCount += 1;
  }
  return createDeletes(deletedBits, deletedCount);
}

/**
 * Returns the documents with the given external ids, as a bit set with one bit per doc id.
 * @param externalIds ids in ascending order
 */
export function findDocIdBits(documents: DocumentTable, externalIds: ArrayLike<number>): Uint32Array {
  const bits = createDocIdBits(documents);
  forEachDocId(documents, externalIds, (docId) => setBit(bits, docId));
  return bits;
}

function createDocIdBits({ externalIds }: DocumentTable): Uint32Array {
  return createSharedUint32(countWords(externalIds.length));
}

function createDeletes(deletedDocuments: Uint32Array, deletedCount: number): LeafDeletes {
  if (deletedCount > maxListedDeletes) return { deleted: deletedDocuments, deletedCount };
  const deletedIds: number[] = [];
  for (let word = 0; word < deletedDocuments.length; word += 1)
    for (let remainingBits = deletedDocuments[word] as number; remainingBits !== 0; remainingBits &= remainingBits - 1)
      deletedIds.push(word * 32 + 31 - Math.clz32(remainingBits & -remainingBits));
  return { deleted: deletedDocuments, deletedCount, fewDeletedDocIds: deletedIds };
}

/**
 * Calls `visit` with the doc id of each requested external id that the table contains. Both lists of ids are in
 * ascending order. A galloping search starts at the previous match, so the time depends on the length of the shorter
 * list.
 */
function forEachDocId(
  { externalIds, byExternalId }: DocumentTable,
  requestedIds: ArrayLike<number>,
  visit: (docId: number) => void,
): void {
  const idCount = byExternalId.length;
  const getId = (idIndex: number): number => externalIds[byExternalId[idIndex] as number] as number;
  let from = 0;
  for (let index = 0; index < requestedIds.length && from < idCount; index += 1) {
    const externalId = requestedIds[index] as number;
    let step = 1;
    while (from + step < idCount && getId(from + step) < externalId) step *= 2;
    let low = from + (step >>> 1);
    let high = Math.min(idCount, from + step + 1);
    while (low < high) {
      const middleIndex = (low + high) >>> 1;
      if (getId(middleIndex) < externalId) low = middleIndex + 1;
      else high = middleIndex;
    }
    from = low;
    if (from < idCount && getId(from) === externalId) visit(byExternalId[from] as number);
  }
}
