import type { Leaf, LeafReader, Partition } from "../index/leaf.ts";
import type { SearchContext } from "../search-context.ts";
import { type BitSet, batchLength } from "./bit-set.ts";
import { deletedOf } from "./filter-cache.ts";

/** Doc id after the last document. It is a small integer, so that doc ids are never boxed. */
const noMoreDocs = 0x7fffffff;

/** Iterates over the documents of a partition that are in all sets, in ascending order. Doc ids are read in batches. */
class DocIdIterator {
  readonly #context: SearchContext;
  readonly #leaf: Leaf;
  readonly #sets: readonly BitSet[];
  readonly #deleted: BitSet | undefined;
  readonly #end: number;
  /** Address of the batch of doc ids. */
  readonly #batch: number;
  /** Maximum number of doc ids in the next batch. */
  #maxCount: number;
  #count = 0;
  #index = 0;
  /** Current doc id, or `noMoreDocs`. */
  docId = 0;

  constructor(
    context: SearchContext,
    reader: LeafReader,
    sets: readonly BitSet[],
    { from, to }: Partition,
    expectedCount: number,
  ) {
    this.#context = context;
    this.#leaf = reader.leaf;
    this.#sets = sets;
    this.#deleted = deletedOf(context, reader);
    this.#end = to;
    this.#batch = context.batch;
    this.#maxCount = Math.min(batchLength, expectedCount);
    this.#fill(from);
  }

  advance(): void {
    this.#index += 1;
    if (this.#index < this.#count) this.docId = this.#context.bitSets.docIdAt(this.#batch, this.#index);
    else if (this.#count < this.#maxCount) this.docId = noMoreDocs;
    else {
      this.#maxCount = batchLength;
      this.#fill(this.docId + 1);
    }
  }

  #fill(from: number): void {
    const { bitSets, prefetched } = this.#context;
    this.#count = bitSets.findDocIds(this.#sets, this.#deleted, from, this.#end, this.#batch, this.#maxCount);
    this.#index = 0;
    this.docId = this.#count === 0 ? noMoreDocs : bitSets.docIdAt(this.#batch, 0);
    prefetch(this.#leaf, bitSets.memory, this.#batch >>> 2, this.#count, prefetched);
  }
}

/**
 * Reads data of some documents. The reads are independent, so the processor fetches many documents from memory at the
 * same time, and scoring finds them in the processor's caches.
 * @param docIds array of the doc ids
 * @param from index of the first doc id
 * @param prefetched receives the read data, so that the reads are not optimized away
 */
export function prefetch(
  { primary, body, documents }: Leaf,
  docIds: Uint32Array,
  from: number,
  count: number,
  prefetched: Int32Array,
): void {
  const { starts, terms, payloads } = primary.forward;
  const bodyStarts = body.forward.starts;
  const { docValues } = documents;
  let checksum = 0;
  for (let entry = from; entry < from + count; entry += 1) {
    const docId = docIds[entry] as number;
    const firstEntry = starts[docId] as number;
    // The terms of most documents are in two cache lines.
    const lastEntry = Math.max(firstEntry, (starts[docId + 1] as number) - 1);
    checksum ^= (terms[firstEntry] as number) ^ (terms[lastEntry] as number);
    checksum ^= (payloads[firstEntry] as number) ^ (docValues[docId] as number) ^ (bodyStarts[docId] as number);
  }
  prefetched[0] = checksum;
}

/**
 * Calls `isEnough` with the current doc ids of a partition that are in all sets, in ascending order, until it returns
 * true.
 * @param expectedCount probable number of doc ids needed
 */
export function forEachDocId(
  context: SearchContext,
  sets: readonly BitSet[],
  reader: LeafReader,
  partition: Partition,
  expectedCount: number,
  isEnough: (docId: number) => boolean,
): void {
  const iterator = new DocIdIterator(context, reader, sets, partition, expectedCount);
  while (iterator.docId !== noMoreDocs && !isEnough(iterator.docId)) iterator.advance();
}
