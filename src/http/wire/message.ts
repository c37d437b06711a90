import type { IncomingMessage } from "node:http";
import { Problem } from "../../problem.ts";
import { isHost } from "./proxy.ts";

/** Headers of one request: browsers send some twenty, proxies add a few. */
export const MAX_HEADERS = 200;

export function hasTooManyHeaders(request: IncomingMessage): boolean {
  return request.rawHeaders.length > 2 * MAX_HEADERS;
}

/** Looks at a request before its path means anything. @throws Problem `bad_request` */
export function checkMessage(request: IncomingMessage): void {
  if (request.httpVersion !== "1.1" && request.httpVersion !== "1.0") throw bad("Speak HTTP/1.1.");
  const hosts = request.rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === "host");
  const host = request.headers.host ?? "";
  if (hosts.length !== 1 || !isHost(host) || URL.parse(`http://${host}`) === null)
    throw bad("Send one Host header with a host's name.");
  if (targetOf(request) === undefined) throw bad("The address is not one of this store.");
}

/** Path and query of a checked request's target. */
export function originForm(request: IncomingMessage): string {
  return targetOf(request) ?? "/";
}

/** An absolute target names the very host it is sent to. */
function targetOf({ url = "", headers }: IncomingMessage): string | undefined {
  if (url.startsWith("/")) return url;
  const match = /^https?:\/\/([^/?#]*)(\/[^#]*)?$/i.exec(url);
  return match?.[1]?.toLowerCase() === headers.host?.toLowerCase() ? (match?.[2] ?? "/") : undefined;
}

function bad(message: string): Problem {
  return new Problem("bad_request", message);
}
