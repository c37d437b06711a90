import { Problem } from "../problem.ts";
import { isEqual, type Keyring } from "./keyring.ts";

/** What a write says about where it comes from; headers as they came, absent: undefined. */
export interface WriteOrigin {
  readonly secFetchSite: string | undefined;
  readonly origin: string | undefined;
  readonly referer: string | undefined;
}

/** This store as the browser knows it: an origin ("https://shop.example") where one is configured, else host and port alone. */
export type Self = { readonly origin: string } | { readonly host: string };

/** Milliseconds a token lives. */
export const TOKEN_LIFE = 30 * 24 * 60 * 60 * 1_000;

/** @throws Problem `csrf_origin_blocked` where any of the three headers names another site @see spec 5 */
export function checkOrigin(from: WriteOrigin, self: Self): void {
  const { secFetchSite, origin, referer } = from;
  const isElsewhere =
    (secFetchSite !== undefined && secFetchSite !== "same-origin" && secFetchSite !== "none") ||
    (origin !== undefined ? !isSelf(origin, self, true) : !!referer && !isSelf(referer, self, false));
  if (isElsewhere) throw new Problem("csrf_origin_blocked", "This request comes from another site.");
}

/** @param header of `x-csrf-token`  @param cookies every `csrf_token` cookie: a sibling site may have planted one beside ours
 *  @returns the token  @throws Problem `csrf_missing`, `csrf_mismatch`, `csrf_invalid`, in this order @see spec 5 */
export function checkToken(
  header: string | undefined,
  cookies: readonly string[],
  keyring: Pick<Keyring, "verify">,
  now: number,
): string {
  const token = header?.trim() ?? "";
  const candidates = cookies.filter((cookie) => cookie !== "");
  if (token === "" || candidates.length === 0) {
    const missing = token === "" ? "the header x-csrf-token" : "the cookie csrf_token";
    throw new Problem("csrf_missing", `This request lacks ${missing}: get a token from /api/csrf.`);
  }
  // Every cookie is compared, so that the time does not tell which one matched.
  if (candidates.filter((cookie) => isEqual(cookie, token)).length === 0)
    throw new Problem("csrf_mismatch", "Header x-csrf-token and cookie csrf_token differ.");
  if (keyring.verify(PURPOSE, token, now) === undefined)
    throw new Problem("csrf_invalid", "The CSRF token is not valid or no longer: get a new one from /api/csrf.");
  return token;
}

/** The visitor's own token, where one of the cookies holds a good one. */
export function findToken(
  cookies: readonly string[],
  keyring: Pick<Keyring, "verify">,
  now: number,
): string | undefined {
  return cookies.find((cookie) => keyring.verify(PURPOSE, cookie, now) !== undefined);
}

/** A token to hand out: the visitor's own while it is good for a while, else a new one.
 *  @param newId 128 random bits or more, base64url */
export function keepOrIssueToken(
  cookies: readonly string[],
  keyring: Pick<Keyring, "sign" | "verify">,
  now: number,
  newId: () => string,
): { readonly token: string; readonly expires: number } {
  for (const cookie of cookies) {
    const verified = keyring.verify(PURPOSE, cookie, now);
    if (verified !== undefined && verified.expires - now > RENEW_BELOW)
      return { token: cookie, expires: verified.expires };
  }
  const expires = now + TOKEN_LIFE;
  return { token: keyring.sign(PURPOSE, newId(), expires), expires };
}

const PURPOSE = "csrf";
/** A token is renewed in the second half of its life: late enough that tabs seldom meet a change, early enough that none runs out. */
const RENEW_BELOW = TOKEN_LIFE / 2;

/** @param bare the text must be an origin and nothing else */
function isSelf(text: string, self: Self, bare: boolean): boolean {
  const url = URL.parse(text);
  if (url === null || url.host === "" || (url.protocol !== "https:" && url.protocol !== "http:")) return false;
  if (bare && url.origin !== text.toLowerCase()) return false;
  if ("origin" in self) return url.origin === URL.parse(self.origin)?.origin;
  // The scheme is the browser's: a proxy may have ended TLS. It also says which port goes without saying.
  return url.host === URL.parse(`${url.protocol}//${self.host}`)?.host;
}
