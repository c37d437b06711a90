import type { DocumentLog } from "./part-packing.ts";
import { widened } from "./shared-arrays.ts";

/** The words that name one document, while it is read. */
export class HeadRow {
  length = 0;
  #terms = new Uint32Array(1 << 6);
  #marks = new Uint16Array(1 << 6);

  /** @returns where it stands */
  push(term: number, value: number): number {
    if (this.length === this.#terms.length) {
      this.#terms = widened(this.#terms);
      this.#marks = widened(this.#marks);
    }
    this.#terms[this.length] = term;
    this.#marks[this.length] = value;
    this.length += 1;
    return this.length - 1;
  }

  /** Adds to a mark what else is known of the word. */
  add(entry: number, value: number): void {
    this.#marks[entry] = (this.#marks[entry] as number) | value;
  }

  moveTo({ terms, marks }: DocumentLog["head"]): void {
    terms.pushAll(this.#terms, this.length);
    marks.pushAll(this.#marks, this.length);
    this.length = 0;
  }
}
