import { setTimeout as sleep } from "node:timers/promises";
import { Problem } from "../problem.ts";
import { withTimeout } from "../runtime/with-timeout.ts";

/** Maximum time for a database read in milliseconds. The shopper must get a response within five seconds. */
const READ_TIMEOUT_MS = 4_000;

/**
 * Returns the result of `promise`, or rejects after the deadline. Use it for reads only, because the work is not canceled.
 * @param deadline time of `performance.now()`, in milliseconds
 * @throws Problem `cart_service_unavailable`
 */
export function awaitWithDeadline<T>(promise: Promise<T>, deadline = performance.now() + READ_TIMEOUT_MS): Promise<T> {
  return withTimeout(promise, deadline - performance.now(), () => createUnavailableProblem());
}

/**
 * Time in milliseconds that a change of a merchant waits until the index of this server contains an earlier change. It
 * takes a fraction of a second, but on an overloaded machine several seconds.
 */
export const INDEX_TIMEOUT_MS = 10_000;
const INDEX_CHECK_INTERVAL_MS = 25;

/**
 * Waits until the index of this server has a state, or until the deadline.
 * @param deadline time of `performance.now()`, in milliseconds
 * @returns whether the index has that state
 */
export async function awaitIndex(
  hasState: () => boolean,
  deadline = performance.now() + INDEX_TIMEOUT_MS,
): Promise<boolean> {
  while (!hasState()) {
    if (performance.now() > deadline) return false;
    await sleep(INDEX_CHECK_INTERVAL_MS);
  }
  return true;
}

/** @param isInDoubt whether the change may be saved */
export function createUnavailableProblem(isInDoubt = false): Problem {
  const message = isInDoubt
    ? "The database did not answer, and the change may be saved: check it before you try again."
    : "Carts cannot be read or written now: try again in a moment.";
  return new Problem("cart_service_unavailable", message, [], { isInDoubt });
}
