import type { IncomingMessage } from "node:http";
import type { Reply } from "./reply.ts";

/** Adds the headers with which browsers on other origins may read a response (CORS). */
export type OriginSharing = (request: Pick<IncomingMessage, "url" | "headers">, reply: Reply) => Reply;

/**
 * Lets pages on the given origins read responses of the search to requests with a key, and load the search client.
 * These requests need no preflight, because they have no headers and no body of their own.
 * @returns undefined if there are no origins
 */
export function createOriginSharing(origins: readonly string[]): OriginSharing | undefined {
  if (origins.length === 0) return undefined;
  return ({ url = "", headers }, reply) => {
    if (!sharedUrlPattern.test(url)) return reply;
    const { vary } = reply.headers;
    const origin = origins.find((allowedOrigin) => allowedOrigin === headers.origin);
    const sharingHeaders = {
      vary: vary === undefined ? "Origin" : `${vary}, Origin`,
      ...(origin === undefined ? {} : { "access-control-allow-origin": origin }),
    };
    return { ...reply, headers: { ...reply.headers, ...sharingHeaders } };
  };
}

/** Matches URLs of search endpoints with a key, in any language, and of the search client. */
const sharedUrlPattern =
  /^(?:\/[A-Za-z-]{2,20})?\/search(?:\/suggest)?\.json\?(?:.*&)?key=|^\/vitrine\/search-client\.js(?:\?|$)/;
