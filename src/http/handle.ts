import { Problem } from "../problem.ts";
import type { Shop } from "../shop.ts";
import { createAnswerCache } from "./answer-cache.ts";
import { createFinder, type Find, isDecodable, withoutSlash } from "./find-route.ts";
import { type Admission, OVERLOADED, type Ticket } from "./overload/admission.ts";
import { type ErrorFormat, refuse } from "./refusals.ts";
import type { Route } from "./route.ts";
import { page } from "./routes/pages/page.ts";
import { createRoutes } from "./routes.ts";
import { asksForSections } from "./sections/section-ids.ts";
import { isStranger } from "./sessions/stranger.ts";
import { createKeptByNobody } from "./wire/own-host.ts";
import { ClientGone } from "./wire/read-body.ts";
import { type Reply, redirect } from "./wire/reply.ts";
import { headerOf, localePrefix, parseTarget, type StoreRequest, type Target } from "./wire/request.ts";

/** A request before its path is looked at. */
export type Arrived = Omit<StoreRequest, keyof Target | "query" | "params" | "admit" | "now"> & {
  /** Path and query as they came. */
  readonly url: string;
  /** Told the pattern of the route. */
  readonly onRoute: ((pattern: string) => void) | undefined;
};

/** Answers requests. */
export interface Handle {
  /** Finds what a path means and answers, be it with a refusal; at once where the answer is kept. The answer's promise fails with `ClientGone` alone. */
  readonly handle: (arrived: Arrived) => Reply | Promise<Reply>;
  /** The answer while there is no room: what is kept, which takes no longer than a refusal, else that. @returns undefined for files: they wait */
  readonly refuseOrLook: (arrived: Arrived) => Reply | undefined;
  /** Whether requests for this address are answered before all others. @param url path and query as they came */
  readonly goesFirst: (url: string) => boolean;
}

export function createHandle(
  shop: Shop,
  options: Parameters<typeof createRoutes>[1] & { readonly admission: Admission },
): Handle {
  const routes = createRoutes(shop, options);
  const find = createFinder(routes);
  const first = new Set(routes.filter(({ whenBusy }) => whenBusy === "always").map(({ path }) => path));
  const { admission } = options;
  const kept = createAnswerCache<Place>();
  /** By address: the answer to a stranger that is being made and may be kept. */
  const making = new Map<string, Promise<unknown>>();
  /** Of these, those that somebody waits for. */
  const awaited = new Set<string>();
  /** Made once, as they are given when there is no time. */
  const refusals = new Map<ErrorFormat, Reply>();
  const keptByNobody = shop.config.origin === undefined ? createKeptByNobody() : undefined;
  const settle = (reply: Reply, { client }: Arrived): Reply => keptByNobody?.(reply, client) ?? reply;

  const keptAnswer = (arrived: Arrived, name: string, now: number): Reply | undefined => {
    const answer = kept.find(shop.snapshot(), name, now);
    if (answer === undefined) return undefined;
    const { pattern, target } = answer.where;
    const reply = answer.keep.again(requestOf(arrived, target, { now, admit: admission.admitLook }));
    if (reply !== undefined) arrived.onRoute?.(pattern);
    return reply;
  };
  /** Who asks for what is just being made for another waits for that: of a crowd that opens one page, one has it rendered. */
  const madeMeanwhile = async (request: StoreRequest, name: string): Promise<Reply | undefined> => {
    awaited.add(name);
    await making.get(name)?.catch(() => undefined);
    return kept.find(shop.snapshot(), name, request.now)?.keep.again(request);
  };
  /** @param begin the time; what it throws is answered as a bug */
  const answer = async (arrived: Arrived, name: string, begin: () => number): Promise<Reply> => {
    const asSent = parseTarget(arrived.url, shop.config.locales);
    const { target, found } = withoutSlash(asSent, arrived.method, find) ?? { target: asSent, found: find(asSent) };
    if (found !== undefined) arrived.onRoute?.(found.route.path);
    const query = new URLSearchParams(target.search);
    const ticket = admission.open(arrived.method);
    let made: Promise<Reply> | undefined;
    try {
      const now = begin();
      const parsed = { ...target, query, params: found?.params ?? {} };
      const request = requestOf(arrived, parsed, { now, admit: ticket.admit });
      const isAlike = isAlikeForAll(shop, found?.route, request);
      if (isAlike && making.has(name)) {
        ticket.admit();
        const reply = await madeMeanwhile(request, name);
        if (reply !== undefined) return reply;
      }
      admitTo(found?.route, arrived.method, { admission, ticket });
      checkSpelling(target.path);
      if (found === undefined) return await nothingThere(shop, request, find);
      const { route } = found;
      const read = shop.stock.watch();
      const canonical = route.format === "page" ? pageElsewhere(arrived.url, target, shop.config.locales) : undefined;
      if (canonical !== undefined && request.method === "GET") return redirect(301, canonical);
      const handler = route.methods[request.method as "GET" | "POST"];
      const answering = handler === undefined ? notAllowed(route, request) : handler(request);
      if (isAlike && answering instanceof Promise) {
        made = answering;
        making.set(name, made);
      }
      const reply = await answering;
      if (reply.keep !== undefined && request.method === "GET" && (kept.wants(name, reply.keep) || awaited.has(name)))
        kept.keep(name, {
          keep: reply.keep,
          madeAt: now,
          stock: read(),
          where: { pattern: route.path, target: parsed },
        });
      return reply;
    } catch (error) {
      if (error instanceof ClientGone) throw error;
      return refuse(
        error,
        errorFormat({ ...target, query, method: arrived.method }, found?.route),
        shop.log,
        found?.route.path ?? "*",
      );
    } finally {
      if (made !== undefined && making.get(name) === made) {
        making.delete(name);
        awaited.delete(name);
      }
      ticket.close();
    }
  };
  const handle = (arrived: Arrived): Reply | Promise<Reply> => {
    const name = nameOf(arrived);
    let begin = shop.now;
    try {
      const known = arrived.method === "GET" ? keptAnswer(arrived, name, shop.now()) : undefined;
      if (known !== undefined) return settle(known, arrived);
    } catch (error) {
      begin = () => {
        throw error;
      };
    }
    const reply = answer(arrived, name, begin);
    return keptByNobody === undefined ? reply : reply.then((made) => keptByNobody(made, arrived.client));
  };
  const refuseOrLook = (arrived: Arrived): Reply | undefined => {
    const known = keptAnswer(arrived, nameOf(arrived), shop.now());
    if (known !== undefined) return settle(known, arrived);
    const target = parseTarget(arrived.url, shop.config.locales);
    const route = find(target)?.route;
    if (route?.whenBusy === "waits") return undefined;
    arrived.onRoute?.(route?.path ?? "*");
    const format = errorFormat({ ...target, method: arrived.method, query: new URLSearchParams(target.search) }, route);
    const refusal = refusals.get(format) ?? refuse(OVERLOADED, format, shop.log, "*");
    refusals.set(format, refusal);
    return refusal;
  };
  return { handle, refuseOrLook, goesFirst: (url) => first.has(url) };
}

type ParsedTarget = Target & Pick<StoreRequest, "query" | "params">;

/** Of an address: the pattern of its route, and its parts. */
interface Place {
  readonly pattern: string;
  readonly target: ParsedTarget;
}

function requestOf(
  arrived: Arrived,
  target: ParsedTarget,
  { now, admit }: Pick<StoreRequest, "now" | "admit">,
): StoreRequest {
  const { method, isHead, headers, origin, client, isSecure, readBody } = arrived;
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
    admit,
    now,
  };
}

/** By which an answer is kept. */
function nameOf({ origin, url }: Arrived): string {
  return `${origin} ${url}`;
}

/** @throws Problem `overloaded` */
function admitTo(
  route: Route | undefined,
  method: string,
  { admission, ticket }: { readonly admission: Admission; readonly ticket: Ticket },
): void {
  if (route?.whenBusy === "always") return;
  if (route?.whenBusy === "looks" || route?.whenBusy === "waits") admission.admitLook();
  else ticket.admit(method === "GET" && (route?.format ?? "page") === "page" ? 1 : 0);
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
  if (method === "GET" && trimmed !== path && find({ path: trimmed, prefix })?.route.format === "page")
    return redirect(301, localePrefix(locale, shop.config.locales) + trimmed + search);
  if (method === "GET" && missingFormat(request) === "page") return page(shop, request);
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
