import { parseSameStorePath } from "../../security/same-store-path.ts";
import { headerOf, type StoreRequest } from "./request.ts";

/** Path and query of the page that sent the request; the home page if it is not a page of this store. */
export function referringPath(request: StoreRequest): string {
  return ownReferrer(request) ?? `${request.prefix}/`;
}

/** Path and query of the page that sent the request; undefined if it is not a page of this store. */
export function ownReferrer(request: Pick<StoreRequest, "headers" | "origin">): string | undefined {
  const sent = headerOf(request, "referer");
  return sent === undefined ? undefined : ownPath(sent, request.origin);
}

/** Path and query of a URL of this store; undefined for other URLs.  @param origin the store's origin */
export function ownPath(address: string, origin: string): string | undefined {
  const url = URL.parse(address);
  const isOwn = url !== null && url.host === URL.parse(origin)?.host;
  return isOwn ? parseSameStorePath(url.pathname + url.search) : undefined;
}
