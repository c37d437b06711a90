import assert from "node:assert/strict";
import { setImmediate as nextIteration } from "node:timers/promises";
import { Problem } from "../problem.ts";
import { createScheduler, type QueueName } from "./scheduler.ts";

/** A request of a simulation. */
export interface JobArrival {
  /** Time of arrival in milliseconds. */
  readonly at: number;
  /** Duration of the work in milliseconds. */
  readonly ms: number;
  readonly lane: QueueName;
}

export interface SimulatedOutcome {
  readonly arrival: JobArrival;
  /** Milliseconds between arrival and start. */
  readonly waitMs: number;
  readonly isRejected: boolean;
}

/** Milliseconds that a rejection takes. */
export const REJECTION_DURATION_MS = 0.02;

/**
 * Runs requests through a scheduler with a virtual clock, which advances only by the durations of the requests.
 * @returns outcomes in the order of starts
 */
export async function simulateLoad(
  arrivals: readonly JobArrival[],
  maxWaitMs = 1_000,
): Promise<readonly SimulatedOutcome[]> {
  let now = 0;
  const scheduler = createScheduler({ maxWaitMs, now: () => now });
  const outcomes: SimulatedOutcome[] = [];
  const submitJob = (arrival: JobArrival): void => {
    const { at, ms, lane } = arrival;
    const recordOutcome = (isRejected: boolean): void => {
      outcomes.push({ arrival, waitMs: now - at, isRejected });
      now += isRejected ? REJECTION_DURATION_MS : ms;
    };
    const reject = (error: unknown): void => {
      assert.ok(error instanceof Problem && error.code === "overloaded");
      recordOutcome(true);
    };
    try {
      const result = scheduler.run(lane, () => recordOutcome(false), at);
      if (result instanceof Promise) result.catch(reject);
    } catch (error) {
      reject(error);
    }
  };
  for (let nextIndex = 0; outcomes.length < arrivals.length; await nextIteration()) {
    // An idle event loop sleeps until the next request arrives.
    if (outcomes.length === nextIndex) now = Math.max(now, arrivals[nextIndex]?.at ?? now);
    for (
      let nextArrival = arrivals[nextIndex];
      nextArrival !== undefined && nextArrival.at <= now;
      nextArrival = arrivals[nextIndex]
    ) {
      nextIndex += 1;
      submitJob(nextArrival);
    }
  }
  return outcomes;
}
