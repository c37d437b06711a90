import type { IncomingMessage } from "node:http";
import type { Reply } from "./reply.ts";

/** Adds the headers with which browsers on other origins may read a response (CORS). */
export type CorsHandler = (request: Pick<IncomingMessage, "url" | "headers">, reply: Reply) => Reply;

/**
 * Allows pages on the given origins to load the search client, and to read search responses if the URL contains a
 * search key. These requests need no CORS preflight, because they have no custom headers and no body.
 * @returns undefined if there are no origins
 */
export function createCorsPolicy(origins: readonly string[]): CorsHandler | undefined {
  if (origins.length === 0) return undefined;
  return ({ url = "", headers }, reply) => {
    if (!corsUrlPattern.test(url)) return reply;
    const { vary } = reply.headers;
    const origin = origins.find((allowedOrigin) => allowedOrigin === headers.origin);
    const corsHeaders = {
      vary: vary === undefined ? "Origin" : `${vary}, Origin`,
      ...(origin === undefined ? {} : { "access-control-allow-origin": origin }),
    };
    return { ...reply, headers: { ...reply.headers, ...corsHeaders } };
  };
}

/** Matches the URL of the search client, and URLs of the search endpoints with the parameter `key`, in any language. */
const corsUrlPattern =
  /^(?:\/[A-Za-z-]{2,20})?\/search(?:\/suggest)?\.json\?(?:.*&)?key=|^\/vitrine\/search-client\.js(?:\?|$)/;
