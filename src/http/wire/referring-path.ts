import { parseSameStorePath } from "../../security/same-store-path.ts";
import { headerOf, type StoreRequest } from "./request.ts";

/** Path and query of the page that sent the request; the home page if it is not a page of this store. */
export function referringPath(request: StoreRequest): string {
  return sameStoreReferrer(request) ?? `${request.prefix}/`;
}

/** Path and query of the page that sent the request; undefined if it is not a page of this store. */
export function sameStoreReferrer(request: Pick<StoreRequest, "headers" | "origin">): string | undefined {
  const sent = headerOf(request, "referer");
  return sent === undefined ? undefined : sameStorePath(sent, request.origin);
}

/** Path and query of a URL of this store; undefined for other URLs.  @param origin the store's origin */
export function sameStorePath(address: string, origin: string): string | undefined {
  const url = URL.parse(address);
  const isSameStore = url !== null && url.host === URL.parse(origin)?.host;
  return isSameStore ? parseSameStorePath(url.pathname + url.search) : undefined;
}
