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
  readonly use: (steps: number) => void;
}

/** For templates that are trusted. */
export const unlimited: Meter = { use: () => {} };

/** So many steps may pass between two looks at the clock. */
const lookEvery = 256;

/** @param what "section": for messages  @param milliseconds of this thread's work from now on, the last resort: time in which the machine
 *  was busy with others is not counted  @param around counts the same steps for what this is a part of */
export function createMeter(what: string, steps: number, milliseconds: number, around?: Meter): Meter {
  const started = process.threadCpuUsage();
  let end = performance.now() + milliseconds;
  let left = steps;
  let nextLook = Math.max(0, steps - lookEvery);
  const look = (): void => {
    const time = performance.now();
    if (time <= end) return;
    // The clock is cheap to read and never behind the work; the work itself is asked only once the clock has run out.
    const { user, system } = process.threadCpuUsage(started);
    const rest = milliseconds - (user + system) / 1_000;
    if (rest <= 0) throw new LimitError(`rendering the ${what} takes longer than ${milliseconds} ms`);
    end = time + rest;
  };
  return {
    use: (count) => {
      around?.use(count);
      left -= count;
      if (left > nextLook) return;
      if (left < 0) throw new LimitError(`rendering the ${what} takes more than ${steps} steps`);
      nextLook = Math.max(0, left - lookEvery);
      look();
    },
  };
}
