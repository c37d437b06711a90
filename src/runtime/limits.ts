import { hash } from "node:crypto";

/** Limits how often something may be done for one key. Each key has a token bucket, which is full at first. */
export interface Limits<Name extends string = LimitName> {
  /** Takes a token. @returns false if the limit is reached */
  consume(limit: Name, key: string, now: number): boolean;
  /** Returns a token. */
  refund(limit: Name, key: string, now: number): void;
  /** Whether a token is left. For attempts that are verified first, and counted by {@link countFailure} if they fail. */
  allows(limit: Name, key: string, now: number): boolean;
  /** Takes a token, even from an empty bucket: attempts that are verified at the same time all count. */
  countFailure(limit: Name, key: string, now: number): void;
}

export interface Limit {
  /** Tokens of a full bucket. */
  readonly burst: number;
  /** Milliseconds after which a token is added. */
  readonly everyMs: number;
  /** Buckets in memory, 20,000 by default. If all are in use, the bucket that is full soonest is reused. */
  readonly maxKeys?: number;
  /** Keys are networks, as `addressBlock` returns them. An IPv6 site (/48) has 65,536 networks (/64): all of a site together have as many tokens as
   *  {@link NETWORKS_OF_SITE} networks, because the telephones of one carrier may be in one site. */
  readonly isByAddress?: true;
  /** Limits all keys together, too. */
  readonly total?: { readonly burst: number; readonly everyMs: number };
}

/** All limits, by name. Many shoppers may share an address (without `trustProxy` all of them), so limits by address are high: one shopper reaches a
 *  limit by cart, checkout, or email first. */
export const limitTable = {
  /** Discount codes and gift cards. */
  "wrong code by address": { burst: 300, everyMs: 2_000, isByAddress: true },
  "wrong code by cart": { burst: 10, everyMs: 20_000 },
  /** Messages, comments, and newsletter addresses. */
  "form by address": { burst: 60, everyMs: 10_000, isByAddress: true },
  "form by email": { burst: 5, everyMs: 60_000 },
  /** Reservations of stock, each for `checkout.holdMinutes`. Over the limit a checkout is paid without one, so no shopper is rejected. A cart whose
   *  payment failed twice still gets one. */
  "reservation by address": { burst: 100, everyMs: 60_000, isByAddress: true },
  "reservation by cart": { burst: 3, everyMs: 3_600_000 },
  /** Views of checkouts that reserve uses of limited discounts for half an hour. Over the limit a view reserves none: the order takes what is left. */
  "discount use by address": { burst: 100, everyMs: 1_800_000, isByAddress: true },
  /** Keys name the kind of attempt and the checkout: "pay 1", "quote 1", "return 1". */
  "checkout attempt": { burst: 60, everyMs: 2_000 },
  "order by address": { burst: 1_000, everyMs: 1_000, isByAddress: true },
  /** Requests to a carrier and a tax service: a checkout makes about three. */
  "quote by address": { burst: 1_000, everyMs: 100, isByAddress: true },
  /** Customer sessions that the merchant's hook does not know. */
  "unknown session by address": { burst: 300, everyMs: 200, isByAddress: true },
  "API call by token": { burst: 1_000, everyMs: 5, maxKeys: 1_024 },
  /** Requests with a wrong token, or none. */
  "wrong token by address": { burst: 60, everyMs: 1_000, isByAddress: true },
  /** Payment notifications without a valid signature. */
  "unsigned notification by address": { burst: 600, everyMs: 100, isByAddress: true },
  /** Tokens that the console's login rejects. */
  "wrong login by address": { burst: 5, everyMs: 10_000, isByAddress: true },
  /** Images that are resized: only the first visitors of a new theme get near it. */
  "resized image by address": { burst: 300, everyMs: 5_000, maxKeys: 10_000 },
  /** Confirmations of unpaid orders: anyone can order with any email address. Mails above the limit are sent later. */
  "confirmation by recipient": { burst: 10, everyMs: 600_000 },
  /** An error of one revision of the theme occurs in each thread, and is logged once. */
  "theme error": { burst: 1, everyMs: 86_400_000, maxKeys: 4_096 },
  /** Keys are a kind of signal and a network. New rows: of each kind about 50 a day from one network, 20,000 a day in all. */
  "new signal row": { burst: 30, everyMs: 3_600_000, maxKeys: 60_000, total: { burst: 8_000, everyMs: 7_500 } },
} as const satisfies Readonly<Record<string, Limit>>;

export type LimitName = keyof typeof limitTable;

/** @param options.memory of `limitsMemory` for the same table: limits in one memory count together, in all threads; default: their own memory
 *  @param options.onReached called for each attempt that a limit rejects */
export function createLimits<Name extends string>(
  table: Readonly<Record<Name, Limit>>,
  options: { readonly memory?: SharedArrayBuffer; readonly onReached?: (limit: Name) => void } = {},
): Limits<Name> {
  const { memory = createLimitsMemory(table), onReached = () => {} } = options;
  const limits = new Map<Name, readonly Level[]>();
  let offset = 0;
  const openEntries = (count: number): BigUint64Array => {
    const entries = new BigUint64Array(memory, offset, count);
    offset += entries.byteLength;
    return entries;
  };
  for (const [name, limit] of entriesOf(table)) {
    const [entries, total] = entryCounts(limit).map(openEntries);
    if (entries !== undefined) limits.set(name, levelsOf(limit, entries, total));
  }
  const bucketsOf = (limit: Name, key: string): readonly Bucket[] =>
    (limits.get(limit) ?? []).flatMap(({ buckets, keyOf }) => {
      const levelKey = keyOf(key);
      return levelKey === undefined ? [] : [{ buckets, key: levelKey }];
    });
  return {
    consume(limit, key, now) {
      const all = bucketsOf(limit, key);
      const empty = all.findIndex((one) => !one.buckets.take(one.key, now));
      if (empty === -1) return true;
      for (const consumed of all.slice(0, empty)) consumed.buckets.putBack(consumed.key, now);
      onReached(limit);
      return false;
    },
    refund(limit, key, now) {
      for (const one of bucketsOf(limit, key)) one.buckets.putBack(one.key, now);
    },
    allows(limit, key, now) {
      const isAllowed = bucketsOf(limit, key).every((one) => one.buckets.hasToken(one.key, now));
      if (!isAllowed) onReached(limit);
      return isAllowed;
    },
    countFailure(limit, key, now) {
      for (const one of bucketsOf(limit, key)) one.buckets.force(one.key, now);
    },
  };
}

/** Memory in which several threads count together. */
export function createLimitsMemory(table: Readonly<Record<string, Limit>>): SharedArrayBuffer {
  const counts = entriesOf(table).flatMap(([, limit]) => entryCounts(limit));
  return new SharedArrayBuffer(counts.reduce((sum, count) => sum + count, 0) * BigUint64Array.BYTES_PER_ELEMENT);
}

/** Networks of one IPv6 site that have as many tokens as the site. */
export const NETWORKS_OF_SITE = 16;
/** Failed attempts may take as many tokens as this many full buckets hold. */
export const MAX_DEBT = 2;
const MAX_KEYS = 20_000;

/** Buckets of which an attempt needs a token each. */
interface Level {
  readonly buckets: TokenBuckets;
  /** The bucket's key; undefined: this level does not limit the key. */
  readonly keyOf: (key: string) => string | undefined;
}

interface Bucket {
  readonly buckets: TokenBuckets;
  readonly key: string;
}

function entriesOf<Name extends string>(table: Readonly<Record<Name, Limit>>): readonly (readonly [Name, Limit])[] {
  return Object.entries(table) as [Name, Limit][];
}

/** Entries for the keys of a limit, and for its total. */
function entryCounts({ maxKeys = MAX_KEYS, total }: Limit): readonly number[] {
  const forKeys = Math.ceil(maxKeys / WAYS) * WAYS;
  return total === undefined ? [forKeys] : [forKeys, WAYS];
}

function levelsOf(limit: Limit, entries: BigUint64Array, totalEntries: BigUint64Array | undefined): readonly Level[] {
  const { burst, everyMs, isByAddress, total } = limit;
  const levels: Level[] = [{ buckets: new TokenBuckets(entries, burst, everyMs), keyOf: (key) => key }];
  if (isByAddress === true) {
    const ofSites = new TokenBuckets(entries, burst * NETWORKS_OF_SITE, everyMs / NETWORKS_OF_SITE);
    levels.push({ buckets: ofSites, keyOf: siteOf });
  }
  if (total !== undefined && totalEntries !== undefined)
    levels.push({ buckets: new TokenBuckets(totalEntries, total.burst, total.everyMs), keyOf: () => "" });
  return levels;
}

/** "2001:db8:1:2" -> "2001:db8:1 site"; undefined for IPv4, where a site has few addresses. */
function siteOf(network: string): string | undefined {
  const groups = network.split(":");
  return groups.length === 4 ? `${groups.slice(0, 3).join(":")} site` : undefined;
}

/** Token buckets in a hash table of fixed size, in memory that threads may share. */
class TokenBuckets {
  readonly #entries: BigUint64Array;
  readonly #burst: number;
  readonly #everyMs: number;

  constructor(entries: BigUint64Array, burst: number, everyMs: number) {
    this.#entries = entries;
    this.#burst = burst;
    this.#everyMs = everyMs;
  }

  take(key: string, now: number): boolean {
    return this.#change(key, now, (missingMs) => (this.#fits(missingMs) ? missingMs + this.#everyMs : undefined));
  }

  putBack(key: string, now: number): void {
    this.#change(key, now, (missingMs) => missingMs - this.#everyMs);
  }

  hasToken(key: string, now: number): boolean {
    let hasToken = false;
    this.#change(key, now, (missingMs) => {
      hasToken = this.#fits(missingMs);
      return undefined;
    });
    return hasToken;
  }

  /** Takes a token, even from an empty bucket. */
  force(key: string, now: number): void {
    const maxMs = MAX_DEBT * this.#burst * this.#everyMs;
    this.#change(key, now, (missingMs) => Math.min(missingMs + this.#everyMs, maxMs));
  }

  #fits(missingMs: number): boolean {
    return missingMs + this.#everyMs <= this.#burst * this.#everyMs;
  }

  /** Changes the milliseconds until a key's bucket is full. @param change returns undefined to leave it  @returns whether it changed */
  #change(key: string, now: number, change: (missingMs: number) => number | undefined): boolean {
    const { tag, start } = locate(key, this.#entries.length);
    const fullMs = this.#burst * this.#everyMs;
    for (;;) {
      const { index, entry } = this.#find(start, tag);
      const isFound = entry >> TIME_BITS === tag;
      const aheadMs = isFound ? Math.max(Number(entry & TIME_MASK) - now, 0) : 0;
      // After the clock was set back, a bucket must not take longer to fill than an empty one.
      const missingMs = change(aheadMs > MAX_DEBT * fullMs ? fullMs : aheadMs);
      if (missingMs === undefined) return false;
      const next = missingMs <= 0 ? 0n : (tag << TIME_BITS) | (BigInt(Math.ceil(now + missingMs)) & TIME_MASK);
      // If another thread has changed the entry, read it again.
      if ((next === 0n && !isFound) || Atomics.compareExchange(this.#entries, index, entry, next) === entry)
        return true;
    }
  }

  /** The entry of a tag, else an empty one, else the one whose bucket is full soonest. */
  #find(start: number, tag: bigint): { readonly index: number; readonly entry: bigint } {
    let best = { index: start, entry: Atomics.load(this.#entries, start) };
    for (let index = start; index < start + WAYS; index += 1) {
      const entry = Atomics.load(this.#entries, index);
      if (entry >> TIME_BITS === tag) return { index, entry };
      if ((entry & TIME_MASK) < (best.entry & TIME_MASK)) best = { index, entry };
    }
    return best;
  }
}

/** An entry is a tag, which distinguishes keys of the same set, and the time at which the bucket is full, in milliseconds since 1970; 0 if unused. */
const TIME_BITS = 42n;
const TIME_MASK = (1n << TIME_BITS) - 1n;
/** Entries of a set: a key may be in any of them. */
const WAYS = 8;

function locate(key: string, length: number): { readonly tag: bigint; readonly start: number } {
  const digest = hash("sha256", key, "buffer");
  // At least 1, because 0 is an unused entry.
  const tag = BigInt(digest.readUInt32LE(0) >>> 11) + 1n;
  return { tag, start: (digest.readUInt32LE(4) % (length / WAYS)) * WAYS };
}
