import { Problem } from "../problem.ts";
import type { Lane } from "../runtime/scheduler.ts";
import type { Shop } from "../shop.ts";
import { createFinder, type Find, isDecodable, withoutSlash } from "./find-route.ts";
import { type ErrorFormat, refuse } from "./refusals.ts";
import { createResponseCache } from "./response-cache.ts";
import type { Route } from "./route.ts";
import { page } from "./routes/pages/page.ts";
import { createRoutes } from "./routes.ts";
import { asksForSections } from "./sections/section-ids.ts";
import { isStranger } from "./sessions/stranger.ts";
import { createHostCacheGuard } from "./wire/host-cache-guard.ts";
import { ClientGone } from "./wire/read-body.ts";
import { type Reply, redirect } from "./wire/reply.ts";
import { headerOf, localePrefix, parseTarget, type StoreRequest, type Target } from "./wire/request.ts";

/** A request before its path is parsed. */
export type IncomingRequest = Omit<StoreRequest, keyof ParsedTarget | "lane" | "now"> & {
  /** Path and query as they were sent. */
  readonly url: string;
  /** When it was read, on the clock of `performance.now()`. */
  readonly receivedAt: number;
  /** The client closed its connection. */
  readonly isAborted: () => boolean;
  /** Receives the pattern of the route. */
  readonly onRoute: ((pattern: string) => void) | undefined;
};

/** Answers a request, errors included; without a promise from the cache. The promise fails with `ClientGone` alone. */
export type Handle = (incoming: IncomingRequest) => Reply | Promise<Reply>;

export function createHandle(shop: Shop, options: Parameters<typeof createRoutes>[1]): Handle {
  const find = createFinder(createRoutes(shop, options));
  const responses = createResponseCache<Place>({ source: () => shop.snapshot(), now: () => shop.now() });
  /** Shareable responses that are in flight, by address. */
  const inFlight = new Map<string, Promise<unknown>>();
  /** The addresses among these for which others wait. */
  const awaited = new Set<string>();
  const guardHost = shop.config.origin === undefined ? createHostCacheGuard() : undefined;

  const match = (incoming: IncomingRequest): Match => {
    const asSent = parseTarget(incoming.url, shop.config.locales);
    const { target, found } = withoutSlash(asSent, incoming.method, find) ?? { target: asSent, found: find(asSent) };
    const query = new URLSearchParams(target.search);
    return { target: { ...target, query, params: found?.params ?? {} }, route: found?.route };
  };
  const errorResponse = (error: unknown, { method }: IncomingRequest, { target, route }: Match): Reply => {
    if (error instanceof ClientGone) throw error;
    return refuse(error, errorFormat({ ...target, method }, route), shop.log, route?.path ?? "*");
  };
  const findCached = (incoming: IncomingRequest, name: string, now: number): Reply | undefined => {
    const answer = responses.get(name);
    if (answer === undefined) return undefined;
    const { pattern, target } = answer.location;
    const reply = answer.policy.reuse(requestOf(incoming, target, { now, lane: "read" }));
    if (reply !== undefined) incoming.onRoute?.(pattern);
    return reply;
  };
  /** Waits for the response that another request is about to get. @returns undefined if it cannot be shared  @throws what the other one throws */
  const awaitInFlight = async (request: StoreRequest, name: string): Promise<Reply | undefined> => {
    for (let other = inFlight.get(name); other !== undefined; other = inFlight.get(name)) {
      awaited.add(name);
      try {
        await other;
        return responses.get(name)?.policy.reuse(request);
      } catch (error) {
        // The next of those that wait takes its place.
        if (!(error instanceof ClientGone)) throw error;
      }
    }
    return undefined;
  };
  const execute = async (incoming: IncomingRequest, name: string, { target, route }: Match, request: StoreRequest) => {
    if (incoming.isAborted()) throw new ClientGone();
    checkSpelling(request.path);
    if (route === undefined) return await nothingThere(shop, request, find);
    const read = shop.stock.watch();
    const canonical = route.format === "page" ? pageElsewhere(incoming.url, target, shop.config.locales) : undefined;
    if (canonical !== undefined && request.method === "GET") return redirect(301, canonical);
    const handler = route.methods[request.method as "GET" | "POST"];
    const reply = await (handler === undefined ? notAllowed(route, request) : handler(request));
    const { cachePolicy: policy } = reply;
    if (policy !== undefined && request.method === "GET" && (responses.isWanted(name, policy) || awaited.has(name)))
      responses.set(name, { policy, stock: read(), location: { pattern: route.path, target } });
    return reply;
  };
  const respond = async (incoming: IncomingRequest, name: string, now: number): Promise<Reply> => {
    const matched = match(incoming);
    const { target, route } = matched;
    if (route !== undefined) incoming.onRoute?.(route.path);
    const request = requestOf(incoming, target, { now, lane: laneOf(route, incoming.method, target.path) });
    let shared: Promise<Reply> | undefined;
    try {
      const isShareable = isAlikeForAll(shop, route, request);
      const others = isShareable && inFlight.has(name) ? await awaitInFlight(request, name) : undefined;
      if (others !== undefined) return others;
      const work = (): Promise<Reply> => execute(incoming, name, matched, request);
      if (route?.priority === "probe") return await work();
      const receivedAt = route?.priority === "file" ? undefined : incoming.receivedAt;
      const reply = shop.scheduler.run(request.lane, work, receivedAt);
      if (isShareable && reply instanceof Promise) {
        shared = reply;
        inFlight.set(name, shared);
      }
      return await reply;
    } catch (error) {
      return errorResponse(error, incoming, matched);
    } finally {
      if (shared !== undefined && inFlight.get(name) === shared) {
        inFlight.delete(name);
        awaited.delete(name);
      }
    }
  };
  return (incoming) => {
    const settle = (reply: Reply): Reply => guardHost?.(reply, incoming.client) ?? reply;
    try {
      const name = nameOf(incoming);
      const now = shop.now();
      const cached = incoming.method === "GET" ? findCached(incoming, name, now) : undefined;
      if (cached !== undefined) return settle(cached);
      const reply = respond(incoming, name, now);
      return guardHost === undefined ? reply : reply.then(settle);
    } catch (error) {
      return settle(errorResponse(error, incoming, match(incoming)));
    }
  };
}

type ParsedTarget = Target & Pick<StoreRequest, "query" | "params">;

/** The route of a request, undefined if there is none. */
interface Match {
  readonly target: ParsedTarget;
  readonly route: Route | undefined;
}

/** Of an address: the pattern of its route, and its parts. */
interface Place {
  readonly pattern: string;
  readonly target: ParsedTarget;
}

function requestOf(
  incoming: IncomingRequest,
  target: ParsedTarget,
  { now, lane }: Pick<StoreRequest, "now" | "lane">,
): StoreRequest {
  const { method, isHead, headers, origin, client, isSecure, readBody } = incoming;
  const { locale, prefix, path, search, query, params } = target;
  return {
    method,
    isHead,
    headers,
    origin,
    client,
    isSecure,
    readBody,
    locale,
    prefix,
    path,
    search,
    query,
    params,
    lane,
    now,
  };
}

function laneOf(route: Route | undefined, method: string, path: string): Lane {
  if (method === "POST") return "write";
  const format = route?.format ?? missingFormat({ path, method });
  return route?.lane ?? (format === "page" ? "render" : "read");
}

/** By which an answer is kept. */
function nameOf({ origin, url }: IncomingRequest): string {
  return `${origin} ${url}`;
}

/** Whether the answer, where it may be kept, may be given to whoever asks for the same address now. */
function isAlikeForAll(shop: Pick<Shop, "signIns">, route: Route | undefined, request: StoreRequest): boolean {
  if (request.method !== "GET" || route?.alikeFor === undefined) return false;
  return route.alikeFor === "everybody" || isStranger(shop, request);
}

/** Where a page is at home, if not here: without the default locale's prefix, and "/fr" rather than "/fr/". */
function pageElsewhere(
  url: string,
  { prefix, path, search }: Target,
  locales: Shop["config"]["locales"],
): string | undefined {
  if (prefix === "") return undefined;
  if (prefix === `/${locales.default}`) return path + search;
  return url === `${prefix}/${search}` ? prefix + search : undefined;
}

/** A path that is no route's: a page with a slash too many goes to the page; else 404, on the theme's page where a page was meant. */
async function nothingThere(shop: Shop, request: StoreRequest, find: Find): Promise<Reply> {
  const { path, prefix, search, locale, method } = request;
  const trimmed = path.endsWith("/") ? path.slice(0, -1) : path;
  const slashless = trimmed === path ? undefined : find({ path: trimmed, prefix });
  if (method === "GET" && slashless?.route.format === "page")
    return redirect(301, localePrefix(locale, shop.config.locales) + trimmed + search);
  if (method === "GET" && slashless === undefined && missingFormat(request) === "page") return page(shop, request);
  throw new Problem("not_found", "There is nothing at this address.");
}

/** A page that is asked for sections alone answers a program. */
function errorFormat(request: Pick<StoreRequest, "path" | "method" | "query">, route: Route | undefined): ErrorFormat {
  const format = route?.format ?? missingFormat(request);
  if (format !== "page") return format;
  if (request.method === "POST") return "json";
  if (request.query.has("section_id")) return "text";
  return asksForSections(request.query) ? "json" : "page";
}

/** How a path that is no route's is refused: as a page, unless it looks like an endpoint's or a file's. */
function missingFormat({ path, method }: Pick<StoreRequest, "path" | "method">): ErrorFormat {
  const isPageLike = method === "GET" && !/\.[a-z0-9]{1,8}\/?$/i.test(path) && !/^\/(?:api|assets|media)\//.test(path);
  if (path.startsWith("/search/suggest.json")) return "search-json";
  return isPageLike && isDecodable(path) ? "page" : "json";
}

/** @throws Problem `method_not_allowed`, but for a browser that follows a link to a write */
function notAllowed(route: Route, request: StoreRequest): Reply | Promise<Reply> {
  const isLink = request.method === "GET" && headerOf(request, "accept")?.includes("text/html");
  if (isLink && route.followed !== undefined) return route.followed(request);
  const reads = route.methods.GET === undefined ? "" : "GET, HEAD";
  const allow = route.methods.POST === undefined ? reads : [reads, "POST"].filter(Boolean).join(", ");
  throw new Problem("method_not_allowed", `This address takes ${allow} alone.`, [], { allow });
}

/** @throws Problem `bad_request` for percent-encoding that means nothing, and control characters */
function checkSpelling(path: string): void {
  if (!isDecodable(path) || /%(?:[01][0-9a-f]|7f)/i.test(path))
    throw new Problem("bad_request", "The address cannot be read.");
}
