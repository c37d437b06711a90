import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createRateLimit, rateLimitMemory, withTotal } from "./rate-limit.ts";

const takes = (limit: ReturnType<typeof createRateLimit>, key: string, times: number, now: number): number =>
  Array.from({ length: times }, () => limit.take(key, now)).filter(Boolean).length;

test("a full bucket holds its burst, and a token comes back each time the refill's time is over", () => {
  const limit = createRateLimit({ burst: 3, refillMs: 100, maxKeys: 10 });
  assert.equal(takes(limit, "a", 5, 1_000), 3);
  assert.equal(takes(limit, "b", 5, 1_000), 3, "each key has its own");
  assert.equal(takes(limit, "a", 5, 1_099), 0);
  assert.equal(takes(limit, "a", 5, 1_250), 2);
  assert.equal(takes(limit, "a", 5, 99_999), 3, "no fuller than full");
});

test("a token that is given back can be taken again, and a bucket gets no fuller than full", () => {
  const limit = createRateLimit({ burst: 2, refillMs: 100, maxKeys: 10 });
  assert.equal(takes(limit, "a", 2, 0), 2);
  limit.giveBack("a", 0);
  assert.equal(takes(limit, "a", 2, 0), 1);
  for (let times = 0; times < 5; times += 1) limit.giveBack("a", 0);
  assert.equal(takes(limit, "a", 5, 0), 2);
});

test("a clock that is set back costs no more than a bucket's time to fill", () => {
  const limit = createRateLimit({ burst: 2, refillMs: 100, maxKeys: 10 });
  assert.equal(takes(limit, "a", 2, 1_000_000), 2);
  assert.equal(takes(limit, "a", 2, 0), 0);
  limit.giveBack("a", 0);
  assert.equal(takes(limit, "a", 2, 0), 1);
});

test("of more keys than are kept the one whose bucket is full soonest is forgotten", () => {
  const limit = createRateLimit({ burst: 1, refillMs: 100, maxKeys: 8 });
  const keys = [..."abcdefgh"];
  for (const [now, key] of keys.entries()) assert.ok(limit.take(key, now));
  assert.ok(limit.take("i", 8));
  assert.deepEqual(
    [...keys.slice(1), "i"].filter((key) => limit.take(key, 9)),
    [],
  );
  assert.ok(limit.take("a", 9));
});

test("limits in one memory count together, whatever the order of what is taken and given back", () => {
  const steps = fc.array(
    fc.record({
      limit: fc.nat({ max: 1 }),
      key: fc.constantFrom("a", "b", "c"),
      pause: fc.nat({ max: 60 }),
      gives: fc.boolean(),
    }),
  );
  fc.assert(
    fc.property(steps, (plan) => {
      const memory = rateLimitMemory(64);
      const limits = [0, 1].map(() => createRateLimit({ burst: 3, refillMs: 100, maxKeys: 64, memory }));
      const missing = new Map<string, number>();
      let now = 1_000;
      for (const { limit, key, pause, gives } of plan) {
        now += pause;
        for (const [other, ms] of missing) missing.set(other, Math.max(0, ms - pause));
        const ms = missing.get(key) ?? 0;
        const one = limits[limit] as ReturnType<typeof createRateLimit>;
        if (gives) one.giveBack(key, now);
        else assert.equal(one.take(key, now), ms + 100 <= 300);
        if (gives) missing.set(key, Math.max(0, ms - 100));
        else if (ms + 100 <= 300) missing.set(key, ms + 100);
      }
    }),
  );
});

test("a limit with a total takes from both or from neither", () => {
  const limit = withTotal(
    createRateLimit({ burst: 3, refillMs: 100, maxKeys: 10 }),
    createRateLimit({ burst: 4, refillMs: 1_000, maxKeys: 1 }),
  );
  assert.deepEqual([takes(limit, "a", 9, 0), takes(limit, "b", 9, 0), takes(limit, "c", 9, 0)], [3, 1, 0]);
  limit.giveBack("a", 0);
  assert.deepEqual([takes(limit, "c", 9, 0), takes(limit, "c", 9, 0)], [1, 0]);
});

test("failures count beyond an empty bucket, up to two bursts, and a bucket that allows one more says so without taking it", () => {
  const limit = createRateLimit({ burst: 2, refillMs: 100, maxKeys: 10 });
  for (let times = 0; times < 3; times += 1) assert.ok(limit.allows("a", 0));
  for (let times = 0; times < 9; times += 1) limit.recordFailure("a", 0);
  assert.ok(!limit.allows("a", 0));
  assert.ok(!limit.allows("a", 299));
  assert.ok(limit.allows("a", 300));
  assert.equal(takes(limit, "a", 5, 300), 1);
});

test("failures in a site count for each of its networks", () => {
  const each = createRateLimit({ burst: 2, refillMs: 100, maxKeys: 10 });
  const limit = withTotal(each, createRateLimit({ burst: 3, refillMs: 100, maxKeys: 10 }));
  for (const key of ["a", "b", "c"]) limit.recordFailure(key, 0);
  assert.ok(each.allows("a", 0) && !limit.allows("a", 0));
});
