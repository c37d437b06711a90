import { checkOrigin, checkToken, findToken, getOrIssueToken } from "../../security/csrf.ts";
import type { Shop } from "../../shop.ts";
import { readFields } from "../bodies/form-posts.ts";
import { formatCookieName, readCookieValues, setCookie } from "../wire/cookies.ts";
import { headerOf, type StoreRequest } from "../wire/request.ts";

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
export function checkCsrf(
  shop: Pick<Shop, "keys" | "config" | "process">,
  request: StoreRequest,
  acceptsForms = false,
): VerifiedVisitor | Promise<VerifiedVisitor> {
  const { origin } = shop.config;
  checkOrigin(
    {
      secFetchSite: headerOf(request, "sec-fetch-site"),
      origin: headerOf(request, "origin"),
      referer: headerOf(request, "referer"),
    },
    origin === undefined ? { host: request.client.host } : { origin },
  );
  const header = headerOf(request, "x-csrf-token");
  if (header !== undefined || !acceptsForms) return verifyVisitor(header, shop, request);
  return readFields(request).then((form) => {
    const token = form?.[TOKEN_NAME];
    // Pages in a CDN contain no token. Browsers do not let other sites send this value of the header.
    const isTokenOptional = shop.config.cdn !== undefined && headerOf(request, "sec-fetch-site") === "same-origin";
    if (isTokenOptional && form !== undefined && token === undefined)
      return { csrfToken: issueToken(shop, request).token, visitorId: readVisitorId(request) };
    return verifyVisitor(typeof token === "string" ? token : undefined, shop, request);
  });
}

/** Verifies the CSRF token of a write request.  @throws Problem `csrf_missing`, `csrf_mismatch`, `csrf_invalid` */
function verifyVisitor(
  token: string | undefined,
  { keys }: Pick<Shop, "keys">,
  request: StoreRequest,
): VerifiedVisitor {
  return {
    csrfToken: checkToken(token, readCookieValues(request, TOKEN_NAME), keys, request.now),
    visitorId: readVisitorId(request),
  };
}

/** Returns the CSRF token in the visitor's cookie, for forms in theme sections; undefined if there is none. */
export function readVisitorToken(shop: Pick<Shop, "keys">, request: StoreRequest): string | undefined {
  return findToken(readCookieValues(request, TOKEN_NAME), shop.keys, request.now);
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

/** Returns the visitor's CSRF token, or a new one. */
function issueToken(
  { keys, process }: Pick<Shop, "keys" | "process">,
  request: StoreRequest,
): { readonly token: string; readonly expires: number } {
  return getOrIssueToken(readCookieValues(request, TOKEN_NAME), keys, request.now, process.newId);
}

const TOKEN_NAME = "csrf_token";
const VISITOR_COOKIE = "visitor";

/** Returns the visitor id in the cookie, which is the same on all pages of a browser. */
export function readVisitorId(request: Pick<StoreRequest, "headers" | "isSecure">): string | undefined {
  return readCookieValues(request, formatCookieName(request, VISITOR_COOKIE)).find((value) =>
    /^[\w-]{22,64}$/.test(value),
  );
}
