import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { clientPath } from "./live-theme.ts";
import type { PageStreams } from "./page-streams.ts";

/**
 * Handles requests for the live reload script and its event stream. Rejects requests with the Host header of another
 * machine, since a hostile page could resolve its own domain to 127.0.0.1 (DNS rebinding).
 * @returns false if the request is for the shop
 */
export function handleDevRequest(
  request: IncomingMessage,
  response: ServerResponse,
  allowsNetwork: boolean,
  streams: PageStreams,
): boolean {
  if (!allowsNetwork && !isLocalHost(request.headers.host ?? "")) {
    response.writeHead(403, { "content-type": "text/plain; charset=utf-8" });
    response.end("This development server accepts only this machine. Start it with --network to allow others.\n");
    return true;
  }
  const path = request.url?.split("?", 1)[0];
  if (path === clientPath) {
    response.writeHead(200, { "content-type": "text/javascript; charset=utf-8", "cache-control": "no-cache" });
    response.end(readFileSync(clientFile));
    return true;
  }
  if (path !== eventsPath) return false;
  streams.openStream(request, response);
  return true;
}

const eventsPath = "/vitrine/dev/events";
const clientFile = new URL("../../client/dev.js", import.meta.url);

/** Returns whether a Host header names this machine.  @param host value of the header, such as "localhost:3000" */
export function isLocalHost(host: string): boolean {
  const name = host.toLowerCase().replace(/(?<=^[^:]*|\]):\d+$/, "");
  return (
    name === "localhost" ||
    name.endsWith(".localhost") ||
    name === "[::1]" ||
    name === "::1" ||
    /^127(?:\.\d{1,3}){3}$/.test(name)
  );
}
