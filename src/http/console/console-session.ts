import type { Console } from "../../console/console.ts";
import { Problem } from "../../problem.ts";
import { hashToken } from "../../security/api-token.ts";
import { checkOrigin } from "../../security/csrf.ts";
import { isEqual } from "../../security/keyring.ts";
import type { Shop } from "../../shop.ts";
import { formOf } from "../bodies/form-posts.ts";
import { withDeadline } from "../deadline.ts";
import { cookieValues, hostCookie, setCookie } from "../wire/cookies.ts";
import { headerOf, type StoreRequest } from "../wire/request.ts";

/** Who looks at the console. */
export interface ConsoleSession {
  /** Of the token; may be empty. */
  readonly name: string;
  /** What each form holds, so that no other site can send one. */
  readonly csrf: string;
  /** Names this login, and opens nothing. */
  readonly login: string;
}

type SessionShop = Pick<Shop, "management" | "keys" | "process"> & { readonly console: Pick<Console, "endedLogins"> };

/** Hours after which one logs in again. */
const LIFE_HOURS = 12;
const NAME = "console";
const PURPOSE = "console";

/** Who logged in with a token that still counts; undefined: nobody. @throws Problem `cart_service_unavailable` */
export async function findSession(shop: SessionShop, request: StoreRequest): Promise<ConsoleSession | undefined> {
  for (const cookie of cookieValues(request, hostCookie(request, NAME))) {
    const signed = shop.keys.verify(PURPOSE, cookie, request.now);
    const hash = signed?.value.slice(0, HASH_LENGTH) ?? "";
    if (signed === undefined || hash.length < HASH_LENGTH) continue;
    // A token that was revoked counts no more at once.
    const token = await withDeadline(shop.management.tokens.find(hash, request.now));
    if (token?.scopes.includes("console") !== true) continue;
    // Not keyed: the sessions that were ended are the same after the secret is rotated.
    const login = hashToken(signed.value);
    // Whoever has kept the cookie of a login that was ended is nobody.
    if (await withDeadline(shop.console.endedLogins.has(login, request.now))) continue;
    return { name: token.name, csrf: shop.keys.digest("console form", signed.value), login };
  }
  return undefined;
}

/** Logs in with a token. @returns the cookie that keeps it; undefined where the token does not count, or is not for this */
export async function openSession(
  shop: SessionShop,
  request: StoreRequest,
  token: string,
): Promise<string | undefined> {
  const hash = hashToken(token);
  const known = await withDeadline(shop.management.tokens.find(hash, request.now));
  if (known?.scopes.includes("console") !== true) return undefined;
  const maxAge = LIFE_HOURS * 3_600;
  const signed = shop.keys.sign(PURPOSE, `${hash}${shop.process.newId()}`, request.now + maxAge * 1_000);
  return sessionCookie(request, signed, maxAge);
}

/** Ends a session, for all who have its cookie. @returns the cookie that takes it away  @throws Problem `cart_service_unavailable` */
export async function endSession(
  shop: SessionShop,
  request: StoreRequest,
  session: ConsoleSession | undefined,
): Promise<string> {
  if (session !== undefined) await withDeadline(shop.console.endedLogins.add(session.login, request.now));
  return sessionCookie(request, "", 0);
}

/** Lets a write pass that comes from the console's own pages. @returns the fields of its form
 *  @throws Problem `csrf_origin_blocked`, `csrf_mismatch`, `payload_too_large` */
export async function checkForm(
  shop: Pick<Shop, "config">,
  request: StoreRequest,
  session: ConsoleSession | undefined,
): Promise<Readonly<Record<string, unknown>>> {
  const { origin } = shop.config;
  checkOrigin(
    {
      secFetchSite: headerOf(request, "sec-fetch-site"),
      origin: headerOf(request, "origin"),
      referer: headerOf(request, "referer"),
    },
    origin === undefined ? { host: request.client.host } : { origin },
  );
  const form = (await formOf(request)) ?? {};
  if (session === undefined) return form;
  if (typeof form.csrf !== "string" || !isEqual(form.csrf, session.csrf))
    throw new Problem("csrf_mismatch", "This form has expired. Go back, reload the page and try again.");
  return form;
}

/** Hex digits of SHA-256. */
const HASH_LENGTH = 64;

function sessionCookie(request: StoreRequest, value: string, maxAge: number): string {
  return setCookie(request, hostCookie(request, NAME), value, { maxAge, httpOnly: true, sameSite: "strict" });
}
