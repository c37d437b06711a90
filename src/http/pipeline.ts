import type { StockWatcher } from "../catalog/live/stock-reads.ts";
import { type RequestTrace, startRequestTrace } from "../runtime/spans.ts";
import type { Shop } from "../shop.ts";
import { type ErrorFormat, respondToError } from "./error-responses.ts";
import { createRouteFinder } from "./find-route.ts";
import { createResponseCache, type ResponseCache } from "./response-cache.ts";
import type { Handler, Route, RouteMatch } from "./route.ts";
import { requestsSectionMap } from "./sections/section-ids.ts";
import { isAnonymous } from "./sessions/customer-session.ts";
import { formatTestedRulesKey } from "./tested-rules.ts";
import { ClientDisconnectedError } from "./wire/read-body.ts";
import type { Reply } from "./wire/reply.ts";
import { type IncomingRequest, parseTarget, type StoreRequest } from "./wire/request.ts";

/**
 * Handles a request and its errors. A cached response is returned synchronously. The promise rejects only if the client
 * has disconnected.
 */
export type Pipeline = (rawRequest: IncomingRequest) => Reply | Promise<Reply>;

/**
 * Creates the function that handles all requests. Compressing and sending the response follow in `wire/`.
 * @param showNotFound handles requests for pages that do not exist
 */
export function createPipeline(
  shop: Pick<Shop, "config" | "snapshot" | "hooks" | "process">,
  routes: readonly Route[],
  showNotFound: Handler,
): Pipeline {
  const findMatch = createRouteFinder(routes, shop.config.locales, showNotFound);
  const responses = createSharedResponses(createResponseCache({ source: shop.snapshot, now: shop.process.now }));

  return (incoming) => {
    try {
      const now = shop.process.now();
      const key = `${incoming.origin} ${incoming.url}${formatTestedRulesKey(shop.snapshot(), incoming, now)}`;
      const cachedResponse = incoming.method === "GET" ? responses.get(key) : undefined;
      // The route is stored with the cached response, because finding the route would take a sixth of the total time.
      const route = cachedResponse?.route ?? findRoute(incoming);
      incoming.onRoute?.(route.pattern);
      const request = createRequest(incoming, route, now);
      // Returns the cached response if it is still valid (pipeline stage: 3 cached response).
      return cachedResponse?.policy.tryReuse(request) ?? respondWithTrace({ incoming, route, request, key });
    } catch (error) {
      return toErrorResponse(error, findRoute(incoming), incoming);
    }
  };

  /** Parses the URL and finds its route (pipeline stages: 1 parse, 2 route). */
  function findRoute({ method, url }: IncomingRequest): RouteMatch {
    return findMatch(parseTarget(url, shop.config.locales), method, url);
  }

  function respondWithTrace(routedRequest: Omit<RoutedRequest, "trace">): Promise<Reply> {
    const { incoming, route } = routedRequest;
    const trace = startRequestTrace(incoming.headers.traceparent, incoming.method, route.pattern);
    if (trace === undefined) return respond(routedRequest);
    const reply = trace.run(() => respond({ ...routedRequest, trace }));
    reply.then(
      ({ status }) => trace.end(status),
      () => trace.end(undefined),
    );
    return reply;
  }

  /**
   * Shares a response between requests, and handles errors (pipeline stages: 4 coalesce, 7 error response).
   * @throws ClientDisconnectedError
   */
  async function respond(routedRequest: RoutedRequest): Promise<Reply> {
    const { incoming, route, request, key } = routedRequest;
    try {
      if (!isSharedReply(route, request)) return await scheduleReply(routedRequest);
      return await responses.coalesce(key, request, () => scheduleReply(routedRequest));
    } catch (error) {
      return toErrorResponse(error, route, incoming);
    }
  }

  /**
   * Runs the handler when the server has capacity (pipeline stage: 5 load shedding).
   * @throws Problem `overloaded` if the queue is too long
   */
  function scheduleReply(routedRequest: RoutedRequest): Reply | Promise<Reply> {
    const { incoming, route, trace } = routedRequest;
    if (route.priority === "probe") return runHandler(routedRequest);
    const receivedAt = route.priority === "file" ? undefined : incoming.receivedAt;
    // Restore the trace of this request, because queued work would run in the trace of another request.
    const work = () => runHandler(routedRequest);
    return shop.process.scheduler.run(route.lane, trace === undefined ? work : () => trace.run(work), receivedAt);
  }

  /** Runs the handler of the route (pipeline stage: 6 handler).  @throws Problem */
  async function runHandler({ incoming, route, request, key }: RoutedRequest): Promise<Reply> {
    if (incoming.isAborted()) throw new ClientDisconnectedError();
    const readStock = shop.snapshot().stock.watch();
    const reply = await route.handle(request);
    if (request.method === "GET") responses.add(key, { reply, route, readStock });
    return reply;
  }

  /** Returns the response for an error.  @throws ClientDisconnectedError */
  function toErrorResponse(error: unknown, route: RouteMatch, { method }: IncomingRequest): Reply {
    if (error instanceof ClientDisconnectedError) throw error;
    return respondToError(error, chooseErrorFormat(route, method), shop.process.log, route.pattern, route.target);
  }

  function isSharedReply({ cacheAudience }: RouteMatch, request: StoreRequest): boolean {
    return cacheAudience === "everyone" || (cacheAudience === "anonymous visitors" && isAnonymous(shop, request));
  }
}

interface RoutedRequest {
  readonly incoming: IncomingRequest;
  readonly route: RouteMatch;
  readonly request: StoreRequest;
  /** Cache key, from origin and URL. Requests with the same key can share a response. */
  readonly key: string;
  /** Undefined if the request belongs to no trace. */
  readonly trace?: RequestTrace;
}

function createRequest(rawRequest: IncomingRequest, route: RouteMatch, now: number): StoreRequest {
  const { method, isHead, headers, origin, client, isSecure, readBody } = rawRequest;
  const { target, params, query, lane } = route;
  const { locale, prefix, path, search } = target;
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

/** Returns the format of error responses. Theme scripts that request parts of a page get text or JSON. */
function chooseErrorFormat({ format, query }: RouteMatch, method: string): ErrorFormat {
  if (format !== "page") return format;
  if (method === "POST") return "json";
  if (query.has("section_id")) return "text";
  return requestsSectionMap(query) ? "json" : "page";
}

interface CacheableReply {
  readonly reply: Reply;
  readonly route: RouteMatch;
  /** Returns a watcher that reports whether the stock has changed since the reply was created. */
  readonly readStock: () => StockWatcher;
}

/** Caches responses, and lets concurrent requests for the same URL share one response. */
function createSharedResponses(cache: ResponseCache) {
  const activeReplies = new Map<string, InFlightReply>();
  return {
    get: cache.get,
    /** If the same URL is already being handled, waits for its response. Otherwise, creates the response. */
    async coalesce(key: string, request: StoreRequest, createValue: () => Reply | Promise<Reply>): Promise<Reply> {
      for (
        let pendingEntry = activeReplies.get(key);
        pendingEntry !== undefined;
        pendingEntry = activeReplies.get(key)
      ) {
        pendingEntry.isAwaited = true;
        try {
          await pendingEntry.reply;
          const reply = cache.get(key)?.policy.tryReuse(request);
          if (reply !== undefined) return reply;
          break;
        } catch (error) {
          // The client of the first request has disconnected, so this request creates the response itself.
          if (!(error instanceof ClientDisconnectedError)) throw error;
        }
      }
      const reply = createValue();
      if (!(reply instanceof Promise)) return reply;
      const entry: InFlightReply = { reply, isAwaited: false };
      activeReplies.set(key, entry);
      try {
        return await reply;
      } finally {
        if (activeReplies.get(key) === entry) activeReplies.delete(key);
      }
    },
    /** Caches a response if its cache policy permits. */
    add(key: string, { reply: { cachePolicy: policy }, route, readStock }: CacheableReply): void {
      if (policy === undefined || !(cache.shouldCache(key, policy) || activeReplies.get(key)?.isAwaited === true))
        return;
      cache.set(key, { policy, route, stock: readStock() });
    },
  };
}

interface InFlightReply {
  readonly reply: Promise<Reply>;
  /** Whether another request waits for this response. */
  isAwaited: boolean;
}
