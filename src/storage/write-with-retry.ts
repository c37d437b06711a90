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
 * @throws DatabaseUnavailableError if nothing was written
 * @throws CommitInDoubtError if the outcome cannot be determined in time
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
      return determineOutcome(error, retryWrite, (startDeadline ?? performance.now()) + OUTCOME_TIMEOUT_MS);
    },
  );

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

/**
 * Runs a task with one write. If the response to its commit is lost, repeats the task until its outcome is known.
 * @param task a task that finds out if its write was committed before
 * @throws CommitInDoubtError if the outcome cannot be determined in time
 */
export async function repeatWhileInDoubt<T>(
  { maxStartDelayMs }: Pick<Database, "maxStartDelayMs">,
  task: (startDeadline: number) => Promise<T>,
): Promise<T> {
  const startDeadline = performance.now() + maxStartDelayMs;
  try {
    return await task(startDeadline);
  } catch (error) {
    return determineOutcome(error, task, startDeadline + OUTCOME_TIMEOUT_MS);
  }
}

/** @param firstError error of the first attempt, which is thrown again unless the outcome is in doubt */
async function determineOutcome<T>(
  firstError: unknown,
  repeatTask: (deadline: number) => Promise<T>,
  deadline: number,
): Promise<T> {
  if (!(firstError instanceof CommitInDoubtError)) throw firstError;
  for (;;) {
    await setTimeout(RETRY_DELAY_MS);
    try {
      return await repeatTask(deadline);
    } catch (error) {
      if (!(error instanceof DatabaseUnavailableError)) throw error;
      if (performance.now() >= deadline) throw firstError;
    }
  }
}
