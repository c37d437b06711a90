import { countWords } from "../arrays/bits.ts";
import type { Leaf } from "../index/leaf.ts";

/** Scratch memory for the phrase search. */
export class PhraseScratch {
  /**
   * Bits of the documents that contain the first word, used while the postings of two words are scanned. No bit is set
   * between two scans.
   */
  firstWordBits = new Uint32Array(0);
  payloads = new Uint16Array(0);
  /** Posting indices of the next documents to read. */
  readonly candidates = new Uint32Array(64);
  /** Receives the data that `prefetch` reads, so that the reads are not optimized away. */
  readonly #prefetched = new Int32Array(1);

  /** Enlarges the arrays for doc ids below `size`. */
  reserve(size: number): void {
    if (this.payloads.length >= size) return;
    this.firstWordBits = new Uint32Array(countWords(size));
    this.payloads = new Uint16Array(size);
  }

  /**
   * Reads data of the first `count` candidates, so that the processor fetches their documents at the same time (see
   * `DocIdIterator`).
   */
  prefetch({ postings, forward }: Leaf["primary"], count: number): void {
    let checksum = 0;
    for (let candidate = 0; candidate < count; candidate += 1) {
      const start = forward.starts[postings.documents[this.candidates[candidate] as number] as number] as number;
      checksum ^= (forward.terms[start] as number) ^ (forward.payloads[start] as number);
    }
    this.#prefetched[0] = checksum;
  }
}
