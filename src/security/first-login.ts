import { HOUR_MS } from "../runtime/durations.ts";
import type { TokenScope } from "./api-token.ts";
import type { Keyring } from "./keyring.ts";

/** Path of the page that creates the first access token of the console. */
export const FIRST_LOGIN_PATH = "/admin/first-login";

/** Scopes of the first access token, which allow all changes in the console. */
export const firstTokenScopes: readonly TokenScope[] = [
  "console",
  "orders:write",
  "catalog:write",
  "stock:write",
  "settings:write",
];

/** Returns the path of a link to the first login, which is valid for an hour.  @param nonce at least 128 random bits */
export function formatFirstLoginPath(keyring: Pick<Keyring, "sign">, nonce: string, now: number): string {
  return `${FIRST_LOGIN_PATH}?code=${keyring.sign(PURPOSE, nonce, now + HOUR_MS)}`;
}

/** Returns whether the code of a link is valid. It says nothing about earlier uses of the link. */
export function isFirstLoginCode(keyring: Pick<Keyring, "verify">, code: string, now: number): boolean {
  return keyring.verify(PURPOSE, code, now) !== undefined;
}

const PURPOSE = "first console login";
