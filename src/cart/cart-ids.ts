import type { CartIds } from "./cart-store.ts";

/** IDs of a cart that is about to be written. */
export interface CartWriteIds extends CartIds {
  /** Whether the ID was just created, so that usually no cart with this ID exists yet. */
  readonly isNew: boolean;
}

/**
 * Creates the IDs of a new cart. IDs created at about the same time share a prefix, so their rows are adjacent in the
 * database and a commit of several writes changes few pages.
 * @param newId returns at least 128 random bits, base64url
 * @param now milliseconds since 1970
 * @param cartId the visitor's cart ID, if there is one
 */
export function createCartIds(newId: () => string, now: number, cartId?: string): CartWriteIds {
  const createId = (): string => (Math.trunc(now) % 2 ** 32).toString(16).padStart(8, "0") + newId();
  if (cartId === undefined) return { id: createId(), checkoutId: createId(), isNew: true };
  let checkoutId: string | undefined;
  return {
    id: cartId,
    // Created on access, because it is needed only if the cart is not stored yet.
    get checkoutId() {
      checkoutId ??= createId();
      return checkoutId;
    },
    isNew: false,
  };
}
