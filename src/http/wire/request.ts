import type { Config } from "../../config/settings.ts";
import type { QueueName } from "../../runtime/scheduler.ts";
import type { Client } from "./proxy.ts";

/** Parts of a URL. */
export interface RequestTarget {
  readonly locale: string;
  /** Language prefix of the path: "/fr", or "" if there is none. */
  readonly prefix: string;
  /** Percent-encoded path without language prefix and query. */
  readonly path: string;
  /** Query string with its question mark, or "". */
  readonly search: string;
}

/** Parsed request that handlers receive. */
export interface StoreRequest extends RequestTarget {
  /** HTTP method; "GET" for HEAD requests. */
  readonly method: string;
  /** Whether the method is HEAD, so the response has no body. */
  readonly isHead: boolean;
  readonly query: URLSearchParams;
  /** Path parameters by name, percent-decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** Headers by name, in lower case. If a header that must be unique is repeated, the first value applies. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Origin of the shop's URLs without a trailing slash: "https://shop.example". */
  readonly origin: string;
  readonly client: Client;
  /** Whether the browser uses https. Cookies then have the attribute `Secure`. */
  readonly isSecure: boolean;
  /** Time of the request in milliseconds since 1970. */
  readonly now: number;
  /** Scheduler queue for further work on this request. */
  readonly lane: QueueName;
  /**
   * Reads the body. Repeated calls return the same bytes.
   * @param maxBytes Default: {@link MAX_BODY_BYTES}
   * @param senderKind "known" if the sender has a valid API token
   * @throws Problem `payload_too_large`, or `overloaded` if too many large bodies are in memory
   */
  readonly readBody: (maxBytes?: number, senderKind?: "anybody" | "known") => Promise<Uint8Array>;
}

/** A request before its URL is parsed. */
export interface IncomingRequest
  extends Pick<StoreRequest, "method" | "isHead" | "headers" | "origin" | "client" | "isSecure" | "readBody"> {
  /** Path and query as the client sent them. */
  readonly url: string;
  /** Time at which the request arrived, from `performance.now()`. */
  readonly receivedAt: number;
  /** Reports whether the client has closed its connection. */
  readonly isAborted: () => boolean;
  /** Called with the pattern of the matched route. */
  readonly onRoute: ((pattern: string) => void) | undefined;
}

/**
 * Splits a URL into language, path, and query.
 * @param url for example "/fr/cart.js?x=1". The prefix of the default language is also accepted
 */
export function parseTarget(url: string, locales: Config["locales"]): RequestTarget {
  const queryStart = url.indexOf("?");
  const fullPath = queryStart === -1 ? url : url.slice(0, queryStart);
  const search = queryStart === -1 ? "" : url.slice(queryStart);
  const end = fullPath.indexOf("/", 1);
  const firstSegment = fullPath.slice(1, end === -1 ? undefined : end);
  if (firstSegment !== locales.default && !locales.others.includes(firstSegment))
    return { locale: locales.default, prefix: "", path: fullPath, search };
  return { locale: firstSegment, prefix: `/${firstSegment}`, path: end === -1 ? "/" : fullPath.slice(end), search };
}

/** Returns the path prefix of a language; "" for the default language. */
export function formatLocalePrefix(locale: string, locales: Config["locales"]): string {
  return locale === locales.default ? "" : `/${locale}`;
}

/**
 * Adds a language prefix to a path of the shop. A path that already has a prefix does not change.
 * @param path for example "/pages/returns?x=1"
 */
export function localizePath(path: string, locale: string, locales: Config["locales"]): string {
  const firstSegment = path.split(/[/?]/, 2)[1] ?? "";
  if (firstSegment === locales.default || locales.others.includes(firstSegment)) return path;
  const prefix = formatLocalePrefix(locale, locales);
  return prefix !== "" && /^\/(?:\?|$)/.test(path) ? prefix + path.slice(1) : prefix + path;
}

/**
 * Returns a path with the percent-encoding that links of the shop use.  @param path a path with valid percent-encoding
 */
export function toCanonicalPath(path: string): string {
  return path
    .split("/")
    .map((part) => encodeURIComponent(decodeURIComponent(part)))
    .join("/");
}
