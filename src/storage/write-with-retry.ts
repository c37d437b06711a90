import { setTimeout } from "node:timers/promises";
import type { SaveOutcome } from "../cart/cart-store.ts";
import {
  CommitInDoubt,
  type Database,
  DatabaseUnavailable,
  type SqlRow,
  type Statement,
  WriteConflict,
  WriteNotStarted,
} from "./database.ts";

/** Milliseconds after its deadline to begin in which a commit whose answer was lost is asked for again: a shopper is answered within five
 *  seconds. */
const SETTLE_MS = 2_000;
const RETRY_MS = 25;

/** Writes and learns what became of it. Where the answer to the commit is lost (a broken connection, a thread that died), the very same is
 *  written again: its conditions hold once at most, so it is never applied twice, and a first one that is still under way can then no
 *  longer come about later.
 *  @param statements the conditions of which the first write itself undoes
 *  @param isSaved whether the conditions fail because this very write was committed
 *  @throws DatabaseUnavailable where nothing was written, or where the database is away for so long that it cannot be learnt */
export function writeWithRetry(
  database: Database,
  statements: readonly Statement[],
  {
    beginBy,
    isSaved,
    onRows,
  }: {
    readonly beginBy: number | undefined;
    readonly isSaved: () => Promise<boolean>;
    /** Told the rows of each statement, unless the answer to the commit was lost. */
    readonly onRows?: (rows: readonly (readonly SqlRow[])[]) => void;
  },
): Promise<SaveOutcome> {
  return database.write(statements, beginBy).then(
    (rows) => {
      onRows?.(rows);
      return "saved";
    },
    (error: unknown) => {
      if (error instanceof WriteConflict) return "moved on";
      if (error instanceof WriteNotStarted) return "too late";
      if (error instanceof CommitInDoubt) return findOutcome();
      throw error;
    },
  );

  async function findOutcome(): Promise<SaveOutcome> {
    const end = (beginBy ?? performance.now()) + SETTLE_MS;
    for (;;) {
      await setTimeout(RETRY_MS);
      try {
        return await writeAgain(end);
      } catch (error) {
        if (!(error instanceof DatabaseUnavailable) || performance.now() >= end) throw error;
      }
    }
  }

  async function writeAgain(until: number): Promise<SaveOutcome> {
    try {
      await database.write(statements, until);
      return "saved";
    } catch (error) {
      if (error instanceof WriteConflict) return (await isSaved()) ? "saved" : "moved on";
      throw error;
    }
  }
}
