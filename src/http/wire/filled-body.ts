import { constants, crc32, deflateRawSync } from "node:zlib";
import { encodeUtf8 } from "./byte-string.ts";

/** Page that is the same for all visitors, except for a CSRF token at some positions. */
export class SharedBody {
  /** Text before, between, and after the tokens, as UTF-8 with one character for each byte. */
  readonly parts: readonly string[];
  #gzip: GzipParts | undefined;

  /**
   * @param text the page with `placeholder` in place of each token
   * @param placeholder a string that cannot be guessed
   */
  constructor(text: string, placeholder: string) {
    this.parts = text.split(placeholder).map(encodeUtf8);
  }

  /** Approximate memory of the page in bytes, with its compressed version. */
  get size(): number {
    return 2 * this.parts.reduce((crc, part) => crc + part.length, 0);
  }

  /** Returns the page with a visitor's token.  @param token an ASCII token */
  insertToken(token: string): string {
    return this.parts.join(token);
  }

  /**
   * Returns the page with a visitor's token, compressed with gzip. The text around the token is compressed only once.
   * The token is not compressed, because the compressed length could reveal it.
   */
  gzip(token: string): string {
    this.#gzip ??= new GzipParts(this.parts);
    return this.#gzip.insertToken(token);
  }
}

/** A shared page with the token of one visitor. */
export class VisitorReplyBody {
  readonly sharedBody: SharedBody;
  readonly token: string;

  /** @param token an ASCII token of fewer than 65,536 characters */
  constructor(sharedBody: SharedBody, token: string) {
    this.sharedBody = sharedBody;
    this.token = token;
  }
}

/**
 * Compressed parts of a page, between which uncompressed tokens are inserted. Each part ends at a full byte. An empty
 * block, the CRC-32, and the length follow the last part.
 * @see RFC 1951, RFC 1952
 */
class GzipParts {
  readonly #parts: readonly GzipPart[];

  constructor(parts: readonly string[]) {
    this.#parts = parts.map((bytes) => new GzipPart(Buffer.from(bytes, "latin1")));
  }

  insertToken(token: string): string {
    const storedBlock = `\0${toLittleEndian(token.length, 2)}${toLittleEndian(token.length ^ 0xffff, 2)}${token}`;
    let crc = 0;
    let length = (this.#parts.length - 1) * token.length;
    for (const [index, part] of this.#parts.entries()) {
      if (index > 0) crc = crc32(token, crc);
      crc = part.extendCrc(crc);
      length += part.length;
    }
    const body = this.#parts.map(({ blocks }) => blocks).join(storedBlock);
    return `${GZIP_HEADER}${body}${LAST_DEFLATE_BLOCK}${toLittleEndian(crc, 4)}${toLittleEndian(length, 4)}`;
  }
}

const GZIP_HEADER = "\x1f\x8b\x08\0\0\0\0\0\0\xff";
/** Empty uncompressed block that ends the stream. */
const LAST_DEFLATE_BLOCK = "\x01\0\0\xff\xff";
const CRC_BITS = 32;

class GzipPart {
  readonly blocks: string;
  readonly length: number;
  readonly #crc: number;
  /**
   * Item i contains the bits of the CRC-32 after this part that flip if bit i of the CRC-32 before this part is set.
   * CRC-32 is linear, so the items of several bits are combined by XOR.
   */
  readonly #crcByBit: Uint32Array;

  constructor(bytes: Buffer) {
    const blocks = deflateRawSync(bytes, { level: 9, finishFlush: constants.Z_SYNC_FLUSH });
    this.blocks = blocks.toString("latin1");
    this.length = bytes.length;
    this.#crc = crc32(bytes);
    this.#crcByBit = Uint32Array.from(
      { length: CRC_BITS },
      (_, bitIndex) => crc32(bytes, (1 << bitIndex) >>> 0) ^ this.#crc,
    );
  }

  /** Returns the CRC-32 of the previous bytes and this part.  @param previousCrc CRC-32 of the previous bytes */
  extendCrc(previousCrc: number): number {
    let crc = this.#crc;
    for (let bit = 0; bit < CRC_BITS; bit += 1) if ((previousCrc >>> bit) & 1) crc ^= this.#crcByBit[bit] ?? 0;
    return crc >>> 0;
  }
}

/** Encodes a number in little-endian byte order, with one character for each byte. */
function toLittleEndian(value: number, bytes: number): string {
  return String.fromCharCode(...Array.from({ length: bytes }, (_, byteIndex) => (value >>> (8 * byteIndex)) & 0xff));
}
