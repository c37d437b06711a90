import { parseSameStorePath } from "../../security/same-store-path.ts";
import { headerOf, type StoreRequest } from "./request.ts";

/** Path and query of the page that the call comes from; the first page where it is not of this store. */
export function referringPath(request: StoreRequest): string {
  return ownReferrer(request) ?? `${request.prefix}/`;
}

/** The same; undefined where it is not of this store. */
export function ownReferrer(request: StoreRequest): string | undefined {
  const sent = headerOf(request, "referer");
  const referer = sent === undefined ? null : URL.parse(sent);
  const isOwn = referer !== null && referer.host === URL.parse(request.origin)?.host;
  return isOwn ? parseSameStorePath(referer.pathname + referer.search) : undefined;
}
