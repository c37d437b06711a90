/** Lets pieces of work that may hold the event loop (a page takes some ten milliseconds) begin in the order in which they asked, some milliseconds
 *  of them in a turn of the loop, or one that takes longer: whatever else has arrived meanwhile comes in between.
 *  Resolves when it is the caller's turn. */
export type Turn = () => Promise<void>;

export function createTurns(): Turn {
  const waiting: (() => void)[] = [];
  const next = (): void => {
    const end = performance.now() + SLICE_MS;
    const step = (): void => {
      waiting.shift()?.();
      if (waiting.length > 0) afterPromises(goOn);
    };
    const goOn = (): void => {
      if (performance.now() < end) step();
      else setImmediate(next);
    };
    step();
  };
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(next);
    });
}

/** Milliseconds of short pieces that begin in one turn of the event loop. */
const SLICE_MS = 2;

/** Calls once all that waited for promises which are resolved by now has gone on. */
export function afterPromises(then: () => void): void {
  queueMicrotask(() => process.nextTick(then));
}
