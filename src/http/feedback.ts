import { type Choice, choiceAfter } from "../predictive-search/choice-evidence.ts";
import type { DistantTrails, MadeSearch } from "../predictive-search/search-trails.ts";
import { parseSameStorePath } from "../security/same-store-path.ts";
import type { Shop } from "../shop.ts";
import { readVisitorId } from "./sessions/csrf-session.ts";
import { addressBlock } from "./wire/address-block.ts";
import { ownReferrer } from "./wire/referring-path.ts";
import { headerOf, type StoreRequest } from "./wire/request.ts";

export type FeedbackShop = Pick<Shop, "config" | "feedback" | "snapshot" | "searchRules" | "turn" | "log">;

/** Remembers what a visitor searched, where what they choose is learned from. @see SearchTrails
 *  @param visitorId as the answer's cookie has it, where it sets one */
export function noteSearch(
  { feedback }: Pick<Shop, "feedback">,
  request: StoreRequest,
  search: Pick<MadeSearch, "q" | "source">,
  visitorId?: string,
): void {
  if (feedback === undefined) return;
  const visitor = visitorOf(request, visitorId);
  const isPage = search.source === "page";
  const page = isPage ? parseSameStorePath(request.prefix + request.path + request.search) : ownReferrer(request);
  if (visitor === undefined || page === undefined || search.q.trim() === "") return;
  const { locale, now } = request;
  feedback.trails.searched(visitor, page, { ...search, locale }, now);
}

/** The page of the product that the path names was opened. */
export function noteOpened(shop: FeedbackShop, request: StoreRequest): void {
  const visitor = shop.feedback && visitorOf(request);
  const page = ownReferrer(request);
  if (visitor === undefined || page === undefined) return;
  afterAnswer(shop, async (trails) => {
    const product = shop.snapshot().catalog.product(request.params.handle ?? "")?.id;
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
  const visitor = shop.feedback && visitorOf(request);
  if (visitor === undefined) return;
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
function afterAnswer({ feedback, turn, log }: FeedbackShop, note: (trails: DistantTrails) => Promise<void>): void {
  if (feedback === undefined) return;
  turn()
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

/** Whose trail it is; undefined where nothing may be learned: nobody known, nobody there (a page that is fetched ahead), or somebody who asks not
 *  to be tracked (Global Privacy Control, Do Not Track). */
function visitorOf(request: StoreRequest, visitorId?: string): string | undefined {
  if (request.isHead || headerOf(request, "sec-gpc") === "1" || headerOf(request, "dnt") === "1") return undefined;
  const purpose = `${headerOf(request, "sec-purpose")} ${headerOf(request, "purpose")} ${headerOf(request, "x-moz")}`;
  return purpose.includes("prefetch") ? undefined : (visitorId ?? readVisitorId(request));
}
