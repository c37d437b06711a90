import type { IncomingMessage } from "node:http";
import { Problem } from "../../problem.ts";
import { createCache } from "../../runtime/cache.ts";
import { isHost } from "./proxy.ts";

/** Maximum number of request headers. Browsers send about twenty, and proxies add some. */
export const MAX_HEADERS = 200;

/**
 * Returns a function that validates a request before its path is parsed, and returns its path and query.
 * @throws Problem `bad_request`
 */
export function createMessageCheck(): (request: IncomingMessage) => string {
  // Valid host names are cached, because a shop has only a few host names.
  const validHosts = createCache<string, true>({ name: "hosts", maxWeight: MAX_HOSTS });
  const isValidHost = (host: string): boolean => {
    if (validHosts.get(host) === true) return true;
    if (!isHost(host) || URL.parse(`http://${host}`) === null) return false;
    validHosts.set(host, true);
    return true;
  };
  return (request) => {
    if (request.httpVersion !== "1.1" && request.httpVersion !== "1.0") throw createBadRequest("Speak HTTP/1.1.");
    const encoding = request.headers["transfer-encoding"];
    if (encoding !== undefined && (encoding.toLowerCase() !== "chunked" || request.httpVersion === "1.0"))
      throw createBadRequest("Send the body with Content-Length, or in chunks over HTTP/1.1.");
    // HTTP/1.0 requires no host, and health checks such as those of HAProxy send none.
    if (request.httpVersion === "1.0") request.headers.host ??= "localhost";
    if (countHosts(request.rawHeaders) > 1 || !isValidHost(request.headers.host ?? ""))
      throw createBadRequest("Send one Host header with a host's name.");
    const target = getRequestTarget(request);
    if (target === undefined) throw createBadRequest("The address is not one of this store.");
    return target;
  };
}

/**
 * Returns a function that returns an origin as URLs have it: in lower case and without the default port. URLs in
 * responses are then equal for all spellings of a host.
 */
export function createOriginNormalizer(): (origin: string) => string {
  const normalizedOrigins = createCache<string, string>({ name: "origins", maxWeight: MAX_HOSTS });
  return (origin) => {
    const knownOrigin = normalizedOrigins.get(origin);
    if (knownOrigin !== undefined) return knownOrigin;
    const normalizedOrigin = URL.parse(origin)?.origin;
    if (normalizedOrigin === undefined) return origin;
    normalizedOrigins.set(origin, normalizedOrigin);
    return normalizedOrigin;
  };
}

const MAX_HOSTS = 100;

/** Counts the `Host` headers.  @param headers alternating names and values */
function countHosts(headers: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index] ?? "";
    if (name.length === 4 && name.toLowerCase() === "host") count += 1;
  }
  return count;
}

/**
 * Returns the path and query of a request. If the request line contains an absolute URL, its host must equal the header
 * `Host`.
 */
function getRequestTarget({ url = "", headers }: IncomingMessage): string | undefined {
  if (url.startsWith("/")) return url;
  const match = /^https?:\/\/([^/?#]*)([/?][^#]*)?$/i.exec(url);
  if (match?.[1]?.toLowerCase() !== headers.host?.toLowerCase()) return undefined;
  const target = match?.[2] ?? "/";
  return target.startsWith("/") ? target : `/${target}`;
}

function createBadRequest(message: string): Problem {
  return new Problem("bad_request", message);
}
