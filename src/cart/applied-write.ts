import { Problem } from "../problem.ts";

/** Names a write, so that it is applied once however often it is sent. */
export interface WriteKey {
  /** What the client chose. */
  readonly key: string;
  /** Digest of what is asked for: the same key with another one is refused. */
  readonly fingerprint: string;
  /** Names the visitor for as long as the client knows of no cart; base64url. */
  readonly visitor: string;
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

/** The write that a key was used for, to be answered as it was then.
 *  @throws Problem `idempotency_conflict` where the key came with something else, or the answer is not kept any more */
export function requireSameWrite({ answer, ...applied }: KeptWrite, { fingerprint }: WriteKey): AppliedWrite {
  if (applied.fingerprint !== fingerprint)
    throw new Problem(
      "idempotency_conflict",
      "This Idempotency-Key came with another request before: send a new key with a new request.",
    );
  if (answer === undefined)
    throw new Problem(
      "idempotency_conflict",
      "The request with this Idempotency-Key was applied, and its answer is not kept any more: read the cart.",
    );
  return { ...applied, answer };
}
