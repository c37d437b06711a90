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
  /** Where the key counts: the cart, and the visitor where this write made the cart, or found none. */
  readonly scopes: readonly string[];
  /** Absent: the write found no cart and made none. */
  readonly cartId?: string;
  readonly answer: string;
}

/** @throws Problem `idempotency_conflict` where the key came with something else */
export function requireSameWrite(applied: AppliedWrite, { fingerprint }: WriteKey): void {
  if (applied.fingerprint === fingerprint) return;
  throw new Problem(
    "idempotency_conflict",
    "This Idempotency-Key came with another request before: send a new key with a new request.",
  );
}
