import assert from "node:assert/strict";
import { setImmediate as nextIteration } from "node:timers/promises";
import { Problem } from "../problem.ts";
import { createScheduler, type Lane } from "./scheduler.ts";

/** A request of a simulation. */
export interface Arrival {
  /** Time of arrival in milliseconds. */
  readonly at: number;
  /** Duration of the work in milliseconds. */
  readonly ms: number;
  readonly lane: Lane;
}

export interface Outcome {
  readonly arrival: Arrival;
  /** Milliseconds between arrival and start. */
  readonly wait: number;
  readonly isRejected: boolean;
}

/** Milliseconds that a rejection takes. */
export const REJECTION_MS = 0.02;

/**
 * Runs requests through a scheduler with a virtual clock, which only work advances.
 * @returns outcomes in the order of starts
 */
export async function simulate(arrivals: readonly Arrival[], maxWaitMs = 1_000): Promise<readonly Outcome[]> {
  let now = 0;
  const scheduler = createScheduler({ maxWaitMs, now: () => now });
  const outcomes: Outcome[] = [];
  const submit = (arrival: Arrival): void => {
    const { at, ms, lane } = arrival;
    const finish = (isRejected: boolean): void => {
      outcomes.push({ arrival, wait: now - at, isRejected });
      now += isRejected ? REJECTION_MS : ms;
    };
    const reject = (error: unknown): void => {
      assert.ok(error instanceof Problem && error.code === "overloaded");
      finish(true);
    };
    try {
      const run = scheduler.run(lane, () => finish(false), at);
      if (run instanceof Promise) run.catch(reject);
    } catch (error) {
      reject(error);
    }
  };
  for (let next = 0; outcomes.length < arrivals.length; await nextIteration()) {
    // An idle event loop sleeps until the next request arrives.
    if (outcomes.length === next) now = Math.max(now, arrivals[next]?.at ?? now);
    for (let due = arrivals[next]; due !== undefined && due.at <= now; due = arrivals[next]) {
      next += 1;
      submit(due);
    }
  }
  return outcomes;
}
