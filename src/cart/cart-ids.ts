import type { CartIdPrefixes, CartIds } from "./cart-store.ts";

/** IDs of a cart that is about to be written. */
export interface CartWriteIds extends CartIds {
  /** Whether the ID was just created, so that usually no cart with this ID exists yet. */
  readonly isNew: boolean;
}

/**
 * Creates the IDs of a new cart. IDs created at about the same time share a prefix, so their rows are adjacent in the
 * database and a commit of several writes changes few pages.
 * @param shop.process.newId returns at least 128 random bits, base64url
 * @param now milliseconds since 1970
 * @param cart.id the visitor's cart ID, if there is one
 * @param cart.key new carts with the same key are in the same database. Default: any database
 * @param cart.isInMainDatabase whether a new cart is in the main database, with any key
 */
export function createCartIds(
  shop: {
    readonly carts: { readonly idPrefixes?: CartIdPrefixes };
    readonly process: { readonly newId: () => string };
  },
  now: number,
  cart: {
    readonly id: string | undefined;
    readonly key?: string | undefined;
    readonly isInMainDatabase?: boolean | undefined;
  },
): CartWriteIds {
  const { idPrefixes } = shop.carts;
  const createId = (): string => (Math.trunc(now) % 2 ** 32).toString(16).padStart(8, "0") + shop.process.newId();
  const { id: cartId, key, isInMainDatabase = false } = cart;
  if (cartId === undefined) {
    const id = createId();
    const prefix = isInMainDatabase ? "" : (idPrefixes?.select(key ?? id) ?? "");
    return { id: prefix + id, checkoutId: prefix + createId(), isNew: true };
  }
  let checkoutId: string | undefined;
  return {
    id: cartId,
    // Created on access, because it is needed only if the cart is not stored yet.
    get checkoutId() {
      checkoutId ??= (idPrefixes?.getPrefix(cartId) ?? "") + createId();
      return checkoutId;
    },
    isNew: false,
  };
}
