import findMyWay from "find-my-way";
import type { Config } from "../config/settings.ts";
import { Problem } from "../problem.ts";
import { isDecodable } from "../runtime/decode-uri.ts";
import type { ErrorFormat } from "./error-responses.ts";
import type { Handler, Route, RouteMatch } from "./route.ts";
import { type Reply, redirect } from "./wire/reply.ts";
import { formatLocalePrefix, parseTarget, type RequestTarget, type StoreRequest } from "./wire/request.ts";

/** Finds the route of a request.  @param method "GET" for HEAD requests  @param url original URL of the request */
export type RouteFinder = (target: RequestTarget, method: string, url: string) => RouteMatch;

/** Creates the router.  @param showNotFound handles requests for pages that do not exist */
export function createRouteFinder(
  routes: readonly Route[],
  locales: Config["locales"],
  showNotFound: Handler,
): RouteFinder {
  // The router matches only the path. The method is checked later, because the error response lists the allowed
  // methods.
  const router = findMyWay({ caseSensitive: true, maxParamLength: MAX_PARAM_LENGTH });
  for (const route of routes) router.on("GET", route.path, noop, endpointsOf(route));

  const findEndpoints = ({ path, prefix }: RequestTarget): EndpointsMatch | undefined => {
    const match = router.find("GET", path);
    const endpoints: Endpoints | undefined = match?.store;
    if (match === null || endpoints === undefined || (prefix !== "" && endpoints.route.isUnprefixed)) return undefined;
    const params = match.params as Readonly<Record<string, string>>;
    // A path like "/collections/" must not match, because its parameter would be empty.
    for (const name in params) if (params[name] === "") return undefined;
    return { endpoints, params };
  };
  const matchTrimmedPath = (target: RequestTarget, method: string): RouteMatch => {
    const normalizedTarget = { ...target, path: target.path.slice(0, -1) };
    const match = findEndpoints(normalizedTarget);
    if (match === undefined) return createNotFoundMatch(target, method, showNotFound);
    const { route } = match.endpoints;
    if (route.format === "page" && method === "GET")
      return createRedirectMatch(
        "*",
        target,
        formatLocalePrefix(target.locale, locales) + normalizedTarget.path + target.search,
      );
    // Pages redirect a path with a trailing slash, but a write cannot be redirected, so it accepts the slash. Paths
    // like "/cart.js/" are rejected, because only web cache deception attacks use them.
    const hasExtraSlash = /[^./]\/$/.test(target.path) && !/\.[a-z]+\/$/.test(target.path);
    if (hasExtraSlash && !route.isUnprefixed && route.format !== "text")
      return createRouteMatch(match, normalizedTarget, method);
    return createNotFoundMatch(target, method, throwNotFound);
  };
  // Scripts of themes join the URL of the shop and a path with a slash each: "https://shop.example//variants/1".
  const matchMergedSlashes = (target: RequestTarget, method: string): RouteMatch => {
    const url = (target.prefix + target.path).replaceAll(/\/{2,}/g, "/") + target.search;
    const match = findRoute(parseTarget(url, locales), method, url);
    if (match.format === "text" || match.format === "search-json")
      return createNotFoundMatch(target, method, throwNotFound);
    // A write cannot be redirected. Reads are not answered at a second URL, which a cache could treat differently.
    return method === "GET" && match.pattern !== "*" ? createRedirectMatch("*", target, url) : match;
  };
  const findRoute: RouteFinder = (target, method, url) => {
    if (isMalformedPath(target.path)) return createNotFoundMatch(target, method, throwInvalidUrl, throwInvalidUrl);
    const match = findEndpoints(target);
    if (match === undefined) {
      if (target.path.includes("//")) return matchMergedSlashes(target, method);
      return target.path.endsWith("/")
        ? matchTrimmedPath(target, method)
        : createNotFoundMatch(target, method, showNotFound);
    }
    const { route } = match.endpoints;
    const needsRedirect = target.prefix !== "" && route.format === "page" && method === "GET";
    const canonicalLocation = needsRedirect ? toCanonicalUrl(target, url, locales) : undefined;
    return canonicalLocation === undefined
      ? createRouteMatch(match, target, method)
      : createRedirectMatch(route.path, target, canonicalLocation);
  };
  return findRoute;
}

/** Maximum length of a path parameter, in characters. A link with 100 items is longer than a thousand characters. */
const MAX_PARAM_LENGTH = 8_192;

type Endpoint = Omit<RouteMatch, "target" | "query" | "params">;

interface Endpoints {
  readonly route: Route;
  readonly GET: Endpoint;
  readonly POST: Endpoint;
  readonly PUT: Endpoint;
  /** Response to all other methods: an error. */
  readonly otherMethods: Endpoint;
}

interface EndpointsMatch {
  readonly endpoints: Endpoints;
  readonly params: RouteMatch["params"];
}

function endpointsOf(route: Route): Endpoints {
  const { path, format, methods, lane = format === "page" ? "render" : "read", priority, cacheAudience } = route;
  const queueForWrites = route.writeQueue ?? "write";
  const rejectMethod: Handler = (request) => rejectWrongMethod(route, request);
  const endpoint = { pattern: path, format, lane, priority, cacheAudience: undefined };
  return {
    route,
    GET: { ...endpoint, cacheAudience, handle: methods.GET ?? rejectMethod },
    POST: { ...endpoint, lane: queueForWrites, handle: methods.POST ?? rejectMethod },
    PUT: { ...endpoint, lane: queueForWrites, handle: methods.PUT ?? rejectMethod },
    otherMethods: { ...endpoint, handle: rejectMethod },
  };
}

function createRouteMatch({ endpoints, params }: EndpointsMatch, target: RequestTarget, method: string): RouteMatch {
  const isSupported = method === "GET" || method === "POST" || method === "PUT";
  const endpoint = isSupported ? endpoints[method] : endpoints.otherMethods;
  return { ...endpoint, target, query: new URLSearchParams(target.search), params };
}

/**
 * Returns the result for a path that matches no route.
 * @param showPage handles a request for a page
 * @param reject handles other requests
 */
function createNotFoundMatch(
  target: RequestTarget,
  method: string,
  showPage: Handler,
  reject: Handler = throwNotFound,
): RouteMatch {
  const format = chooseNotFoundFormat(target.path, method);
  const queueName = format === "page" ? "render" : "read";
  return createFallbackMatch("*", target, {
    format,
    handle: format === "page" ? showPage : reject,
    lane: method === "POST" ? "write" : queueName,
  });
}

function createRedirectMatch(pattern: string, target: RequestTarget, location: string): RouteMatch {
  return createFallbackMatch(pattern, target, { format: "page", handle: () => redirect(301, location), lane: "read" });
}

function createFallbackMatch(
  pattern: string,
  target: RequestTarget,
  endpoint: Pick<RouteMatch, "format" | "handle" | "lane">,
): RouteMatch {
  return {
    pattern,
    ...endpoint,
    priority: undefined,
    cacheAudience: undefined,
    target,
    query: new URLSearchParams(target.search),
    params: {},
  };
}

/**
 * Returns the canonical URL of a page if its URL is different. The canonical URL of a page in the default language has
 * no language prefix, and that of a home page in another language is "/fr", not "/fr/".
 */
function toCanonicalUrl(
  { prefix, path, search }: RequestTarget,
  url: string,
  locales: Config["locales"],
): string | undefined {
  if (prefix === `/${locales.default}`) return path + search;
  return url === `${prefix}/${search}` ? prefix + search : undefined;
}

/** Returns the format of the 404 response: a page, unless the path looks like an endpoint or a file. */
function chooseNotFoundFormat(path: string, method: string): ErrorFormat {
  if (path.startsWith("/search/suggest.json")) return "search-json";
  const isPageRequest =
    method === "GET" && !/\.[a-z0-9]{1,8}\/?$/i.test(path) && !/^\/(?:api|ucp|assets|media)\//.test(path);
  return isPageRequest && isDecodable(path) ? "page" : "json";
}

/** Reports whether a path contains control characters or invalid percent-encoding. */
function isMalformedPath(path: string): boolean {
  return path.includes("%") && (/%(?:[01][0-9a-f]|7f)/i.test(path) || !isDecodable(path));
}

/**
 * Handles a method that the route does not support. A browser that follows a link is passed to the route's link
 * handler.
 * @throws Problem `method_not_allowed`
 */
function rejectWrongMethod(route: Route, request: StoreRequest): Reply | Promise<Reply> {
  const isLinkNavigation = request.method === "GET" && request.headers.accept?.includes("text/html");
  if (isLinkNavigation && route.linkHandler !== undefined) return route.linkHandler(request);
  const { GET, POST, PUT } = route.methods;
  const allowedMethods = [GET && "GET, HEAD", POST && "POST", PUT && "PUT"].filter(Boolean).join(", ");
  throw new Problem("method_not_allowed", `This URL accepts only ${allowedMethods}.`, [], { allow: allowedMethods });
}

function throwNotFound(): never {
  throw new Problem("not_found", "Nothing is at this URL.");
}

function throwInvalidUrl(): never {
  throw new Problem("bad_request", "The address cannot be read.");
}

function noop(): void {}
