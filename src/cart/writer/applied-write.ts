import { Problem } from "../../problem.ts";

/** Identifies a write, so that it is applied once even if it is sent several times. */
export interface WriteKey {
  /** The client's idempotency key. */
  readonly key: string;
  /** Digest of the request: the same key with another digest is rejected. */
  readonly fingerprint: string;
  /** Identifies the visitor while the client has no cart; base64url. */
  readonly visitor: string;
}

/** The cart of a keyed write. */
export interface KeyedCart {
  readonly id: string;
  /** Whether the client has its cookie. */
  readonly isKnown: boolean;
}

/** An applied keyed write with its response. */
export interface AppliedWrite extends Pick<WriteKey, "key" | "fingerprint"> {
  /** Owners of the idempotency key: the cart of the client or the cart that the write created; without a cart, the visitor. */
  readonly scopes: readonly string[];
  /** undefined if the write found no cart and created none. */
  readonly cartId?: string;
  readonly answer: string;
}

/** The stored record of a keyed write. */
export interface IdempotencyRecord extends Omit<AppliedWrite, "answer"> {
  /** undefined if it was removed because newer responses of the same cart use the storage limit. */
  readonly answer?: string;
}

/**
 * Finds the record of a repeated write, whose response is repeated: of this cart, or of this visitor without a cart.
 * @param cart.isKnown whether the visitor's writes to other carts are ignored
 * @returns undefined if the write was not applied yet
 * @throws Problem `idempotency_conflict` if the key was used for another request, or the response was removed
 */
export function findReplay(
  records: readonly IdempotencyRecord[],
  { key, visitor, fingerprint }: WriteKey,
  cart: KeyedCart | undefined,
): AppliedWrite | undefined {
  const found = records.filter(
    (write) =>
      write.key === key &&
      write.scopes.some((scope) => scope === visitor || scope === cart?.id) &&
      (cart?.isKnown !== true || write.cartId === undefined || write.cartId === cart.id),
  );
  const write = found.find(({ answer }) => answer !== undefined) ?? found[0];
  if (write === undefined) return undefined;
  const { answer } = write;
  if (write.fingerprint !== fingerprint)
    throw new Problem(
      "idempotency_conflict",
      "This Idempotency-Key came with another request before: send a new key with a new request.",
    );
  if (answer === undefined)
    throw new Problem(
      "idempotency_conflict",
      "The request with this Idempotency-Key was applied, but its response is no longer stored: read the cart.",
    );
  return { ...write, answer };
}
