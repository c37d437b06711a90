import type { CartIds } from "./cart-store.ts";

/** The ids of a cart that is written to. */
export interface WrittenIds extends CartIds {
  /** The id was drawn for this write, so there is no cart to be read: unless another write was given it too, and came first. */
  readonly isNew: boolean;
}

/** The ids of a new cart. Those of carts that are made at about the same time begin alike, so that their rows, and what finds them, lie
 *  together in the database: writes that are committed together touch few pages of it.
 *  @param newId 128 random bits or more, base64url  @param now milliseconds since 1970  @param known the id, where the visitor has one */
export function newCartIds(newId: () => string, now: number, known?: string): WrittenIds {
  const make = (): string => (Math.trunc(now) % 2 ** 32).toString(16).padStart(8, "0") + newId();
  if (known === undefined) return { id: make(), checkoutId: make(), isNew: true };
  let checkoutId: string | undefined;
  return {
    id: known,
    // A cart that is there has its own.
    get checkoutId() {
      checkoutId ??= make();
      return checkoutId;
    },
    isNew: false,
  };
}
