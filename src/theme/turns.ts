/** Lets pieces of work that each hold the event loop (a page takes some ten milliseconds) begin in the order in which they asked,
 *  one in a turn of the loop: whatever else has arrived meanwhile comes in between.
 *  @returns resolves when it is the caller's turn */
export function createTurns(): () => Promise<void> {
  const waiting: (() => void)[] = [];
  const next = (): void => {
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(next);
  };
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(next);
    });
}
