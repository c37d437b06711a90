import { hash } from "node:crypto";

/** Slows what is done often under one key: each key has a token bucket, which begins full. */
export interface RateLimit {
  /** Takes a token. @returns false where none is left */
  take(key: string, now: number): boolean;
  /** Puts back a token that need not have been taken. */
  giveBack(key: string, now: number): void;
  /** Whether a token is left. */
  allows(key: string, now: number): boolean;
  /** Takes a token for an attempt that failed, even if none is left: attempts that were verified at the same time all count. */
  recordFailure(key: string, now: number): void;
}

/** A limit for each key and, beside it, one for all keys together. */
export function withTotal(each: RateLimit, all: RateLimit): RateLimit {
  return withWider(each, all, () => "");
}

/** A limit for each network that an address is in, and a wider one for the site that has it: of IPv6 a site has 65,536 networks (/48 and /64).
 *  @param each, site take what `addressBlock` makes of an address */
export function withSites(each: RateLimit, site: RateLimit): RateLimit {
  return withWider(each, site, siteOf);
}

/** What both limits allow. @param keyOf the key of the wider one; undefined where there is no such limit */
function withWider(each: RateLimit, wider: RateLimit, keyOf: (key: string) => string | undefined): RateLimit {
  return {
    take(key, now) {
      if (!each.take(key, now)) return false;
      const widerKey = keyOf(key);
      if (widerKey === undefined || wider.take(widerKey, now)) return true;
      each.giveBack(key, now);
      return false;
    },
    giveBack(key, now) {
      each.giveBack(key, now);
      const widerKey = keyOf(key);
      if (widerKey !== undefined) wider.giveBack(widerKey, now);
    },
    allows(key, now) {
      const widerKey = keyOf(key);
      return each.allows(key, now) && (widerKey === undefined || wider.allows(widerKey, now));
    },
    recordFailure(key, now) {
      each.recordFailure(key, now);
      const widerKey = keyOf(key);
      if (widerKey !== undefined) wider.recordFailure(widerKey, now);
    },
  };
}

/** "2001:db8:1:2" -> "2001:db8:1 site"; undefined for IPv4, of which a site has few. */
function siteOf(network: string): string | undefined {
  const groups = network.split(":");
  return groups.length === 4 ? `${groups.slice(0, 3).join(":")} site` : undefined;
}

/** Memory for `createRateLimit`, shared by the threads that it is posted to. @param maxKeys buckets kept */
export function rateLimitMemory(maxKeys: number): SharedArrayBuffer {
  return new SharedArrayBuffer(Math.ceil(maxKeys / WAYS) * WAYS * BigUint64Array.BYTES_PER_ELEMENT);
}

/** @param options.burst tokens of a full bucket  @param options.refillMs milliseconds in which a token comes back
 *  @param options.maxKeys buckets kept; where no place is left for one, that which is full soonest makes room, and is full when its key comes again
 *  @param options.memory of `rateLimitMemory` for so many, in which several threads count together; absent: this limit counts alone */
export function createRateLimit(options: {
  readonly burst: number;
  readonly refillMs: number;
  readonly maxKeys: number;
  readonly memory?: SharedArrayBuffer;
}): RateLimit {
  const { burst, refillMs, maxKeys, memory = rateLimitMemory(maxKeys) } = options;
  const places = new BigUint64Array(memory);
  /** Changes by how many milliseconds a key's bucket is short of full. @param change undefined: it stays  @returns whether it changed */
  const change = (key: string, now: number, to: (missing: number) => number | undefined): boolean => {
    const { tag, start } = placesOf(key, places.length);
    for (;;) {
      const { place, entry } = findPlace(places, start, tag);
      const isIts = entry >> TIME_BITS === tag;
      // A clock that was set back must not leave a bucket empty for longer than it takes to fill one.
      const ahead = isIts ? Math.max(Number(entry & TIME_MASK) - now, 0) : 0;
      const missing = ahead > MAX_DEBT * burst * refillMs ? burst * refillMs : ahead;
      const changed = to(missing);
      if (changed === undefined) return false;
      const kept = changed <= 0 ? 0n : (tag << TIME_BITS) | (BigInt(Math.ceil(now + changed)) & TIME_MASK);
      // Where another thread was first it is looked at again.
      if ((kept === 0n && !isIts) || Atomics.compareExchange(places, place, entry, kept) === entry) return true;
    }
  };
  const fits = (missing: number): boolean => missing + refillMs <= burst * refillMs;
  return {
    take: (key, now) => change(key, now, (missing) => (fits(missing) ? missing + refillMs : undefined)),
    giveBack: (key, now) => void change(key, now, (missing) => missing - refillMs),
    allows(key, now) {
      let isAllowed = false;
      change(key, now, (missing) => {
        isAllowed = fits(missing);
        return undefined;
      });
      return isAllowed;
    },
    recordFailure: (key, now) =>
      void change(key, now, (missing) => Math.min(missing + refillMs, MAX_DEBT * burst * refillMs)),
  };
}

/** Bursts that failed attempts may take: an empty bucket, and as much again. */
const MAX_DEBT = 2;

/** An entry is what tells a key from others in the same places, and when its bucket is full again, in milliseconds since 1970: 0 where there is none. */
const TIME_BITS = 42n;
const TIME_MASK = (1n << TIME_BITS) - 1n;
/** Places in which a key may be. */
const WAYS = 8;

function placesOf(key: string, length: number): { readonly tag: bigint; readonly start: number } {
  const digest = hash("sha256", key, "buffer");
  // Not 0, so that no entry is taken for none.
  const tag = BigInt(digest.readUInt32LE(0) >>> 11) + 1n;
  return { tag, start: (digest.readUInt32LE(4) % (length / WAYS)) * WAYS };
}

/** The entry of a tag, else an empty one, else the one that is full soonest. */
function findPlace(
  places: BigUint64Array,
  start: number,
  tag: bigint,
): { readonly place: number; readonly entry: bigint } {
  let best = { place: start, entry: Atomics.load(places, start) };
  for (let place = start; place < start + WAYS; place += 1) {
    const entry = Atomics.load(places, place);
    if (entry >> TIME_BITS === tag) return { place, entry };
    if ((entry & TIME_MASK) < (best.entry & TIME_MASK)) best = { place, entry };
  }
  return best;
}
