import { setTimeout } from "node:timers/promises";
import type { SaveOutcome } from "../cart/cart-store.ts";
import {
  CommitInDoubtError,
  type Database,
  DatabaseUnavailableError,
  type SqlRow,
  type Statement,
  WriteConflict,
  WriteNotStartedError,
} from "./database.ts";

/**
 * If the response to a commit was lost, the outcome must be found within this time after the deadline, in milliseconds.
 * A shopper then gets a response within five seconds.
 */
const OUTCOME_TIMEOUT_MS = 2_000;
const RETRY_DELAY_MS = 25;

/**
 * Runs a write. If the response to the commit is lost, runs the same statements again to determine the outcome. A
 * condition in the statements ensures that they are applied only once.
 * @param statements statements with a condition that is false after the write
 * @param isSaved returns whether the condition is false because this write was committed
 * @throws DatabaseUnavailableError if nothing was written, or if the outcome cannot be determined in time
 */
export function writeWithRetry(
  database: Database,
  statements: readonly Statement[],
  {
    startDeadline,
    isSaved,
    onRows,
  }: {
    readonly startDeadline: number | undefined;
    readonly isSaved: () => Promise<boolean>;
    /** Receives the rows of each statement, unless the response to the commit was lost. */
    readonly onRows?: (rows: readonly (readonly SqlRow[])[]) => void;
  },
): Promise<SaveOutcome> {
  return database.write(statements, startDeadline).then(
    (rows) => {
      onRows?.(rows);
      return "saved";
    },
    (error: unknown) => {
      if (error instanceof WriteConflict) return "conflict";
      if (error instanceof WriteNotStartedError) return "timed out";
      if (error instanceof CommitInDoubtError) return findSaveOutcome();
      throw error;
    },
  );

  async function findSaveOutcome(): Promise<SaveOutcome> {
    const end = (startDeadline ?? performance.now()) + OUTCOME_TIMEOUT_MS;
    for (;;) {
      await setTimeout(RETRY_DELAY_MS);
      try {
        return await retryWrite(end);
      } catch (error) {
        if (!(error instanceof DatabaseUnavailableError) || performance.now() >= end) throw error;
      }
    }
  }

  async function retryWrite(deadline: number): Promise<SaveOutcome> {
    try {
      await database.write(statements, deadline);
      return "saved";
    } catch (error) {
      if (error instanceof WriteConflict) return (await isSaved()) ? "saved" : "conflict";
      throw error;
    }
  }
}
