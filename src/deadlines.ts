/**
 * Watches many deadlines with one timer. Few deadlines expire, and creating one timer for each would take more time
 * than the work itself.
 * @param onExpired handles everything that is overdue at `now`, on the clock of `performance.now()`; returns the
 * next deadline, or infinity
 * @returns a function to call with each new deadline
 */
export function watchDeadlines(onExpired: (now: number) => number): (deadline: number) => void {
  let nextDeadline = Number.POSITIVE_INFINITY;
  return function watch(deadline) {
    if (deadline >= nextDeadline) return;
    nextDeadline = deadline;
    const checkDeadline = (): void => {
      // A timer for an earlier deadline has replaced this timer.
      if (nextDeadline !== deadline) return;
      nextDeadline = Number.POSITIVE_INFINITY;
      watch(onExpired(performance.now()));
    };
    setTimeout(checkDeadline, Math.max(1, deadline - performance.now())).unref();
  };
}
