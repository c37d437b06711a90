/**
 * A byte sequence that is stored as a string, with one character from U+0000 to U+00FF for each byte. Such strings can
 * be joined without copying, and Node sends a string and the headers in one write.
 */
export class ByteString {
  readonly bytes: string;

  /** @param bytes one character for each byte, from U+0000 to U+00FF */
  constructor(bytes: string) {
    this.bytes = bytes;
  }
}

/** Encodes text as UTF-8, with one character for each byte. */
export function encodeUtf8(text: string): string {
  return Buffer.byteLength(text) === text.length ? text : Buffer.from(text).toString("latin1");
}

/** Collects text and bytes in a buffer that is reused. */
export class ByteWriter {
  #bytes = Buffer.allocUnsafeSlow(INITIAL_BUFFER_BYTES);
  #length = 0;

  /** Writes text as UTF-8. */
  text(text: string): void {
    if (text === "") return;
    this.#ensureCapacity(text.length * MAX_UTF8_BYTES);
    this.#length += this.#bytes.write(text, this.#length);
  }

  /** Appends the bytes of `from` between two offsets. */
  bytes(from: Buffer, start: number, end: number): void {
    this.#ensureCapacity(end - start);
    this.#length += from.copy(this.#bytes, this.#length, start, end);
  }

  /** Returns the written bytes and resets the writer. */
  take(): ByteString {
    const result = new ByteString(this.#bytes.toString("latin1", 0, this.#length));
    this.clear();
    return result;
  }

  /** The bytes written so far. They are valid until the next write. */
  getBytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
    if (this.#bytes.length > MAX_BUFFER_BYTES) this.#bytes = Buffer.allocUnsafeSlow(INITIAL_BUFFER_BYTES);
  }

  #ensureCapacity(byteCount: number): void {
    const minLength = this.#length + byteCount;
    if (minLength <= this.#bytes.length) return;
    const largerBuffer = Buffer.allocUnsafeSlow(Math.max(minLength, 2 * this.#bytes.length));
    this.#bytes.copy(largerBuffer, 0, 0, this.#length);
    this.#bytes = largerBuffer;
  }
}

const INITIAL_BUFFER_BYTES = 32 * 1_024;
/** Maximum size of the buffer that is kept for reuse, in bytes. */
const MAX_BUFFER_BYTES = 1_024 * 1_024;
/** Maximum number of UTF-8 bytes for one UTF-16 code unit. */
const MAX_UTF8_BYTES = 3;
