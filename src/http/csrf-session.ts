import { checkOrigin, checkToken, findToken, keepOrIssueToken } from "../security/csrf.ts";
import type { Shop } from "../shop.ts";
import { cookieValues, setCookie } from "./cookies.ts";
import { formOf } from "./form-posts.ts";
import { headerOf, type StoreRequest } from "./request.ts";

/** Lets a write pass that comes from this store's own pages. @param takesForms a form's body may hold the token, in the field
 *  `csrf_token`, where there is no header: a browser that sends a form by itself cannot set one  @returns the token
 *  @throws Problem `csrf_origin_blocked`, `csrf_missing`, `csrf_mismatch`, `csrf_invalid` @see spec 5 */
export async function checkWrite(
  shop: Pick<Shop, "keyring" | "config">,
  request: StoreRequest,
  takesForms = false,
): Promise<string> {
  const { origin } = shop.config;
  checkOrigin(
    {
      secFetchSite: headerOf(request, "sec-fetch-site"),
      origin: headerOf(request, "origin"),
      referer: headerOf(request, "referer"),
    },
    origin === undefined ? { host: request.client.host } : { origin },
  );
  const given = headerOf(request, "x-csrf-token") ?? (takesForms ? (await formOf(request))?.[NAME] : undefined);
  const token = typeof given === "string" ? given : undefined;
  return checkToken(token, cookieValues(request, NAME), shop.keyring, request.now);
}

/** The visitor's token, where they have one: for forms in what is rendered for them without a page. */
export function knownToken(shop: Pick<Shop, "keyring">, request: StoreRequest): string | undefined {
  return findToken(cookieValues(request, NAME), shop.keyring, request.now);
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
