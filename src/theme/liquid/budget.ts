import { type Context, type Emitter, LiquidError, toValue } from "liquidjs";

/** Characters of HTML a section may make, and the longest text a filter takes. */
export const maxText = 1_000_000;
/** Characters of a whole page. */
export const maxPage = 5_000_000;
/** Items of the longest list a filter takes. */
export const maxItems = 10_000;
/** `render` and `include` inside one another. */
export const maxDepth = 50;
/** Characters and items that all filters and ranges of a section make together: some 50 MB at worst. */
const maxMade = 20_000_000;

/** A render went past a limit. Other errors cost the node of the template in which they come up; this one ends the section or page. */
export class LimitError extends Error {}

/** Whether an error is of a limit, or says where in a file one was passed. */
export function isLimitError(error: unknown): boolean {
  return error instanceof LimitError || (LiquidError.is(error) && error.originalError instanceof LimitError);
}

/** Counts what a section, a page or all sections of a page do. */
export interface Meter {
  /** @throws LimitError where there were too many before or are now, or they take too long */
  readonly use: (steps: number) => void;
}

/** So many steps may pass between two looks at the clock. */
const lookEvery = 64;

/** @param what "section": for messages  @param milliseconds of this thread's work from now on: time in which the machine was busy with others is not
 *  counted  @param around counts the same steps for what this is a part of */
export function createMeter(what: string, steps: number, milliseconds: number, around?: Meter): Meter {
  const started = process.threadCpuUsage();
  let end = performance.now() + milliseconds;
  let left = steps;
  let nextLook = steps;
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
      if (left < 0) throw new LimitError(`rendering the ${what} takes more than ${steps} steps`);
      if (left > nextLook) return;
      nextLook = left - lookEvery;
      look();
    },
  };
}

/** What a render may still use; LiquidJS and our tags ask it before each node and before they make texts and lists. */
export interface Budget {
  readonly renderLimit: Context["renderLimit"];
  readonly memoryLimit: Context["memoryLimit"];
}

export function createBudget(meter: Meter): Budget {
  let made = 0;
  const measure = (count: number): void => {
    if (count > maxText) throw new LimitError(`a text or list of more than ${maxText} characters or items`);
  };
  const use = (count: number): void => {
    if (!(count > 0)) return;
    measure(count);
    made += Number(count);
    if (made > maxMade) throw new LimitError(`more than ${maxMade} characters and items of texts and lists`);
  };
  return {
    renderLimit: { check: () => meter.use(1), use: meter.use } as unknown as Context["renderLimit"],
    memoryLimit: { check: measure, use } as unknown as Context["memoryLimit"],
  };
}

/** Steps that a value costs the filter that reads or makes it. */
export function weightOf(value: unknown): number {
  if (typeof value === "string") return 1 + (value.length >> 6);
  return Array.isArray(value) ? 1 + value.length : 1;
}

/** Collects output and stops when it is too long. */
export class BoundedEmitter implements Emitter {
  buffer = "";
  readonly #max: number;

  /** @param max characters */
  constructor(max: number = maxText) {
    this.#max = max;
  }

  write(value: unknown): void {
    this.buffer += printed(value, this.#max - this.buffer.length);
  }
}

/** What `{{ value }}` prints. @throws LimitError where that is longer than `room` */
export function printed(value: unknown, room: number = maxText): string {
  const plain: unknown = toValue(value);
  let text = "";
  if (typeof plain === "string") text = plain;
  else if (Array.isArray(plain)) for (const item of plain) text += printed(item, room - text.length);
  else if (plain !== undefined && plain !== null && typeof plain !== "function") text = String(plain);
  if (text.length > room) throw new LimitError("more output than a section or page may have");
  return text;
}

/** @throws LimitError where a value is longer than filters take */
export function checkSize(value: unknown): void {
  if (typeof value === "string" && value.length > maxText)
    throw new LimitError(`a text of more than ${maxText} characters`);
  if (Array.isArray(value) && value.length > maxItems) throw new LimitError(`a list of more than ${maxItems} items`);
}
