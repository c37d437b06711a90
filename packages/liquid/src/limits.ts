import { LimitError } from "./errors.ts";

/** Bounds of a render, in counted work: the same template ends at the same point on every machine. */
export interface Limits {
  /** Characters of output. */
  readonly output: number;
  /** Characters of the longest text that a filter takes or makes, or a tag captures. */
  readonly characters: number;
  /** Items of the longest list that a filter takes or makes. */
  readonly items: number;
  /** `render` and `include` in one another. */
  readonly depth: number;
}

export const defaultLimits: Limits = { output: 5_000_000, characters: 1_000_000, items: 10_000, depth: 50 };

/** Counts the work of a render, or of several that share it. A step is a node that is rendered, an item of a list, or 64 characters that
 *  a filter is given or gives back. */
export interface Meter {
  /** @throws LimitError where there were too many before or are now, or they take too long */
  use(steps: number): void;
  /** Steps until now. */
  readonly used: number;
}

/** For templates that are trusted. */
export const unlimited: Meter = { use: () => {}, used: 0 };

/** So many steps may pass between two looks at the clock. */
const lookEvery = 256;
/** And so many before the first look: asking for the thread's work costs more than most sections do until then. */
const firstLook = 2_048;

/** @param what "section": for messages  @param milliseconds of this thread's work, the last resort: time in which the machine was busy with
 *  others is not counted, nor are the first steps, of which there are few  @param around counts the same steps for what this is a part of */
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
  /** The thread's work until the first look. */
  #started: NodeJS.CpuUsage | undefined;
  #end = 0;

  constructor(what: string, steps: number, milliseconds: number, around: Meter | undefined) {
    this.#what = what;
    this.#steps = steps;
    this.#milliseconds = milliseconds;
    this.#around = around;
    this.#left = steps;
    this.#nextLook = Math.max(0, steps - firstLook);
  }

  get used(): number {
    return this.#steps - this.#left;
  }

  use(count: number): void {
    this.#around?.use(count);
    this.#left -= count;
    if (this.#left > this.#nextLook) return;
    if (this.#left < 0) throw new LimitError(`rendering the ${this.#what} takes more than ${this.#steps} steps`);
    this.#nextLook = Math.max(0, this.#left - lookEvery);
    this.#look();
  }

  #look(): void {
    const time = performance.now();
    if (this.#started === undefined) {
      this.#started = process.threadCpuUsage();
      this.#end = time + this.#milliseconds;
    }
    if (time <= this.#end) return;
    // The clock is cheap to read and never behind the work; the work itself is asked only once the clock has run out.
    const { user, system } = process.threadCpuUsage(this.#started);
    const rest = this.#milliseconds - (user + system) / 1_000;
    if (rest <= 0) throw new LimitError(`rendering the ${this.#what} takes longer than ${this.#milliseconds} ms`);
    this.#end = time + rest;
  }
}
