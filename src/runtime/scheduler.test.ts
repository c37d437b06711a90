import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createScheduler, type QueueName } from "./scheduler.ts";
import {
  type JobArrival,
  REJECTION_DURATION_MS,
  type SimulatedOutcome,
  simulateLoad,
} from "./simulated-load.fixture.ts";

/** Returns a generator of random numbers from 0 to 1, which are the same in each run. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Returns requests at random times.  @param load share of the capacity; 1 is as much as the scheduler can handle */
function createPoissonArrivals(
  seconds: number,
  load: number,
  ms: number,
  lane: QueueName = "read",
): readonly JobArrival[] {
  const random = randomFrom(1);
  const arrivals: JobArrival[] = [];
  for (let at = 0; at < seconds * 1_000; at += (-Math.log(1 - random()) * ms) / load) arrivals.push({ at, ms, lane });
  return arrivals;
}

function createBurst(count: number, ms: number, lane: QueueName = "read"): readonly JobArrival[] {
  return Array.from({ length: count }, () => ({ at: 0, ms, lane }));
}

interface Summary {
  readonly rejectedCount: number;
  /** Median wait of the accepted requests in milliseconds. */
  readonly medianWait: number;
  readonly p99: number;
  readonly longestWait: number;
  /** Share of the time that was spent on useful work. */
  readonly usefulShare: number;
}

function summarize(outcomes: readonly SimulatedOutcome[]): Summary {
  const acceptedOutcomes = outcomes.filter(({ isRejected }) => !isRejected);
  const waits = acceptedOutcomes.map(({ waitMs }) => waitMs).sort((one, other) => one - other);
  const quantile = (share: number): number => waits[Math.min(waits.length - 1, Math.floor(waits.length * share))] ?? 0;
  const endTimes = outcomes.map(
    ({ arrival, waitMs, isRejected }) => arrival.at + waitMs + (isRejected ? 0 : arrival.ms),
  );
  const workMs = acceptedOutcomes.reduce((sum, { arrival }) => sum + arrival.ms, 0);
  return {
    rejectedCount: outcomes.length - acceptedOutcomes.length,
    medianWait: quantile(0.5),
    p99: quantile(0.99),
    longestWait: quantile(1),
    usefulShare: workMs / Math.max(...endTimes.slice(-1_000)),
  };
}

for (const [name, arrivals, longestMs] of [
  ["500 requests of 1 ms at once", createBurst(500, 1), 500],
  ["1,000 requests of 0.8 ms at once", createBurst(1_000, 0.8), 800],
  ["1,000 writes of 0.8 ms at once", createBurst(1_000, 0.8, "write"), 800],
  ["requests of 0.8 ms at 95 % of capacity", createPoissonArrivals(20, 0.95, 0.8), 100],
  ["pages of 10 ms at 90 % of capacity for 5 minutes", createPoissonArrivals(300, 0.9, 10, "render"), 500],
] as const)
  test(`${name}: no request is rejected`, async () => {
    const { rejectedCount, longestWait } = summarize(await simulateLoad(arrivals));
    assert.equal(rejectedCount, 0);
    assert.ok(longestWait <= longestMs, `${longestWait} ms`);
  });

for (const load of [1.5, 2, 5])
  for (const [name, ms, lane] of [
    ["keystrokes", 0.8, "read"],
    ["pages", 10, "render"],
    ["writes", 0.8, "write"],
  ] as const)
    test(`${name} at ${load} times the capacity: work is useful, and no request waits longer than a second`, async () => {
      const { rejectedCount, medianWait, longestWait, usefulShare } = summarize(
        await simulateLoad(createPoissonArrivals(4, load, ms, lane)),
      );
      assert.ok(rejectedCount > 0);
      // Rejections take a tenth of the time at five times the capacity.
      assert.ok(usefulShare > 0.89, `${usefulShare} of the time`);
      assert.ok(longestWait <= 1_000, `${longestWait} ms`);
      if (lane !== "write") assert.ok(medianWait < 200, `the median wait is ${medianWait} ms: the newest start first`);
    });

test("writes start in order of arrival, at any load", async () => {
  const outcomes = await simulateLoad(createPoissonArrivals(4, 3, 0.8, "write"));
  const startTimes = outcomes.filter(({ isRejected }) => !isRejected).map(({ arrival }) => arrival.at);
  assert.deepEqual(
    startTimes,
    startTimes.toSorted((one, other) => one - other),
  );
});

test("an overload ends once the load is below the capacity again", async () => {
  const laterArrivals = createPoissonArrivals(10, 0.8, 0.8).map((arrival) => ({ ...arrival, at: arrival.at + 4_000 }));
  const outcomes = await simulateLoad([...createPoissonArrivals(4, 3, 0.8), ...laterArrivals]);
  const isLast = ({ arrival, isRejected }: SimulatedOutcome): boolean => isRejected && arrival.at > 4_000;
  assert.ok(outcomes.some(({ isRejected }) => isRejected));
  assert.equal(outcomes.filter(isLast).length, 0);
});

test("a blocked event loop is not an overload", async () => {
  const longArrival: JobArrival = { at: 0, ms: 5_000, lane: "render" };
  const outcomes = await simulateLoad([longArrival, ...createBurst(100, 1), ...createBurst(100, 1, "write")]);
  assert.equal(summarize(outcomes).rejectedCount, 0);
});

test("an interval that ends with a request within the target is not an overload", async () => {
  const lane = "write";
  // With a target of 10 ms, the oldest request has waited too long at 11 and 19 ms, but not at 23 ms.
  const arrivals: readonly JobArrival[] = [
    { at: 0, ms: 11, lane },
    { at: 0, ms: 8, lane },
    { at: 8, ms: 4, lane },
    { at: 14, ms: 8, lane },
    { at: 15, ms: 1, lane },
  ];
  assert.equal(summarize(await simulateLoad(arrivals, 20)).rejectedCount, 0);
});

test("each lane with work gets the same time, however long its jobs are", async () => {
  const arrivals = [...createBurst(400, 10, "render"), ...createBurst(4_000, 0.5), ...createBurst(4_000, 0.5, "write")];
  const outcomes = await simulateLoad(arrivals);
  const usedMs = { write: 0, read: 0, render: 0, background: 0 };
  for (const { arrival, waitMs, isRejected } of outcomes)
    if (!isRejected && waitMs < 900) usedMs[arrival.lane] += arrival.ms;
  for (const lane of ["write", "read", "render"] as const)
    assert.ok(Math.abs(usedMs[lane] - 300) < 20, `${lane}: ${usedMs[lane]} ms of 900`);
});

test("a started request continues before others of its lane start, and is never rejected", async () => {
  let now = 0;
  const scheduler = createScheduler({ maxWaitMs: 100, now: () => now });
  const steps: string[] = [];
  const render = (number: number) => async () => {
    steps.push(`start ${number}`);
    now += 40;
    await scheduler.yield("render");
    steps.push(`end ${number}`);
    now += 40;
  };
  const jobs = Array.from({ length: 5 }, async (_, number) => scheduler.run("render", render(number), 0));
  const outcomes = await Promise.allSettled(jobs);
  assert.deepEqual(steps, ["start 0", "end 0", "start 1", "end 1"]);
  assert.deepEqual(
    outcomes.map(({ status }) => status === "fulfilled"),
    [true, true, false, false, false],
  );
});

test("random requests start and are rejected as in a slow queue that examines its entire history", async () => {
  const arrivals = fc.array(
    fc.record({ gap: fc.double({ min: 0, max: 3, noNaN: true }), ms: fc.double({ min: 0.1, max: 8, noNaN: true }) }),
    { maxLength: 300, size: "max" },
  );
  const lanes = fc.constantFrom<QueueName>("write", "read", "render", "background");
  await fc.assert(
    fc.asyncProperty(arrivals, lanes, fc.integer({ min: 1, max: 200 }), async (gaps, lane, maxWaitMs) => {
      let at = 0;
      const all = gaps.map(({ gap, ms }) => {
        at += gap;
        return { at, ms, lane };
      });
      assert.deepEqual(await simulateLoad(all, maxWaitMs), simulateSlowly(all, maxWaitMs));
    }),
  );
});

/** A simple implementation for one lane, for comparison. */
function simulateSlowly(arrivals: readonly JobArrival[], maxWaitMs: number): readonly SimulatedOutcome[] {
  const limit = maxWaitMs / 2;
  const outcomes: SimulatedOutcome[] = [];
  let [now, nextIndex, sliceEnd] = [0, 0, Number.NEGATIVE_INFINITY];
  let waitingArrivals: JobArrival[] = [];
  /**
   * Waits of the oldest request, measured whenever a request was started or rejected since the queue was last empty.
   */
  let decisions: { readonly at: number; readonly wait: number }[] = [];
  const finish = (arrival: JobArrival, isRejected: boolean): void => {
    outcomes.push({ arrival, waitMs: now - arrival.at, isRejected });
    now += isRejected ? REJECTION_DURATION_MS : arrival.ms;
    waitingArrivals = waitingArrivals.filter((one) => one !== arrival);
    if (waitingArrivals.length === 0) decisions = [];
  };
  const decide = (): void => {
    const oldest = waitingArrivals[0] as JobArrival;
    decisions.push({ at: now, wait: now - oldest.at });
    const isOverloaded = decisions.some((first, index) => {
      const later = decisions.slice(index);
      const end = later.findIndex(({ wait }) => wait <= limit);
      const last = later.at(end < 0 ? -1 : end - 1);
      return end !== 0 && last !== undefined && last.at - first.at >= limit;
    });
    const isLate = now - oldest.at > limit;
    const isNewestFirst = oldest.lane === "read" || oldest.lane === "render";
    const newest = waitingArrivals.at(-1) as JobArrival;
    finish(isOverloaded && !isLate && isNewestFirst ? newest : oldest, isOverloaded && isLate);
  };
  while (outcomes.length < arrivals.length) {
    if (waitingArrivals.length === 0) now = Math.max(now, arrivals[nextIndex]?.at ?? now);
    let isOpen = sliceEnd > Number.NEGATIVE_INFINITY;
    for (
      let dueArrival = arrivals[nextIndex];
      dueArrival !== undefined && dueArrival.at <= now;
      dueArrival = arrivals[nextIndex]
    ) {
      nextIndex += 1;
      if (!isOpen) sliceEnd = now + 2;
      isOpen = true;
      if (waitingArrivals.length === 0 && now < sliceEnd) finish(dueArrival, false);
      else waitingArrivals.push(dueArrival);
    }
    const hasWork = waitingArrivals.length > 0;
    sliceEnd = hasWork ? now + 2 : Number.NEGATIVE_INFINITY;
    if (hasWork)
      do decide();
      while (waitingArrivals.length > 0 && now < sliceEnd);
  }
  return outcomes;
}
