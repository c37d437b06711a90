import { wordsFor } from "../arrays/bits.ts";

/** Scratch of a walk over the postings of two words: which documents hold the first one, and with what payload. Between two walks no
 *  bit is set; payloads are left as they are. */
export class PhraseScratch {
  holders = new Uint32Array(0);
  payloads = new Uint16Array(0);

  /** Makes room for doc ids below `size`. */
  reserve(size: number): void {
    if (this.payloads.length >= size) return;
    this.holders = new Uint32Array(wordsFor(size));
    this.payloads = new Uint16Array(size);
  }
}
