import type { CartIds } from "../../cart/cart-store.ts";
import { Problem } from "../../problem.ts";
import { HOUR_MS } from "../../runtime/durations.ts";
import type { Shop } from "../../shop.ts";
import { formatCookieName, readCookieValues, setCookie } from "../wire/cookies.ts";
import type { StoreRequest } from "../wire/request.ts";
import type { VerifiedVisitor } from "./csrf-session.ts";

/**
 * Kind of cart: the main cart, or the separate cart of an express checkout. A shopper may have both.  @see spec 4.7, 5
 */
export type CartKind = "cart" | "buy_now";

/** Returns the cart id in the request's signed cookie; undefined without a valid cookie.  @see spec 5 */
export function readCartId(
  shop: Pick<Shop, "keys">,
  request: StoreRequest,
  kind: CartKind = "cart",
): string | undefined {
  for (const value of readCookieValues(request, formatCookieName(request, kind))) {
    const verifiedCookie = shop.keys.verify(kind, value, request.now);
    if (verifiedCookie !== undefined) return verifiedCookie.value;
  }
  return undefined;
}

/**
 * Like {@link readCartId}, for a write.
 * @throws Problem `csrf_invalid` if all cart cookies are invalid; the response expires the cookies
 */
export function requireCartId(shop: Pick<Shop, "keys">, request: StoreRequest, kind: CartKind): string | undefined {
  const name = formatCookieName(request, kind);
  const id = readCartId(shop, request, kind);
  if (id !== undefined || readCookieValues(request, name).length === 0) return id;
  throw new Problem("csrf_invalid", `The cookie ${name} is invalid and was deleted: send the request again.`, [], {
    setCookie: setCookie(request, name, "", { maxAge: 0, httpOnly: true }),
  });
}

/** Returns the `Set-Cookie` value of the cart cookie, which is valid for the configured number of days. */
export function createCartCookie(
  shop: Pick<Shop, "keys" | "config">,
  request: StoreRequest,
  kind: CartKind,
  { id }: Pick<CartIds, "id">,
): string {
  const lifetimeSeconds = shop.config.cart.cookieDays * 24 * 60 * 60;
  // The expiry is rounded up to a full hour, so that the cookie value stays the same for an hour.
  const expiryTime = Math.ceil((request.now + lifetimeSeconds * 1_000) / HOUR_MS) * HOUR_MS;
  const value = shop.keys.sign(kind, id, expiryTime, true);
  return setCookie(request, formatCookieName(request, kind), value, { maxAge: lifetimeSeconds, httpOnly: true });
}

/**
 * Returns a digest that identifies a visitor for writes to a kind of cart. All first writes of a visitor go to the
 * database that it selects.
 */
export function createVisitorKey(
  shop: Pick<Shop, "keys">,
  { csrfToken, visitorId = "" }: VerifiedVisitor,
  kind: CartKind,
): string {
  return shop.keys.digest(`idempotency key ${kind}`, `${csrfToken} ${visitorId}`);
}
