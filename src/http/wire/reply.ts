import { inertJson, JsonText } from "../json/inert-json.ts";
import { ByteString } from "./byte-string.ts";
import type { EventBody } from "./event-streams.ts";
import type { FilledBody } from "./filled-body.ts";
import type { StoreRequest } from "./request.ts";

/** A handler's response; `send-reply.ts` turns it into bytes. */
export interface Reply {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string | ByteString | FilledBody | Uint8Array | StaticFile | EventBody;
  /**
   * Permits compression: "fast", or "best" for bytes that are cached and requested often. Undefined if the body
   * contains a secret of the visitor and something that the request's sender chose: the compressed length would reveal
   * the secret.
   */
  readonly compress?: "fast" | "best";
  /** The reply does not depend on the request's host. Default: it may contain the host. */
  readonly isOfAnyHost?: true;
  /** Undefined if the reply is for this request only. */
  readonly cachePolicy?: CachePolicy;
}

/** How the response cache reuses a reply for requests of the same URL. */
export interface CachePolicy {
  /** Source of the reply, usually the snapshot: a newer source clears the cache. */
  readonly source: object;
  /** Bytes of memory that the reply uses, about. */
  readonly bytes: number;
  /** Returns the reply to another request; undefined if it must be created again. */
  readonly reuse: (request: StoreRequest) => Reply | undefined;
  /** Most URLs of this kind are requested once: the reply is cached at the second request. */
  readonly isRarelyRepeated?: true;
}

/** A file below `root` as the body, with its type, length, range and validators. */
export interface StaticFile {
  readonly root: string;
  /** Relative to `root`, percent-encoded as in a URL. */
  readonly path: string;
}

export const NO_STORE = "no-store";

export function json(
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string | readonly string[]>> = {},
): Reply {
  return {
    status,
    headers: { "content-type": "application/json; charset=utf-8", "cache-control": NO_STORE, ...headers },
    body: toJson(value),
  };
}

export function text(status: number, body: string, headers: Readonly<Record<string, string>> = {}): Reply {
  return {
    status,
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": NO_STORE, ...headers },
    body,
  };
}

export function html(
  status: number,
  body: string,
  headers: Readonly<Record<string, string | readonly string[]>> = {},
): Reply {
  return {
    status,
    headers: { "content-type": "text/html; charset=utf-8", "cache-control": NO_STORE, ...headers },
    body,
  };
}

/** @param location a path of this store, or a URL from the merchant's settings */
export function redirect(
  status: 301 | 302 | 303,
  location: string,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return {
    status,
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": NO_STORE, location, ...headers },
    body: "",
  };
}

/**
 * JSON that is safe in HTML. A {@link JsonText}, the value itself or a field of it, is used unchanged, and so are its
 * bytes.
 */
function toJson(value: unknown): string | ByteString {
  if (value instanceof ByteString) return value;
  if (value instanceof JsonText) return value.text;
  if (typeof value !== "object" || value === null || !Object.values(value).some((field) => field instanceof JsonText))
    return inertJson(value);
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  const texts = fields.map(([name, field]) => {
    const text = field instanceof JsonText ? field.text : inertJson(field);
    return `${inertJson(name)}:${text}`;
  });
  return `{${texts.join(",")}}`;
}
