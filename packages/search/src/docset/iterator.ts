import type { Leaf, LeafReader, Partition } from "../index/leaf.ts";
import type { SearchContext } from "../search-context.ts";
import { type BitSet, batchLength } from "./bit-set.ts";
import { findDeletedDocuments } from "./filter-cache.ts";

/** Document id that marks the end of the documents. V8 stores it as a small integer, without a heap allocation. */
const noMoreDocs = 0x7fffffff;

/**
 * Iterates over the documents of a partition that are in all sets, in ascending order. Document ids are read in
 * batches.
 */
class DocIdIterator {
  readonly #context: SearchContext;
  readonly #leaf: Leaf;
  readonly #sets: readonly BitSet[];
  readonly #deletedDocuments: BitSet | undefined;
  readonly #end: number;
  /** Byte address of the current batch of document ids. */
  readonly #batchAddress: number;
  /** Maximum number of document ids in the next batch. */
  #maxCount: number;
  #count = 0;
  #index = 0;
  /** Current document id, or `noMoreDocs`. */
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
    this.#deletedDocuments = findDeletedDocuments(context, reader);
    this.#end = to;
    this.#batchAddress = context.batch;
    this.#maxCount = Math.min(batchLength, expectedCount);
    this.#fillBatch(from);
  }

  advance(): void {
    this.#index += 1;
    if (this.#index < this.#count) this.docId = this.#context.bitSets.docIdAt(this.#batchAddress, this.#index);
    else if (this.#count < this.#maxCount) this.docId = noMoreDocs;
    else {
      this.#maxCount = batchLength;
      this.#fillBatch(this.docId + 1);
    }
  }

  #fillBatch(from: number): void {
    const { bitSets, prefetchChecksum } = this.#context;
    this.#count = bitSets.findDocIds(
      this.#sets,
      this.#deletedDocuments,
      from,
      this.#end,
      this.#batchAddress,
      this.#maxCount,
    );
    this.#index = 0;
    this.docId = this.#count === 0 ? noMoreDocs : bitSets.docIdAt(this.#batchAddress, 0);
    prefetch(this.#leaf, bitSets.memory, this.#batchAddress >>> 2, this.#count, prefetchChecksum);
  }
}

/**
 * Loads data of several documents into the processor's caches before they are scored. The reads do not depend on each
 * other, so the processor performs them at the same time.
 * @param docIds array of the document ids
 * @param from index of the first document id
 * @param prefetchedIds receives the read data, so that the reads are not optimized away
 */
export function prefetch(
  { primary, body, documents }: Leaf,
  docIds: Uint32Array,
  from: number,
  count: number,
  prefetchedIds: Int32Array,
): void {
  const { starts, terms, payloads } = primary.forward;
  const bodyPostingStarts = body.forward.starts;
  const { docValues } = documents;
  let checksum = 0;
  for (let entry = from; entry < from + count; entry += 1) {
    const docId = docIds[entry] as number;
    const firstEntry = starts[docId] as number;
    // The terms of most documents are in two cache lines, so reading the first and the last term loads all of them.
    const lastEntry = Math.max(firstEntry, (starts[docId + 1] as number) - 1);
    checksum ^= (terms[firstEntry] as number) ^ (terms[lastEntry] as number);
    checksum ^= (payloads[firstEntry] as number) ^ (docValues[docId] as number) ^ (bodyPostingStarts[docId] as number);
  }
  prefetchedIds[0] = checksum;
}

/**
 * Calls `hasEnoughHits` with each document of a partition that is in all sets and not deleted, in ascending order,
 * until `hasEnoughHits` returns true.
 * @param expectedCount estimated number of documents needed
 */
export function forEachDocId(
  context: SearchContext,
  sets: readonly BitSet[],
  reader: LeafReader,
  partition: Partition,
  expectedCount: number,
  hasEnoughHits: (docId: number) => boolean,
): void {
  const iterator = new DocIdIterator(context, reader, sets, partition, expectedCount);
  while (iterator.docId !== noMoreDocs && !hasEnoughHits(iterator.docId)) iterator.advance();
}
