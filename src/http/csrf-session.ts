import { checkOrigin, checkToken, keepOrIssueToken } from "../security/csrf.ts";
import type { Shop } from "../shop.ts";
import { cookieValues, setCookie } from "./cookies.ts";
import { headerOf, type StoreRequest } from "./request.ts";

/** Lets a write pass that comes from this store's own pages. @returns its token
 *  @throws Problem `csrf_origin_blocked`, `csrf_missing`, `csrf_mismatch`, `csrf_invalid` @see spec 5 */
export function checkWrite(shop: Pick<Shop, "keyring" | "config">, request: StoreRequest): string {
  const { origin } = shop.config;
  checkOrigin(
    {
      secFetchSite: headerOf(request, "sec-fetch-site"),
      origin: headerOf(request, "origin"),
      referer: headerOf(request, "referer"),
    },
    origin === undefined ? { host: request.client.host } : { origin },
  );
  return checkToken(headerOf(request, "x-csrf-token"), cookieValues(request, NAME), shop.keyring, request.now);
}

/** The visitor's token and the `Set-Cookie` value that keeps it readable by the page. @see spec 4.9, 5 */
export function visitorToken(
  shop: Pick<Shop, "keyring" | "newId">,
  request: StoreRequest,
): { readonly token: string; readonly cookie: string } {
  const { token, expires } = keepOrIssueToken(cookieValues(request, NAME), shop.keyring, request.now, shop.newId);
  const maxAge = Math.floor((expires - request.now) / 1_000);
  return { token, cookie: setCookie(request, NAME, token, { maxAge, httpOnly: false }) };
}

const NAME = "csrf_token";
