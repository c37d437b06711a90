import type { CartIds } from "./cart-store.ts";

/** Ids of a cart that a write changes. */
export interface WrittenIds extends CartIds {
  /**
   * Whether the id was created for this write, so that no cart exists yet unless a concurrent write got the same id.
   */
  readonly isNew: boolean;
}

/**
 * Creates the ids of a new cart. Ids created at about the same time share a prefix, so that their rows are adjacent in
 * the database: writes that are committed together change few pages.
 * @param newId returns 128 or more random bits, base64url
 * @param now milliseconds since 1970
 * @param known the visitor's id, if it exists
 */
export function newCartIds(newId: () => string, now: number, known?: string): WrittenIds {
  const make = (): string => (Math.trunc(now) % 2 ** 32).toString(16).padStart(8, "0") + newId();
  if (known === undefined) return { id: make(), checkoutId: make(), isNew: true };
  let checkoutId: string | undefined;
  return {
    id: known,
    // An existing cart has its checkout id.
    get checkoutId() {
      checkoutId ??= make();
      return checkoutId;
    },
    isNew: false,
  };
}
