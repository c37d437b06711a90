import { parseSameStorePath } from "../../security/same-store-path.ts";
import type { StoreRequest } from "./request.ts";

/**
 * Returns the path and query of the referring page, or of the home page if the referrer is not a page of this store.
 */
export function parseReferrerPath(request: StoreRequest): string {
  return readSameStoreReferrer(request) ?? `${request.prefix}/`;
}

/** Returns the path and query of the referring page; undefined if the referrer is not a page of this store. */
export function readSameStoreReferrer(request: Pick<StoreRequest, "headers" | "origin">): string | undefined {
  const referrer = request.headers.referer;
  return referrer === undefined ? undefined : toSameStorePath(referrer, request.origin);
}

/** Returns the path and query of a URL of this store; undefined for other URLs.  @param origin the store's origin */
export function toSameStorePath(address: string, origin: string): string | undefined {
  const url = URL.parse(address);
  const isSameStore = url !== null && url.host === URL.parse(origin)?.host;
  return isSameStore ? parseSameStorePath(url.pathname + url.search) : undefined;
}
