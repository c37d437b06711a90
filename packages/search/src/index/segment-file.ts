import { closeSync, fstatSync, fsyncSync, mkdtempSync, openSync, read, renameSync, rmSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { crc32 } from "node:zlib";
import { getByteView, packTree, unpackTree } from "../arrays/array-codec.ts";

/**
 * A file of plain data with large typed arrays. Checksums cover the entire file:
 *
 *     raw bytes   arrays, concatenated   JSON   length of the JSON, its checksum, magic
 *     0           rawLength                     16 bytes
 *
 * Raw bytes remain in the file and are read by offset. Arrays are read into shared memory. The JSON contains the
 * version, the data with arrays replaced by their offsets, and a checksum for each block of raw bytes and of arrays.
 */
export interface SegmentFileWriter {
  /** Temporary folder of the unfinished file. */
  readonly partialDir: string;
  /** File descriptor, open for reading and writing. Its owner closes it. It is valid in every thread of the process. */
  readonly fd: number;
  /** Appends raw bytes.  @returns offset of the bytes in the file */
  append(bytes: Uint8Array): number;
  /** Writes the data and moves the file to its path atomically.  @throws Error of the file system */
  finish(data: object): void;
  /** Removes the folder of an unfinished file. The file descriptor stays open. */
  discardFile(): void;
}

/**
 * Creates a segment file. It appears at its path when it is finished. Concurrent writers of the same path do not
 * interfere.
 * @param version version that a reader must expect
 * @throws Error of the file system
 */
export function createSegmentFile(path: string, version: string): SegmentFileWriter {
  // The operating system chooses a unique name, so no two processes share a folder.
  const folder = mkdtempSync(join(dirname(path), partialDirPrefix));
  const partialPath = join(folder, partialFileName);
  const discardFile = (): void => rmSync(folder, { recursive: true, force: true });
  let fd: number;
  try {
    fd = openSync(partialPath, "wx+", 0o600);
  } catch (error) {
    discardFile();
    throw error;
  }
  const rawWriter = createBlockWriter(fd, 0);
  return {
    partialDir: folder,
    fd,
    append(bytes) {
      const start = rawWriter.length();
      rawWriter.write(bytes);
      return start;
    },
    finish(data) {
      const rawLength = rawWriter.length();
      const bodyWriter = createBlockWriter(fd, rawLength);
      const { tree, arrays } = packTree(data);
      for (const array of arrays) {
        bodyWriter.write(getByteView(array));
        bodyWriter.write(new Uint8Array(-bodyWriter.length() & (bodyAlignment - 1)));
      }
      const header = {
        version,
        rawLength,
        bodyLength: bodyWriter.length(),
        raw: rawWriter.finish(),
        body: bodyWriter.finish(),
        tree,
      };
      const json = Buffer.from(JSON.stringify(header));
      const footer = Buffer.alloc(footerLength);
      footer.writeUInt32LE(json.length, 0);
      footer.writeUInt32LE(crc32(json), 4);
      footer.write(fileSignature, 8, "latin1");
      writeBytes(fd, Buffer.concat([json, footer]), rawLength + header.bodyLength);
      fsyncSync(fd);
      renameSync(partialPath, path);
      discardFile();
      syncFolder(dirname(path));
    },
    discardFile,
  };
}

/** Name prefix of the temporary folders that contain unfinished files. */
export const partialDirPrefix = ".part-";
export const partialFileName = "part";

/**
 * Reads a segment file and returns the data that `finish` wrote. Also verifies the raw bytes, so that damage is
 * detected early.
 * @param fd file descriptor open for reading
 * @param skipsRawBytes whether the raw bytes are not verified, because the caller has verified the file before
 * @returns undefined if the file is damaged or of another version
 */
export async function readSegmentFile(fd: number, version: string, skipsRawBytes = false): Promise<unknown> {
  try {
    const { size } = fstatSync(fd);
    const footer = await readBuffer(fd, size - footerLength, footerLength);
    if (footer.toString("latin1", 8) !== fileSignature) return undefined;
    const length = footer.readUInt32LE(0);
    const json = await readBuffer(fd, size - footerLength - length, length);
    if (crc32(json) !== footer.readUInt32LE(4)) return undefined;
    const header = JSON.parse(json.toString()) as FileHeader;
    const { rawLength, bodyLength } = header;
    if (header.version !== version || rawLength + bodyLength + length + footerLength !== size) return undefined;
    const memory = new SharedArrayBuffer(bodyLength);
    const bytes = new Uint8Array(memory);
    const blocks = [
      ...(skipsRawBytes ? [] : header.raw).map((checksum, index) => ({
        checksum,
        offset: index * blockLength,
        buffer: undefined,
        regionEnd: rawLength,
      })),
      ...header.body.map((checksum, index) => ({
        checksum,
        offset: index * blockLength,
        buffer: bytes,
        regionEnd: bodyLength,
      })),
    ];
    // Several blocks are read in parallel: while one is read, another is verified.
    const readers = Array.from({ length: readerCount }, async () => {
      let scratchBuffer: Uint8Array | undefined;
      for (let block = blocks.pop(); block !== undefined; block = blocks.pop()) {
        const { checksum, offset, buffer, regionEnd } = block;
        const length = Math.min(blockLength, regionEnd - offset);
        if (buffer === undefined) scratchBuffer ??= new Uint8Array(blockLength);
        const target = buffer?.subarray(offset, offset + length) ?? (scratchBuffer as Uint8Array).subarray(0, length);
        await fillBuffer(fd, target, buffer === undefined ? offset : rawLength + offset);
        if (crc32(target) !== checksum) throw new Error("a block is damaged");
      }
    });
    // All reads must end before the caller closes the file.
    const results = await Promise.allSettled(readers);
    if (results.some(({ status }) => status === "rejected")) return undefined;
    return unpackTree(header.tree, memory);
  } catch {
    return undefined;
  }
}

interface FileHeader {
  readonly version: string;
  readonly rawLength: number;
  readonly bodyLength: number;
  /** Checksum of each block of raw bytes. */
  readonly raw: readonly number[];
  readonly body: readonly number[];
  readonly tree: unknown;
}

const fileSignature = "VITRINE1";
const footerLength = 16;
/** Number of bytes that are read and verified at once. */
const blockLength = 4 * 1_024 * 1_024;
const readerCount = 3;
/** Alignment of the arrays in bytes: the size of the widest typed array element. */
const bodyAlignment = 8;

interface BlockWriter {
  write(bytes: Uint8Array): void;
  length(): number;
  /** Returns the checksums of all blocks. The last block may be shorter. */
  finish(): readonly number[];
}

function createBlockWriter(fd: number, fileOffset: number): BlockWriter {
  const checksums: number[] = [];
  let writtenBytes = 0;
  let checksum = 0;
  return {
    write(bytes) {
      for (let offset = 0; offset < bytes.length; ) {
        const freeBytes = blockLength - (writtenBytes % blockLength);
        const chunk = bytes.subarray(offset, offset + freeBytes);
        writeBytes(fd, chunk, fileOffset + writtenBytes);
        checksum = crc32(chunk, checksum);
        writtenBytes += chunk.length;
        offset += chunk.length;
        if (writtenBytes % blockLength > 0) continue;
        checksums.push(checksum);
        checksum = 0;
      }
    },
    length: () => writtenBytes,
    finish: () => (writtenBytes % blockLength === 0 ? checksums : [...checksums, checksum]),
  };
}

function writeBytes(fd: number, bytes: Uint8Array, position: number): void {
  for (let writtenBytes = 0; writtenBytes < bytes.length; ) {
    writtenBytes += writeSync(fd, bytes, writtenBytes, bytes.length - writtenBytes, position + writtenBytes);
  }
}

const readBytes = promisify(read);

async function fillBuffer(fd: number, target: Uint8Array, position: number): Promise<void> {
  for (let receivedBytes = 0; receivedBytes < target.length; ) {
    const { bytesRead } = await readBytes(
      fd,
      target,
      receivedBytes,
      target.length - receivedBytes,
      position + receivedBytes,
    );
    if (bytesRead === 0) throw new Error("the file is too short");
    receivedBytes += bytesRead;
  }
}

async function readBuffer(fd: number, position: number, length: number): Promise<Buffer> {
  if (position < 0) throw new Error("the file is too short");
  const bytes = Buffer.alloc(length);
  await fillBuffer(fd, bytes, position);
  return bytes;
}

/**
 * Flushes a folder to disk, so that a new file name in it survives a power failure. Windows cannot open folders, but
 * its file system journal preserves names.
 */
function syncFolder(path: string): void {
  if (process.platform === "win32") return;
  const fd = openSync(path, "r");
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
