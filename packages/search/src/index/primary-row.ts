import { growArray } from "../arrays/shared-arrays.ts";
import type { TokenizedDocuments } from "./pack-leaf.ts";
import { fieldMaskOf, maxPosition, packPayload, phraseEndBit, positionOf, purposeBitIndex } from "./postings.ts";

/** Collects the terms of one document, with their payloads, from all fields except the body. */
export class PrimaryTerms {
  length = 0;
  #terms = new Uint32Array(1 << 6);
  #payloads = new Uint16Array(1 << 6);

  /** Adds a term that the document did not contain yet.  @returns index of the term */
  push(term: number, payload: number): number {
    if (this.length === this.#terms.length) {
      this.#terms = growArray(this.#terms);
      this.#payloads = growArray(this.#payloads);
    }
    this.#terms[this.length] = term;
    this.#payloads[this.length] = payload;
    this.length += 1;
    return this.length - 1;
  }

  /** Sets further bits in the payload of a term. */
  addBits(entry: number, payload: number): void {
    this.#payloads[entry] = (this.#payloads[entry] as number) | payload;
  }

  /**
   * Records another occurrence of a term in the title.
   * @param statesPurpose whether the word states the product's purpose, such as "iphone" in "case for iPhone"
   */
  addTitleOccurrence(entry: number, position: number, statesPurpose: boolean): void {
    const payload = this.#payloads[entry] as number;
    const isInTitle = (fieldMaskOf(payload) & 1) === 1;
    const purposeFieldMask = 1 << purposeBitIndex;
    if (statesPurpose) {
      if (!isInTitle) this.addBits(entry, packPayload(purposeFieldMask, 0));
      return;
    }
    // A term may be added twice at one position: as a word and as a quantity.
    const isRepeated = isInTitle && Math.min(position, maxPosition) !== positionOf(payload);
    this.addBits(entry, packPayload(isRepeated ? purposeFieldMask | 1 : 1, 0));
  }

  /**
   * Records a word of the maker (see `Schema.maker`).
   * @param offset position of the word in the maker's name; the title starts with the maker if it has the same position
   */
  addMakerWord(entry: number, offset: number): void {
    const payload = this.#payloads[entry] as number;
    if ((fieldMaskOf(payload) & 1) === 0 || positionOf(payload) !== offset) return;
    this.#payloads[entry] = offset === 0 ? payload | phraseEndBit : payload & ~phraseEndBit;
  }

  moveTo({ terms, payloads }: TokenizedDocuments["primary"]): void {
    terms.pushAll(this.#terms, this.length);
    payloads.pushAll(this.#payloads, this.length);
    this.length = 0;
  }
}
