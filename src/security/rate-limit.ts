import { LRUCache } from "lru-cache";

/** Slows what is done often under one key, in this process: each key has a token bucket, which begins full. */
export interface RateLimit {
  /** Takes a token. @returns false where none is left */
  take(key: string, now: number): boolean;
  /** Puts back a token that need not have been taken. */
  giveBack(key: string, now: number): void;
}

/** A limit for each key and, beside it, one for all keys together. */
export function withTotal(each: RateLimit, all: RateLimit): RateLimit {
  return {
    take(key, now) {
      if (!each.take(key, now)) return false;
      if (all.take("", now)) return true;
      each.giveBack(key, now);
      return false;
    },
    giveBack(key, now) {
      each.giveBack(key, now);
      all.giveBack("", now);
    },
  };
}

/** @param options.burst tokens of a full bucket  @param options.refillMs milliseconds in which a token comes back
 *  @param options.maxKeys buckets kept; the one that was used longest ago makes room, and is full when it comes again */
export function createRateLimit(options: {
  readonly burst: number;
  readonly refillMs: number;
  readonly maxKeys: number;
}): RateLimit {
  const { burst, refillMs, maxKeys } = options;
  /** Key -> when its bucket is full again, in milliseconds since 1970. */
  const fullAt = new LRUCache<string, number>({ max: maxKeys });
  // A clock that was set back must not leave a bucket empty for longer than it takes to fill one.
  const missing = (key: string, now: number): number =>
    Math.min(Math.max((fullAt.peek(key) ?? now) - now, 0), burst * refillMs);
  const keep = (key: string, ms: number, now: number): void => {
    if (ms > 0) fullAt.set(key, now + ms);
    else fullAt.delete(key);
  };
  return {
    take(key, now) {
      const ms = missing(key, now) + refillMs;
      if (ms > burst * refillMs) return false;
      keep(key, ms, now);
      return true;
    },
    giveBack: (key, now) => keep(key, missing(key, now) - refillMs, now),
  };
}
