import { computeFingerprint, computeVariantKey, hashKeyForSlot } from "../packed/keys.ts";

/**
 * Stock levels of variants in memory that all threads of a process share. The structure is lock-free, so a thread that
 * ends during a write blocks no other thread.
 *
 * - The table maps a key to the remaining units and the change number. It uses open addressing.
 *   Each part of the table is four times larger than the previous part.
 * - The log contains each key once, in order of arrival.
 * - The version counters are indexed by variant hash, modulo their number. Each stock change increments a counter.
 *
 * A key is a 64-bit hash, the same as a variant's hash in `RowKeyTable`.
 */
export interface StockBuffers {
  readonly table: SharedArrayBuffer;
  readonly log: SharedArrayBuffer;
  readonly counters: SharedArrayBuffer;
}

export interface StockTable {
  /** Returns a number that changes with every change of stock. */
  epoch(): number;
  /** Returns the index of each variant's change counter. A stock change of the variant increments it. */
  findCounters(variantIds: readonly string[]): Int32Array;
  /**
   * Returns a version that changes when the level of one of the variants changes; 0 before the first change.
   * @param counterIndices result of `findCounters`
   */
  versionOf(counterIndices: Int32Array): number;
  /** Returns the units that can be sold; undefined if the imported quantity applies. */
  remainingUnits(variantId: string): number | undefined;
  /**
   * Sets a stock level, unless a later change was already applied.
   * @param sequenceNumber sequence number of the change
   */
  write(variantId: string, remainingUnits: number, sequenceNumber: number): void;
  /** Returns the keys of variants with a stored stock level, in order of arrival, starting at index `from`. */
  readKeysFrom(from: number): readonly VariantKey[];
  /** Returns the number of variants with a stored stock level. */
  count(): number;
}

export interface VariantKey {
  readonly slot: number;
  readonly fingerprint: number;
}

/** Number of version counters: a power of two, large enough that variants rarely share a counter. */
const VERSION_COUNTER_COUNT = 1 << 18;
/**
 * Number of entries in each part of the hash table. The last part takes all keys that do not fit in the earlier parts.
 */
const PART_SIZES = [1 << 14, 1 << 16, 1 << 18, 1 << 20, 1 << 22, 1 << 24];
const ENTRY_BYTES = 16;
const KEY_BYTES = 8;
const MAX_ENTRIES = PART_SIZES.reduce((sum, entries) => sum + entries, 0);
/**
 * Number of 32-bit integers in the header before the counters. The header contains the epoch, the length of the log,
 * and the number of keys in each part of the table.
 */
const HEADER_LENGTH = 16;

/** Allocates the shared memory. It grows with the number of levels, up to its reserved address space. */
export function createStockBuffers(): StockBuffers {
  return {
    table: new SharedArrayBuffer(0, { maxByteLength: MAX_ENTRIES * ENTRY_BYTES }),
    log: new SharedArrayBuffer(0, { maxByteLength: MAX_ENTRIES * KEY_BYTES }),
    counters: new SharedArrayBuffer((HEADER_LENGTH + VERSION_COUNTER_COUNT) * Int32Array.BYTES_PER_ELEMENT),
  };
}

export function createStockTable(memory: StockBuffers): StockTable {
  const table = new BigInt64Array(memory.table);
  const log = new BigInt64Array(memory.log);
  const header = new Int32Array(memory.counters, 0, HEADER_LENGTH);
  const counters = new Int32Array(memory.counters, HEADER_LENGTH * Int32Array.BYTES_PER_ELEMENT);

  /** Returns the index of a key's entry in the table; undefined if the key is missing. */
  const findEntry = (key: bigint): number | undefined => {
    let start = 0;
    for (const [part, entries] of PART_SIZES.entries()) {
      if (Atomics.load(header, PART_COUNTS_INDEX + part) === 0) return undefined;
      const entry = findSlot(table, start, entries, key);
      if (entry.exists) return entry.index;
      start += entries;
    }
    return undefined;
  };
  /** Appends a key to the log, at the first free index. A thread that is stopped during the call leaves no gap. */
  const appendKey = (key: bigint): void => {
    for (let position = Atomics.load(header, LOG_LENGTH_INDEX); ; position = Atomics.load(header, LOG_LENGTH_INDEX)) {
      ensureCapacity(memory.log, (position + 1) * KEY_BYTES);
      const isIndexClaimed = Atomics.compareExchange(log, position, 0n, key) === 0n;
      Atomics.compareExchange(header, LOG_LENGTH_INDEX, position, position + 1);
      if (isIndexClaimed) return;
    }
  };
  const allocateEntryInPart = (part: number, start: number, key: bigint): number => {
    const entries = PART_SIZES[part] ?? 0;
    ensureCapacity(memory.table, (start + entries) * ENTRY_BYTES);
    for (;;) {
      const { index, exists } = findSlot(table, start, entries, key);
      if (exists) return index;
      const previousKey = Atomics.compareExchange(table, index * 2, 0n, key);
      if (previousKey === key) return index;
      if (previousKey !== 0n) continue;
      Atomics.add(header, PART_COUNTS_INDEX + part, 1);
      appendKey(key);
      return index;
    }
  };
  /** Returns the index of a key's entry, and creates the entry if the key is missing. */
  const allocateEntry = (key: bigint): number => {
    const existingIndex = findEntry(key);
    if (existingIndex !== undefined) return existingIndex;
    let start = 0;
    for (const [part, entries] of PART_SIZES.entries()) {
      const isPartitionFull = Atomics.load(header, PART_COUNTS_INDEX + part) > entries * MAX_LOAD_RATIO;
      if (!isPartitionFull || part === PART_SIZES.length - 1) return allocateEntryInPart(part, start, key);
      start += entries;
    }
    throw new Error("there is no room for another stock level");
  };
  return {
    epoch: () => Atomics.load(header, EPOCH_INDEX),
    findCounters: (variantIds) =>
      Int32Array.from(variantIds, (id) => hashKeyForSlot(computeVariantKey(id)) & (VERSION_COUNTER_COUNT - 1)),
    versionOf(counterIndices) {
      let version = 0;
      for (const position of counterIndices) version = (version + Atomics.load(counters, position)) | 0;
      return version;
    },
    remainingUnits(variantId) {
      const index = findEntry(combineHashes(hashVariantId(variantId)));
      const value = index === undefined ? EMPTY_VALUE : Atomics.load(table, index * 2 + 1);
      return value === EMPTY_VALUE ? undefined : unpackUnits(value);
    },
    write(variantId, units, sequenceNumber) {
      const variantKey = hashVariantId(variantId);
      const position = allocateEntry(combineHashes(variantKey)) * 2 + 1;
      const value = packValue(units, sequenceNumber);
      for (let expectedValue = Atomics.load(table, position); ; ) {
        if (expectedValue !== EMPTY_VALUE && !isNewerLevel(value, expectedValue)) return;
        const storedValue = Atomics.compareExchange(table, position, expectedValue, value);
        if (storedValue === expectedValue) {
          if (expectedValue !== EMPTY_VALUE && unpackUnits(expectedValue) === unpackUnits(value)) return;
          break;
        }
        expectedValue = storedValue;
      }
      // Increment the counter after the value was written, so that a reader with the old counter reads again.
      Atomics.add(counters, variantKey.slot & (VERSION_COUNTER_COUNT - 1), 1);
      Atomics.add(header, EPOCH_INDEX, 1);
    },
    readKeysFrom(from) {
      const keys: VariantKey[] = [];
      for (let position = from, end = Atomics.load(header, LOG_LENGTH_INDEX); position < end; position += 1) {
        const key = Atomics.load(log, position);
        keys.push({ slot: Number(BigInt.asUintN(32, key >> 32n)), fingerprint: Number(BigInt.asUintN(32, key)) });
      }
      return keys;
    },
    count: () => Atomics.load(header, LOG_LENGTH_INDEX),
  };
}

const EPOCH_INDEX = 0;
const LOG_LENGTH_INDEX = 1;
const PART_COUNTS_INDEX = 2;
const MAX_LOAD_RATIO = 0.7;
/** Value of an entry whose stock level was not written yet. */
const EMPTY_VALUE = 0n;

function hashVariantId(variantId: string): VariantKey {
  const key = computeVariantKey(variantId);
  return { slot: hashKeyForSlot(key), fingerprint: computeFingerprint(key) };
}

/** Combines both hashes of a variant into one integer, which is never 0, because 0 marks a free entry. */
function combineHashes({ slot, fingerprint }: VariantKey): bigint {
  return BigInt.asIntN(64, (BigInt(slot) << 32n) | BigInt(fingerprint)) || 1n;
}

/**
 * Packs a level into the low 32 bits, and the low 31 bits of the change's sequence number above it. The sequence number
 * decides which change is later.
 */
function packValue(units: number, sequenceNumber: number): bigint {
  const clampedUnits = Math.max(-0x80000000, Math.min(0x7fffffff, units));
  const sequenceBits = BigInt(sequenceNumber % 0x80000000) | 0x80000000n;
  return BigInt.asIntN(64, (sequenceBits << 32n) | BigInt.asUintN(32, BigInt(clampedUnits)));
}

function unpackUnits(value: bigint): number {
  return Number(BigInt.asIntN(32, value));
}

function isNewerLevel(value: bigint, previousValue: bigint): boolean {
  const distance = Number(BigInt.asUintN(31, value >> 32n)) - Number(BigInt.asUintN(31, previousValue >> 32n));
  return distance > 0 ? distance < 0x40000000 : distance < -0x40000000;
}

/** Returns the index of a key's entry, or of the free entry where the key would be inserted. */
function findSlot(
  table: BigInt64Array,
  start: number,
  entries: number,
  key: bigint,
): { readonly index: number; readonly exists: boolean } {
  let position = Number(BigInt.asUintN(32, key >> 32n)) & (entries - 1);
  for (;;) {
    const index = start + position;
    const storedKey = Atomics.load(table, index * 2);
    if (storedKey === key || storedKey === 0n) return { index, exists: storedKey === key };
    position = (position + 1) & (entries - 1);
  }
}

/** Grows a buffer. If another thread grows it at the same time, the larger size applies. */
function ensureCapacity(memory: SharedArrayBuffer, bytes: number): void {
  if (memory.byteLength >= bytes) return;
  const newLength = Math.min(memory.maxByteLength, Math.max(bytes, 2 * memory.byteLength, MIN_GROWTH_BYTES));
  try {
    memory.grow(newLength);
  } catch (error) {
    if (memory.byteLength < bytes) throw error;
  }
}

const MIN_GROWTH_BYTES = 65_536;
