import type { StoredCart } from "../../cart/cart-store.ts";
import type { PricedCart } from "../../cart/priced-cart.ts";
import type { Customer } from "../../catalog/customer.ts";
import type { NewCheckout, Supply } from "../../checkout/checkouts.ts";
import { holdUses } from "../../checkout/discount-uses.ts";
import type { RefundReason } from "../../checkout/order.ts";
import {
  type CheckoutContent,
  type Delivery,
  picture,
  type SealedCheckout,
  withDelivery,
} from "../../checkout/sealed-checkout.ts";
import type { Taxes } from "../../pricing/taxes.ts";
import { invalid, Problem } from "../../problem.ts";
import type { Shop } from "../../shop.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import { priceFor } from "../cart/load-cart.ts";
import { withDeadline } from "../deadline.ts";
import { addressBlock } from "../wire/address-block.ts";
import type { StoreRequest } from "../wire/request.ts";
import { homeTaxes } from "./checkout-taxes.ts";
import { countStock } from "./count-stock.ts";

export type OpeningShop = Pick<
  Shop,
  | "config"
  | "snapshot"
  | "carts"
  | "checkouts"
  | "checkoutsByAddress"
  | "discountUses"
  | "turn"
  | "keyring"
  | "cartTerms"
  | "stockCounts"
  | "stockChanges"
  | "stock"
>;

/** A checkout that holds what it needs, or why it cannot be had. */
export type Opened =
  | { readonly checkout: SealedCheckout }
  | { readonly short: RefundReason | "price_unknown"; readonly priced: PricedCart };

/** The checkout of a cart as it is now: the one that is open, where the cart, the language and the customer are the same; else a new picture.
 *  @param step "look": nothing is held but uses of discounts; "begin": all that it needs is, in the place of what was held for the cart before
 *  @throws Problem `rate_limited`, `cart_service_unavailable` */
export async function openForCart(
  shop: OpeningShop,
  request: StoreRequest,
  cart: StoredCart,
  caller: { readonly snapshot: Snapshot; readonly customer: Customer | undefined },
  step: "look" | "begin",
): Promise<Opened> {
  const { snapshot, customer } = caller;
  const { locale, now } = request;
  const open = await withDeadline(shop.checkouts.findOpen(cart.checkoutId));
  if (open !== undefined && isOf(open, cart, { locale, customer }) && open.heldUntil > now) {
    await withDeadline(holdUses(shop.discountUses, open.content.priced.limitedDiscounts, cart.checkoutId, now));
    return { checkout: open };
  }
  await countStock(shop, cart, snapshot, now);
  let priced = await priceFor(shop, cart, snapshot, customer, request);
  const holding = holdUses(shop.discountUses, priced.limitedDiscounts, cart.checkoutId, now);
  if (!(await withDeadline(holding))) priced = await priceFor(shop, cart, snapshot, customer, request);
  if (priced.issues.some(({ code }) => code === "price_unknown")) return { short: "price_unknown", priced };
  const content = picture(priced, { locale, customer, taxes: homeTaxes(shop.config, priced) });
  const id = await idFor(shop, cart, content);
  if (step === "begin") {
    const short = await hold(shop, request, cart, id, content, snapshot);
    if (short !== undefined) return { short, priced };
  } else {
    if (priced.lines.some(({ available }) => !available)) return { short: "out_of_stock", priced };
    await shop.checkouts.keep(newCheckout(shop, request, cart, id, content), now);
  }
  const checkout = await withDeadline(shop.checkouts.find(id));
  // Those that came to nothing are swept, but none that is as new.
  if (checkout === undefined) throw new Problem("cart_service_unavailable", "The checkout was changed: try again.");
  return { checkout };
}

/** The same picture with what the shopper said of the delivery: another checkout in its place. It is told by what was said, so that a form that
 *  is sent twice opens one. */
export async function openWithDelivery(
  shop: OpeningShop,
  request: StoreRequest,
  of: { readonly base: SealedCheckout; readonly cart: StoredCart },
  { delivery, taxes }: { readonly delivery: Delivery; readonly taxes: Taxes | undefined },
  snapshot: Snapshot,
): Promise<{ readonly id: string; readonly short?: RefundReason }> {
  const { base, cart } = of;
  const content = withDelivery(base.content, delivery, taxes);
  const id = deliveryId(shop, base, delivery);
  const short = await hold(shop, request, cart, id, content, snapshot);
  return { id, ...(short === undefined ? {} : { short }) };
}

/** The id of the checkout that {@link openWithDelivery} opens: the base itself where it has that delivery already, as after a payment that came to
 *  nothing. */
export function deliveryId(shop: Pick<Shop, "keyring">, base: SealedCheckout, delivery: Delivery): string {
  const said = JSON.stringify(delivery);
  if (JSON.stringify(base.content.delivery) === said) return base.id;
  return shop.keyring.digest("checkout delivery", `${base.id} ${said}`);
}

/** What reservations are made against. */
export function supplyOf({ catalog, revision }: Snapshot): Supply {
  return {
    revision,
    quantity: (variantId) => catalog.variant(variantId)?.variant.inventoryQuantity,
  };
}

function isOf(
  { revision, content }: SealedCheckout,
  cart: StoredCart,
  { locale, customer }: { readonly locale: string; readonly customer: Customer | undefined },
): boolean {
  return revision === cart.revision && content.locale === locale && content.customerId === customer?.id;
}

/** A cart's first checkout bears the id of its address; each other one an id that its content tells, so that the same picture is the same
 *  checkout, whoever takes it. */
async function idFor(
  shop: Pick<Shop, "checkouts" | "keyring">,
  { checkoutId, revision }: StoredCart,
  content: CheckoutContent,
): Promise<string> {
  const text = JSON.stringify(content);
  const first = await withDeadline(shop.checkouts.find(checkoutId));
  const isFirst = first === undefined || (first.revision === revision && JSON.stringify(first.content) === text);
  return isFirst && first?.state !== "completed"
    ? checkoutId
    : shop.keyring.digest("checkout", `${checkoutId} ${revision} ${text}`);
}

async function hold(
  shop: OpeningShop,
  request: StoreRequest,
  cart: StoredCart,
  id: string,
  content: CheckoutContent,
  snapshot: Snapshot,
): Promise<RefundReason | undefined> {
  const address = addressBlock(request.client.address);
  if (!shop.checkoutsByAddress.take(address, request.now))
    throw new Problem("rate_limited", "Many checkouts were opened from here just now: please try again in a minute.");
  return shop.checkouts.open(newCheckout(shop, request, cart, id, content), supplyOf(snapshot), request.now);
}

function newCheckout(
  { config }: Pick<Shop, "config">,
  { now }: Pick<StoreRequest, "now">,
  { id: cartId, checkoutId: cartCheckoutId, revision }: StoredCart,
  id: string,
  content: CheckoutContent,
): NewCheckout {
  // Prices of a hook, taxes and delivery come on top of what a cart is held to. Past 2^53 no amount is exact.
  if (!Number.isSafeInteger(content.amount) || !Number.isSafeInteger(content.priced.originalTotal))
    throw invalid("quantity", "max", "The order's total would be too large: choose a smaller quantity.");
  const heldUntil = now + config.checkout.holdMinutes * 60_000;
  return { id, cartId, cartCheckoutId, revision, heldUntil, content };
}
