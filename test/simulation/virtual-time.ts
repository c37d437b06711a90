import { syncBuiltinESMExports } from "node:module";
import timersPromises from "node:timers/promises";

interface Timer {
  readonly at: number;
  readonly run: () => void;
}

/**
 * Replaces the clock and the timers of this thread, so that the scheduler alone decides when time passes. Use it only in
 * a thread that runs nothing else.
 */
export class VirtualTime {
  #now = 0;
  #timers: Timer[] = [];
  readonly #setImmediate = setImmediate;

  install(): void {
    performance.now = () => this.#now;
    const start = (run: () => void, ms = 0): object => this.#start(run, ms);
    Object.assign(globalThis, {
      setTimeout: (run: (...values: unknown[]) => void, ms?: number, ...values: unknown[]) =>
        start(() => run(...values), ms),
      setImmediate: (run: (...values: unknown[]) => void, ...values: unknown[]) => start(() => run(...values)),
      clearTimeout: (timer: unknown) => {
        this.#timers = this.#timers.filter((one) => one !== timer);
      },
    });
    const wait = <T>(ms?: number, value?: T): Promise<T> =>
      new Promise((resolve) => start(() => resolve(value as T), ms));
    Object.assign(timersPromises, { setTimeout: wait });
    syncBuiltinESMExports();
  }

  get now(): number {
    return this.#now;
  }

  get hasTimers(): boolean {
    return this.#timers.length > 0;
  }

  /** Removes all timers, and starts again at zero. */
  reset(): void {
    this.#now = 0;
    this.#timers = [];
  }

  advance(ms: number): void {
    this.#now += ms;
  }

  /** Runs the earliest timer that is due.  @returns false if none is due */
  runDueTimer(): boolean {
    const [first] = this.#timers;
    if (first === undefined || first.at > this.#now) return false;
    this.#timers.shift();
    first.run();
    return true;
  }

  advanceToNextTimer(): void {
    const [first] = this.#timers;
    if (first !== undefined) this.#now = Math.max(this.#now, first.at);
  }

  /** Waits until no promise can make progress without the scheduler. */
  settlePromises(): Promise<void> {
    return new Promise((resolve) => this.#setImmediate(resolve));
  }

  #start(run: () => void, ms: number): object {
    const timer = { at: this.#now + Math.max(0, ms), run, unref: () => timer, ref: () => timer };
    const index = this.#timers.findIndex(({ at }) => at > timer.at);
    this.#timers.splice(index < 0 ? this.#timers.length : index, 0, timer);
    return timer;
  }
}
