import { closeSync, fstatSync, fsyncSync, mkdtempSync, openSync, read, renameSync, rmSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { crc32 } from "node:zlib";
import { type NumericArray, packTree, unpackTree } from "../arrays/array-codec.ts";

/**
 * A file of plain data with large typed arrays, completely covered by checksums:
 *
 *     raw bytes   arrays, concatenated   JSON   length of the JSON, its checksum, magic
 *     0           rawLength                     12 bytes
 *
 * Raw bytes stay in the file and are read by offset; arrays are read directly into shared memory. The JSON contains the
 * version, the data with arrays replaced by their offsets, and a checksum for each block of both regions.
 */
export interface SegmentFileWriter {
  /** Open for reading and writing; closed by its owner. Valid in every thread of the process. */
  readonly fd: number;
  /** Appends raw bytes.  @returns their offset in the file */
  append(bytes: Uint8Array): number;
  /** Writes the data and moves the file to its path, completely or not at all.  @throws Error of the file system */
  finish(data: object): void;
  /** Removes all but the open file. */
  discard(): void;
}

/**
 * Starts a file. It is invisible until it is finished, and concurrent writers of the same path do not interfere.
 * @param version that a reader must expect
 * @throws Error of the file system
 */
export function createSegmentFile(path: string, version: string): SegmentFileWriter {
  // The system makes the name, so no two processes share a folder.
  const folder = mkdtempSync(join(dirname(path), partPrefix));
  const part = join(folder, partName);
  const discard = (): void => rmSync(folder, { recursive: true, force: true });
  let fd: number;
  try {
    fd = openSync(part, "wx+", 0o600);
  } catch (error) {
    discard();
    throw error;
  }
  const raw = createBlockWriter(fd, 0);
  return {
    fd,
    append(bytes) {
      const start = raw.length();
      raw.write(bytes);
      return start;
    },
    finish(data) {
      const rawLength = raw.length();
      const body = createBlockWriter(fd, rawLength);
      const { tree, arrays } = packTree(data);
      for (const array of arrays) {
        body.write(bytesOf(array));
        body.write(new Uint8Array(-body.length() & (alignment - 1)));
      }
      const header = { version, rawLength, bodyLength: body.length(), raw: raw.finish(), body: body.finish(), tree };
      const json = Buffer.from(JSON.stringify(header));
      const end = Buffer.alloc(endLength);
      end.writeUInt32LE(json.length, 0);
      end.writeUInt32LE(crc32(json), 4);
      end.write(magic, 8, "latin1");
      writeAll(fd, Buffer.concat([json, end]), rawLength + header.bodyLength);
      fsyncSync(fd);
      renameSync(part, path);
      discard();
      syncFolder(dirname(path));
    },
    discard,
  };
}

/** Name prefix of the folders in which files are written, and name of the file in such a folder. */
export const partPrefix = ".part-";
export const partName = "part";

/**
 * Returns the data passed to `finish`. Also reads the raw bytes, so that damage is detected now.
 * @param fd open for reading
 * @returns undefined if the file is damaged or of another version
 */
export async function readSegmentFile(fd: number, version: string): Promise<unknown> {
  try {
    const { size } = fstatSync(fd);
    const end = await readNew(fd, size - endLength, endLength);
    if (end.toString("latin1", 8) !== magic) return undefined;
    const length = end.readUInt32LE(0);
    const json = await readNew(fd, size - endLength - length, length);
    if (crc32(json) !== end.readUInt32LE(4)) return undefined;
    const header = JSON.parse(json.toString()) as Header;
    const { rawLength, bodyLength } = header;
    if (header.version !== version || rawLength + bodyLength + length + endLength !== size) return undefined;
    const buffer = new SharedArrayBuffer(bodyLength);
    const bytes = new Uint8Array(buffer);
    const blocks = [
      ...header.raw.map((sum, index) => ({ sum, at: index * blockLength, into: undefined, to: rawLength })),
      ...header.body.map((sum, index) => ({ sum, at: index * blockLength, into: bytes, to: bodyLength })),
    ];
    // Several blocks at once: while one is read, another is verified.
    const lanes = Array.from({ length: laneCount }, async () => {
      let scratch: Uint8Array | undefined;
      for (let block = blocks.pop(); block !== undefined; block = blocks.pop()) {
        const { sum, at, into, to } = block;
        const length = Math.min(blockLength, to - at);
        if (into === undefined) scratch ??= new Uint8Array(blockLength);
        const target = into?.subarray(at, at + length) ?? (scratch as Uint8Array).subarray(0, length);
        await readAll(fd, target, into === undefined ? at : rawLength + at);
        if (crc32(target) !== sum) throw new Error("a block is damaged");
      }
    });
    // All reads have ended before the caller closes the file.
    const ended = await Promise.allSettled(lanes);
    if (ended.some(({ status }) => status === "rejected")) return undefined;
    return unpackTree(header.tree, buffer);
  } catch {
    return undefined;
  }
}

interface Header {
  readonly version: string;
  readonly rawLength: number;
  readonly bodyLength: number;
  /** Checksums of blocks. */
  readonly raw: readonly number[];
  readonly body: readonly number[];
  readonly tree: unknown;
}

const magic = "VITRINE1";
const endLength = 16;
/** Bytes read and summed up at once. */
const blockLength = 4 * 1_024 * 1_024;
const laneCount = 3;
/** Bytes of the widest typed array element. */
const alignment = 8;

interface BlockWriter {
  write(bytes: Uint8Array): void;
  length(): number;
  /** Checksums of all blocks; the last one may be shorter. */
  finish(): readonly number[];
}

function createBlockWriter(fd: number, from: number): BlockWriter {
  const sums: number[] = [];
  let written = 0;
  let sum = 0;
  return {
    write(bytes) {
      for (let at = 0; at < bytes.length; ) {
        const free = blockLength - (written % blockLength);
        const piece = bytes.subarray(at, at + free);
        writeAll(fd, piece, from + written);
        sum = crc32(piece, sum);
        written += piece.length;
        at += piece.length;
        if (written % blockLength > 0) continue;
        sums.push(sum);
        sum = 0;
      }
    },
    length: () => written,
    finish: () => (written % blockLength === 0 ? sums : [...sums, sum]),
  };
}

function bytesOf({ buffer, byteOffset, byteLength }: NumericArray): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function writeAll(fd: number, bytes: Uint8Array, position: number): void {
  for (let done = 0; done < bytes.length; ) {
    done += writeSync(fd, bytes, done, bytes.length - done, position + done);
  }
}

const readSome = promisify(read);

async function readAll(fd: number, target: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < target.length; ) {
    const { bytesRead } = await readSome(fd, target, done, target.length - done, position + done);
    if (bytesRead === 0) throw new Error("the file is too short");
    done += bytesRead;
  }
}

async function readNew(fd: number, position: number, length: number): Promise<Buffer> {
  if (position < 0) throw new Error("the file is too short");
  const bytes = Buffer.alloc(length);
  await readAll(fd, bytes, position);
  return bytes;
}

/** A new name is on disk once its folder is. Windows opens no folder, and keeps names by its journal. */
function syncFolder(path: string): void {
  if (process.platform === "win32") return;
  const fd = openSync(path, "r");
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
