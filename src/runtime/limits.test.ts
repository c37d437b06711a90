import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  allocateLimitMemory,
  createLimits,
  IPV6_SITE_FACTOR,
  type Limit,
  type LimitName,
  limitsByName,
  type RateLimits,
} from "./limits.ts";
import { MAX_TOKEN_DEBT } from "./token-buckets.ts";

const createSingleLimit = (limit: Limit) => createLimits({ it: limit });

/** Returns the number of allowed attempts out of several simultaneous ones. */
const countAllowed = (limits: RateLimits<"it">, key: string, attempts: number, now: number): number =>
  Array.from({ length: attempts }, () => limits.consume("it", key, now)).filter(Boolean).length;

/**
 * A simple implementation for comparison. It stores the milliseconds until each bucket is full and updates all at each
 * step.
 */
class SlowLimits {
  readonly #table: Readonly<Record<string, Limit>>;
  readonly #missingMs = new Map<string, number>();

  constructor(table: Readonly<Record<string, Limit>>) {
    this.#table = table;
  }

  pause(ms: number): void {
    for (const [bucket, bucketMs] of this.#missingMs) this.#missingMs.set(bucket, Math.max(0, bucketMs - ms));
  }

  allows(name: string, key: string): boolean {
    return this.#buckets(name, key).every(
      ({ id, burst, refillIntervalMs }) => this.#missing(id) + refillIntervalMs <= burst * refillIntervalMs,
    );
  }

  consume(name: string, key: string): boolean {
    if (!this.allows(name, key)) return false;
    for (const { id, refillIntervalMs } of this.#buckets(name, key))
      this.#missingMs.set(id, this.#missing(id) + refillIntervalMs);
    return true;
  }

  refund(name: string, key: string): void {
    for (const { id, refillIntervalMs } of this.#buckets(name, key))
      this.#missingMs.set(id, Math.max(0, this.#missing(id) - refillIntervalMs));
  }

  countFailure(name: string, key: string): void {
    for (const { id, burst, refillIntervalMs } of this.#buckets(name, key))
      this.#missingMs.set(
        id,
        Math.min(this.#missing(id) + refillIntervalMs, MAX_TOKEN_DEBT * burst * refillIntervalMs),
      );
  }

  #missing(id: string): number {
    return this.#missingMs.get(id) ?? 0;
  }

  #buckets(name: string, key: string): { id: string; burst: number; refillIntervalMs: number }[] {
    const { burst, refillIntervalMs, hasAddressKeys: isByAddress, total } = this.#table[name] as Limit;
    const buckets = [{ id: `${name} ${key}`, burst, refillIntervalMs }];
    if (isByAddress === true && key.includes(":"))
      buckets.push({
        id: `${name} site ${key.split(":").slice(0, 3)}`,
        burst: burst * IPV6_SITE_FACTOR,
        refillIntervalMs: refillIntervalMs / IPV6_SITE_FACTOR,
      });
    if (total !== undefined) buckets.push({ id: `${name} total`, ...total });
    return buckets;
  }
}

test("limits in shared memory equal the slow definition in consuming, refunding, verifying and counting", () => {
  const table = {
    plain: { burst: 3, refillIntervalMs: 100, maxKeys: 64 },
    sites: { burst: 2, refillIntervalMs: 160, maxKeys: 64, hasAddressKeys: true },
    total: { burst: 3, refillIntervalMs: 100, maxKeys: 64, total: { burst: 4, refillIntervalMs: 50 } },
  } as const satisfies Readonly<Record<string, Limit>>;
  const networks = Array.from({ length: 20 }, (_, n) => `2001:db8:1:${n}`);
  const steps = fc.array(
    fc.record({
      thread: fc.nat({ max: 1 }),
      name: fc.constantFrom("plain", "sites", "total"),
      key: fc.constantFrom("198.51.100.1", "198.51.100.2", "2001:db8:2:1", ...networks),
      pauseMs: fc.constantFrom(0, 0, 0, 7, 60, 400),
      operation: fc.constantFrom("consume", "consume", "consume", "refund", "allows", "countFailure"),
      times: fc.integer({ min: 1, max: 5 }),
    }),
    { maxLength: 200 },
  );
  fc.assert(
    fc.property(steps, (plan) => {
      const memory = allocateLimitMemory(table);
      const threads = [0, 1].map(() => createLimits(table, { memory })) as [
        RateLimits<keyof typeof table>,
        RateLimits<keyof typeof table>,
      ];
      const slowLimits = new SlowLimits(table);
      let now = 1_000;
      for (const { thread, name, key, pauseMs, operation, times } of plan) {
        now += pauseMs;
        slowLimits.pause(pauseMs);
        for (let time = 0; time < times; time += 1)
          assert.equal(threads[thread as 0 | 1][operation](name, key, now), slowLimits[operation](name, key));
      }
    }),
  );
});

test("each limit by address counts all networks of an IPv6 site together, too", () => {
  const limits = createLimits(limitsByName);
  for (const name of Object.keys(limitsByName) as LimitName[]) {
    if (!name.endsWith("by address")) continue;
    const maxAttempts = IPV6_SITE_FACTOR * limitsByName[name].burst;
    const attempts = Array.from({ length: maxAttempts + 1 }, (_, index) => `2001:db8:7:${index.toString(16)}`);
    const allowedAttempts = attempts.filter((network) => limits.consume(name, network, 0));
    // The refill interval is rounded up to whole milliseconds, so a limit may allow up to a third fewer attempts.
    assert.ok(allowedAttempts.length <= maxAttempts && allowedAttempts.length > maxAttempts / 1.5, name);
  }
});

test("all networks of an IPv6 site together have the allowance of sixteen", () => {
  const limits = createSingleLimit({ burst: 2, refillIntervalMs: 160, hasAddressKeys: true });
  const counts = Array.from({ length: 20 }, (_, n) => countAllowed(limits, `2001:db8:1:${n}`, 3, 0));
  assert.equal(
    counts.reduce((sum, count) => sum + count),
    32,
  );
  assert.equal(countAllowed(limits, "2001:db8:2:1", 3, 0), 2);
});

test("a clock that is set back by hours does not empty the buckets, one that is set back by seconds does not fill them", () => {
  const limits = createSingleLimit({ burst: 2, refillIntervalMs: 1_000_000 });
  const hour = 3_600_000;
  assert.equal(countAllowed(limits, "a", 3, 9 * hour), 2);
  assert.equal(countAllowed(limits, "a", 3, 9 * hour - 5_000), 0);
  assert.equal(countAllowed(limits, "a", 3, 8 * hour), 2);
  assert.equal(countAllowed(limits, "a", 3, 8 * hour + 1), 0);
});

test("if there are more keys than buckets, the bucket that is full soonest is reused", () => {
  const limits = createSingleLimit({ burst: 1, refillIntervalMs: 100, maxKeys: 8 });
  const keys = [..."abcdefgh"];
  for (const [now, key] of keys.entries()) assert.ok(limits.consume("it", key, now));
  assert.ok(limits.consume("it", "i", 8));
  assert.deepEqual(
    [...keys.slice(1), "i"].filter((key) => limits.consume("it", key, 9)),
    [],
  );
  assert.ok(limits.consume("it", "a", 9));
});

test("rejected attempts are reported by the name of their limit", () => {
  const reachedLimits: string[] = [];
  const limits = createLimits(
    { one: { burst: 1, refillIntervalMs: 100 }, other: { burst: 1, refillIntervalMs: 100 } },
    {
      onLimitHit: (name) => reachedLimits.push(name),
    },
  );
  for (let time = 0; time < 2; time += 1) limits.consume("one", "a", 0);
  limits.countFailure("other", "a", 0);
  limits.allows("other", "a", 0);
  assert.deepEqual(reachedLimits, ["one", "other"]);
});

test("limits of one table do not share buckets", () => {
  const limits = createLimits(limitsByName);
  for (let time = 0; time < 5; time += 1) assert.ok(limits.consume("wrong login by address", "198.51.100.1", 0));
  assert.ok(!limits.consume("wrong login by address", "198.51.100.1", 0));
  assert.ok(limits.consume("wrong token by address", "198.51.100.1", 0));
});
