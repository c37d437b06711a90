import { type Cart, emptyCart } from "../../cart/cart.ts";
import { dependsOnOtherOrders } from "../../cart/price-cart.ts";
import type { PricedCart } from "../../cart/priced-cart.ts";
import type { Customer } from "../../catalog/customer.ts";
import type { StockWatcher } from "../../catalog/live/stock-reads.ts";
import { createCache } from "../../runtime/cache.ts";
import type { Shop } from "../../shop.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import { type CartSerializer, formatCartMembers } from "../json/cart-text.ts";
import { JsonText } from "../json/inert-json.ts";
import { MAX_AGE_MS } from "../response-cache.ts";
import { readCartId } from "../sessions/cart-session.ts";
import { hasCustomerCookie } from "../sessions/customer-session.ts";
import { createJsonReply, type Reply } from "../wire/reply.ts";
import { formatLocalePrefix, type StoreRequest } from "../wire/request.ts";
import type { IssueSerializer } from "./issue-serializer.ts";
import { priceCartForRequest } from "./load-cart.ts";

/** Creates the responses of requests that read the cart. Responses that depend only on the cart are cached. */
export interface CartReplies {
  createReply(request: StoreRequest, cartContext: CartContext): Promise<Reply>;
  /** Returns the properties of a cart's JSON object, without braces. */
  formatProperties(request: StoreRequest, pricedCart: PricedCart): string;
}

export interface CartContext {
  readonly cart: Cart;
  readonly snapshot: Snapshot;
  readonly customer: Customer | undefined;
}

type CartReplyServices = Pick<Shop, "config" | "snapshot" | "carts" | "checkouts" | "process" | "keys" | "hooks">;

/** Creates the responses of cart reads.  @param maxBytes maximum memory of cached responses, in bytes */
export function createCartReplies(
  shop: CartReplyServices,
  {
    cartSerializer,
    issueSerializer,
    maxBytes,
  }: { readonly cartSerializer: CartSerializer; readonly issueSerializer: IssueSerializer; readonly maxBytes: number },
): CartReplies {
  /** Cache of the latest response for each cart, because several scripts of one page often read the same cart. */
  const cache = createCache<Cart, Entry>({
    name: "cart_responses",
    maxWeight: maxBytes,
    weigh: ({ reply }) => reply.body.length + ENTRY_OVERHEAD_BYTES,
    maxAgeMs: MAX_AGE_MS,
    now: () => shop.process.now(),
    isCurrent: ({ stock }) => stock.isCurrent(),
  });
  const findCachedReply = (cart: Cart, { snapshot, locale }: CartResponseView): Reply | undefined => {
    const entry = cache.get(cart);
    return entry?.snapshot === snapshot && entry.locale === locale ? entry.reply : undefined;
  };

  const formatMembers = ({ locale, now }: StoreRequest, pricedCart: PricedCart): string => {
    const view = { locale, prefix: formatLocalePrefix(locale, shop.config.locales) };
    const cartFields = formatCartMembers(cartSerializer.serialize(pricedCart, view));
    return `${cartFields},"issues":${issueSerializer.serialize(pricedCart.issues, view, now)}`;
  };
  /** Returns the cached response for the cart in the request's cookie, if that cart is in memory. */
  const reuseReply = (request: StoreRequest, snapshot: Snapshot): Reply | undefined => {
    if (hasCustomerCookie(shop, request)) return undefined;
    const id = readCartId(shop, request);
    const cart = id === undefined ? emptyCart : shop.carts.findCached?.(id);
    if (cart === undefined || dependsOnOtherOrders(cart, snapshot)) return undefined;
    return findCachedReply(cart, { snapshot, locale: request.locale });
  };
  return {
    formatProperties: formatMembers,
    async createReply(request, { cart, snapshot, customer }) {
      const view = { snapshot, locale: request.locale };
      // The response also depends on the customer's store credit, and on hooks, which may change prices at any time.
      const dependsOnCartOnly =
        customer === undefined && !shop.hooks.cartPricing.isEnabled && !dependsOnOtherOrders(cart, snapshot);
      const cachedReply = dependsOnCartOnly ? findCachedReply(cart, view) : undefined;
      if (cachedReply !== undefined) return cachedReply;
      const getStockWatcher = shop.snapshot().stock.watch();
      const pricedCart = await priceCartForRequest(shop, cart, snapshot, customer, request);
      const reply: Reply = {
        ...createJsonReply(200, new JsonText(`{${formatMembers(request, pricedCart)}}`)),
        compress: "fast",
      };
      if (!dependsOnCartOnly) return reply;
      const cachePolicy = {
        source: snapshot,
        bytes: 0,
        tryReuse: (nextRequest: StoreRequest) => reuseReply(nextRequest, snapshot),
      };
      const reusableReply = { ...reply, body: Buffer.from(String(reply.body)), cachePolicy };
      cache.set(cart, { ...view, reply: reusableReply, stock: getStockWatcher() });
      return reusableReply;
    },
  };
}

/** Data on which a cart response depends, besides the cart. */
interface CartResponseView {
  readonly snapshot: Snapshot;
  readonly locale: string;
}

/** Approximate memory of a cached response in addition to its body, in bytes. */
const ENTRY_OVERHEAD_BYTES = 1_000;

type CachedReply = Reply & { readonly body: Uint8Array };

interface Entry extends CartResponseView {
  readonly reply: CachedReply;
  readonly stock: StockWatcher;
}
