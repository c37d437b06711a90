import { type Context, type Emitter, toValue } from "liquidjs";

/** Milliseconds of rendering a section may take. */
export const sectionTime = 100;
/** Milliseconds for a layout or a whole Liquid template, the sections in it included. */
export const pageTime = 1_000;
/** So many times as long by the clock ends a render, however little of it was work. */
export const patience = 5;
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

/** What a render may still use; LiquidJS asks it before each node and before it makes texts and lists. */
export interface Budget {
  readonly renderLimit: Context["renderLimit"];
  readonly memoryLimit: Context["memoryLimit"];
}

/** Begins a page. @returns milliseconds of this thread's work that are left to its sections together; none after five
 *  times as long by the clock */
export function startSections(): () => number {
  const started = process.threadCpuUsage();
  const last = performance.now() + pageTime * patience;
  return () => {
    const { user, system } = process.threadCpuUsage(started);
    return performance.now() > last ? 0 : Math.max(0, pageTime - (user + system) / 1_000);
  };
}

/** @param milliseconds of this thread's work from now on: time in which the machine was busy with others is not counted */
export function createBudget(milliseconds: number): Budget {
  const started = process.threadCpuUsage();
  const last = performance.now() + milliseconds * patience;
  let end = performance.now() + milliseconds;
  let made = 0;
  const check = (time: number): void => {
    if (time <= end) return;
    // The clock is cheap to read and never behind the work; the work itself is asked only once the clock has run out.
    const { user, system } = process.threadCpuUsage(started);
    const left = milliseconds - (user + system) / 1_000;
    if (left <= 0 || time > last) throw new Error(tooLong(milliseconds));
    end = time + left;
  };
  const measure = (count: number): void => {
    if (count > maxText) throw new Error(`a text or list of more than ${maxText} characters or items`);
  };
  const use = (count: number): void => {
    if (!(count > 0)) return;
    measure(count);
    made += Number(count);
    if (made > maxMade) throw new Error(`more than ${maxMade} characters and items of texts and lists`);
  };
  return {
    renderLimit: { check, use: check } as unknown as Context["renderLimit"],
    memoryLimit: { check: measure, use } as unknown as Context["memoryLimit"],
  };
}

function tooLong(milliseconds: number): string {
  if (milliseconds > 0) return `rendering takes longer than ${Math.round(milliseconds)} ms`;
  return `the sections of the page take longer than ${pageTime} ms together`;
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

/** What `{{ value }}` prints. @throws Error where that is longer than `room` */
export function printed(value: unknown, room: number = maxText): string {
  const plain: unknown = toValue(value);
  let text = "";
  if (typeof plain === "string") text = plain;
  else if (Array.isArray(plain)) for (const item of plain) text += printed(item, room - text.length);
  else if (plain !== undefined && plain !== null && typeof plain !== "function") text = String(plain);
  if (text.length > room) throw new Error("more output than a section or page may have");
  return text;
}

/** @throws Error where a value is longer than filters take */
export function checkSize(value: unknown): void {
  if (typeof value === "string" && value.length > maxText) throw new Error(`a text of more than ${maxText} characters`);
  if (Array.isArray(value) && value.length > maxItems) throw new Error(`a list of more than ${maxItems} items`);
}
