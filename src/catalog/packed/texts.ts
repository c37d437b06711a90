import { readSync } from "node:fs";
import { crc32 } from "node:zlib";

/** JSON texts of rows by row position, concatenated as UTF-8, in shared memory or in an open file. */
export type PackedTexts = TextsInMemory | TextsInFile;

interface TextOffsets {
  /** Byte offset of each text, followed by the end of the last text. */
  readonly starts: Float64Array;
}

export interface TextsInMemory extends TextOffsets {
  readonly bytes: Uint8Array;
}

export interface TextsInFile extends TextOffsets {
  /** CRC-32 checksums of the texts. */
  readonly checksums: Uint32Array;
  /** File descriptor, valid in all threads of the process. The opener closes it after the last use. */
  readonly fd: number;
}

/** Destination file for the bytes of texts. */
export interface TextFile {
  readonly fd: number;
  /** Appends bytes.  @returns their offset in the file */
  append(bytes: Uint8Array): number;
}

/** Error for a text that does not match its checksum. */
export class TextDamagedError extends Error {
  override readonly name = "TextDamagedError";
}

export interface PackedTextWriter {
  add(text: string): void;
  /** Adds an empty text for a row that has none, such as a deleted row. */
  skip(): void;
  finish(): PackedTexts;
}

/**
 * @param maxTexts maximum number of texts
 * @param maxBytes maximum bytes of all texts
 * @param file destination; default: memory
 */
export function createPackedTextBuilder(maxTexts: number, maxBytes: number, file?: TextFile): PackedTextWriter {
  const starts = new Float64Array(new SharedArrayBuffer((maxTexts + 1) * 8));
  return file === undefined ? createMemoryTextBuilder(starts, maxBytes) : createFileTextBuilder(starts, file);
}

/** Returns the text at a position.  @throws TextDamagedError */
export function getText(texts: PackedTexts, position: number): string {
  const start = texts.starts[position] ?? 0;
  const length = (texts.starts[position + 1] ?? start) - start;
  if ("bytes" in texts) {
    const { buffer, byteOffset } = texts.bytes;
    return Buffer.from(buffer, byteOffset + start, length).toString();
  }
  const bytes = length <= inputBuffer.length ? inputBuffer : Buffer.allocUnsafe(length);
  if (!readAllBytes(texts.fd, bytes, start, length) || crc32(bytes.subarray(0, length)) !== texts.checksums[position])
    throw new TextDamagedError("a row of the cached catalog is damaged; it is read again from the database");
  return bytes.toString("utf8", 0, length);
}

/** Shared buffer for reads. Most texts fit in it and are decoded before the next read. */
const inputBuffer = Buffer.allocUnsafe(64 * 1_024);
/** Maximum bytes per write. */
const CHUNK_BYTES = 1_024 * 1_024;

function createMemoryTextBuilder(starts: Float64Array, maxBytes: number): PackedTextWriter {
  const bytes = Buffer.from(new SharedArrayBuffer(maxBytes));
  let count = 0;
  let end = 0;
  const recordTextEnd = (): void => {
    count += 1;
    starts[count] = end;
  };
  return {
    add(text) {
      end += bytes.write(text, end);
      recordTextEnd();
    },
    skip: recordTextEnd,
    finish: () => ({
      starts: starts.subarray(0, count + 1),
      bytes: new Uint8Array(bytes.buffer, bytes.byteOffset, end),
    }),
  };
}

function createFileTextBuilder(starts: Float64Array, file: TextFile): PackedTextWriter {
  const checksums = new Uint32Array(new SharedArrayBuffer((starts.length - 1) * 4));
  let chunk: Buffer[] = [];
  let bufferedBytes = 0;
  let count = 0;
  let end = 0;
  const flush = (): void => {
    file.append(Buffer.concat(chunk));
    chunk = [];
    bufferedBytes = 0;
  };
  const recordTextEnd = (): void => {
    count += 1;
    starts[count] = end;
  };
  return {
    add(text) {
      const bytes = Buffer.from(text);
      checksums[count] = crc32(bytes);
      chunk.push(bytes);
      bufferedBytes += bytes.length;
      end += bytes.length;
      if (bufferedBytes >= CHUNK_BYTES) flush();
      recordTextEnd();
    },
    skip: recordTextEnd,
    finish() {
      flush();
      return { starts: starts.subarray(0, count + 1), checksums: checksums.subarray(0, count), fd: file.fd };
    },
  };
}

function readAllBytes(fd: number, bytes: Buffer, start: number, length: number): boolean {
  try {
    for (let bytesRead = 0; bytesRead < length; ) {
      const byteCount = readSync(fd, bytes, bytesRead, length - bytesRead, start + bytesRead);
      if (byteCount === 0) return false;
      bytesRead += byteCount;
    }
    return true;
  } catch {
    return false;
  }
}
