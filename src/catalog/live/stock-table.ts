import { printHash, slotHash, variantKey } from "../packed/keys.ts";

/** What is left of variants, in memory that the threads of a process share. Nobody waits for another: a thread that ends amid a write leaves nothing locked.
 *
 *      table      [key][left, changed] [ ][ ] [key][left, changed] ...   open addressing, in parts, each four times as large as the one before
 *      log        [key] [key] ...                                        each key once, in the order in which they came
 *      counters   0  0  3  0  1 ...                                      a variant's own: hash mod their number; moves with what is left
 *
 *  A key is 64 bits of hash, the same as `PackedKeys` has of a variant. */
export interface LevelsMemory {
  readonly table: SharedArrayBuffer;
  readonly log: SharedArrayBuffer;
  readonly counters: SharedArrayBuffer;
}

export interface StockTable {
  /** Another number after each change, of whatever variant. */
  epoch(): number;
  /** Where the counters of variants are. */
  countersOf(variantIds: readonly string[]): Int32Array;
  /** Another number once what is left of any of them has changed; 0 while it never has.
   *  @param places of `countersOf` */
  version(places: Int32Array): number;
  /** Units that can be sold; undefined where the catalogue's quantity counts. */
  left(variantId: string): number | undefined;
  /** Takes what is left after a change, unless a later change is known.
   *  @param changed the number of the change */
  write(variantId: string, left: number, changed: number): void;
  /** Hashes of variants that have a level, those that came after the first `from` of them. */
  keysFrom(from: number): readonly VariantKey[];
  /** How many variants have a level. */
  count(): number;
}

export interface VariantKey {
  readonly slot: number;
  readonly print: number;
}

/** A power of two: a variant seldom shares its counter. */
const COUNTERS = 1 << 18;
/** Entries of the table's parts; the last one holds what the others do not. */
const PARTS = [1 << 14, 1 << 16, 1 << 18, 1 << 20, 1 << 22, 1 << 24];
const ENTRY_BYTES = 16;
const KEY_BYTES = 8;
const MAX_ENTRIES = PARTS.reduce((sum, entries) => sum + entries, 0);
/** What comes before the counters: the epoch, how many keys the log has, and how many each part of the table. */
const HEADER = 16;

/** Takes as much memory as there are levels: the rest is reserved, and costs nothing. */
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

  /** @returns the entry's place in the table; undefined where there is none */
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
  /** A place is taken by being filled, so that there is never a gap, whatever becomes of a thread. */
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
  /** Finds the entry of a key, or makes one. */
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
      const value = at === undefined ? NOTHING : Atomics.load(table, at * 2 + 1);
      return value === NOTHING ? undefined : leftIn(value);
    },
    write(variantId, left, changed) {
      const hashes = hashesOf(variantId);
      const place = claim(keyOf(hashes)) * 2 + 1;
      const value = packValue(left, changed);
      for (let before = Atomics.load(table, place); ; ) {
        if (before !== NOTHING && !isLater(value, before)) return;
        const found = Atomics.compareExchange(table, place, before, value);
        if (found === before) {
          if (before !== NOTHING && leftIn(before) === leftIn(value)) return;
          break;
        }
        before = found;
      }
      // After the value: who sees the counter as it was reads again.
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
/** A value that was not written yet. */
const NOTHING = 0n;

function hashesOf(variantId: string): VariantKey {
  const key = variantKey(variantId);
  return { slot: slotHash(key), print: printHash(key) };
}

/** Never 0, which is a free entry. */
function keyOf({ slot, print }: VariantKey): bigint {
  return BigInt.asIntN(64, (BigInt(slot) << 32n) | BigInt(print)) || 1n;
}

/** The number of the change, of which 31 bits tell which is later, above what is left. */
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

/** The entry of a key, or the free one where it belongs. */
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

/** Where another thread grows it at once, the larger one counts. */
function growTo(memory: SharedArrayBuffer, bytes: number): void {
  if (memory.byteLength >= bytes) return;
  const wanted = Math.min(memory.maxByteLength, Math.max(bytes, 2 * memory.byteLength, MIN_GROWTH));
  try {
    memory.grow(wanted);
  } catch (error) {
    if (memory.byteLength < bytes) throw error;
  }
}

const MIN_GROWTH = 65_536;
