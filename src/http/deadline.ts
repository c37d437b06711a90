import { Problem } from "../problem.ts";

/** Milliseconds a read may take before the shopper hears of it: they hear within five seconds. */
const READ_MS = 4_000;

/** What `work` gives, unless it takes too long. For what does no harm where it goes on after that: reads.
 *  @param deadline on the clock of `performance.now()`  @throws Problem `cart_service_unavailable` */
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
