/**
 * Byte sequence in a string, one character up to U+00FF for each byte. Joining copies nothing, and Node sends a string
 * in one write with the headers.
 */
export class ByteString {
  readonly bytes: string;

  /** @param bytes one character up to U+00FF for each byte */
  constructor(bytes: string) {
    this.bytes = bytes;
  }
}

/** Encodes text as UTF-8. */
export function utf8(text: string): string {
  return Buffer.byteLength(text) === text.length ? text : Buffer.from(text).toString("latin1");
}

/** Joins strings and bytes in a reused buffer. */
export class ByteWriter {
  #bytes = Buffer.allocUnsafeSlow(INITIAL_BYTES);
  #length = 0;

  /** Writes text as UTF-8. */
  text(text: string): void {
    if (text === "") return;
    this.#makeRoom(text.length * MAX_UTF8_BYTES);
    this.#length += this.#bytes.write(text, this.#length);
  }

  /** Writes the bytes of `from` from `start` to `end`. */
  bytes(from: Buffer, start: number, end: number): void {
    this.#makeRoom(end - start);
    this.#length += from.copy(this.#bytes, this.#length, start, end);
  }

  /** Returns the written bytes and resets the writer. */
  take(): ByteString {
    const result = new ByteString(this.#bytes.toString("latin1", 0, this.#length));
    this.clear();
    return result;
  }

  /** Written bytes, which are valid until the next write. */
  written(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
    if (this.#bytes.length > MAX_REUSED_BYTES) this.#bytes = Buffer.allocUnsafeSlow(INITIAL_BYTES);
  }

  #makeRoom(byteCount: number): void {
    const minLength = this.#length + byteCount;
    if (minLength <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(minLength, 2 * this.#bytes.length));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}

const INITIAL_BYTES = 32 * 1_024;
/** Maximum size of the reused buffer, in bytes. */
const MAX_REUSED_BYTES = 1_024 * 1_024;
/** Maximum UTF-8 bytes for one UTF-16 code unit. */
const MAX_UTF8_BYTES = 3;
