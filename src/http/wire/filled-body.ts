import { constants, crc32, deflateRawSync } from "node:zlib";
import { utf8 } from "./byte-string.ts";

/** A body that is the same for all visitors but for a short text of each one's own, which stands in some places of it. */
export class SharedBody {
  /** UTF-8, each byte as a character: what stands before, between and after the places. */
  readonly parts: readonly string[];
  #gzip: GzipParts | undefined;

  /** @param text with `standIn` in each of the places  @param standIn a text that nobody could know or guess */
  constructor(text: string, standIn: string) {
    this.parts = text.split(standIn).map(utf8);
  }

  /** About how many bytes it takes, compressed and not. */
  get size(): number {
    return 2 * this.parts.reduce((sum, part) => sum + part.length, 0);
  }

  /** @param own ASCII */
  fill(own: string): string {
    return this.parts.join(own);
  }

  /** The body with a visitor's text, by gzip. What is shared is compressed once; the text itself is not, so that the length tells nothing of it. */
  gzip(own: string): string {
    this.#gzip ??= new GzipParts(this.parts);
    return this.#gzip.fill(own);
  }
}

/** A shared body with a visitor's own text in it. */
export class FilledBody {
  readonly shared: SharedBody;
  readonly own: string;

  /** @param own ASCII, fewer than 65,536 characters */
  constructor(shared: SharedBody, own: string) {
    this.shared = shared;
    this.own = own;
  }
}

/** Parts as deflated blocks that end on a byte, between which a visitor's text fits as a stored block. @see RFC 1951, RFC 1952
 *
 *      head | blocks of the first part | stored: own | blocks of the second part | … | last block | CRC-32 | length */
class GzipParts {
  readonly #parts: readonly Part[];

  constructor(parts: readonly string[]) {
    this.#parts = parts.map((bytes) => new Part(Buffer.from(bytes, "latin1")));
  }

  fill(own: string): string {
    const stored = `\0${number(own.length, 2)}${number(own.length ^ 0xffff, 2)}${own}`;
    let sum = 0;
    let length = (this.#parts.length - 1) * own.length;
    for (const [index, part] of this.#parts.entries()) {
      if (index > 0) sum = crc32(own, sum);
      sum = part.crcAfter(sum);
      length += part.length;
    }
    const body = this.#parts.map(({ blocks }) => blocks).join(stored);
    return `${GZIP_HEAD}${body}${LAST_BLOCK}${number(sum, 4)}${number(length, 4)}`;
  }
}

const GZIP_HEAD = "\x1f\x8b\x08\0\0\0\0\0\0\xff";
/** Empty, stored. */
const LAST_BLOCK = "\x01\0\0\xff\xff";
const BITS = 32;

class Part {
  readonly blocks: string;
  readonly length: number;
  readonly #crc: number;
  /** What each bit of the checksum of all that stands before adds to the checksum with this part: it is linear in them. */
  readonly #ofBit: Uint32Array;

  constructor(bytes: Buffer) {
    const blocks = deflateRawSync(bytes, { level: 9, finishFlush: constants.Z_SYNC_FLUSH });
    this.blocks = blocks.toString("latin1");
    this.length = bytes.length;
    this.#crc = crc32(bytes);
    this.#ofBit = Uint32Array.from({ length: BITS }, (_, bit) => crc32(bytes, (1 << bit) >>> 0) ^ this.#crc);
  }

  /** @param before CRC-32 of what stands before  @returns that of both together */
  crcAfter(before: number): number {
    let sum = this.#crc;
    for (let bit = 0; bit < BITS; bit += 1) if ((before >>> bit) & 1) sum ^= this.#ofBit[bit] ?? 0;
    return sum >>> 0;
  }
}

/** Little-endian, each byte as a character. */
function number(value: number, bytes: number): string {
  return String.fromCharCode(...Array.from({ length: bytes }, (_, at) => (value >>> (8 * at)) & 0xff));
}
