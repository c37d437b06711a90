import type { Client } from "./proxy.ts";
import { NO_STORE, type Reply } from "./reply.ts";

/** The reply as one that no cache keeps, where it names the host that its request named: a cache would show all visitors what one put into
 *  a header. For shops whose address no setting gives. */
export function keptByNobody(reply: Reply, { host }: Pick<Client, "host">): Reply {
  const { body, headers } = reply;
  const isMade = typeof body === "string" || body instanceof Uint8Array;
  if (!isMade || headers["cache-control"] === NO_STORE || !madeTypes.test(String(headers["content-type"])))
    return reply;
  const bytes = typeof body === "string" ? Buffer.from(body) : Buffer.from(body.buffer, body.byteOffset, body.length);
  if (!bytes.includes(host)) return reply;
  const { etag: _, ...rest } = headers;
  return { ...reply, headers: { ...rest, "cache-control": NO_STORE } };
}

/** Files of the theme and pictures never depend on a request. */
const madeTypes = /^(?:text\/(?:html|plain)|application\/(?:json|xml))\b/;
