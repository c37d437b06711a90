import type { IncomingMessage } from "node:http";
import { Problem } from "../../problem.ts";
import { createCache } from "../../runtime/cache.ts";
import { type Client, isHost } from "./proxy.ts";

/** Maximum number of request headers. Browsers send about twenty, and proxies add some. */
export const MAX_HEADERS = 200;

/** Origins of a host by scheme, as URLs have them: in lower case and without the default port. */
export type HostOrigins = Readonly<Record<Client["scheme"], string>>;

/**
 * Returns a function that parses hosts. It returns undefined for an invalid host. URLs in responses are equal for all
 * spellings of a host.
 */
export function createHostParser(): (host: string) => HostOrigins | undefined {
  // Cached, because a shop has only a few hosts.
  const knownHosts = createCache<string, HostOrigins>({ name: "hosts", maxWeight: MAX_HOSTS });
  return (host) => {
    const knownOrigins = knownHosts.get(host);
    if (knownOrigins !== undefined) return knownOrigins;
    if (!isHost(host)) return undefined;
    const [http, https] = [URL.parse(`http://${host}`)?.origin, URL.parse(`https://${host}`)?.origin];
    if (http === undefined || https === undefined) return undefined;
    knownHosts.set(host, { http, https });
    return { http, https };
  };
}

/**
 * Validates a request before its path is parsed, and returns its path and query.
 * @throws Problem `bad_request`
 */
export function checkMessage(request: IncomingMessage, parseHost: (host: string) => HostOrigins | undefined): string {
  if (request.httpVersion !== "1.1" && request.httpVersion !== "1.0") throw createBadRequest("Speak HTTP/1.1.");
  const encoding = request.headers["transfer-encoding"];
  if (encoding !== undefined && (encoding.toLowerCase() !== "chunked" || request.httpVersion === "1.0"))
    throw createBadRequest("Send the body with Content-Length, or in chunks over HTTP/1.1.");
  // HTTP/1.0 requires no host, and health checks such as those of HAProxy send none.
  if (request.httpVersion === "1.0") request.headers.host ??= "localhost";
  if (countHosts(request.rawHeaders) > 1 || parseHost(request.headers.host ?? "") === undefined)
    throw createBadRequest("Send one Host header with a host's name.");
  const target = getRequestTarget(request);
  if (target === undefined) throw createBadRequest("The address is not one of this store.");
  return target;
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
