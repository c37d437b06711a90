import { ByteString } from "./byte-string.ts";

/** Joins texts and bytes in memory that is used again and again. */
export class ByteWriter {
  #bytes = Buffer.allocUnsafeSlow(FIRST_BYTES);
  #length = 0;

  /** @param text any; written as UTF-8 */
  text(text: string): void {
    if (text === "") return;
    this.#makeRoom(text.length * MOST_UTF8);
    this.#length += this.#bytes.write(text, this.#length);
  }

  /** The bytes of `from` from one place to another. */
  bytes(from: Buffer, start: number, end: number): void {
    this.#makeRoom(end - start);
    this.#length += from.copy(this.#bytes, this.#length, start, end);
  }

  /** What was written; the next begins anew. */
  take(): ByteString {
    const taken = new ByteString(this.#bytes.toString("latin1", 0, this.#length));
    this.clear();
    return taken;
  }

  /** What was written, until something else is. */
  written(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
    if (this.#bytes.length > MAX_KEPT) this.#bytes = Buffer.allocUnsafeSlow(FIRST_BYTES);
  }

  #makeRoom(more: number): void {
    const least = this.#length + more;
    if (least <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(least, 2 * this.#bytes.length));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}

const FIRST_BYTES = 32 * 1_024;
/** Bytes that stay for the next time. */
const MAX_KEPT = 1_024 * 1_024;
/** Bytes of UTF-8 for a UTF-16 unit. */
const MOST_UTF8 = 3;
