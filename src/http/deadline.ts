import { Problem } from "../problem.ts";

/** Maximum milliseconds of a read: the shopper must get a response within five seconds. */
const READ_MS = 4_000;

/**
 * Resolves to the result of `work`, unless it takes too long. For reads, because the work continues after the deadline.
 * @param deadline on the clock of `performance.now()`
 * @throws Problem `cart_service_unavailable`
 */
export async function withDeadline<T>(work: Promise<T>, deadline = performance.now() + READ_MS): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(unavailable()), deadline - performance.now());
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

export function unavailable(): Problem {
  return new Problem("cart_service_unavailable", "Carts cannot be read or written now: try again in a moment.");
}
