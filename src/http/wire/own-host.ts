import { ByteString } from "./byte-string.ts";
import type { Client } from "./proxy.ts";
import { NO_STORE, type Reply } from "./reply.ts";

/** The reply as one that no cache keeps, where it names the host that its request named: a cache would show all visitors what one put into
 *  a header. For shops whose address no setting gives. */
export type KeptByNobody = (reply: Reply, client: Pick<Client, "host">) => Reply;

export function createKeptByNobody(): KeptByNobody {
  // Each is given to those alone who name one host.
  const kept = new WeakMap<Reply, Reply>();
  return (reply, client) => {
    if (reply.isOfAnyHost === true) return reply;
    if (reply.cachePolicy === undefined) return keptByNobody(reply, client);
    const known = kept.get(reply) ?? keptByNobody(reply, client);
    kept.set(reply, known);
    return known;
  };
}

function keptByNobody(reply: Reply, { host }: Pick<Client, "host">): Reply {
  const { body, headers } = reply;
  if (headers["cache-control"] === NO_STORE || !madeTypes.test(String(headers["content-type"]))) return reply;
  const bytes = bytesOf(body);
  if (bytes === undefined || !bytes.includes(host)) return reply;
  const { etag: _, ...rest } = headers;
  return { ...reply, headers: { ...rest, "cache-control": NO_STORE } };
}

/** Files of the theme and pictures never depend on a request. */
const madeTypes = /^(?:text\/(?:html|plain)|application\/(?:json|xml))\b/;

/** @returns undefined for a file, and for pages: no cache keeps them anyway */
function bytesOf(body: Reply["body"]): string | Buffer | undefined {
  if (body instanceof ByteString) return body.bytes;
  if (typeof body === "string") return body;
  return body instanceof Uint8Array ? Buffer.from(body.buffer, body.byteOffset, body.length) : undefined;
}
