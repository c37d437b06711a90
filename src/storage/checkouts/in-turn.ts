import { NotBegun } from "../database.ts";

/** Runs one piece of work after another, in the order in which they come. Transactions that begin with the same row wait for each
 *  other at the database in any case: there, each holds a connection meanwhile, and those behind many give up on the lock.
 *  @param waitMs how long one may wait for its turn  @throws NotBegun where it had to wait for longer: it was not begun */
export function inTurn(waitMs: number): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const by = performance.now() + waitMs;
    const turn = last.then(() => {
      if (performance.now() > by) throw new NotBegun("too many were before it at the database");
      return work();
    });
    last = turn.catch(() => undefined);
    return turn;
  };
}
