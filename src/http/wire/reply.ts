import { JsonText, toSafeJson } from "../json/inert-json.ts";
import { ByteString } from "./byte-string.ts";
import type { EventBody } from "./event-streams.ts";
import type { VisitorBody } from "./filled-body.ts";
import type { StoreRequest } from "./request.ts";

/** Response of a handler. `send-reply.ts` writes it to the socket. */
export interface Reply {
  readonly status: number;
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string | ByteString | VisitorBody | Uint8Array | StaticFile | EventBody;
  /**
   * Permitted compression: "fast", or "best" for cached bytes that are requested often. Undefined if the body contains
   * both a secret and text of the sender, because the compressed length would reveal the secret.
   */
  readonly compress?: "fast" | "best";
  /** Whether the reply never contains the request's host. Default: it may contain the host. */
  readonly isHostIndependent?: true;
  /** Policy of the response cache; undefined if the reply is for this request only. */
  readonly cachePolicy?: CachePolicy;
}

/** Rules by which the response cache reuses a reply for requests of the same URL. */
export interface CachePolicy {
  /** Source of the reply, usually the snapshot. A newer source invalidates the cache. */
  readonly source: object;
  /** Approximate memory of the reply, in bytes. */
  readonly bytes: number;
  /** Returns the reply for another request; undefined if it must be created again. */
  readonly reuse: (request: StoreRequest) => Reply | undefined;
  /** Whether most URLs of this kind are requested once. Such a reply is cached at its second request. */
  readonly isRarelyRepeated?: true;
}

/** Response body from a file. The content type, length, range, and validators follow from the file. */
export interface StaticFile {
  readonly root: string;
  /** Path relative to `root`, percent-encoded as in a URL. */
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

/** Creates a redirect.  @param location a path of this store, or a URL from the merchant's settings */
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

/** Serializes a value as JSON that is safe in HTML. A {@link JsonText} is included unchanged. */
function toJson(value: unknown): string | ByteString {
  if (value instanceof ByteString) return value;
  if (value instanceof JsonText) return value.text;
  if (typeof value !== "object" || value === null || !Object.values(value).some((field) => field instanceof JsonText))
    return toSafeJson(value);
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  const texts = fields.map(([name, field]) => {
    const text = field instanceof JsonText ? field.text : toSafeJson(field);
    return `${toSafeJson(name)}:${text}`;
  });
  return `{${texts.join(",")}}`;
}
