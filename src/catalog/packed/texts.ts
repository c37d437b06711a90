import { readSync } from "node:fs";
import { crc32 } from "node:zlib";

/**
 * Texts of rows by position, concatenated as UTF-8, in shared memory or in an open file.
 *
 *     starts   0    412  733  733
 *     bytes    {"kind":"product"…}{"kind":"product"…}
 */
export type PackedTexts = TextsInMemory | TextsInFile;

interface TextStarts {
  /** Offset of each text, followed by the end of the last text. */
  readonly starts: Float64Array;
}

export interface TextsInMemory extends TextStarts {
  readonly bytes: Uint8Array;
}

export interface TextsInFile extends TextStarts {
  /** CRC-32 checksums of the texts. */
  readonly sums: Uint32Array;
  /** File descriptor, valid in all threads of the process. The opener closes it after the last use. */
  readonly fd: number;
}

/** Destination file for the bytes of texts. */
export interface TextFile {
  readonly fd: number;
  /** Appends bytes.  @returns their offset in the file */
  append(bytes: Uint8Array): number;
}

/** Error: a text does not match its checksum. */
export class TextDamaged extends Error {
  override readonly name = "TextDamaged";
}

export interface TextPacker {
  add(text: string): void;
  /** Adds a position without a text. */
  skip(): void;
  finish(): PackedTexts;
}

/**
 * @param maxTexts maximum number of texts
 * @param maxBytes maximum bytes of all texts
 * @param file destination; default: memory
 */
export function createTextPacker(maxTexts: number, maxBytes: number, file?: TextFile): TextPacker {
  const starts = new Float64Array(new SharedArrayBuffer((maxTexts + 1) * 8));
  return file === undefined ? packInMemory(starts, maxBytes) : packInFile(starts, file);
}

/** Returns the text at a position.  @throws TextDamaged */
export function textAt(texts: PackedTexts, place: number): string {
  const start = texts.starts[place] ?? 0;
  const length = (texts.starts[place + 1] ?? start) - start;
  if ("bytes" in texts) {
    const { buffer, byteOffset } = texts.bytes;
    return Buffer.from(buffer, byteOffset + start, length).toString();
  }
  const bytes = length <= scratch.length ? scratch : Buffer.allocUnsafe(length);
  if (!isRead(texts.fd, bytes, start, length) || crc32(bytes.subarray(0, length)) !== texts.sums[place])
    throw new TextDamaged("a row of the cached catalog is damaged; it is read again from the database");
  return bytes.toString("utf8", 0, length);
}

/** Shared buffer for reads. Most texts fit in it and are decoded before the next read. */
const scratch = Buffer.allocUnsafe(64 * 1_024);
/** Bytes per write. */
const CHUNK = 1_024 * 1_024;

function packInMemory(starts: Float64Array, maxBytes: number): TextPacker {
  const bytes = Buffer.from(new SharedArrayBuffer(maxBytes));
  let count = 0;
  let end = 0;
  const next = (): void => {
    count += 1;
    starts[count] = end;
  };
  return {
    add(text) {
      end += bytes.write(text, end);
      next();
    },
    skip: next,
    finish: () => ({
      starts: starts.subarray(0, count + 1),
      bytes: new Uint8Array(bytes.buffer, bytes.byteOffset, end),
    }),
  };
}

function packInFile(starts: Float64Array, file: TextFile): TextPacker {
  const sums = new Uint32Array(new SharedArrayBuffer((starts.length - 1) * 4));
  let chunk: Buffer[] = [];
  let waiting = 0;
  let count = 0;
  let end = 0;
  const flush = (): void => {
    file.append(Buffer.concat(chunk));
    chunk = [];
    waiting = 0;
  };
  const next = (): void => {
    count += 1;
    starts[count] = end;
  };
  return {
    add(text) {
      const bytes = Buffer.from(text);
      sums[count] = crc32(bytes);
      chunk.push(bytes);
      waiting += bytes.length;
      end += bytes.length;
      if (waiting >= CHUNK) flush();
      next();
    },
    skip: next,
    finish() {
      flush();
      return { starts: starts.subarray(0, count + 1), sums: sums.subarray(0, count), fd: file.fd };
    },
  };
}

function isRead(fd: number, bytes: Buffer, start: number, length: number): boolean {
  try {
    for (let done = 0; done < length; ) {
      const read = readSync(fd, bytes, done, length - done, start + done);
      if (read === 0) return false;
      done += read;
    }
    return true;
  } catch {
    return false;
  }
}
