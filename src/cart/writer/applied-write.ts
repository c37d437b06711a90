import { Problem } from "../../problem.ts";

/** Names a write, so that it is applied once however often it is sent. */
export interface WriteKey {
  /** What the client chose. */
  readonly key: string;
  /** Digest of what is asked for: the same key with another one is refused. */
  readonly fingerprint: string;
  /** Names the visitor for as long as the client knows of no cart; base64url. */
  readonly visitor: string;
}

/** The cart that a keyed write is about. */
export interface KeyedCart {
  readonly id: string;
  /** The client has its cookie. */
  readonly isKnown: boolean;
}

/** A keyed write that was applied, with what it was answered. */
export interface AppliedWrite extends Pick<WriteKey, "key" | "fingerprint"> {
  /** Where the key counts: the cart that the client knows or that this write made, and else the visitor. */
  readonly scopes: readonly string[];
  /** Absent: the write found no cart and made none. */
  readonly cartId?: string;
  readonly answer: string;
}

/** A keyed write as it is found again. */
export interface KeptWrite extends Omit<AppliedWrite, "answer"> {
  /** Absent: not kept any more, as newer ones of the same cart fill the room for answers. */
  readonly answer?: string;
}

/** This very write among those that were applied before, to be answered as it was then: one of this cart, or of this visitor while they
 *  knew of no cart. @param cart.isKnown what the visitor did to another cart does not count  @returns undefined where it was not applied
 *  @throws Problem `idempotency_conflict` where the key came with something else, or the answer is not kept any more */
export function findSameWrite(
  kept: readonly KeptWrite[],
  { key, visitor, fingerprint }: WriteKey,
  cart: KeyedCart | undefined,
): AppliedWrite | undefined {
  const found = kept.filter(
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
      "The request with this Idempotency-Key was applied, and its answer is not kept any more: read the cart.",
    );
  return { ...write, answer };
}
