/** Where rows with a key are: an open-addressing hash table in two typed arrays over shared memory.
 *
 *      key "product raincoat" -> hash -> slot 5      places  [0][0][0][0][0][18][19][0]   place + 1; 0: free
 *                                                    prints  [ ][ ][ ][ ][ ][a7][1f][ ]   second hash of the key
 *
 *  Only hashes are kept, so a caller looks at the row itself before it believes one. */
export interface PackedKeys {
  readonly places: Uint32Array;
  readonly prints: Uint32Array;
}

export interface KeyPacker {
  add(key: string, place: number): void;
  finish(): PackedKeys;
}

export function createKeyPacker(): KeyPacker {
  let hashes = new Uint32Array(3 * 1_024);
  let count = 0;
  return {
    add(key, place) {
      if (count * 3 === hashes.length) {
        const wider = new Uint32Array(hashes.length * 2);
        wider.set(hashes);
        hashes = wider;
      }
      hashes.set([slotHash(key), printHash(key), place + 1], count * 3);
      count += 1;
    },
    finish() {
      const size = tableSize(count);
      const places = new Uint32Array(new SharedArrayBuffer(size * 4));
      const prints = new Uint32Array(new SharedArrayBuffer(size * 4));
      for (let index = 0; index < count * 3; index += 3) {
        let slot = (hashes[index] ?? 0) & (size - 1);
        while (places[slot] !== 0) slot = (slot + 1) & (size - 1);
        prints[slot] = hashes[index + 1] ?? 0;
        places[slot] = hashes[index + 2] ?? 0;
      }
      return { places, prints };
    },
  };
}

/** The first place of this key for which `check` gives something. */
export function lookUp<T>(
  { places, prints }: PackedKeys,
  key: string,
  check: (place: number) => T | undefined,
): T | undefined {
  const mask = places.length - 1;
  const print = printHash(key);
  for (let slot = slotHash(key) & mask; places[slot] !== 0; slot = (slot + 1) & mask) {
    if (prints[slot] !== print) continue;
    const found = check((places[slot] ?? 0) - 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A power of two that leaves half of the slots free. */
function tableSize(count: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(4, count * 2)));
}

/** FNV-1a over UTF-16 units, mixed once more so that its low bits serve as a slot. */
function slotHash(key: string): number {
  return mix(fnv(key, 0x811c9dc5));
}

function printHash(key: string): number {
  return mix(fnv(key, 0x9747b28c));
}

function fnv(key: string, seed: number): number {
  let hash = seed;
  for (let index = 0; index < key.length; index += 1) hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  return hash;
}

function mix(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (mixed ^ (mixed >>> 13)) >>> 0;
}
