import { type NumericArray, packTree, unpackTree } from "../arrays/array-codec.ts";
import { sharedMemory } from "../arrays/shared-arrays.ts";
import type { Segment } from "./segment.ts";

/** Raised with every change of what a segment contains, so that an old segment is built again instead of misread. */
const formatVersion = 2;
/** "VSEG" as a little-endian number. */
const magic = 0x47455356;
/** Magic, version, bytes of the JSON text, checksum of all that follows. */
const headLength = 16;

/** Encodes a segment with its deletes as bytes, for a file or a database.
 *
 *      16 bytes                                  JSON, padded to 8 bytes    arrays, each padded to 8 bytes
 *      magic, version, JSON length, checksum     offsets of arrays          little-endian
 *
 *  @example await writeFile("index.bin", saveSegment(segment)) */
export function saveSegment(segment: Segment): Uint8Array<ArrayBuffer> {
  const { tree, arrays } = packTree(segment);
  const json = new TextEncoder().encode(JSON.stringify(tree));
  const bodyStart = padded(headLength + json.length);
  const length = arrays.reduce((sum, { byteLength }) => sum + padded(byteLength), bodyStart);
  const bytes = new Uint8Array(length);
  bytes.set(json, headLength);
  let at = bodyStart;
  for (const array of arrays) {
    bytes.set(bytesOf(array), at);
    at += padded(array.byteLength);
  }
  const head = new DataView(bytes.buffer);
  head.setUint32(0, magic, true);
  head.setUint32(4, formatVersion, true);
  head.setUint32(8, json.length, true);
  head.setUint32(12, checksum(bytes.subarray(8, 12), bytes.subarray(headLength)), true);
  return bytes;
}

/** Decodes the bytes of `saveSegment`. They are copied, into shared memory where there is any.
 *  @returns undefined if they are damaged or of another version of this package: build the segment again */
export function loadSegment(bytes: Uint8Array): Segment | undefined {
  if (bytes.length < headLength) return undefined;
  const head = new DataView(bytes.buffer, bytes.byteOffset, headLength);
  if (head.getUint32(0, true) !== magic || head.getUint32(4, true) !== formatVersion) return undefined;
  if (head.getUint32(12, true) !== checksum(bytes.subarray(8, 12), bytes.subarray(headLength))) return undefined;
  const jsonEnd = headLength + head.getUint32(8, true);
  const body = bytes.subarray(padded(jsonEnd));
  const memory = sharedMemory(body.length);
  new Uint8Array(memory).set(body);
  const json = new TextDecoder().decode(bytes.slice(headLength, jsonEnd));
  return unpackTree(JSON.parse(json), memory) as Segment;
}

function bytesOf({ buffer, byteOffset, byteLength }: NumericArray): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function padded(length: number): number {
  return (length + 7) & ~7;
}

/** CRC-32 of several arrays. */
function checksum(...parts: readonly Uint8Array[]): number {
  let sum = -1;
  for (const part of parts)
    for (let at = 0; at < part.length; at += 1)
      sum = (sum >>> 8) ^ (crcTable[(sum ^ (part[at] as number)) & 255] as number);
  return ~sum >>> 0;
}

const crcTable: ArrayLike<number> = Int32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = (value >>> 1) ^ (value & 1 ? 0xedb88320 : 0);
  return value;
});
