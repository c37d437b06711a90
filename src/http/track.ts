import { parseSameStorePath } from "../security/same-store-path.ts";
import type { Shop } from "../shop.ts";
import type { SignalEvent, VisitorSearch } from "../signals/signals.ts";
import { readVisitorId } from "./sessions/csrf-session.ts";
import type { StoreRequest } from "./wire/request.ts";

/** A completed search for analytics. */
export interface TrackedSearch extends Pick<VisitorSearch, "kind" | "q" | "isFound"> {
  /** Whether every word was found as typed. */
  readonly isExact?: boolean;
}

/** Tracks a search.  @param visitorId id of the visitor; needed if this response sets the visitor cookie */
export function trackSearch(
  { signals }: Pick<Shop, "signals">,
  request: StoreRequest,
  search: TrackedSearch,
  visitorId?: string,
): void {
  if (!signals.tracksVisits && search.isExact !== true) return;
  const visitor = findVisitorId(request, visitorId);
  if (visitor === undefined) return;
  const visit = readVisitFields(visitor, request);
  const referer =
    search.kind === "searched"
      ? request.origin + (parseSameStorePath(request.prefix + request.path + request.search) ?? "")
      : visit.referer;
  signals.track({ ...search, locale: request.locale, ...visit, referer });
}

/** Tracks the view of a product page. */
export function trackProductView({ signals }: Pick<Shop, "signals">, request: StoreRequest): void {
  const visitor = signals.tracksVisits ? findVisitorId(request) : undefined;
  if (visitor === undefined) return;
  signals.track({ kind: "clicked", product: request.params.handle ?? "", ...readVisitFields(visitor, request) });
}

/** Tracks that variants were added to the cart, or that the visitor sees the confirmation of an order with them. */
export function trackItems(
  { signals, snapshot }: Pick<Shop, "signals" | "snapshot">,
  request: StoreRequest,
  kind: "added" | "ordered",
  items: readonly { readonly variantId: string }[],
): void {
  const visitor = signals.tracksVisits ? findVisitorId(request) : undefined;
  if (visitor === undefined) return;
  const visit = readVisitFields(visitor, request);
  // The visitor may come from the payment provider's site, so the referrer is set to a page of this store.
  const referer = kind === "ordered" ? `${request.origin}/orders` : visit.referer;
  for (const { variantId } of items.slice(0, MAX_ITEMS)) {
    const product = snapshot().catalog.variant(variantId)?.product.handle;
    if (product !== undefined) signals.track({ ...visit, kind, referer, product });
  }
}

/** Maximum number of items that are tracked for one write. */
const MAX_ITEMS = 10;

/**
 * Returns the fields of a tracking event that come from the request: visitor, referrer, origin, IP address, and time.
 * The referrer is parsed later, because parsing is slow.
 */
function readVisitFields(
  visitor: string,
  request: StoreRequest,
): Pick<SignalEvent, "visitor" | "referer" | "origin" | "address" | "at"> {
  const { origin, client, now } = request;
  return { visitor, referer: request.headers.referer ?? "", origin, address: client.address, at: now };
}

/**
 * Returns the id of the visitor, or undefined if the visitor must not be tracked. These are visitors without a visitor
 * cookie, prefetches, and browsers with a privacy signal (Global Privacy Control, Do Not Track).
 */
function findVisitorId(request: StoreRequest, visitorId?: string): string | undefined {
  const { isHead, headers } = request;
  if (isHead || headers["sec-gpc"] === "1" || headers.dnt === "1") return undefined;
  const purposes = [headers["sec-purpose"], headers.purpose, headers["x-moz"]];
  return purposes.some((purpose) => purpose?.includes("prefetch")) ? undefined : (visitorId ?? readVisitorId(request));
}
