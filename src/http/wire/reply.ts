import { JsonText, toSafeJson } from "../json/inert-json.ts";
import { ByteString } from "./byte-string.ts";
import type { EventBody } from "./event-streams.ts";
import type { VisitorReplyBody } from "./filled-body.ts";
import type { StoreRequest } from "./request.ts";

/** Response of a handler, before it is compressed and sent. */
export interface Reply {
  readonly status: number;
  /** Headers by name, in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string | ByteString | VisitorReplyBody | Uint8Array | StaticFile | EventBody;
  /**
   * Permitted compression: "fast", or "best" for cached files that are requested often. Undefined if the body contains
   * a secret next to text that the sender chose, because the compressed length could reveal the secret.
   */
  readonly compress?: "fast" | "best";
  /** Whether the body does not contain the host name of the request. Default: it may contain it. */
  readonly isHostIndependent?: true;
  /** Policy for caching the response on the server; undefined if it must not be cached. */
  readonly cachePolicy?: CachePolicy;
}

/** Rules by which the server reuses a cached response for the same URL. */
export interface CachePolicy {
  /**
   * Object from which the response was created, usually the catalog snapshot. A newer one invalidates the cached
   * response.
   */
  readonly source: object;
  /** Approximate memory of the response, in bytes. */
  readonly bytes: number;
  /** Returns the cached response for another request, or undefined if it is no longer valid. */
  readonly tryReuse: (request: StoreRequest) => Reply | undefined;
  /** Whether most URLs of this kind are requested only once. The response is then cached at the second request. */
  readonly isRarelyRepeated?: true;
}

/** File to send as response body. The headers for type, length, range, and validation are derived from the file. */
export interface StaticFile {
  readonly root: string;
  /** Path below `root`, percent-encoded like in a URL. */
  readonly path: string;
}

export const NO_STORE = "no-store";

type ReplyHeaders = Reply["headers"];

export function createJsonReply(status: number, value: unknown, headers: ReplyHeaders = {}): Reply {
  return createReply(status, "application/json", toJson(value), headers);
}

export function createTextReply(status: number, body: string, headers: ReplyHeaders = {}): Reply {
  return createReply(status, "text/plain", body, headers);
}

export function createHtmlReply(status: number, body: string, headers: ReplyHeaders = {}): Reply {
  return createReply(status, "text/html", body, headers);
}

/** Creates a response that browsers save as a CSV file. */
export function createCsvReply(fileName: string, lines: readonly string[]): Reply {
  return createReply(200, "text/csv", lines.join(""), {
    "content-disposition": `attachment; filename="${fileName}"`,
  });
}

/** Creates a redirect.  @param location a path of this store, or a URL from the merchant's settings */
export function redirect(status: 301 | 302 | 303, location: string, headers: ReplyHeaders = {}): Reply {
  return createReply(status, "text/plain", "", { location, ...headers });
}

function createReply(status: number, type: string, body: Reply["body"], headers: ReplyHeaders): Reply {
  return {
    status,
    headers: { "content-type": `${type}; charset=utf-8`, "cache-control": NO_STORE, ...headers },
    body,
  };
}

/** Serializes a value as JSON that is safe in HTML. A {@link JsonText} is inserted unchanged. */
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
