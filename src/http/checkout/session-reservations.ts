import type { Catalog } from "../../catalog/catalog.ts";
import type { CheckoutSnapshot } from "../../checkout/checkout-snapshot.ts";
import type { Shop } from "../../shop.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import { withDeadline } from "../deadline.ts";
import { type CartKind, readCartId } from "../sessions/cart-session.ts";
import { cookieValues, hostCookie, setCookie } from "../wire/cookies.ts";
import type { Reply } from "../wire/reply.ts";
import type { StoreRequest } from "../wire/request.ts";

/**
 * Returns the snapshot with the stock that this shopper can buy: units reserved by the shopper's own checkout count as
 * available. Only shoppers with a checkout cookie need this read.
 */
export function snapshotFor(
  shop: Pick<Shop, "snapshot" | "checkouts" | "keys">,
  request: StoreRequest,
  kind: CartKind = "cart",
): Snapshot | Promise<Snapshot> {
  const snapshot = shop.snapshot();
  const [address] = cookieValues(request, hostCookie(request, COOKIE));
  return address === undefined ? snapshot : withSessionReservations(shop, request, { snapshot, kind, address });
}

async function withSessionReservations(
  shop: Pick<Shop, "checkouts" | "keys">,
  request: StoreRequest,
  from: { readonly snapshot: Snapshot; readonly kind: CartKind; readonly address: string },
): Promise<Snapshot> {
  const { snapshot, kind, address } = from;
  const open = await withDeadline(shop.checkouts.findOpen(address)).catch(() => undefined);
  if (open === undefined || readCartId(shop, request, kind) !== open.cartId) return snapshot;
  return { ...snapshot, catalog: withUnits(snapshot.catalog, open) };
}

/** Returns the reply with the cookie that marks a shopper with a checkout. */
export function withCheckoutCookie(
  shop: Pick<Shop, "config">,
  request: StoreRequest,
  reply: Reply,
  { cartCheckoutId }: Pick<CheckoutSnapshot, "cartCheckoutId">,
): Reply {
  const maxAge = shop.config.checkout.holdMinutes * 60;
  const cookie = setCookie(request, hostCookie(request, COOKIE), cartCheckoutId, { maxAge, httpOnly: true });
  const before = reply.headers["set-cookie"] ?? [];
  const cookies = [...(typeof before === "string" ? [before] : before), cookie];
  return { ...reply, headers: { ...reply.headers, "set-cookie": cookies } };
}

const COOKIE = "checkout_begun";

function withUnits(catalog: Catalog, { content }: CheckoutSnapshot): Catalog {
  const reserved = new Map(content.reservations.map(({ kind, id, units }) => [`${kind} ${id}`, units]));
  return {
    ...catalog,
    variant(id) {
      const offer = catalog.variant(id);
      const units = reserved.get(`stock ${id}`);
      const left = offer?.variant.inventoryQuantity;
      if (offer === undefined || units === undefined || left === undefined) return offer;
      const variant = { ...offer.variant, inventoryQuantity: left + units };
      const variants = offer.product.variants.map((one) => (one.id === id ? variant : one));
      return { product: { ...offer.product, variants }, variant };
    },
  };
}
