import { LimitError } from "./errors.ts";

/** Limits of a render in counted work: a template stops at the same point on every machine. */
export interface Limits {
  /** Maximum characters of output. */
  readonly output: number;
  /** Maximum characters of a string that a filter reads or returns, or a tag captures. */
  readonly characters: number;
  /** Maximum items of a list that a filter reads or returns. */
  readonly items: number;
  /** Maximum nesting of `render` and `include`. */
  readonly depth: number;
}

export const defaultLimits: Limits = { output: 5_000_000, characters: 1_000_000, items: 10_000, depth: 50 };

/**
 * Counts the work of one render or of several. One step is a rendered node, a list item, or 64 characters that a filter
 * reads or returns.
 */
export interface Meter {
  /** @throws LimitError if the limit is or was exceeded, or the time is up */
  use(steps: number): void;
  /** Steps used so far. */
  readonly used: number;
}

/** For trusted templates. */
export const unlimited: Meter = { use: () => {}, used: 0 };

/** Steps between two checks of the clock. */
const CHECK_INTERVAL = 256;
/** Steps before the first check: reading the thread's CPU time takes longer than most sections do until then. */
const FIRST_CHECK = 2_048;

/**
 * @param what "section", for messages
 * @param milliseconds maximum CPU time of this thread, as a last resort; other threads' time and the first steps do not
 * count
 * @param around meter of the enclosing render, which counts the same steps
 */
export function createMeter(what: string, steps: number, milliseconds: number, around?: Meter): Meter {
  return new CountingMeter(what, steps, milliseconds, around);
}

class CountingMeter implements Meter {
  readonly #what: string;
  readonly #steps: number;
  readonly #milliseconds: number;
  readonly #around: Meter | undefined;
  #left: number;
  #nextLook: number;
  /** The thread's CPU time at the first check. */
  #started: NodeJS.CpuUsage | undefined;
  #end = 0;

  constructor(what: string, steps: number, milliseconds: number, around: Meter | undefined) {
    this.#what = what;
    this.#steps = steps;
    this.#milliseconds = milliseconds;
    this.#around = around;
    this.#left = steps;
    this.#nextLook = Math.max(0, steps - FIRST_CHECK);
  }

  get used(): number {
    return this.#steps - this.#left;
  }

  use(count: number): void {
    this.#around?.use(count);
    this.#left -= count;
    if (this.#left > this.#nextLook) return;
    if (this.#left < 0) throw new LimitError(`rendering the ${this.#what} takes more than ${this.#steps} steps`);
    this.#nextLook = Math.max(0, this.#left - CHECK_INTERVAL);
    this.#look();
  }

  #look(): void {
    const time = performance.now();
    if (this.#started === undefined) {
      this.#started = process.threadCpuUsage();
      this.#end = time + this.#milliseconds;
    }
    if (time <= this.#end) return;
    // The clock is cheap to read and never behind the CPU time, which is read only after the clock passed the limit.
    const { user, system } = process.threadCpuUsage(this.#started);
    const rest = this.#milliseconds - (user + system) / 1_000;
    if (rest <= 0) throw new LimitError(`rendering the ${this.#what} takes longer than ${this.#milliseconds} ms`);
    this.#end = time + rest;
  }
}
