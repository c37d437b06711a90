import { hashFnv1a, mixHash } from "../../runtime/hash.ts";
/**
 * Index of rows by key: an open-addressing hash table in two typed arrays in shared memory. For each slot, `positions`
 * contains the row position plus 1, or 0 if the slot is free. `fingerprints` contains a second hash of the key. The
 * table contains only hashes, so callers must check the row itself.
 */
export interface RowKeyTable {
  readonly positions: Uint32Array;
  readonly fingerprints: Uint32Array;
}

/** Returns the lookup key of a variant. */
export function computeVariantKey(id: string): string {
  return `variant ${id}`;
}

export function createPackedKeyBuilder() {
  let hashes = new Uint32Array(3 * 1_024);
  let count = 0;
  return {
    add(key: string, position: number) {
      if (count * 3 === hashes.length) {
        const largerArray = new Uint32Array(hashes.length * 2);
        largerArray.set(hashes);
        hashes = largerArray;
      }
      hashes.set([hashKeyForSlot(key), computeFingerprint(key), position + 1], count * 3);
      count += 1;
    },
    finish(): RowKeyTable {
      const size = Math.ceil(count * SLOTS_PER_KEY) + 1;
      const positions = new Uint32Array(new SharedArrayBuffer(size * 4));
      const fingerprints = new Uint32Array(new SharedArrayBuffer(size * 4));
      for (let index = 0; index < count * 3; index += 3) {
        let slot = getSlot(hashes[index] ?? 0, size);
        while (positions[slot] !== 0) slot = getNextSlot(slot, size);
        fingerprints[slot] = hashes[index + 1] ?? 0;
        positions[slot] = hashes[index + 2] ?? 0;
      }
      return { positions, fingerprints };
    },
  };
}

/** Calls `findMatch` for each row that may have this key, and returns the first defined result. */
export function findKey<T>(
  keys: RowKeyTable,
  key: string,
  findMatch: (position: number) => T | undefined,
): T | undefined {
  return findKeyByHashes(keys, hashKeyForSlot(key), computeFingerprint(key), findMatch);
}

/** Calls `findMatch` for each row that may have a key with these hashes, and returns the first defined result. */
export function findKeyByHashes<T>(
  { positions, fingerprints }: RowKeyTable,
  hash: number,
  fingerprint: number,
  findMatch: (position: number) => T | undefined,
): T | undefined {
  const size = positions.length;
  for (let slot = getSlot(hash, size); positions[slot] !== 0; slot = getNextSlot(slot, size)) {
    if (fingerprints[slot] !== fingerprint) continue;
    const result = findMatch((positions[slot] ?? 0) - 1);
    if (result !== undefined) return result;
  }
  return undefined;
}

/** Number of slots per key. A third of the slots stays free, so a lookup takes about two probes. */
const SLOTS_PER_KEY = 1.5;

function getSlot(hash: number, size: number): number {
  return Math.floor((hash / 0x100000000) * size);
}

function getNextSlot(slot: number, size: number): number {
  return slot + 1 === size ? 0 : slot + 1;
}

/**
 * Returns the FNV-1a hash over UTF-16 units, followed by another mixing step, because the high bits select the slot.
 */
export function hashKeyForSlot(key: string): number {
  return mixHash(hashFnv1a(key));
}

export function computeFingerprint(key: string): number {
  return mixHash(hashFnv1a(key, 0x9747b28c));
}
