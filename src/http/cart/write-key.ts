import { hash } from "node:crypto";
import type { WriteKey } from "../../cart/writer/applied-write.ts";
import { createFieldProblem } from "../../problem.ts";
import type { Shop } from "../../shop.ts";
import type { Body } from "../bodies/body.ts";
import { type CartKind, createVisitorKey } from "../sessions/cart-session.ts";
import type { VerifiedVisitor } from "../sessions/csrf-session.ts";
import type { StoreRequest } from "../wire/request.ts";

/**
 * Returns the `Idempotency-Key` header of a write, or undefined if it is missing.
 * @throws Problem `validation_failed` if the key is empty, too long, or not visible ASCII
 */
export function readKeyHeader(request: Pick<StoreRequest, "headers">): string | undefined {
  const key = request.headers["idempotency-key"];
  if (key === undefined || /^[!-~]{1,255}$/.test(key)) return key;
  throw createFieldProblem(
    "Idempotency-Key",
    "format",
    "An Idempotency-Key is 1 to 255 visible ASCII characters, without blanks.",
  );
}

/**
 * Returns a digest that identifies a write for idempotency. It includes the path and the body, but not the query, which
 * only affects the response. The main cart and express checkouts have separate keys.
 */
export function createWriteKey(
  shop: Pick<Shop, "keys">,
  { prefix, path }: Pick<StoreRequest, "prefix" | "path">,
  write: { readonly key: string; readonly body: Body; readonly kind: CartKind; readonly writer: VerifiedVisitor },
): WriteKey {
  const { key, body, kind, writer } = write;
  return {
    key,
    fingerprint: hash("sha256", JSON.stringify([prefix + path, body]), "base64url"),
    visitor: createVisitorKey(shop, writer, kind),
  };
}
