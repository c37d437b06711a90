import type { Keyring } from "./keyring.ts";

/** Maximum length of the filters of a search key, in bytes. A signed value has at most 256 base64url characters. */
export const MAX_KEY_FILTERS_BYTES = 190;

/** Purpose for which search keys are signed. A token that was signed for another purpose is rejected. */
const SEARCH_KEY_PURPOSE = "search key";

/**
 * Creates a key with which a front end on another origin may search the shop. The key is public: it is part of URLs.
 * @param filters query string of filters that apply to every search, such as `filter.p.vendor=Acme`; "" for none. At
 * most {@link MAX_KEY_FILTERS_BYTES} bytes
 * @param expiryTime milliseconds since 1970
 */
export function createSearchKey(keyring: Keyring, filters: string, expiryTime: number): string {
  return keyring.sign(SEARCH_KEY_PURPOSE, Buffer.from(`?${filters}`).toString("base64url"), expiryTime);
}

/** Returns the filters of a search key as a query string; undefined if the key is invalid or has expired. */
export function readSearchKeyFilters(keyring: Keyring, key: string, now: number): string | undefined {
  const verifiedKey = keyring.verify(SEARCH_KEY_PURPOSE, key, now);
  return verifiedKey && Buffer.from(verifiedKey.value, "base64url").toString().slice(1);
}
