import { hash } from "node:crypto";

/**
 * Maximum number of tokens that can be missing from a bucket, as a multiple of its capacity. Failures also take tokens
 * from an empty bucket.
 */
export const MAX_TOKEN_DEBT = 2;

/** Token buckets in a hash table of fixed size, in memory that threads can share. */
export class TokenBuckets {
  readonly #entries: BigUint64Array;
  readonly #maxTokens: number;
  readonly #refillIntervalMs: number;

  constructor(entries: BigUint64Array, burst: number, refillIntervalMs: number) {
    this.#entries = entries;
    this.#maxTokens = burst;
    this.#refillIntervalMs = refillIntervalMs;
  }

  tryTakeToken(key: string, now: number): boolean {
    return this.#updateBucket(key, now, (refillMs) =>
      this.#hasRoom(refillMs) ? refillMs + this.#refillIntervalMs : undefined,
    );
  }

  restoreToken(key: string, now: number): void {
    this.#updateBucket(key, now, (refillMs) => refillMs - this.#refillIntervalMs);
  }

  hasToken(key: string, now: number): boolean {
    let hasToken = false;
    this.#updateBucket(key, now, (refillMs) => {
      hasToken = this.#hasRoom(refillMs);
      return undefined;
    });
    return hasToken;
  }

  /** Takes a token, even from an empty bucket. */
  forceTakeToken(key: string, now: number): void {
    const maxDebtMs = MAX_TOKEN_DEBT * this.#maxTokens * this.#refillIntervalMs;
    this.#updateBucket(key, now, (refillMs) => Math.min(refillMs + this.#refillIntervalMs, maxDebtMs));
  }

  #hasRoom(refillMs: number): boolean {
    return refillMs + this.#refillIntervalMs <= this.#maxTokens * this.#refillIntervalMs;
  }

  /**
   * Updates the state of a key's bucket, which is the number of milliseconds until the bucket is full again.
   * @param change returns the new number, or undefined to leave it unchanged
   * @returns whether the number was changed
   */
  #updateBucket(key: string, now: number, change: (refillMs: number) => number | undefined): boolean {
    const { fingerprint: keyHash, start } = locateKey(key, this.#entries.length);
    for (;;) {
      const { index, entry } = this.#findEntry(start, keyHash);
      const matchesKey = entry >> TIME_BITS === keyHash;
      const refillMs = change(matchesKey ? Math.max(Number(entry & TIME_MASK) - now, 0) : 0);
      if (refillMs === undefined) return false;
      const newEntry = refillMs <= 0 ? 0n : (keyHash << TIME_BITS) | (BigInt(Math.ceil(now + refillMs)) & TIME_MASK);
      // If another thread changed the entry in the meantime, the entry is read again.
      if ((newEntry === 0n && !matchesKey) || Atomics.compareExchange(this.#entries, index, entry, newEntry) === entry)
        return true;
    }
  }

  /**
   * Returns the entry of a key. If the key has none, returns an unused entry, or else the entry whose bucket will be
   * full first.
   */
  #findEntry(start: number, keyHash: bigint): { readonly index: number; readonly entry: bigint } {
    let bestEntry = { index: start, entry: Atomics.load(this.#entries, start) };
    for (let index = start; index < start + ENTRIES_PER_SET; index += 1) {
      const entry = Atomics.load(this.#entries, index);
      if (entry >> TIME_BITS === keyHash) return { index, entry };
      if ((entry & TIME_MASK) < (bestEntry.entry & TIME_MASK)) bestEntry = { index, entry };
    }
    return bestEntry;
  }
}

/**
 * Number of low bits of an entry that store the time at which the bucket is full, in milliseconds since 1970. The high
 * bits store a tag, which identifies the key among the entries of its set. An unused entry is 0.
 */
const TIME_BITS = 42n;
const TIME_MASK = (1n << TIME_BITS) - 1n;
/** Number of adjacent entries that form a set. A key may be stored in any entry of its set. */
export const ENTRIES_PER_SET = 8;

function locateKey(key: string, length: number): { readonly fingerprint: bigint; readonly start: number } {
  const digest = hash("sha256", key, "buffer");
  // The tag is at least 1, because 0 means an unused entry.
  const keyHash = BigInt(digest.readUInt32LE(0) >>> 11) + 1n;
  return { fingerprint: keyHash, start: (digest.readUInt32LE(4) % (length / ENTRIES_PER_SET)) * ENTRIES_PER_SET };
}
