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

/**
 * Milliseconds after the deadline to determine a lost outcome, so that a shopper gets a response within five seconds.
 */
const SETTLE_MS = 2_000;
const RETRY_MS = 25;

/**
 * Runs a write. If the response to the commit is lost, runs the same statements again to determine the outcome. Their
 * conditions hold at most once, so they are never applied twice. A first attempt that is still in progress fails.
 * @param statements statements with a condition that is false after the write
 * @param isSaved returns whether the condition is false because this write was committed
 * @throws DatabaseUnavailable if nothing was written, or if the outcome cannot be determined in time
 */
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
    /** Receives the rows of each statement, unless the response to the commit was lost. */
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
