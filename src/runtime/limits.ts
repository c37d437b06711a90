import { ENTRIES_PER_SET, TokenBuckets } from "./token-buckets.ts";

/** Rate limits per key. Each key has a token bucket, which is initially full. */
export interface RateLimits<Name extends string = LimitName> {
  /** Takes a token.  @returns false if the limit is reached */
  consume(limit: Name, key: string, now: number): boolean;
  /** Returns a token to the bucket. */
  refund(limit: Name, key: string, now: number): void;
  /**
   * Returns whether a token is available, without taking it. Use it with {@link countFailure} for attempts that take a
   * token only if they fail.
   */
  allows(limit: Name, key: string, now: number): boolean;
  /** Takes a token, even from an empty bucket, so that concurrent failures are all counted. */
  countFailure(limit: Name, key: string, now: number): void;
}

export interface Limit {
  /** Number of tokens in a full bucket. */
  readonly burst: number;
  /** Milliseconds after which a token is added. */
  readonly refillIntervalMs: number;
  /** Maximum number of buckets. If all are in use, the bucket that will be full first is reused. Default: 20,000. */
  readonly maxKeys?: number;
  /**
   * Whether keys are IP networks, as returned by `findAddressBlock`. All networks (/64) of an IPv6 site (/48) then also
   * share a second limit, {@link IPV6_SITE_FACTOR} times as high, because all phones of a mobile carrier may be in one
   * site.
   */
  readonly hasAddressKeys?: true;
  /** Additional limit for all keys together. */
  readonly total?: { readonly burst: number; readonly refillIntervalMs: number };
}

/**
 * All limits by name. Many shoppers may share an IP address, and without `trustProxy` all of them do. Limits by address
 * are therefore high, and a single shopper reaches a limit by cart, checkout, or email first.
 */
export const limitsByName = {
  /** Wrong discount codes and gift cards. */
  "wrong code by address": { burst: 300, refillIntervalMs: 2_000, hasAddressKeys: true },
  "wrong code by cart": { burst: 10, refillIntervalMs: 20_000 },
  /** Messages, comments, and newsletter registrations. */
  "form by address": { burst: 60, refillIntervalMs: 10_000, hasAddressKeys: true },
  "form by email": { burst: 5, refillIntervalMs: 60_000 },
  /**
   * Stock reservations, each for `checkout.holdMinutes`. Above the limit, a checkout can be paid without a reservation.
   * The limit by cart allows two further reservations, for example after failed payments.
   */
  "reservation by address": { burst: 100, refillIntervalMs: 60_000, hasAddressKeys: true },
  "reservation by cart": { burst: 3, refillIntervalMs: 3_600_000 },
  /**
   * Checkout views that reserve a use of a limited discount for half an hour. Above the limit, nothing is reserved, and
   * the order gets the discount only if uses remain.
   */
  "discount use by address": { burst: 100, refillIntervalMs: 1_800_000, hasAddressKeys: true },
  /** Attempts of each kind per checkout. The key contains the kind and the checkout, such as "pay 1" or "quote 1". */
  "checkout attempt": { burst: 60, refillIntervalMs: 2_000 },
  "order by address": { burst: 1_000, refillIntervalMs: 1_000, hasAddressKeys: true },
  /** Requests to a carrier or a tax service. A checkout makes about three. */
  "quote by address": { burst: 1_000, refillIntervalMs: 100, hasAddressKeys: true },
  /** Requests with a session cookie that the merchant's code does not recognize. */
  "unknown session by address": { burst: 300, refillIntervalMs: 200, hasAddressKeys: true },
  /** Requests of shopping agents. Many buyers may share an agent, and thus its address. */
  "agent read by address": { burst: 600, refillIntervalMs: 50, hasAddressKeys: true },
  "agent write by address": { burst: 300, refillIntervalMs: 200, hasAddressKeys: true },
  "API call by token": { burst: 1_000, refillIntervalMs: 5, maxKeys: 1_024 },
  /** API requests with a wrong token or without one. */
  "wrong token by address": { burst: 60, refillIntervalMs: 1_000, hasAddressKeys: true },
  /** Payment notifications without a valid signature. */
  "unsigned notification by address": { burst: 600, refillIntervalMs: 100, hasAddressKeys: true },
  "wrong login by address": { burst: 5, refillIntervalMs: 10_000, hasAddressKeys: true },
  /** One-time codes that are entered at the console login, whether right or wrong. */
  "second factor by token": { burst: 5, refillIntervalMs: 30_000 },
  "test email by token": { burst: 5, refillIntervalMs: 60_000 },
  /** Images that are resized. Only the first visitors after a change of the theme approach this limit. */
  "resized image by address": { burst: 300, refillIntervalMs: 5_000, maxKeys: 10_000, hasAddressKeys: true },
  /**
   * Order confirmations of unpaid orders, since anyone can order with any email address. Emails above the limit are
   * sent later.
   */
  "confirmation by recipient": { burst: 10, refillIntervalMs: 600_000 },
  /** Log lines of theme errors, once per revision of the theme for all threads, and of an untrusted proxy. */
  "theme error": { burst: 1, refillIntervalMs: 86_400_000, maxKeys: 4_096 },
  /**
   * New database rows that count searches or clicks. The key contains the kind of row and the IP network. About 50 rows
   * per day are allowed per kind and network, and 20,000 per day in total.
   */
  "new signal row": {
    burst: 30,
    refillIntervalMs: 3_600_000,
    maxKeys: 60_000,
    total: { burst: 8_000, refillIntervalMs: 7_500 },
  },
} as const satisfies Readonly<Record<string, Limit>>;

export type LimitName = keyof typeof limitsByName;

/**
 * Creates limits.
 * @param options.memory memory of `allocateLimitMemory` for the same table. Threads with the same memory share their
 * limits. Default: new memory
 * @param options.onLimitHit called for each rejected attempt
 */
export function createLimits<Name extends string>(
  table: Readonly<Record<Name, Limit>>,
  options: { readonly memory?: SharedArrayBuffer; readonly onLimitHit?: (limit: Name) => void } = {},
): RateLimits<Name> {
  const { memory = allocateLimitMemory(table), onLimitHit = () => {} } = options;
  const limits = new Map<Name, readonly LimitLevel[]>();
  const latestTime = new BigInt64Array(memory, 0, 1);
  let offset = latestTime.byteLength;
  const allocateEntries = (count: number): BigUint64Array => {
    const entries = new BigUint64Array(memory, offset, count);
    offset += entries.byteLength;
    return entries;
  };
  for (const [name, limit] of entriesOf(table)) {
    const [entries, total] = countEntries(limit).map(allocateEntries);
    if (entries !== undefined) limits.set(name, createLimitLevels(limit, entries, total));
  }
  /** Fills all buckets if the clock was set back. Otherwise, they would be empty until it reaches the old time. */
  const checkClock = (now: number): void => {
    const latest = Number(Atomics.load(latestTime, 0));
    if (now < latest - MAX_TIME_DIFFERENCE_MS) new BigUint64Array(memory).fill(0n);
    else if (now <= latest) return;
    Atomics.store(latestTime, 0, BigInt(Math.ceil(now)));
  };
  const listBuckets = (limit: Name, key: string, now: number): readonly Bucket[] => {
    checkClock(now);
    return (limits.get(limit) ?? []).flatMap(({ buckets, keyOf }) => {
      const bucketKey = keyOf(key);
      return bucketKey === undefined ? [] : [{ buckets, key: bucketKey }];
    });
  };
  return {
    consume(limit, key, now) {
      const buckets = listBuckets(limit, key, now);
      const emptyBucketIndex = buckets.findIndex((bucket) => !bucket.buckets.tryTakeToken(bucket.key, now));
      if (emptyBucketIndex === -1) return true;
      for (const usedBucket of buckets.slice(0, emptyBucketIndex)) usedBucket.buckets.restoreToken(usedBucket.key, now);
      onLimitHit(limit);
      return false;
    },
    refund(limit, key, now) {
      for (const bucket of listBuckets(limit, key, now)) bucket.buckets.restoreToken(bucket.key, now);
    },
    allows(limit, key, now) {
      const isAllowed = listBuckets(limit, key, now).every((bucket) => bucket.buckets.hasToken(bucket.key, now));
      if (!isAllowed) onLimitHit(limit);
      return isAllowed;
    },
    countFailure(limit, key, now) {
      for (const bucket of listBuckets(limit, key, now)) bucket.buckets.forceTakeToken(bucket.key, now);
    },
  };
}

/** Allocates memory in which several threads can share their limits. */
export function allocateLimitMemory(table: Readonly<Record<string, Limit>>): SharedArrayBuffer {
  const counts = entriesOf(table).flatMap(([, limit]) => countEntries(limit));
  // The first entry is the latest time.
  return new SharedArrayBuffer(counts.reduce((sum, count) => sum + count, 1) * BigUint64Array.BYTES_PER_ELEMENT);
}

/** Limit of an IPv6 site (/48), as a multiple of the limit of one network (/64). */
export const IPV6_SITE_FACTOR = 16;
const MAX_KEYS = 20_000;
/** Milliseconds by which times of requests may go back, because requests wait and threads run at the same time. */
const MAX_TIME_DIFFERENCE_MS = 60_000;

/** One level of a limit: per key, per IPv6 site, or for all keys together. An attempt needs a token of every level. */
interface LimitLevel {
  readonly buckets: TokenBuckets;
  /** Returns the key of the bucket at this level; undefined if the limit does not have this level for the key. */
  readonly keyOf: (key: string) => string | undefined;
}

interface Bucket {
  readonly buckets: TokenBuckets;
  readonly key: string;
}

function entriesOf<Name extends string>(table: Readonly<Record<Name, Limit>>): readonly (readonly [Name, Limit])[] {
  return Object.entries(table) as [Name, Limit][];
}

/** Returns the number of hash table entries that a limit needs for its keys, and for its total limit if it has one. */
function countEntries({ maxKeys = MAX_KEYS, total }: Limit): readonly number[] {
  const keyCapacity = Math.ceil(maxKeys / ENTRIES_PER_SET) * ENTRIES_PER_SET;
  return total === undefined ? [keyCapacity] : [keyCapacity, ENTRIES_PER_SET];
}

function createLimitLevels(
  limit: Limit,
  entries: BigUint64Array,
  totalEntries: BigUint64Array | undefined,
): readonly LimitLevel[] {
  const { burst, refillIntervalMs, hasAddressKeys: hasSiteLevel, total } = limit;
  const levels: LimitLevel[] = [{ buckets: new TokenBuckets(entries, burst, refillIntervalMs), keyOf: (key) => key }];
  if (hasSiteLevel === true) {
    const siteBuckets = new TokenBuckets(entries, burst * IPV6_SITE_FACTOR, refillIntervalMs / IPV6_SITE_FACTOR);
    levels.push({ buckets: siteBuckets, keyOf: getIpv6SiteKey });
  }
  if (total !== undefined && totalEntries !== undefined)
    levels.push({ buckets: new TokenBuckets(totalEntries, total.burst, total.refillIntervalMs), keyOf: () => "" });
  return levels;
}

/** Returns the key of an IPv6 site: "2001:db8:1:2" -> "2001:db8:1 site". Returns undefined for IPv4. */
function getIpv6SiteKey(network: string): string | undefined {
  const groups = network.split(":");
  return groups.length === 4 ? `${groups.slice(0, 3).join(":")} site` : undefined;
}
