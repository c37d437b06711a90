import type { IncomingHttpHeaders } from "node:http";
import type { Config } from "../../config/settings.ts";
import type { Lane } from "../../runtime/scheduler.ts";
import type { Client } from "./proxy.ts";

/** A request as handlers see it. */
export interface StoreRequest {
  /** HEAD reads as GET. */
  readonly method: string;
  /** Nobody is shown the answer's body. */
  readonly isHead: boolean;
  readonly locale: string;
  /** "/fr", or "" where the path has no locale prefix. */
  readonly prefix: string;
  /** Without locale prefix and query, percent-encoded. */
  readonly path: string;
  /** From the `?` on, or "". */
  readonly search: string;
  readonly query: URLSearchParams;
  /** What the route's pattern names, percent-decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** Lower-case names; of what may not be repeated the first counts. */
  readonly headers: IncomingHttpHeaders;
  /** "https://shop.example", no slash at its end. */
  readonly origin: string;
  readonly client: Client;
  /** The browser is on https: cookies are `Secure`. */
  readonly isSecure: boolean;
  /** Milliseconds since 1970, the same for the whole request. */
  readonly now: number;
  /** In which its work waits for time of the event loop. */
  readonly lane: Lane;
  /** The body's bytes, the same each time. @param maxBytes absent: what a shopper's write may have  @param sender "known": who has shown a token
   *  @throws Problem `payload_too_large`, `overloaded` where there is no room for more of it */
  readonly readBody: (maxBytes?: number, sender?: "anybody" | "known") => Promise<Uint8Array>;
}

/** A request before its URL is parsed. */
export interface IncomingRequest
  extends Pick<StoreRequest, "method" | "isHead" | "headers" | "origin" | "client" | "isSecure" | "readBody"> {
  /** Path and query as they were sent. */
  readonly url: string;
  /** When it was read, on the clock of `performance.now()`. */
  readonly receivedAt: number;
  /** Whether the client closed its connection. */
  readonly isAborted: () => boolean;
  /** Receives the pattern of the route. */
  readonly onRoute: ((pattern: string) => void) | undefined;
}

/** A request target cut into its parts. */
export interface Target {
  readonly locale: string;
  readonly prefix: string;
  readonly path: string;
  readonly search: string;
}

/** @param url "/fr/cart.js?x=1"  The default locale may be named too. */
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

/** The prefix that links of a locale carry: none for the default one. */
export function localePrefix(locale: string, locales: Config["locales"]): string {
  return locale === locales.default ? "" : `/${locale}`;
}

/** A path of the shop in a language; one that names a language already stays as it is. @param path "/pages/returns?x=1" */
export function localizedPath(path: string, locale: string, locales: Config["locales"]): string {
  const first = path.split(/[/?]/, 2)[1] ?? "";
  if (first === locales.default || locales.others.includes(first)) return path;
  const prefix = localePrefix(locale, locales);
  return prefix !== "" && /^\/(?:\?|$)/.test(path) ? prefix + path.slice(1) : prefix + path;
}

/** A path as links spell it. @param path percent-encoded in a way that means something */
export function canonicalPath(path: string): string {
  return path
    .split("/")
    .map((part) => encodeURIComponent(decodeURIComponent(part)))
    .join("/");
}

/** The first of a header's values; node joins or lists those it lets repeat. */
export function headerOf(request: Pick<StoreRequest, "headers">, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === "string" ? value : value?.[0];
}
