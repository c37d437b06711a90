import { widened } from "../arrays/shared-arrays.ts";
import type { DocumentLog } from "./pack-leaf.ts";

/** The terms of one document in naming fields, with their payloads, while the document is read. */
export class NamingRow {
  length = 0;
  #terms = new Uint32Array(1 << 6);
  #payloads = new Uint16Array(1 << 6);

  /** @returns the entry */
  push(term: number, value: number): number {
    if (this.length === this.#terms.length) {
      this.#terms = widened(this.#terms);
      this.#payloads = widened(this.#payloads);
    }
    this.#terms[this.length] = term;
    this.#payloads[this.length] = value;
    this.length += 1;
    return this.length - 1;
  }

  /** Adds bits to the payload of an entry. */
  add(entry: number, value: number): void {
    this.#payloads[entry] = (this.#payloads[entry] as number) | value;
  }

  moveTo({ terms, payloads }: DocumentLog["naming"]): void {
    terms.pushAll(this.#terms, this.length);
    payloads.pushAll(this.#payloads, this.length);
    this.length = 0;
  }
}
