import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { cacheStatistics, createCache, memoizePerObject } from "./cache.ts";

interface Entry {
  readonly key: number;
  readonly value: Value;
  readonly storedAt: number;
}

interface Value {
  readonly weight: number;
  isCurrent: boolean;
}

/** A simple cache for comparison: a list whose most recently used entry is first. */
class SlowCache {
  entries: readonly Entry[] = [];
  hits = 0;
  misses = 0;
  #epoch = 0;

  get(key: number, now: number, epoch: number): Value | undefined {
    this.#clearOldEpoch(epoch);
    const entry = this.entries.find((candidate) => candidate.key === key);
    this.#remove(key);
    if (entry === undefined || Math.abs(now - entry.storedAt) >= MAX_AGE_MS || !entry.value.isCurrent) {
      this.misses += 1;
      return undefined;
    }
    this.hits += 1;
    this.entries = [entry, ...this.entries];
    return entry.value;
  }

  set(key: number, value: Value, now: number, epoch: number): void {
    this.#clearOldEpoch(epoch);
    this.#remove(key);
    if (value.weight > MAX_WEIGHT) return;
    this.entries = [{ key, value, storedAt: now }, ...this.entries];
    while (this.weight > MAX_WEIGHT) this.entries = this.entries.slice(0, -1);
  }

  get weight(): number {
    return this.entries.reduce((sum, { value }) => sum + value.weight, 0);
  }

  #remove(key: number): void {
    this.entries = this.entries.filter((candidate) => candidate.key !== key);
  }

  #clearOldEpoch(epoch: number): void {
    if (epoch !== this.#epoch) this.entries = [];
    this.#epoch = epoch;
  }
}

const MAX_WEIGHT = 20;
const MAX_AGE_MS = 50;

const step = fc.oneof(
  { weight: 10, arbitrary: fc.record({ get: fc.nat(9) }) },
  { weight: 10, arbitrary: fc.record({ create: fc.nat(9), weight: fc.integer({ min: 1, max: MAX_WEIGHT + 3 }) }) },
  { weight: 5, arbitrary: fc.record({ spoil: fc.nat(9) }) },
  { weight: 5, arbitrary: fc.record({ wait: fc.integer({ min: -60, max: 60 }) }) },
  { weight: 1, arbitrary: fc.constant({ epoch: true as const }) },
);

test("a cache returns, removes and counts like a list of its entries", () => {
  let run = 0;
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200, size: "max" }), (steps) => {
      run += 1;
      let now = 0;
      let epoch = 0;
      const slowCache = new SlowCache();
      const name = `run ${run}`;
      const cache = createCache<number, Value>({
        name,
        maxWeight: MAX_WEIGHT,
        weigh: ({ weight }) => weight,
        maxAgeMs: MAX_AGE_MS,
        now: () => now,
        epoch: () => epoch,
        isCurrent: (value) => value.isCurrent,
      });
      for (const step of steps) {
        if ("get" in step) assert.equal(cache.get(step.get), slowCache.get(step.get, now, epoch));
        else if ("create" in step) {
          const value: Value = { weight: step.weight, isCurrent: true };
          const cachedValue = slowCache.get(step.create, now, epoch);
          if (cachedValue === undefined) slowCache.set(step.create, value, now, epoch);
          assert.equal(
            cache.getOrCreate(step.create, () => value),
            cachedValue ?? value,
          );
        } else if ("spoil" in step) {
          const entry = slowCache.entries.find(({ key }) => key === step.spoil);
          if (entry !== undefined) entry.value.isCurrent = false;
        } else if ("wait" in step) now += step.wait;
        else epoch += 1;
      }
      // After a change of the epoch, any lookup clears both caches.
      assert.equal(cache.get(-1), slowCache.get(-1, now, epoch));
      const { hits, misses, weight } = cacheStatistics.get(name)!;
      assert.deepEqual(
        { hits, misses, weight },
        { hits: slowCache.hits, misses: slowCache.misses, weight: slowCache.weight },
      );
    }),
  );
});

test("without weights, a cache holds as many entries as its maximum", () => {
  const cache = createCache<string, number>({ name: "three", maxWeight: 3 });
  for (const [value, key] of ["a", "b", "c"].entries()) cache.set(key, value);
  cache.get("a");
  cache.set("d", 3);
  assert.deepEqual(
    ["a", "b", "c", "d"].map((key) => cache.get(key)),
    [0, undefined, 2, 3],
  );
  cache.delete("a");
  assert.equal(cache.get("a"), undefined);
  assert.equal(cacheStatistics.get("three")?.weight, 2);
});

test("caches of one name are counted together", () => {
  const [step, other] = [0, 1].map(() => createCache<string, number>({ name: "pair", maxWeight: 9 }));
  step!.set("a", 1);
  other!.set("a", 2);
  assert.equal(step!.get("a"), 1);
  assert.equal(other!.get("b"), undefined);
  const { hits, misses, weight } = cacheStatistics.get("pair")!;
  assert.deepEqual({ hits, misses, weight }, { hits: 1, misses: 1, weight: 2 });
});

test("a promise that rejects is created again, and does not remove its successor", async () => {
  const cache = createCache<string, Promise<number>>({ name: "promises", maxWeight: 9 });
  const failingPromise = Promise.withResolvers<number>();
  const firstValue = cache.getOrCreate("a", () => failingPromise.promise);
  assert.equal(
    cache.getOrCreate("a", async () => 1),
    firstValue,
  );
  cache.delete("a");
  const secondValue = cache.getOrCreate("a", async () => 2);
  failingPromise.reject(new Error("away"));
  await assert.rejects(firstValue, /away/);
  assert.equal(cache.get("a"), secondValue);
  await assert.rejects(
    cache.getOrCreate("b", async () => {
      throw new Error("away");
    }),
    /away/,
  );
  assert.equal(await cache.getOrCreate("b", async () => 3), 3);
});

test("perObject creates one value for each object", () => {
  let createdCount = 0;
  const numberOf = memoizePerObject<object, number>(() => {
    createdCount += 1;
    return createdCount;
  });
  const [step, other] = [{}, {}];
  assert.deepEqual([numberOf(step), numberOf(other), numberOf(step), numberOf(other)], [1, 2, 1, 2]);
});
