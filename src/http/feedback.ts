import { type Choice, choiceAfter } from "../predictive-search/choice-evidence.ts";
import type { DistantTrails, MadeSearch } from "../predictive-search/search-trails.ts";
import type { RawStep } from "../predictive-search/sessions/search-steps.ts";
import { parseSameStorePath } from "../security/same-store-path.ts";
import type { Shop } from "../shop.ts";
import { readVisitorId } from "./sessions/csrf-session.ts";
import { addressBlock } from "./wire/address-block.ts";
import { ownReferrer } from "./wire/referring-path.ts";
import { headerOf, type StoreRequest } from "./wire/request.ts";

export type FeedbackShop = Pick<
  Shop,
  "config" | "feedback" | "searchSteps" | "snapshot" | "searchRules" | "scheduler" | "log"
>;

/** A search that was answered. */
export interface AnsweredSearch extends Pick<MadeSearch, "q" | "source"> {
  /** Something holds all its words. */
  readonly isFound: boolean;
}

/** Remembers what a visitor searched, where searches are counted, or what they choose is learned from. @see SearchTrails
 *  @param visitorId as the answer's cookie has it, where it sets one */
export function noteSearch(
  { feedback, searchSteps }: Pick<Shop, "feedback" | "searchSteps">,
  request: StoreRequest,
  { q, source, isFound }: AnsweredSearch,
  visitorId?: string,
): void {
  if (feedback === undefined && searchSteps === undefined) return;
  const visitor = visitorOf(request, visitorId);
  if (visitor === undefined) return;
  const { locale, now, origin, client } = request;
  if (searchSteps !== undefined) {
    const referer = source === "page" ? origin + (pathOf(request) ?? "") : (headerOf(request, "referer") ?? "");
    const { address } = client;
    searchSteps.add({ kind: "searched", q, source, locale, isFound, visitor, referer, origin, address, at: now });
  }
  if (feedback === undefined || (source === "page" && !isFound)) return;
  const page = source === "page" ? pathOf(request) : ownReferrer(request);
  if (page !== undefined && q.trim() !== "") feedback.trails.searched(visitor, page, { q, source, locale }, now);
}

/** The page of the product that the path names was opened. */
export function noteOpened(shop: FeedbackShop, request: StoreRequest): void {
  if (shop.feedback === undefined && shop.searchSteps === undefined) return;
  const visitor = visitorOf(request);
  if (visitor === undefined) return;
  const handle = request.params.handle ?? "";
  shop.searchSteps?.add({ kind: "opened", product: handle, ...stepOf(request, visitor) });
  const page = shop.feedback && ownReferrer(request);
  if (page === undefined) return;
  afterAnswer(shop, async (trails) => {
    const product = shop.snapshot().catalog.product(handle)?.id;
    const search = product && (await trails.opened(visitor, page, product, request.now));
    if (search) count(shop, request, search, product, "opened");
  });
}

/** Variants were put into the cart. */
export function noteAdded(
  shop: FeedbackShop,
  request: StoreRequest,
  items: readonly { readonly variantId: string }[],
): void {
  if (shop.feedback === undefined && shop.searchSteps === undefined) return;
  const visitor = visitorOf(request);
  if (visitor === undefined) return;
  for (const { variantId } of shop.searchSteps === undefined ? [] : items.slice(0, MAX_ITEMS)) {
    const product = shop.snapshot().catalog.variant(variantId)?.product.handle;
    if (product !== undefined) shop.searchSteps?.add({ kind: "added", product, ...stepOf(request, visitor) });
  }
  afterAnswer(shop, async (trails) => {
    for (const { variantId } of items.slice(0, MAX_ITEMS)) {
      const product = shop.snapshot().catalog.variant(variantId)?.product.id;
      const search = product && (await trails.added(visitor, ownReferrer(request) ?? "", product, request.now));
      if (search) count(shop, request, search, product, "added");
    }
  });
}

/** Items of one write that are looked at. */
const MAX_ITEMS = 10;

/** What goes wrong here never becomes the answer's. */
function afterAnswer({ feedback, scheduler, log }: FeedbackShop, note: (trails: DistantTrails) => Promise<void>): void {
  if (feedback === undefined) return;
  scheduler
    .yield("background")
    .then(() => note(feedback.trails))
    .catch((error: unknown) => log.warn({ error }, "what was chosen after a search could not be counted"));
}

function count(
  { feedback, config, snapshot, searchRules }: FeedbackShop,
  { client, now }: StoreRequest,
  search: MadeSearch,
  product: string,
  step: Choice["step"],
): void {
  const { catalog, index } = snapshot();
  const { typoTolerance } = config.search;
  const choice = choiceAfter(search, product, step, { catalog, index, now, typoTolerance, rules: searchRules() });
  if (choice !== undefined) feedback?.choices.record(choice, addressBlock(client.address, { ipv4: 24, ipv6: 48 }), now);
}

/** What a step says of where and when it was done; what it costs to read an address is paid later. */
function stepOf(
  request: StoreRequest,
  visitor: string,
): Pick<RawStep, "visitor" | "referer" | "origin" | "address" | "at"> {
  const { origin, client, now } = request;
  return { visitor, referer: headerOf(request, "referer") ?? "", origin, address: client.address, at: now };
}

function pathOf({ prefix, path, search }: StoreRequest): string | undefined {
  return parseSameStorePath(prefix + path + search);
}

/** Whose trail it is; undefined where nothing may be learned: nobody known, nobody there (a page that is fetched ahead), or somebody who asks not
 *  to be tracked (Global Privacy Control, Do Not Track). */
function visitorOf(request: StoreRequest, visitorId?: string): string | undefined {
  if (request.isHead || headerOf(request, "sec-gpc") === "1" || headerOf(request, "dnt") === "1") return undefined;
  return isPrefetch(request) ? undefined : (visitorId ?? readVisitorId(request));
}

function isPrefetch({ headers }: StoreRequest): boolean {
  const purposes = [headers["sec-purpose"], headers.purpose, headers["x-moz"]];
  return purposes.some((purpose) => purpose?.includes("prefetch"));
}
