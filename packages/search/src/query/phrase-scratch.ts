import { countWords } from "../arrays/bits.ts";
import type { Leaf } from "../index/leaf.ts";

/** Scratch memory for the phrase search. */
export class PhraseBuffers {
  /** Bit set of the documents that contain the first word. It is empty when no postings are being scanned. */
  firstWordBits = new Uint32Array(0);
  payloads = new Uint16Array(0);
  /** Indices of the postings whose documents are read next. */
  readonly candidates = new Uint32Array(64);
  /** Receives the data that `prefetch` reads, so that the reads are not optimized away. */
  readonly #prefetchChecksum = new Int32Array(1);

  /** Enlarges the arrays to at least `size` documents. */
  reserve(size: number): void {
    if (this.payloads.length >= size) return;
    this.firstWordBits = new Uint32Array(countWords(size));
    this.payloads = new Uint16Array(size);
  }

  /**
   * Reads the first term of each candidate document, so that the processor loads several documents from memory at the
   * same time.
   * @param count number of candidates
   */
  prefetch({ postings, forward }: Leaf["primary"], count: number): void {
    let checksum = 0;
    for (let candidate = 0; candidate < count; candidate += 1) {
      const start = forward.starts[postings.documents[this.candidates[candidate] as number] as number] as number;
      checksum ^= (forward.terms[start] as number) ^ (forward.payloads[start] as number);
    }
    this.#prefetchChecksum[0] = checksum;
  }
}
