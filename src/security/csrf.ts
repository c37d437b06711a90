import { Problem } from "../problem.ts";

/** Request headers that name the origin of a write request. */
export interface RequestOrigin {
  readonly "sec-fetch-site"?: string | undefined;
  readonly origin?: string | undefined;
  readonly referer?: string | undefined;
}

/** The store's own origin: a configured origin ("https://shop.example"), or otherwise only host and port. */
export type StoreOrigin = { readonly origin: string } | { readonly host: string };

/**
 * Checks that a write comes from a page of this store.
 * @throws Problem `csrf_origin_blocked` if one of the headers names another site  @see spec 5
 */
export function checkOrigin(from: RequestOrigin, storeOrigin: StoreOrigin): void {
  const { "sec-fetch-site": secFetchSite, referer } = from;
  // Forms of a page with the referrer policy "no-referrer", such as the page of an order, have the origin "null".
  const origin = from.origin === "null" && secFetchSite === "same-origin" ? undefined : from.origin;
  const isCrossSite =
    (secFetchSite !== undefined && secFetchSite !== "same-origin" && secFetchSite !== "none") ||
    (origin !== undefined
      ? !isStoreOrigin(origin, storeOrigin, true)
      : !!referer && !isStoreOrigin(referer, storeOrigin, false));
  if (isCrossSite) throw new Problem("csrf_origin_blocked", "This request comes from another site.");
}

/**
 * Returns whether a URL has this store's origin.
 * @param mustBeOrigin whether the URL must be only an origin, without a path
 */
function isStoreOrigin(text: string, storeOrigin: StoreOrigin, mustBeOrigin: boolean): boolean {
  const url = URL.parse(text);
  if (url === null || url.host === "" || (url.protocol !== "https:" && url.protocol !== "http:")) return false;
  if (mustBeOrigin && url.origin !== text.toLowerCase()) return false;
  if ("origin" in storeOrigin) return url.origin === URL.parse(storeOrigin.origin)?.origin;
  // The browser's scheme determines the default port, since a proxy may have terminated TLS.
  return url.host === URL.parse(`${url.protocol}//${storeOrigin.host}`)?.host;
}
