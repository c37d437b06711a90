import type { CartIds } from "./cart-store.ts";

/** The ids of a new cart. Those of carts that are made at about the same time begin alike, so that their rows, and what finds them, lie
 *  together in the database: writes that are committed together touch few pages of it.
 *  @param newId 128 random bits or more, base64url  @param now milliseconds since 1970  @param known the id, where the visitor has one */
export function newCartIds(newId: () => string, now: number, known?: string): CartIds {
  const time = (Math.trunc(now) % 2 ** 32).toString(16).padStart(8, "0");
  return { id: known ?? time + newId(), checkoutId: time + newId() };
}
