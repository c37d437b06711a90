import { parseSameStorePath } from "../security/same-store-path.ts";
import type { Shop } from "../shop.ts";
import type { MadeSearch, SignalEvent } from "../signals/signals.ts";
import { readVisitorId } from "./sessions/csrf-session.ts";
import { headerOf, type StoreRequest } from "./wire/request.ts";

/** A search with its result. */
export interface AnsweredSearch extends Pick<MadeSearch, "kind" | "q" | "isFound"> {
  /** Whether every word was found as typed. */
  readonly isExact?: boolean;
}

/** Tracks a search. @param visitorId the one in the response's cookie, if it sets one */
export function trackSearch(
  { signals }: Pick<Shop, "signals">,
  request: StoreRequest,
  search: AnsweredSearch,
  visitorId?: string,
): void {
  if (!signals.tracksVisits && search.isExact !== true) return;
  const visitor = visitorOf(request, visitorId);
  if (visitor === undefined) return;
  const visit = visitBy(visitor, request);
  const referer = search.kind === "searched" ? request.origin + (pathOf(request) ?? "") : visit.referer;
  signals.track({ ...search, locale: request.locale, ...visit, referer });
}

/** Tracks that the page of the product in the path was opened. */
export function trackProductView({ signals }: Pick<Shop, "signals">, request: StoreRequest): void {
  const visitor = signals.tracksVisits ? visitorOf(request) : undefined;
  if (visitor === undefined) return;
  signals.track({ kind: "clicked", product: request.params.handle ?? "", ...visitBy(visitor, request) });
}

/** Tracks variants that were added to the cart. */
export function trackAddToCart(
  { signals, snapshot }: Pick<Shop, "signals" | "snapshot">,
  request: StoreRequest,
  items: readonly { readonly variantId: string }[],
): void {
  const visitor = signals.tracksVisits ? visitorOf(request) : undefined;
  if (visitor === undefined) return;
  const visit = visitBy(visitor, request);
  for (const { variantId } of items.slice(0, MAX_ITEMS)) {
    const product = snapshot().catalog.variant(variantId)?.product.handle;
    if (product !== undefined) signals.track({ kind: "added", product, ...visit });
  }
}

/** Tracked items of one write. */
const MAX_ITEMS = 10;

/** The referrer is sent unparsed: parsing a URL costs more than all the rest. */
function visitBy(
  visitor: string,
  request: StoreRequest,
): Pick<SignalEvent, "visitor" | "referer" | "origin" | "address" | "at"> {
  const { origin, client, now } = request;
  return { visitor, referer: headerOf(request, "referer") ?? "", origin, address: client.address, at: now };
}

function pathOf({ prefix, path, search }: StoreRequest): string | undefined {
  return parseSameStorePath(prefix + path + search);
}

/** @returns undefined for visitors who must not be tracked: without a session, prefetching a page, or sending a signal not to be tracked (Global
 *  Privacy Control, Do Not Track) */
function visitorOf(request: StoreRequest, visitorId?: string): string | undefined {
  if (request.isHead || headerOf(request, "sec-gpc") === "1" || headerOf(request, "dnt") === "1") return undefined;
  return isPrefetch(request) ? undefined : (visitorId ?? readVisitorId(request));
}

function isPrefetch({ headers }: StoreRequest): boolean {
  const purposes = [headers["sec-purpose"], headers.purpose, headers["x-moz"]];
  return purposes.some((purpose) => purpose?.includes("prefetch"));
}
