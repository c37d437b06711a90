import { LiquidError } from "./errors.ts";

/** Limits of a render. They count work instead of time, so that a template stops at the same point on every machine. */
export interface Limits {
  /** Maximum characters of output. Default: 5,000,000. */
  readonly output: number;
  /** Maximum characters of a string that a filter reads or returns, or a tag captures. Default: 3,000,000. */
  readonly characters: number;
  /** Maximum items of a list that a filter reads or returns. Default: 10,000. */
  readonly items: number;
  /** Maximum nesting of `render` and `include`. Default: 50. */
  readonly depth: number;
}

export const defaultLimits: Limits = { output: 5_000_000, characters: 3_000_000, items: 10_000, depth: 50 };

export interface MeterOptions {
  /**
   * Maximum number of steps. A step is a rendered tag, output, or list item, or 64 characters that a filter reads or
   * returns.
   */
  readonly steps: number;
  /**
   * Maximum milliseconds: CPU time of the thread in Node, elapsed time in browsers. The first 2,048 steps do not count.
   * Default: no limit.
   */
  readonly milliseconds?: number;
  /** Name of the rendered content in error messages, such as "page". Default: "template". */
  readonly name?: string;
  /** Meter of the enclosing render, such as the page around a section. Steps of this meter count there too. */
  readonly parent?: Meter;
}

/** Number of steps between two checks of the time limit. */
const CHECK_INTERVAL_STEPS = 256;
/**
 * Number of steps before the first check of the time limit. Most renders are shorter and so avoid the slow read of the
 * CPU time.
 */
const FIRST_CHECK_STEP_COUNT = 2_048;

/**
 * Counts and limits the work of one or more renders. One step is a rendered tag, output, or list item, or 64 characters
 * that a filter reads or returns.
 *
 * @example template.render({ products }, { meter: new Meter({ steps: 100_000, milliseconds: 50 }) });
 */
export class Meter {
  readonly #name: string;
  readonly #maxSteps: number;
  readonly #maxMs: number;
  readonly #parent: Meter | undefined;
  #remainingSteps: number;
  #nextTimeCheck: number;
  /** The thread's CPU time at the first check, in milliseconds. */
  #startCpuMs: number | undefined;
  #endTime = 0;

  constructor({ steps, milliseconds = Number.POSITIVE_INFINITY, name = "template", parent }: MeterOptions) {
    this.#name = name;
    this.#maxSteps = steps;
    this.#maxMs = milliseconds;
    this.#parent = parent;
    this.#remainingSteps = steps;
    this.#nextTimeCheck = Math.max(0, steps - FIRST_CHECK_STEP_COUNT);
  }

  /** Number of steps used so far. */
  get usedSteps(): number {
    return this.#maxSteps - this.#remainingSteps;
  }

  /** Counts steps.  @throws LiquidError of kind "limit" if the steps or the time are exhausted */
  use(steps: number): void {
    this.#parent?.use(steps);
    this.#remainingSteps -= steps;
    if (this.#remainingSteps > this.#nextTimeCheck) return;
    if (this.#remainingSteps < 0)
      throw new LiquidError("limit", `rendering the ${this.#name} takes more than ${this.#maxSteps} steps`);
    this.#nextTimeCheck = Math.max(0, this.#remainingSteps - CHECK_INTERVAL_STEPS);
    this.#checkTime();
  }

  #checkTime(): void {
    const time = performance.now();
    if (this.#startCpuMs === undefined) {
      this.#startCpuMs = readCpuTime();
      this.#endTime = time + this.#maxMs;
    }
    if (time <= this.#endTime) return;
    // Reading the CPU time is slow, so it is read only after the elapsed time exceeds the limit.
    const remainingTimeMs = this.#maxMs - (readCpuTime() - this.#startCpuMs);
    if (remainingTimeMs <= 0)
      throw new LiquidError("limit", `rendering the ${this.#name} takes longer than ${this.#maxMs} ms`);
    this.#endTime = time + remainingTimeMs;
  }
}

/** Meter without limits, for trusted templates. */
export const unlimitedMeter: Meter = new (class extends Meter {
  override use(): void {}
})({ steps: 0 });

/** Returns the CPU time of this thread in milliseconds, or the elapsed time if the platform does not report it. */
function readCpuTime(): number {
  const usage = globalThis.process?.threadCpuUsage?.();
  return usage === undefined ? performance.now() : (usage.user + usage.system) / 1_000;
}
