import { Problem } from "../../problem.ts";

/** Identifies a write request, so that a repeated request is applied only once. */
export interface WriteKey {
  /** The client's idempotency key. */
  readonly key: string;
  /** Digest of the request. The same key with a different digest is rejected. */
  readonly fingerprint: string;
  /** ID of the visitor, base64url, used while the client has no cart. */
  readonly visitor: string;
}

/** The cart of a request with an idempotency key. */
export interface IdempotentCart {
  readonly id: string;
  /** Whether the client sent this cart's cookie. */
  readonly isFromCookie: boolean;
}

/** An applied write with an idempotency key, and its response. */
export interface AppliedWrite extends Pick<WriteKey, "key" | "fingerprint"> {
  /**
   * Owners of the idempotency key: the IDs of the client's cart or the created cart, or the visitor if there is no
   * cart.
   */
  readonly scopes: readonly string[];
  /** Undefined if the request had no cart and created none. */
  readonly cartId?: string;
  readonly response: string;
}

/** The stored record of a write with an idempotency key. Its response may be deleted. */
export interface IdempotencyRecord extends Omit<AppliedWrite, "response"> {
  /** Undefined if the response was deleted because newer responses of the same cart reached the storage limit. */
  readonly response?: string;
}

/**
 * Finds the stored record of a repeated request. The record belongs to this cart, or to this visitor if there is no
 * cart.
 * @param cart if its ID is from the cookie, the visitor's writes to other carts are ignored
 * @returns undefined if the write was not applied yet
 * @throws Problem `idempotency_conflict` if the key was used for another request, or the response was deleted
 */
export function findRepeatedWrite(
  records: readonly IdempotencyRecord[],
  { key, visitor, fingerprint }: WriteKey,
  cart: IdempotentCart | undefined,
): AppliedWrite | undefined {
  const matches = records.filter(
    (write) =>
      write.key === key &&
      write.scopes.some((scope) => scope === visitor || scope === cart?.id) &&
      (cart?.isFromCookie !== true || write.cartId === undefined || write.cartId === cart.id),
  );
  const foundWrite = matches.find(({ response }) => response !== undefined) ?? matches[0];
  if (foundWrite === undefined) return undefined;
  const { response } = foundWrite;
  if (foundWrite.fingerprint !== fingerprint)
    throw new Problem(
      "idempotency_conflict",
      "This Idempotency-Key was already used for another request. Send a new key with each new request.",
    );
  if (response === undefined)
    throw new Problem(
      "idempotency_conflict",
      "The request with this Idempotency-Key was applied, but its response is no longer stored. Read the cart.",
    );
  return { ...foundWrite, response };
}

/**
 * Creates the record of an applied write with an idempotency key.  @param hasCart whether the cart exists after the
 * write
 */
export function createAppliedWrite(
  { key, cart }: { readonly key: WriteKey; readonly cart: IdempotentCart },
  hasCart: boolean,
  response: string,
): AppliedWrite {
  return {
    key: key.key,
    fingerprint: key.fingerprint,
    scopes: [...(hasCart || cart.isFromCookie ? [cart.id] : []), ...(cart.isFromCookie ? [] : [key.visitor])],
    ...(hasCart ? { cartId: cart.id } : {}),
    response,
  };
}
