import { checkOrigin, checkToken, findToken, keepOrIssueToken } from "../../security/csrf.ts";
import type { Shop } from "../../shop.ts";
import { formOf } from "../bodies/form-posts.ts";
import { cookieValues, hostCookie, setCookie } from "../wire/cookies.ts";
import { headerOf, type StoreRequest } from "../wire/request.ts";

/** Who writes. */
export interface Writer {
  readonly csrfToken: string;
  /** What the cookie beside the token holds. A sibling site can plant a token on many visitors, and this cookie on none, on https.
   *  Absent: they keep the token alone. */
  readonly visitorId: string | undefined;
}

/** Lets a write pass that comes from this store's own pages. @param takesForms a form's body may hold the token, in the field
 *  `csrf_token`, where there is no header: a browser that sends a form by itself cannot set one
 *  @throws Problem `csrf_origin_blocked`, `csrf_missing`, `csrf_mismatch`, `csrf_invalid` @see spec 5 */
export function checkWrite(
  shop: Pick<Shop, "keys" | "config">,
  request: StoreRequest,
  takesForms = false,
): Writer | Promise<Writer> {
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
  if (header !== undefined || !takesForms) return writerWith(header, shop, request);
  return formOf(request).then((form) => {
    const given = form?.[NAME];
    return writerWith(typeof given === "string" ? given : undefined, shop, request);
  });
}

/** @param token that the write holds  @throws Problem `csrf_missing`, `csrf_mismatch`, `csrf_invalid` */
function writerWith(token: string | undefined, { keys }: Pick<Shop, "keys">, request: StoreRequest): Writer {
  return {
    csrfToken: checkToken(token, cookieValues(request, NAME), keys, request.now),
    visitorId: readVisitorId(request),
  };
}

/** The visitor's token, where they have one: for forms in what is rendered for them without a page. */
export function knownToken(shop: Pick<Shop, "keys">, request: StoreRequest): string | undefined {
  return findToken(cookieValues(request, NAME), shop.keys, request.now);
}

/** The visitor's token and the `Set-Cookie` values that keep it: one readable by the page, one beside it that is not. @see spec 4.9, 5 */
export function visitorToken(
  shop: Pick<Shop, "keys" | "process">,
  request: StoreRequest,
): { readonly token: string; readonly visitorId: string; readonly cookies: readonly string[] } {
  const { token, expires } = keepOrIssueToken(cookieValues(request, NAME), shop.keys, request.now, shop.process.newId);
  const maxAge = Math.floor((expires - request.now) / 1_000);
  const visitorId = readVisitorId(request) ?? shop.process.newId();
  return {
    token,
    visitorId,
    cookies: [
      setCookie(request, NAME, token, { maxAge, httpOnly: false }),
      setCookie(request, hostCookie(request, VISITOR), visitorId, { maxAge, httpOnly: true }),
    ],
  };
}

const NAME = "csrf_token";
const VISITOR = "visitor";

/** What the cookie beside the token holds: the same on every page of a browser. */
export function readVisitorId(request: Pick<StoreRequest, "headers" | "isSecure">): string | undefined {
  return cookieValues(request, hostCookie(request, VISITOR)).find((value) => /^[\w-]{22,64}$/.test(value));
}
