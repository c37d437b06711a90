/** Watches many deadlines with one timer: setting and clearing one for each costs more than what they are for, as few are ever late.
 *  @param drop drops what is late by `now`, on the clock of `performance.now()`; returns the next deadline, infinity where there is none
 *  @returns to be told of each new deadline */
export function watchDeadlines(drop: (now: number) => number): (deadline: number) => void {
  let next = Number.POSITIVE_INFINITY;
  return function watch(deadline) {
    if (deadline >= next) return;
    next = deadline;
    const look = (): void => {
      // An earlier one came, and looked already.
      if (next !== deadline) return;
      next = Number.POSITIVE_INFINITY;
      watch(drop(performance.now()));
    };
    setTimeout(look, Math.max(1, deadline - performance.now())).unref();
  };
}
