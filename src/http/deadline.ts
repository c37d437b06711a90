import { Problem } from "../problem.ts";

/** Milliseconds a store of carts may take before the shopper hears of it: they hear within five seconds. */
const STORE_DEADLINE = 4_000;

/** What `work` gives, unless it takes too long. @throws Problem `cart_service_unavailable` */
export async function withDeadline<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(unavailable()), STORE_DEADLINE);
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
