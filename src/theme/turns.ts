/** Lets pieces of work that each hold the event loop (a page takes some ten milliseconds) begin in the order in which they asked,
 *  one in a turn of the loop: whatever else has arrived meanwhile comes in between. */
export interface Turn {
  /** Resolves when it is the caller's turn. */
  (): Promise<void>;
  /** About how many milliseconds one who asks now would wait. */
  readonly expectedMs: () => number;
}

export function createTurns(): Turn {
  const waiting: (() => void)[] = [];
  /** Between two that begin while others wait, in milliseconds. */
  let interval = FIRST_GUESS;
  let begunAt = 0;
  const next = (): void => {
    const now = performance.now();
    if (begunAt > 0) interval += (now - begunAt - interval) * NEWEST;
    waiting.shift()?.();
    begunAt = waiting.length > 0 ? now : 0;
    if (waiting.length > 0) setImmediate(next);
  };
  const turn = (): Promise<void> =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(next);
    });
  return Object.assign(turn, { expectedMs: () => waiting.length * interval });
}

/** How much the newest interval counts towards the mean of all. */
const NEWEST = 0.2;
/** Milliseconds: a page of a plain theme. */
const FIRST_GUESS = 10;
