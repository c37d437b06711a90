import { readOrderLink } from "../../../security/order-link.ts";
import type { Shop } from "../../../shop.ts";
import { toOrderPage } from "../../checkout/shown-order.ts";
import { withDeadline } from "../../deadline.ts";
import type { Reply } from "../../wire/reply.ts";
import type { StoreRequest } from "../../wire/request.ts";
import { type PageShop, renderPage } from "./page.ts";

/**
 * Handles `GET /orders/<token>`: shows an order to visitors with its signed link. `?thank_you=true` marks a new order.
 */
export async function orderPage(shop: PageShop & Pick<Shop, "checkouts">, request: StoreRequest): Promise<Reply> {
  const id = readOrderLink(shop.keys, request.params.token ?? "", request.now);
  const order = id === undefined ? undefined : await withDeadline(shop.checkouts.order(id));
  if (order === undefined) return renderPage(shop, request, { target: MISSING_PAGE_PATH });
  const reply = await renderPage(shop, request, {
    // The token opens the page for anyone, so templates must not see it.
    target: "/orders/order",
    order: toOrderPage(shop, order, request.locale, request.query.get("thank_you") === "true"),
  });
  return { ...reply, headers: { ...reply.headers, "referrer-policy": "no-referrer", "x-robots-tag": "noindex" } };
}

/** Path that no page has, for the theme's 404 page. */
const MISSING_PAGE_PATH = "/orders/";
