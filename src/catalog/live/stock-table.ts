import { printHash, slotHash, variantKey } from "../packed/keys.ts";

/**
 * Stock levels of variants in memory that all threads of a process share. The structure is lock-free, so a thread that
 * ends during a write blocks no other thread.
 *
 *     table [key][left, changed] [ ][ ] [key][left, changed] ... open addressing, in parts, each four times larger
 *     log        [key] [key] ...                                        each key once, in order of arrival
 *     counters   0  0  3  0  1 ...                                      variant hash mod length; incremented by changes
 *
 * A key is a 64-bit hash, the same as a variant's in `PackedKeys`.
 */
export interface LevelsMemory {
  readonly table: SharedArrayBuffer;
  readonly log: SharedArrayBuffer;
  readonly counters: SharedArrayBuffer;
}

export interface StockTable {
  /** Returns a number that changes with every change of stock. */
  epoch(): number;
  /** Returns the indices of the version counters of variants. */
  countersOf(variantIds: readonly string[]): Int32Array;
  /**
   * Returns a version that changes when the level of one of the variants changes; 0 before the first change.
   * @param places result of `countersOf`
   */
  version(places: Int32Array): number;
  /** Returns the units that can be sold; undefined if the imported quantity applies. */
  left(variantId: string): number | undefined;
  /** Sets a stock level, unless a later change was already applied.  @param changed sequence number of the change */
  write(variantId: string, left: number, changed: number): void;
  /** Returns the keys of variants with a level, in order of arrival, starting at index `from`. */
  keysFrom(from: number): readonly VariantKey[];
  /** Returns the number of variants with a level. */
  count(): number;
}

export interface VariantKey {
  readonly slot: number;
  readonly print: number;
}

/** Number of version counters: a power of two, large enough that variants rarely share a counter. */
const COUNTERS = 1 << 18;
/** Number of entries in each part of the table. The last part takes all keys that do not fit in the others. */
const PARTS = [1 << 14, 1 << 16, 1 << 18, 1 << 20, 1 << 22, 1 << 24];
const ENTRY_BYTES = 16;
const KEY_BYTES = 8;
const MAX_ENTRIES = PARTS.reduce((sum, entries) => sum + entries, 0);
/**
 * Size of the header before the counters: the epoch, the length of the log, and the number of keys in each part of the
 * table.
 */
const HEADER = 16;

/** Allocates the shared memory. It grows with the number of levels, up to its reserved address space. */
export function levelsMemory(): LevelsMemory {
  return {
    table: new SharedArrayBuffer(0, { maxByteLength: MAX_ENTRIES * ENTRY_BYTES }),
    log: new SharedArrayBuffer(0, { maxByteLength: MAX_ENTRIES * KEY_BYTES }),
    counters: new SharedArrayBuffer((HEADER + COUNTERS) * Int32Array.BYTES_PER_ELEMENT),
  };
}

export function createSharedLevels(memory: LevelsMemory): StockTable {
  const table = new BigInt64Array(memory.table);
  const log = new BigInt64Array(memory.log);
  const header = new Int32Array(memory.counters, 0, HEADER);
  const counters = new Int32Array(memory.counters, HEADER * Int32Array.BYTES_PER_ELEMENT);

  /** Returns the index of a key's entry in the table; undefined if the key is missing. */
  const find = (key: bigint): number | undefined => {
    let start = 0;
    for (const [part, entries] of PARTS.entries()) {
      if (Atomics.load(header, PART_COUNTS + part) === 0) return undefined;
      const found = probe(table, start, entries, key);
      if (found.isThere) return found.at;
      start += entries;
    }
    return undefined;
  };
  /** Appends a key to the log. The write of the key itself claims the slot, so a thread that ends leaves no gap. */
  const append = (key: bigint): void => {
    for (let place = Atomics.load(header, LOGGED); ; place = Atomics.load(header, LOGGED)) {
      growTo(memory.log, (place + 1) * KEY_BYTES);
      const isMine = Atomics.compareExchange(log, place, 0n, key) === 0n;
      Atomics.compareExchange(header, LOGGED, place, place + 1);
      if (isMine) return;
    }
  };
  const claimIn = (part: number, start: number, key: bigint): number => {
    const entries = PARTS[part] ?? 0;
    growTo(memory.table, (start + entries) * ENTRY_BYTES);
    for (;;) {
      const { at, isThere } = probe(table, start, entries, key);
      if (isThere) return at;
      const before = Atomics.compareExchange(table, at * 2, 0n, key);
      if (before === key) return at;
      if (before !== 0n) continue;
      Atomics.add(header, PART_COUNTS + part, 1);
      append(key);
      return at;
    }
  };
  /** Returns the index of a key's entry, and creates the entry if the key is missing. */
  const claim = (key: bigint): number => {
    const known = find(key);
    if (known !== undefined) return known;
    let start = 0;
    for (const [part, entries] of PARTS.entries()) {
      const isFull = Atomics.load(header, PART_COUNTS + part) > entries * MAX_LOAD;
      if (!isFull || part === PARTS.length - 1) return claimIn(part, start, key);
      start += entries;
    }
    throw new Error("there is no room for another stock level");
  };
  return {
    epoch: () => Atomics.load(header, EPOCH),
    countersOf: (variantIds) => Int32Array.from(variantIds, (id) => slotHash(variantKey(id)) & (COUNTERS - 1)),
    version(places) {
      let version = 0;
      for (const place of places) version = (version + Atomics.load(counters, place)) | 0;
      return version;
    },
    left(variantId) {
      const at = find(keyOf(hashesOf(variantId)));
      const value = at === undefined ? EMPTY : Atomics.load(table, at * 2 + 1);
      return value === EMPTY ? undefined : leftIn(value);
    },
    write(variantId, left, changed) {
      const hashes = hashesOf(variantId);
      const place = claim(keyOf(hashes)) * 2 + 1;
      const value = packValue(left, changed);
      for (let before = Atomics.load(table, place); ; ) {
        if (before !== EMPTY && !isLater(value, before)) return;
        const found = Atomics.compareExchange(table, place, before, value);
        if (found === before) {
          if (before !== EMPTY && leftIn(before) === leftIn(value)) return;
          break;
        }
        before = found;
      }
      // Increment the counter after the value was written, so that a reader with the old counter reads again.
      Atomics.add(counters, hashes.slot & (COUNTERS - 1), 1);
      Atomics.add(header, EPOCH, 1);
    },
    keysFrom(from) {
      const keys: VariantKey[] = [];
      for (let place = from, end = Atomics.load(header, LOGGED); place < end; place += 1) {
        const key = Atomics.load(log, place);
        keys.push({ slot: Number(BigInt.asUintN(32, key >> 32n)), print: Number(BigInt.asUintN(32, key)) });
      }
      return keys;
    },
    count: () => Atomics.load(header, LOGGED),
  };
}

const EPOCH = 0;
const LOGGED = 1;
const PART_COUNTS = 2;
const MAX_LOAD = 0.7;
/** Content of an entry before its first write. */
const EMPTY = 0n;

function hashesOf(variantId: string): VariantKey {
  const key = variantKey(variantId);
  return { slot: slotHash(key), print: printHash(key) };
}

/** Returns the key as one integer, never 0, since 0 marks a free entry. */
function keyOf({ slot, print }: VariantKey): bigint {
  return BigInt.asIntN(64, (BigInt(slot) << 32n) | BigInt(print)) || 1n;
}

/**
 * Packs a level into the low 32 bits, and the low 31 bits of the change's sequence number above it. The sequence number
 * decides which change is later.
 */
function packValue(left: number, changed: number): bigint {
  const clamped = Math.max(-0x80000000, Math.min(0x7fffffff, left));
  const high = BigInt(changed % 0x80000000) | 0x80000000n;
  return BigInt.asIntN(64, (high << 32n) | BigInt.asUintN(32, BigInt(clamped)));
}

function leftIn(value: bigint): number {
  return Number(BigInt.asIntN(32, value));
}

function isLater(value: bigint, before: bigint): boolean {
  const apart = Number(BigInt.asUintN(31, value >> 32n)) - Number(BigInt.asUintN(31, before >> 32n));
  return apart > 0 ? apart < 0x40000000 : apart < -0x40000000;
}

/** Finds the entry of a key, or the free entry where the key belongs. */
function probe(
  table: BigInt64Array,
  start: number,
  entries: number,
  key: bigint,
): { readonly at: number; readonly isThere: boolean } {
  let place = Number(BigInt.asUintN(32, key >> 32n)) & (entries - 1);
  for (;;) {
    const at = start + place;
    const found = Atomics.load(table, at * 2);
    if (found === key || found === 0n) return { at, isThere: found === key };
    place = (place + 1) & (entries - 1);
  }
}

/** Grows a buffer. If another thread grows it at the same time, the larger size applies. */
function growTo(memory: SharedArrayBuffer, bytes: number): void {
  if (memory.byteLength >= bytes) return;
  const newLength = Math.min(memory.maxByteLength, Math.max(bytes, 2 * memory.byteLength, MIN_GROWTH));
  try {
    memory.grow(newLength);
  } catch (error) {
    if (memory.byteLength < bytes) throw error;
  }
}

const MIN_GROWTH = 65_536;
