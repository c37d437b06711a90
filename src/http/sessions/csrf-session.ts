import { Problem } from "../../problem.ts";
import { DAY_MS } from "../../runtime/durations.ts";
import { checkOrigin } from "../../security/csrf.ts";
import { isEqual } from "../../security/keyring.ts";
import type { Shop } from "../../shop.ts";
import { readFields } from "../bodies/form-posts.ts";
import { formatCookieName, readCookieValues, setCookie } from "../wire/cookies.ts";
import type { StoreRequest } from "../wire/request.ts";

/** Visitor who sent a write request, after the CSRF check. */
export interface VerifiedVisitor {
  readonly csrfToken: string;
  /**
   * Id in the visitor cookie, if any. Sites on a sibling domain could give many visitors the same CSRF token, but
   * cannot set this cookie over HTTPS.
   */
  readonly visitorId: string | undefined;
}

/**
 * Verifies that a write request comes from a page of this store.
 * @param acceptsForms whether the form field `csrf_token` may replace the header, because browsers send forms without
 * it. With the setting `cdn`, a form of this store needs no token
 * @throws Problem `csrf_origin_blocked`, `csrf_missing`, `csrf_mismatch`, `csrf_invalid`
 * @see spec 5
 */
export async function checkCsrf(
  shop: Pick<Shop, "keys" | "config" | "process">,
  request: StoreRequest,
  acceptsForms = false,
): Promise<VerifiedVisitor> {
  const { origin, cdn } = shop.config;
  const { headers } = request;
  checkOrigin(headers, origin === undefined ? { host: request.client.host } : { origin });
  const header = headers["x-csrf-token"];
  const form = header === undefined && acceptsForms ? await readFields(request) : undefined;
  const field = form?.[TOKEN_NAME];
  // Pages in a CDN contain no token. Browsers do not let other sites send this value of the header.
  const isTokenOptional = cdn !== undefined && headers["sec-fetch-site"] === "same-origin";
  const csrfToken =
    isTokenOptional && form !== undefined && field === undefined
      ? issueToken(shop, request).token
      : verifyToken(header ?? (typeof field === "string" ? field : undefined), shop, request);
  return { csrfToken, visitorId: readVisitorId(request) };
}

/**
 * Verifies the CSRF token of a write request.
 * @throws Problem `csrf_missing`, `csrf_mismatch`, `csrf_invalid`, in this order
 * @see spec 5
 */
function verifyToken(sentToken: string | undefined, { keys }: Pick<Shop, "keys">, request: StoreRequest): string {
  const csrfToken = sentToken?.trim() ?? "";
  // Another subdomain may also have set a cookie with this name.
  const cookies = readCookieValues(request, TOKEN_NAME).filter((cookie) => cookie !== "");
  if (csrfToken === "" || cookies.length === 0) {
    const missingTokenText = csrfToken === "" ? "the header x-csrf-token" : "the cookie csrf_token";
    throw new Problem("csrf_missing", `This request lacks ${missingTokenText}: get a token from /api/csrf.`);
  }
  // All cookies are compared, so that the response time does not reveal which one matched.
  if (cookies.filter((cookie) => isEqual(cookie, csrfToken)).length === 0)
    throw new Problem("csrf_mismatch", "Header x-csrf-token and cookie csrf_token differ.");
  if (keys.verify(SIGNING_PURPOSE, csrfToken, request.now) === undefined)
    throw new Problem("csrf_invalid", "The CSRF token is not valid or no longer: get a new one from /api/csrf.");
  return csrfToken;
}

/** Returns the CSRF token in the visitor's cookie, for forms in theme sections; undefined if there is none. */
export function readVisitorToken({ keys }: Pick<Shop, "keys">, request: StoreRequest): string | undefined {
  return readCookieValues(request, TOKEN_NAME).find(
    (cookie) => keys.verify(SIGNING_PURPOSE, cookie, request.now) !== undefined,
  );
}

/**
 * Returns the visitor's CSRF token, and the `Set-Cookie` values of two cookies: the token cookie, which scripts can
 * read, and the visitor cookie, which they cannot read.
 * @see spec 4.9, 5
 */
export function getVisitorToken(
  shop: Pick<Shop, "keys" | "process">,
  request: StoreRequest,
): { readonly token: string; readonly visitorId: string; readonly cookies: readonly string[] } {
  const { token, expires } = issueToken(shop, request);
  const maxAge = Math.floor((expires - request.now) / 1_000);
  const visitorId = readVisitorId(request) ?? shop.process.newId();
  return {
    token,
    visitorId,
    cookies: [
      setCookie(request, TOKEN_NAME, token, { maxAge, httpOnly: false }),
      setCookie(request, formatCookieName(request, VISITOR_COOKIE), visitorId, { maxAge, httpOnly: true }),
    ],
  };
}

/** Returns the visitor's CSRF token, or a new token if the current one expires soon. */
function issueToken(
  { keys, process }: Pick<Shop, "keys" | "process">,
  request: StoreRequest,
): { readonly token: string; readonly expires: number } {
  for (const token of readCookieValues(request, TOKEN_NAME)) {
    const verifiedToken = keys.verify(SIGNING_PURPOSE, token, request.now);
    if (verifiedToken !== undefined && verifiedToken.expires - request.now > MIN_REMAINING_LIFETIME_MS)
      return { token, expires: verifiedToken.expires };
  }
  const expires = request.now + TOKEN_LIFETIME_MS;
  return { token: keys.sign(SIGNING_PURPOSE, process.newId(), expires), expires };
}

const SIGNING_PURPOSE = "csrf";
const TOKEN_LIFETIME_MS = 30 * DAY_MS;
/**
 * Remaining lifetime below which a token is renewed. An earlier renewal would change the token more often while tabs
 * are open. A later renewal would leave less time to use an open page.
 */
const MIN_REMAINING_LIFETIME_MS = TOKEN_LIFETIME_MS / 2;
const TOKEN_NAME = "csrf_token";
const VISITOR_COOKIE = "visitor";

/** Returns the visitor id in the cookie, which is the same on all pages of a browser. */
export function readVisitorId(request: Pick<StoreRequest, "headers" | "isSecure">): string | undefined {
  return readCookieValues(request, formatCookieName(request, VISITOR_COOKIE)).find((value) =>
    /^[\w-]{22,64}$/.test(value),
  );
}
