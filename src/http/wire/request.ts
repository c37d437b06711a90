import type { IncomingHttpHeaders } from "node:http";
import type { Config } from "../../config/settings.ts";
import type { Lane } from "../../runtime/scheduler.ts";
import type { Client } from "./proxy.ts";

/** A request as handlers see it. */
export interface StoreRequest {
  /** "GET" for HEAD. */
  readonly method: string;
  /** Whether the response's body is not sent. */
  readonly isHead: boolean;
  readonly locale: string;
  /** "/fr", or "" if the path has no locale prefix. */
  readonly prefix: string;
  /** Without locale prefix and query, percent-encoded. */
  readonly path: string;
  /** From the `?`, or "". */
  readonly search: string;
  readonly query: URLSearchParams;
  /** Parameters of the route's pattern, percent-decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** Lower-case names; the first of repeated headers that may not repeat. */
  readonly headers: IncomingHttpHeaders;
  /** "https://shop.example", without a trailing slash. */
  readonly origin: string;
  readonly client: Client;
  /** Whether the browser uses https: cookies are `Secure`. */
  readonly isSecure: boolean;
  /** Milliseconds since 1970, the same for the whole request. */
  readonly now: number;
  /** Lane of the request's work in the event loop. */
  readonly lane: Lane;
  /**
   * Reads the body, once. Later calls return the same bytes.
   * @param maxBytes Default: {@link MAX_BODY_BYTES}
   * @param sender "known" if the sender has a valid token
   * @throws Problem `payload_too_large`, or `overloaded` if memory for bodies is used up
   */
  readonly readBody: (maxBytes?: number, sender?: "anybody" | "known") => Promise<Uint8Array>;
}

/** A request before its URL is parsed. */
export interface IncomingRequest
  extends Pick<StoreRequest, "method" | "isHead" | "headers" | "origin" | "client" | "isSecure" | "readBody"> {
  /** Path and query as sent. */
  readonly url: string;
  /** When it was read, on the clock of `performance.now()`. */
  readonly receivedAt: number;
  /** Whether the client closed its connection. */
  readonly isAborted: () => boolean;
  /** Receives the pattern of the route. */
  readonly onRoute: ((pattern: string) => void) | undefined;
}

/** The parts of a request target. */
export interface Target {
  readonly locale: string;
  readonly prefix: string;
  readonly path: string;
  readonly search: string;
}

/** @param url "/fr/cart.js?x=1". The default locale may also be a prefix. */
export function parseTarget(url: string, locales: Config["locales"]): Target {
  const mark = url.indexOf("?");
  const full = mark === -1 ? url : url.slice(0, mark);
  const search = mark === -1 ? "" : url.slice(mark);
  const end = full.indexOf("/", 1);
  const first = full.slice(1, end === -1 ? undefined : end);
  if (first !== locales.default && !locales.others.includes(first))
    return { locale: locales.default, prefix: "", path: full, search };
  return { locale: first, prefix: `/${first}`, path: end === -1 ? "/" : full.slice(end), search };
}

/** The path prefix of a locale; "" for the default one. */
export function localePrefix(locale: string, locales: Config["locales"]): string {
  return locale === locales.default ? "" : `/${locale}`;
}

/**
 * A path of the shop in a locale. A path that has a locale prefix is returned unchanged.
 * @param path "/pages/returns?x=1"
 */
export function localizedPath(path: string, locale: string, locales: Config["locales"]): string {
  const first = path.split(/[/?]/, 2)[1] ?? "";
  if (first === locales.default || locales.others.includes(first)) return path;
  const prefix = localePrefix(locale, locales);
  return prefix !== "" && /^\/(?:\?|$)/.test(path) ? prefix + path.slice(1) : prefix + path;
}

/** Returns a path with the percent-encoding that links use.  @param path with valid percent-encoding */
export function canonicalPath(path: string): string {
  return path
    .split("/")
    .map((part) => encodeURIComponent(decodeURIComponent(part)))
    .join("/");
}

/** The first value of a header; Node joins or lists repeated headers. */
export function headerOf(request: Pick<StoreRequest, "headers">, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === "string" ? value : value?.[0];
}
