import type { Catalog } from "../../catalog/catalog.ts";
import type { CheckoutSnapshot } from "../../checkout/checkout-snapshot.ts";
import type { Shop } from "../../shop.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import { awaitWithDeadline } from "../deadline.ts";
import { type CartKind, readCartId } from "../sessions/cart-session.ts";
import { formatCookieName, readCookieValues, setCookie } from "../wire/cookies.ts";
import type { Reply } from "../wire/reply.ts";
import type { StoreRequest } from "../wire/request.ts";

/**
 * Returns a catalog snapshot with the stock that this shopper can buy. Units that are reserved by the shopper's own
 * checkout count as available. Without a checkout cookie, the database is not read.
 */
export async function getSnapshot(
  shop: Pick<Shop, "snapshot" | "checkouts" | "keys">,
  request: StoreRequest,
  kind: CartKind = "cart",
): Promise<Snapshot> {
  const snapshot = shop.snapshot();
  const [cartCheckoutId] = readCookieValues(request, formatCookieName(request, CHECKOUT_COOKIE));
  if (cartCheckoutId === undefined) return snapshot;
  const openCheckout = await awaitWithDeadline(shop.checkouts.findOpenCheckout(cartCheckoutId)).catch(() => undefined);
  if (openCheckout === undefined || readCartId(shop, request, kind) !== openCheckout.cartId) return snapshot;
  return { ...snapshot, catalog: addReservedUnits(snapshot.catalog, openCheckout) };
}

/** Adds the cookie that marks a shopper who has a checkout. */
export function addCheckoutCookie(
  shop: Pick<Shop, "config">,
  request: StoreRequest,
  reply: Reply,
  { cartCheckoutId }: Pick<CheckoutSnapshot, "cartCheckoutId">,
): Reply {
  const maxAge = shop.config.checkout.holdMinutes * 60;
  const cookie = setCookie(request, formatCookieName(request, CHECKOUT_COOKIE), cartCheckoutId, {
    maxAge,
    httpOnly: true,
  });
  const previousCookies = reply.headers["set-cookie"] ?? [];
  const cookies = [...(typeof previousCookies === "string" ? [previousCookies] : previousCookies), cookie];
  return { ...reply, headers: { ...reply.headers, "set-cookie": cookies } };
}

const CHECKOUT_COOKIE = "checkout_begun";

function addReservedUnits(catalog: Catalog, { content }: CheckoutSnapshot): Catalog {
  const reservedUnits = new Map(content.reservations.map(({ kind, id, units }) => [`${kind} ${id}`, units]));
  return {
    ...catalog,
    variant(id) {
      const offer = catalog.variant(id);
      const units = reservedUnits.get(`stock ${id}`);
      const stock = offer?.variant.inventoryQuantity;
      if (offer === undefined || units === undefined || stock === undefined) return offer;
      const variant = { ...offer.variant, inventoryQuantity: stock + units };
      const variants = offer.product.variants.map((candidate) => (candidate.id === id ? variant : candidate));
      return { product: { ...offer.product, variants }, variant };
    },
  };
}
