import { HOUR_MS } from "../runtime/durations.ts";
import type { Keyring } from "./keyring.ts";

/** Name of the query parameter that contains the token for a test order. */
export const TEST_ORDER_PARAM = "test_order";

/** Validity in milliseconds, both of a link from the console and of the test checkout that it opens. */
const LINK_LIFETIME_MS = HOUR_MS;

/**
 * Returns the path of a link with which a user of the console starts a test order of one variant.
 * @param tokenId id of the user's API token
 */
export function formatTestOrderPath(
  keyring: Pick<Keyring, "sign">,
  { id, quantityRule }: { readonly id: string; readonly quantityRule: { readonly min: number } },
  tokenId: string,
  now: number,
): string {
  const token = keyring.sign("test order link", encodeBase64Url(tokenId), now + LINK_LIFETIME_MS);
  return `/cart/${encodeURIComponent(id)}:${quantityRule.min}?${TEST_ORDER_PARAM}=${token}`;
}

/** Returns whether a token of `formatTestOrderPath` is valid. */
export function isTestOrderLink(keyring: Pick<Keyring, "verify">, token: string, now: number): boolean {
  return keyring.verify("test order link", token, now) !== undefined;
}

/**
 * Returns the query string for the URL of a checkout that places a test order. Its token is valid only for this
 * checkout.
 */
export function formatTestCheckoutQuery(keyring: Pick<Keyring, "sign">, checkoutId: string, now: number): string {
  return `?${TEST_ORDER_PARAM}=${keyring.sign("test order", encodeBase64Url(checkoutId), now + LINK_LIFETIME_MS)}`;
}

/** Returns whether a token of `formatTestCheckoutQuery` is valid for a checkout. */
export function isTestCheckout(
  keyring: Pick<Keyring, "verify">,
  token: string,
  checkoutId: string,
  now: number,
): boolean {
  return keyring.verify("test order", token, now)?.value === encodeBase64Url(checkoutId);
}

function encodeBase64Url(text: string): string {
  return Buffer.from(text).toString("base64url");
}
