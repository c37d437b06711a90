/**
 * Bytes, each as a character up to U+00FF: such strings are joined without a copy, and are sent in one write with the
 * headers.
 */
export class ByteString {
  readonly bytes: string;

  /** @param bytes no character above U+00FF */
  constructor(bytes: string) {
    this.bytes = bytes;
  }
}

/** The UTF-8 encoding of a string, each byte as a character. */
export function utf8(text: string): string {
  return Buffer.byteLength(text) === text.length ? text : Buffer.from(text).toString("latin1");
}
