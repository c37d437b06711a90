import { Problem } from "../problem.ts";
import { DAY_MS } from "../runtime/durations.ts";
import { isEqual, type Keyring } from "./keyring.ts";

/** Request headers that name the origin of a write request. A field is undefined if its header is missing. */
export interface RequestOrigin {
  readonly secFetchSite: string | undefined;
  readonly origin: string | undefined;
  readonly referer: string | undefined;
}

/** The store's own origin: a configured origin ("https://shop.example"), or otherwise only host and port. */
export type StoreOrigin = { readonly origin: string } | { readonly host: string };

/** Lifetime of a token in milliseconds. */
export const TOKEN_LIFETIME_MS = 30 * DAY_MS;

/**
 * Checks that a write comes from a page of this store.
 * @throws Problem `csrf_origin_blocked` if one of the headers names another site  @see spec 5
 */
export function checkOrigin(from: RequestOrigin, storeOrigin: StoreOrigin): void {
  const { secFetchSite, origin, referer } = from;
  const isCrossSite =
    (secFetchSite !== undefined && secFetchSite !== "same-origin" && secFetchSite !== "none") ||
    (origin !== undefined
      ? !isStoreOrigin(origin, storeOrigin, true)
      : !!referer && !isStoreOrigin(referer, storeOrigin, false));
  if (isCrossSite) throw new Problem("csrf_origin_blocked", "This request comes from another site.");
}

/**
 * Checks the token of a write.
 * @param header value of `x-csrf-token`
 * @param cookies all `csrf_token` cookies, since another subdomain may also have set one
 * @returns the token
 * @throws Problem `csrf_missing`, `csrf_mismatch`, `csrf_invalid`, in this order
 * @see spec 5
 */
export function checkToken(
  header: string | undefined,
  cookies: readonly string[],
  keyring: Pick<Keyring, "verify">,
  now: number,
): string {
  const token = header?.trim() ?? "";
  const candidates = cookies.filter((cookie) => cookie !== "");
  if (token === "" || candidates.length === 0) {
    const missingTokenText = token === "" ? "the header x-csrf-token" : "the cookie csrf_token";
    throw new Problem("csrf_missing", `This request lacks ${missingTokenText}: get a token from /api/csrf.`);
  }
  // All cookies are compared, so that the response time does not reveal which one matched.
  if (candidates.filter((cookie) => isEqual(cookie, token)).length === 0)
    throw new Problem("csrf_mismatch", "Header x-csrf-token and cookie csrf_token differ.");
  if (keyring.verify(SIGNING_PURPOSE, token, now) === undefined)
    throw new Problem("csrf_invalid", "The CSRF token is not valid or no longer: get a new one from /api/csrf.");
  return token;
}

/** Returns the visitor's token if one of the cookies contains a valid token. */
export function findToken(
  cookies: readonly string[],
  keyring: Pick<Keyring, "verify">,
  now: number,
): string | undefined {
  return cookies.find((cookie) => keyring.verify(SIGNING_PURPOSE, cookie, now) !== undefined);
}

/**
 * Returns the visitor's current token, or a new token if the current one expires soon.
 * @param newId returns at least 128 random bits as base64url
 */
export function getOrIssueToken(
  cookies: readonly string[],
  keyring: Pick<Keyring, "sign" | "verify">,
  now: number,
  newId: () => string,
): { readonly token: string; readonly expires: number } {
  for (const cookie of cookies) {
    const verifiedToken = keyring.verify(SIGNING_PURPOSE, cookie, now);
    if (verifiedToken !== undefined && verifiedToken.expires - now > MIN_REMAINING_LIFETIME_MS)
      return { token: cookie, expires: verifiedToken.expires };
  }
  const expiryTime = now + TOKEN_LIFETIME_MS;
  return { token: keyring.sign(SIGNING_PURPOSE, newId(), expiryTime), expires: expiryTime };
}

const SIGNING_PURPOSE = "csrf";
/**
 * Remaining lifetime below which a token is renewed. An earlier renewal would change the token more often while tabs
 * are open. A later renewal would leave less time to use an open page.
 */
const MIN_REMAINING_LIFETIME_MS = TOKEN_LIFETIME_MS / 2;

/**
 * Returns whether a URL has this store's origin.
 * @param mustBeOrigin whether the URL must be only an origin, without a path
 */
function isStoreOrigin(text: string, storeOrigin: StoreOrigin, mustBeOrigin: boolean): boolean {
  const url = URL.parse(text);
  if (url === null || url.host === "" || (url.protocol !== "https:" && url.protocol !== "http:")) return false;
  if (mustBeOrigin && url.origin !== text.toLowerCase()) return false;
  if ("origin" in storeOrigin) return url.origin === URL.parse(storeOrigin.origin)?.origin;
  // The browser's scheme determines the default port, since a proxy may have terminated TLS.
  return url.host === URL.parse(`${url.protocol}//${storeOrigin.host}`)?.host;
}
