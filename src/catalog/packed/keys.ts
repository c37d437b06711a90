import { fnv1a } from "../../runtime/hash.ts";
/**
 * Index of rows by key: an open-addressing hash table in two typed arrays in shared memory.
 *
 *     key "product raincoat" -> hash -> slot 5      places  [0][0][0][0][0][18][19][0]   position + 1; 0: free
 *                                                   prints  [ ][ ][ ][ ][ ][a7][1f][ ]   second hash of the key
 *
 * The table contains only hashes, so callers must check the row itself.
 */
export interface PackedKeys {
  readonly places: Uint32Array;
  readonly prints: Uint32Array;
}

/** Returns the lookup key of a variant. */
export function variantKey(id: string): string {
  return `variant ${id}`;
}

export function createKeyPacker() {
  let hashes = new Uint32Array(3 * 1_024);
  let count = 0;
  return {
    add(key: string, place: number) {
      if (count * 3 === hashes.length) {
        const wider = new Uint32Array(hashes.length * 2);
        wider.set(hashes);
        hashes = wider;
      }
      hashes.set([slotHash(key), printHash(key), place + 1], count * 3);
      count += 1;
    },
    finish(): PackedKeys {
      const size = Math.ceil(count * SLOTS_PER_KEY) + 1;
      const places = new Uint32Array(new SharedArrayBuffer(size * 4));
      const prints = new Uint32Array(new SharedArrayBuffer(size * 4));
      for (let index = 0; index < count * 3; index += 3) {
        let slot = slotOf(hashes[index] ?? 0, size);
        while (places[slot] !== 0) slot = after(slot, size);
        prints[slot] = hashes[index + 1] ?? 0;
        places[slot] = hashes[index + 2] ?? 0;
      }
      return { places, prints };
    },
  };
}

/** Returns the first result of `check` for a row with this key. */
export function findKey<T>(
  { places, prints }: PackedKeys,
  key: string,
  check: (place: number) => T | undefined,
): T | undefined {
  return findHashes({ places, prints }, slotHash(key), printHash(key), check);
}

/** Returns the first result of `check` for a row with these hashes. */
export function findHashes<T>(
  { places, prints }: PackedKeys,
  hash: number,
  print: number,
  check: (place: number) => T | undefined,
): T | undefined {
  const size = places.length;
  for (let slot = slotOf(hash, size); places[slot] !== 0; slot = after(slot, size)) {
    if (prints[slot] !== print) continue;
    const found = check((places[slot] ?? 0) - 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Slots per key: a third of the slots stays free, so a lookup takes about two probes. */
const SLOTS_PER_KEY = 1.5;

function slotOf(hash: number, size: number): number {
  return Math.floor((hash / 0x100000000) * size);
}

function after(slot: number, size: number): number {
  return slot + 1 === size ? 0 : slot + 1;
}

/**
 * Returns the FNV-1a hash over UTF-16 units, followed by another mixing step, because the high bits select the slot.
 */
export function slotHash(key: string): number {
  return mix(fnv1a(key));
}

export function printHash(key: string): number {
  return mix(fnv1a(key, 0x9747b28c));
}

function mix(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  const again = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (again ^ (again >>> 16)) >>> 0;
}
