import type { Shop } from "../../../shop.ts";
import type { CartReplies } from "../../cart/cart-replies.ts";
import { findCart, loadSections, priceCartForRequest } from "../../cart/load-cart.ts";
import { getSnapshot } from "../../checkout/session-reservations.ts";
import type { Handler } from "../../route.ts";
import { formatSectionsMember, parseSections } from "../../sections/bundled-sections.ts";
import { requestsSectionMap } from "../../sections/section-ids.ts";
import { readVisitorToken } from "../../sessions/csrf-session.ts";
import { readCustomer } from "../../sessions/customer-session.ts";
import { ByteString, encodeUtf8 } from "../../wire/byte-string.ts";
import { createJsonReply, type Reply } from "../../wire/reply.ts";
import type { StoreRequest } from "../../wire/request.ts";

/** Handles `GET /cart.js` and `GET /cart.json`.  @see spec 4.2, 4.8 */
export async function handleCartRead(
  shop: Pick<Shop, "config" | "snapshot" | "carts" | "checkouts" | "process" | "keys" | "hooks" | "theme">,
  replies: CartReplies,
  request: StoreRequest,
): Promise<Reply> {
  const requestedSections = parseSections(request, shop);
  const snapshot = await getSnapshot(shop, request);
  const customer = await readCustomer(shop, request, snapshot.catalog);
  const cart = await findCart(shop, request);
  if (requestedSections.ids.length === 0) return replies.createReply(request, { cart, snapshot, customer });
  const pricedCart = await priceCartForRequest(shop, cart, snapshot, customer, request);
  const csrfToken = readVisitorToken(shop, request);
  const sections = await loadSections(shop, request, {
    requestedSections,
    snapshot,
    customer,
    pricedCart,
    csrfToken,
  });
  return createJsonReply(
    200,
    new ByteString(`{${encodeUtf8(replies.formatProperties(request, pricedCart))}${formatSectionsMember(sections)}}`),
  );
}

/**
 * Returns a handler for a path with a page and JSON. A script that accepts only JSON gets the JSON, such as the script of
 * a theme with `$.getJSON("/cart")`. Browsers, and requests for sections of the page, get HTML.
 */
export function selectByAccept({ html, json }: Readonly<Record<"html" | "json", Handler>>): Handler {
  return async (request) => {
    const { accept = "" } = request.headers;
    const acceptsOnlyJson = accept.includes("application/json") && !accept.includes("text/html");
    const isForSections = request.query.has("section_id") || requestsSectionMap(request.query);
    // Cached responses are found by URL only, so neither of the two is cached.
    const { cachePolicy, ...reply } = await (acceptsOnlyJson && !isForSections ? json : html)(request);
    return reply;
  };
}
