/** Bytes, each as a character up to U+00FF: such texts are joined without a copy, and leave in one write with the head of their answer. */
export class ByteString {
  readonly bytes: string;

  /** @param bytes no character above U+00FF */
  constructor(bytes: string) {
    this.bytes = bytes;
  }
}

/** The UTF-8 of a text, each byte as a character. */
export function utf8(text: string): string {
  return Buffer.byteLength(text) === text.length ? text : Buffer.from(text).toString("latin1");
}
