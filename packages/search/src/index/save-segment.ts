import { getByteView, packTree, unpackTree } from "../arrays/array-codec.ts";
import { allocateSharedMemory } from "../arrays/shared-arrays.ts";
import type { Segment } from "./segment.ts";

/**
 * Version of the segment format. It is raised with every change of a segment's contents, so that an old segment is
 * rebuilt instead of misread.
 */
const segmentVersion = 12;
/** The first four bytes of a saved segment, "VSEG", as a little-endian number. */
const magicNumber = 0x47455356;
/** Number of bytes before the JSON text: magic, version, length of the JSON text, and checksum. */
const headerLength = 16;

/**
 * Encodes a segment with its deletes as bytes, for a file or a database.
 *
 *      16 bytes                                  JSON, padded to 8 bytes    arrays, each padded to 8 bytes
 *      magic, version, JSON length, checksum     offsets of arrays          little-endian
 *
 * @example await writeFile("index.bin", saveSegment(segment))
 */
export function saveSegment(segment: Segment): Uint8Array<ArrayBuffer> {
  const { tree, arrays } = packTree(segment);
  const json = new TextEncoder().encode(JSON.stringify(tree));
  const arraysOffset = alignTo8Bytes(headerLength + json.length);
  const length = arrays.reduce((sum, { byteLength }) => sum + alignTo8Bytes(byteLength), arraysOffset);
  const bytes = new Uint8Array(length);
  bytes.set(json, headerLength);
  let offset = arraysOffset;
  for (const array of arrays) {
    bytes.set(getByteView(array), offset);
    offset += alignTo8Bytes(array.byteLength);
  }
  const header = new DataView(bytes.buffer);
  header.setUint32(0, magicNumber, true);
  header.setUint32(4, segmentVersion, true);
  header.setUint32(8, json.length, true);
  header.setUint32(12, computeChecksum(bytes.subarray(8, 12), bytes.subarray(headerLength)), true);
  return bytes;
}

/**
 * Decodes the bytes of `saveSegment`. They are copied, into shared memory if the platform has it.
 * @returns undefined if the bytes are damaged or of another version of this package; the segment must be rebuilt
 */
export function loadSegment(bytes: Uint8Array): Segment | undefined {
  if (bytes.length < headerLength) return undefined;
  const header = new DataView(bytes.buffer, bytes.byteOffset, headerLength);
  if (header.getUint32(0, true) !== magicNumber || header.getUint32(4, true) !== segmentVersion) return undefined;
  if (header.getUint32(12, true) !== computeChecksum(bytes.subarray(8, 12), bytes.subarray(headerLength)))
    return undefined;
  const jsonEnd = headerLength + header.getUint32(8, true);
  const arrayBytes = bytes.subarray(alignTo8Bytes(jsonEnd));
  const memory = allocateSharedMemory(arrayBytes.length);
  new Uint8Array(memory).set(arrayBytes);
  const json = new TextDecoder().decode(bytes.slice(headerLength, jsonEnd));
  return unpackTree(JSON.parse(json), memory) as Segment;
}

function alignTo8Bytes(length: number): number {
  return (length + 7) & ~7;
}

/** Computes the CRC-32 checksum of several byte arrays. */
function computeChecksum(...parts: readonly Uint8Array[]): number {
  let sum = -1;
  for (const bytes of parts)
    for (let offset = 0; offset < bytes.length; offset += 1)
      sum = (sum >>> 8) ^ (crcTable[(sum ^ (bytes[offset] as number)) & 255] as number);
  return ~sum >>> 0;
}

const crcTable: ArrayLike<number> = Int32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = (value >>> 1) ^ (value & 1 ? 0xedb88320 : 0);
  return value;
});
