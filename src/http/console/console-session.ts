import type { BatchKey } from "../../catalog/catalog-changes.ts";
import type { Console } from "../../console/console.ts";
import { Problem } from "../../problem.ts";
import { type ApiToken, hashToken, type TokenScope } from "../../security/api-token.ts";
import { checkOrigin } from "../../security/csrf.ts";
import { isEqual } from "../../security/keyring.ts";
import type { Shop } from "../../shop.ts";
import { readFields } from "../bodies/form-posts.ts";
import { awaitWithDeadline } from "../deadline.ts";
import type { StoreRequest } from "../wire/request.ts";
import { createConsoleCookie, isLocalForm, readConsoleCookies } from "./console-cookies.ts";

/** Session of a signed-in user. */
export interface ConsoleSession {
  /** Access token with which the user logged in. The token's name may be empty. */
  readonly token: ApiToken;
  /** CSRF token that every form contains. */
  readonly csrfToken: string;
  /** Hash that identifies the login but grants no access. */
  readonly loginId: string;
}

/** Returns the access token as the author of a user's changes, for the log, and as the scope of idempotency keys. */
export function getChangeSource({ token: { id, name } }: Pick<ConsoleSession, "token">): {
  readonly by: { readonly source: "console"; readonly token: { readonly id: string; readonly name: string } };
  readonly key: BatchKey;
} {
  return { by: { source: "console", token: { id, name } }, key: { scope: `console ${id}`, fingerprint: "" } };
}

type SessionServices = Pick<Shop, "config" | "management" | "keys" | "process"> & {
  readonly console: Pick<Console, "revokedLogins">;
};

/** Lifetime of a login, in hours. */
const SESSION_LIFETIME_HOURS = 12;
/** Maximum size in bytes of a form that a signed-in user sends. It is enough for a table of 50,000 variants. */
const MAX_FORM_BYTES = 8 * 1_024 * 1_024;
const COOKIE_NAME = "console";
/**
 * Returns a string that is part of the signature of session cookies. It changes when the merchant starts to require a
 * second factor, which invalidates the cookies of all earlier sessions.
 */
function getSigningPurpose({ config }: Pick<Shop, "config">): string {
  return config.consoleSecondFactor ? "console with second factor" : "console";
}

/**
 * Returns the session of a user whose access token is still valid; undefined if no user is signed in.
 * @throws Problem `cart_service_unavailable`
 */
export async function findSession(shop: SessionServices, request: StoreRequest): Promise<ConsoleSession | undefined> {
  for (const cookie of readConsoleCookies(request, COOKIE_NAME)) {
    const verifiedCookie = shop.keys.verify(getSigningPurpose(shop), cookie, request.now);
    const tokenHash = verifiedCookie?.value.slice(0, HASH_LENGTH) ?? "";
    if (verifiedCookie === undefined || tokenHash.length < HASH_LENGTH) continue;
    // The token is read at each request, so that its revocation applies immediately.
    const token = await awaitWithDeadline(shop.management.tokens.find(tokenHash, request.now));
    if (token?.scopes.includes("console") !== true) continue;
    // This hash does not depend on the signing secret, so that ended sessions stay ended if the secret is rotated.
    const loginId = hashToken(verifiedCookie.value);
    // A copied cookie must not work after the user signs out.
    if (await awaitWithDeadline(shop.console.revokedLogins.has(loginId, request.now))) continue;
    return { token, csrfToken: shop.keys.digest("console form", verifiedCookie.value), loginId };
  }
  return undefined;
}

/** Finds the access token that a user entered.  @returns undefined if it is invalid or lacks the scope `console` */
export async function findLogin(
  shop: Pick<SessionServices, "management">,
  request: Pick<StoreRequest, "now">,
  token: string,
): Promise<{ readonly token: ApiToken; readonly tokenHash: string } | undefined> {
  const tokenHash = hashToken(token);
  const storedToken = await awaitWithDeadline(shop.management.tokens.find(tokenHash, request.now));
  return storedToken?.scopes.includes("console") === true ? { token: storedToken, tokenHash } : undefined;
}

/** Starts a session.  @returns the session cookie */
export function openSession(shop: SessionServices, request: StoreRequest, tokenHash: string): string {
  const maxAge = SESSION_LIFETIME_HOURS * 3_600;
  const signedToken = shop.keys.sign(
    getSigningPurpose(shop),
    `${tokenHash}${shop.process.newId()}`,
    request.now + maxAge * 1_000,
  );
  return createConsoleCookie(request, COOKIE_NAME, signedToken, maxAge);
}

/**
 * Ends a session, including all copies of its cookie.
 * @returns the cookie that expires the session cookie
 * @throws Problem `cart_service_unavailable`
 */
export async function endSession(
  shop: SessionServices,
  request: StoreRequest,
  session: ConsoleSession | undefined,
): Promise<string> {
  if (session !== undefined) await awaitWithDeadline(shop.console.revokedLogins.add(session.loginId, request.now));
  return createConsoleCookie(request, COOKIE_NAME, "", 0);
}

/**
 * Verifies that a form was sent from the console's own pages.
 * @returns the fields of the form
 * @throws Problem `csrf_origin_blocked`, `csrf_mismatch`, `payload_too_large`
 */
export async function checkForm(
  shop: Pick<Shop, "config">,
  request: StoreRequest,
  session: ConsoleSession | undefined,
): Promise<Readonly<Record<string, unknown>>> {
  const { origin } = shop.config;
  checkOrigin(
    request.headers,
    // A session on this machine must not end when the merchant saves the public URL.
    origin === undefined || isLocalForm(request) ? { host: request.client.host } : { origin },
  );
  const form =
    (await (session === undefined
      ? readFields(request)
      : readFields(request, { maxBytes: MAX_FORM_BYTES, decodeFile: decodeText }))) ?? {};
  if (session === undefined) return form;
  if (typeof form.csrf !== "string" || !isEqual(form.csrf, session.csrfToken))
    throw new Problem("csrf_mismatch", "This form has expired. Go back, reload the page and try again.");
  return form;
}

/** Decodes a text file of a spreadsheet: UTF-8, UTF-16 with a byte order mark, or Windows-1252. */
function decodeText(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** Checks that the user's access token has a scope.  @throws Problem `insufficient_scope` if it does not */
export function requireScope({ token }: ConsoleSession, scope: TokenScope): void {
  if (!token.scopes.includes(scope))
    throw new Problem("insufficient_scope", `The token lacks the scope ${scope}.`, [], { scope });
}

/** Length of a SHA-256 hash, in hexadecimal digits. */
const HASH_LENGTH = 64;
