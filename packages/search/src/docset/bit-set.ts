import { Kernel, listAt, listLength } from "./kernel.ts";

/** A set of documents of one leaf, one bit per doc id, in the memory of a kernel (see `kernel/layout.ts`). */
export interface BitSet {
  /** Address in bytes. */
  readonly at: number;
  /** Number of 64-bit words of its overview. */
  readonly words: number;
}

/** Doc ids covered by one 64-bit word of an overview: 64 blocks of 512 bits. */
const docsPerWord = 32_768;
const bytesPerWord = 8 + docsPerWord / 8;
/** Blocks begin at multiples of this many bytes. */
const blockAlignment = 64;

/** Doc ids that `findDocIds` finds at once, at most. */
export const batchLength = 64;
/** Bytes of one batch. */
const batchBytes = batchLength * 4;
/** Number of entries below which a copy loop is faster than `TypedArray.set`. */
const shortRun = 48;

/** The bit sets of one searcher: owns their memory, and reuses released sets. */
export class BitSets {
  readonly #kernel = new Kernel();
  /** By number of overview words: sets not in use. */
  readonly #free = new Map<number, BitSet[]>();
  /** Batch of `isAnyIn`. */
  readonly #probe = this.#kernel.allocate(batchBytes);

  /** Bytes of memory that have been reserved, whether in use or free. */
  get byteLength(): number {
    return this.#kernel.words.byteLength;
  }

  /** Returns an empty set for doc ids below `size`. Its owner must release it once. */
  acquire(size: number): BitSet {
    const words = Math.ceil(size / docsPerWord);
    const free = this.#free.get(words)?.pop();
    const set = free ?? { at: this.#kernel.allocate(words * bytesPerWord + blockAlignment), words };
    this.#kernel.functions.clear(set.at, words);
    return set;
  }

  release(set: BitSet): void {
    const free = this.#free.get(set.words);
    if (free === undefined) this.#free.set(set.words, [set]);
    else free.push(set);
  }

  /** Reserves memory for a batch of doc ids, for good. @returns its address */
  allocateBatch(): number {
    return this.#kernel.allocate(batchBytes);
  }

  clear({ at, words }: BitSet): void {
    this.#kernel.functions.clear(at, words);
  }

  /** Adds entries `from` up to `to` (exclusive) of a list of doc ids. */
  addDocIds(set: BitSet, docIds: Uint32Array, from: number, to: number): void {
    this.addPostings(set, { starts: [from, to], documents: docIds }, [0], [1]);
  }

  /** Adds the documents of ranges of terms: range n has the terms `lows[n]` up to, not including, `highs[n]`. */
  addPostings(
    { at, words }: BitSet,
    { starts, documents }: { readonly starts: ArrayLike<number>; readonly documents: Uint32Array },
    lows: ArrayLike<number>,
    highs: ArrayLike<number>,
  ): void {
    const { functions } = this.#kernel;
    let listed = 0;
    for (let range = 0; range < lows.length; range += 1) {
      const end = starts[highs[range] as number] as number;
      for (let from = starts[lows[range] as number] as number; from < end; ) {
        const to = Math.min(end, from + listLength - listed);
        this.#copy(documents, from, to, listAt / 4 + listed);
        listed += to - from;
        from = to;
        if (listed < listLength) continue;
        functions.insert(at, words, listAt, listed);
        listed = 0;
      }
    }
    if (listed > 0) functions.insert(at, words, listAt, listed);
  }

  #copy(documents: Uint32Array, from: number, to: number, into: number): void {
    const { words } = this.#kernel;
    if (to - from > shortRun) words.set(documents.subarray(from, to), into);
    else for (let entry = from; entry < to; entry += 1) words[into + entry - from] = documents[entry] as number;
  }

  /**
   * Replaces a set by plain bits, 32 doc ids per word.
   * @param from first word of the bits
   * @param length number of words
   */
  assign({ at, words }: BitSet, bits: Uint32Array, from: number, length: number): void {
    this.#kernel.words.set(bits.subarray(from, from + length), blocksAt(at, words) / 4);
    this.#kernel.functions.fill(at, words, length * 4);
  }

  has({ at, words }: BitSet, docId: number): boolean {
    const memory = this.#kernel.words;
    const overview = memory[(at >>> 2) + (docId >>> 14)] as number;
    if (((overview >>> ((docId >>> 9) & 31)) & 1) === 0) return false;
    return (((memory[(blocksAt(at, words) >>> 2) + (docId >>> 5)] as number) >>> (docId & 31)) & 1) === 1;
  }

  /** Adds all of `set` to `into`. */
  union(into: BitSet, set: BitSet): void {
    this.#kernel.functions.union(into.at, set.at, into.words);
  }

  /** Intersects `sets` into `into`, which may be one of them. */
  intersect(into: BitSet, sets: readonly BitSet[]): void {
    this.#giveOperands(sets);
    this.#kernel.functions.intersect(into.at, sets.length, into.words);
  }

  /**
   * Finds doc ids from `from` up to `to` (exclusive) that are in all of `sets` and not in `deleted`, ascending.
   * @param batch address of the batch for the result
   * @param most maximum number of doc ids, at most `batchLength`
   * @returns the number found; if it is `most`, more may follow the last
   */
  findDocIds(
    sets: readonly BitSet[],
    deleted: BitSet | undefined,
    from: number,
    to: number,
    batch: number,
    most = batchLength,
  ): number {
    this.#giveOperands(sets);
    const { words } = sets[0] as BitSet;
    return this.#kernel.functions.docIds(sets.length, deleted?.at ?? 0, words, from, to, batch, most);
  }

  /** Memory of the batches, each from a fourth of its address on; valid until more memory is reserved. */
  get memory(): Uint32Array {
    return this.#kernel.words;
  }

  /** Returns an entry of a batch. */
  docIdAt(batch: number, entry: number): number {
    return this.#kernel.words[(batch >>> 2) + entry] as number;
  }

  /** Whether any document is in all of `sets` and not in `deleted`. */
  isAnyIn(sets: readonly BitSet[], deleted: BitSet | undefined): boolean {
    const { words } = sets[0] as BitSet;
    return this.findDocIds(sets, deleted, 0, words * docsPerWord, this.#probe, 1) > 0;
  }

  /** Writes the addresses of the sets to the kernel's operands. */
  #giveOperands(sets: readonly BitSet[]): void {
    const memory = this.#kernel.words;
    for (let index = 0; index < sets.length; index += 1) memory[index] = (sets[index] as BitSet).at;
  }
}

/** Byte offset of the first block of a set. */
function blocksAt(at: number, words: number): number {
  return at + ((words * 8 + blockAlignment - 1) & -blockAlignment);
}
