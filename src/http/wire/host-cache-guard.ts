import { perObject } from "../../runtime/cache.ts";
import { ByteString } from "./byte-string.ts";
import type { Client } from "./proxy.ts";
import { NO_STORE, type Reply } from "./reply.ts";

/** Forbids HTTP caches to store a reply that contains the host of its request: an attacker could send another host, and the cache would show it
 *  to all visitors. For shops without the setting `origin`. */
export type HostCacheGuard = (reply: Reply, client: Pick<Client, "host">) => Reply;

export function createHostCacheGuard(): HostCacheGuard {
  // A cached reply is reused for one host only.
  const guarded = perObject(guard);
  return (reply, client) => {
    if (reply.isOfAnyHost === true) return reply;
    return reply.cachePolicy === undefined ? guard(reply, client) : guarded(reply, client);
  };
}

function guard(reply: Reply, { host }: Pick<Client, "host">): Reply {
  const { body, headers } = reply;
  if (headers["cache-control"] === NO_STORE || !generatedTypes.test(String(headers["content-type"]))) return reply;
  const bytes = bytesOf(body);
  if (bytes === undefined || !bytes.includes(host)) return reply;
  const { etag: _, ...rest } = headers;
  return { ...reply, headers: { ...rest, "cache-control": NO_STORE } };
}

/** Files of the theme and images never depend on a request. */
const generatedTypes = /^(?:text\/(?:html|plain)|application\/(?:json|xml))\b/;

/** @returns undefined for a file, and for pages, which HTTP caches do not store */
function bytesOf(body: Reply["body"]): string | Buffer | undefined {
  if (body instanceof ByteString) return body.bytes;
  if (typeof body === "string") return body;
  return body instanceof Uint8Array ? Buffer.from(body.buffer, body.byteOffset, body.length) : undefined;
}
