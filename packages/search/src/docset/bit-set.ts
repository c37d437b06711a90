import { BitSetKernel, docIdListAddress, docIdListLength } from "./kernel.ts";

/** A set of documents with one bit per document id. The bits are in WebAssembly memory (see `kernel/layout.ts`). */
export interface BitSet {
  /** Byte address of the set in the WebAssembly memory. */
  readonly address: number;
  /**
   * Number of 64-bit words in the overview of the set. The overview has one bit per block of 512 documents, which is 1
   * if the block contains a document of the set.
   */
  readonly wordCount: number;
}

/** Number of documents per 64-bit word of the overview: 64 blocks of 512 documents. */
const docsPerBitmapWord = 32_768;
const bytesPerWord = 8 + docsPerBitmapWord / 8;
/** Alignment of blocks in bytes. */
const blockAlignment = 64;

/** Maximum number of doc ids that `findDocIds` returns per call. */
export const batchLength = 64;
/** Size of a batch of document ids in bytes. */
const batchBytes = batchLength * 4;
/** Number of entries below which a copy loop is faster than `TypedArray.set`. */
const minBulkCopyEntries = 48;

/** Allocates the bit sets of one searcher and reuses released sets. */
export class BitSets {
  readonly #kernel = new BitSetKernel();
  /** Released sets for reuse. The key is the `wordCount` of the sets. */
  readonly #releasedBitSets = new Map<number, BitSet[]>();
  /** Address of the result buffer of `intersects`. */
  readonly #resultAddress = this.#kernel.allocate(batchBytes);

  /** Size of the reserved memory in bytes, including unused sets. */
  get byteLength(): number {
    return this.#kernel.words.byteLength;
  }

  /** Returns an empty set for doc ids below `size`. The caller must release it once. */
  acquire(size: number): BitSet {
    const wordCount = Math.ceil(size / docsPerBitmapWord);
    const reusableSet = this.#releasedBitSets.get(wordCount)?.pop();
    const set = reusableSet ?? { address: this.#kernel.allocate(wordCount * bytesPerWord + blockAlignment), wordCount };
    this.#kernel.functions.clear(set.address, wordCount);
    return set;
  }

  release(set: BitSet): void {
    const reusableSets = this.#releasedBitSets.get(set.wordCount);
    if (reusableSets === undefined) this.#releasedBitSets.set(set.wordCount, [set]);
    else reusableSets.push(set);
  }

  /** Reserves memory for a batch of doc ids permanently.  @returns address of the batch */
  allocateBatch(): number {
    return this.#kernel.allocate(batchBytes);
  }

  addDocIds(set: BitSet, docIds: Uint32Array): void {
    this.addPostings(set, { starts: [0, docIds.length], documents: docIds }, [0], [1]);
  }

  /**
   * Adds the documents that contain any term of the given ranges. Range n contains the terms from `lows[n]` to
   * `highs[n]` (exclusive).
   */
  addPostings(
    { address, wordCount }: BitSet,
    { starts, documents }: { readonly starts: ArrayLike<number>; readonly documents: Uint32Array },
    lows: ArrayLike<number>,
    highs: ArrayLike<number>,
  ): void {
    const { functions: kernelFunctions } = this.#kernel;
    let copiedCount = 0;
    for (let rangeIndex = 0; rangeIndex < lows.length; rangeIndex += 1) {
      const end = starts[highs[rangeIndex] as number] as number;
      for (let from = starts[lows[rangeIndex] as number] as number; from < end; ) {
        const to = Math.min(end, from + docIdListLength - copiedCount);
        this.#copyDocIds(documents, from, to, docIdListAddress / 4 + copiedCount);
        copiedCount += to - from;
        from = to;
        if (copiedCount < docIdListLength) continue;
        kernelFunctions.insert(address, wordCount, docIdListAddress, copiedCount);
        copiedCount = 0;
      }
    }
    if (copiedCount > 0) kernelFunctions.insert(address, wordCount, docIdListAddress, copiedCount);
  }

  #copyDocIds(documents: Uint32Array, from: number, to: number, target: number): void {
    const { words } = this.#kernel;
    if (to - from > minBulkCopyEntries) words.set(documents.subarray(from, to), target);
    else for (let entry = from; entry < to; entry += 1) words[target + entry - from] = documents[entry] as number;
  }

  /**
   * Replaces the contents of a set with the bits of an array, in which each 32-bit word covers 32 documents.
   * @param from index of the first word in `bits`
   * @param length number of words
   */
  assign({ address, wordCount }: BitSet, bits: Uint32Array, from: number, length: number): void {
    this.#kernel.words.set(bits.subarray(from, from + length), getBlockAddress(address, wordCount) / 4);
    this.#kernel.functions.fill(address, wordCount, length * 4);
  }

  has({ address, wordCount }: BitSet, docId: number): boolean {
    const memory = this.#kernel.words;
    const overview = memory[(address >>> 2) + (docId >>> 14)] as number;
    if (((overview >>> ((docId >>> 9) & 31)) & 1) === 0) return false;
    return (
      (((memory[(getBlockAddress(address, wordCount) >>> 2) + (docId >>> 5)] as number) >>> (docId & 31)) & 1) === 1
    );
  }

  /** Adds all documents of `set` to `target`. */
  union(target: BitSet, set: BitSet): void {
    this.#kernel.functions.union(target.address, set.address, target.wordCount);
  }

  /** Writes the intersection of `sets` to `target`, which may be one of the sets. */
  intersect(target: BitSet, sets: readonly BitSet[]): void {
    this.#writeOperands(sets);
    this.#kernel.functions.intersect(target.address, sets.length, target.wordCount);
  }

  /**
   * Finds doc ids from `from` to `to` (exclusive) that are in all of `sets` and not in `deletedDocs`, in ascending order.
   * @param batch address of the batch for the result
   * @param maxCount maximum number of doc ids, at most `batchLength`
   * @returns the number of doc ids in the batch; if it equals `maxCount`, there may be more
   */
  findDocIds(
    sets: readonly BitSet[],
    deletedDocs: BitSet | undefined,
    from: number,
    to: number,
    batch: number,
    maxCount: number,
  ): number {
    this.#writeOperands(sets);
    const { wordCount } = sets[0] as BitSet;
    return this.#kernel.functions.docIds(sets.length, deletedDocs?.address ?? 0, wordCount, from, to, batch, maxCount);
  }

  /** The WebAssembly memory as 32-bit words. The array becomes invalid when the memory grows. */
  get memory(): Uint32Array {
    return this.#kernel.words;
  }

  /** Returns the document id at an index of a batch.  @param batch byte address of the batch */
  docIdAt(batch: number, entry: number): number {
    return this.#kernel.words[(batch >>> 2) + entry] as number;
  }

  /** Returns whether any document is in all of `sets` and not in `deletedDocs`. */
  intersects(sets: readonly BitSet[], deletedDocs: BitSet | undefined): boolean {
    const { wordCount } = sets[0] as BitSet;
    return this.findDocIds(sets, deletedDocs, 0, wordCount * docsPerBitmapWord, this.#resultAddress, 1) > 0;
  }

  /** Passes the addresses of the sets to the WebAssembly functions. */
  #writeOperands(sets: readonly BitSet[]): void {
    const memory = this.#kernel.words;
    for (let index = 0; index < sets.length; index += 1) memory[index] = (sets[index] as BitSet).address;
  }
}

/** Returns the byte address of the first block of a set. */
function getBlockAddress(address: number, wordCount: number): number {
  return address + ((wordCount * 8 + blockAlignment - 1) & -blockAlignment);
}
