import type { Cart, Issue } from "../../cart/cart.ts";
import type { StoredCart } from "../../cart/cart-store.ts";
import { computeHomeCountryTaxes } from "../../cart/cart-taxes.ts";
import type { PricedCart } from "../../cart/priced-cart.ts";
import type { Customer } from "../../catalog/customer.ts";
import {
  addBankTransfer,
  addDelivery,
  type BankAccount,
  type CheckoutContent,
  type CheckoutSnapshot,
  type ShippingDetails,
  takeSnapshot,
  toTestContent,
} from "../../checkout/checkout-snapshot.ts";
import type { NewCheckout, OpeningResult } from "../../checkout/checkouts.ts";
import { reserveDiscounts } from "../../checkout/discount-uses.ts";
import type { RefundReason } from "../../checkout/order.ts";
import type { Taxes } from "../../pricing/taxes.ts";
import { createFieldProblem, Problem } from "../../problem.ts";
import type { Shop } from "../../shop.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import { priceCartForRequest } from "../cart/load-cart.ts";
import { awaitWithDeadline } from "../deadline.ts";
import { findAddressBlock } from "../wire/address-block.ts";
import type { StoreRequest } from "../wire/request.ts";

export type OpenCheckoutServices = Pick<
  Shop,
  "config" | "snapshot" | "carts" | "checkouts" | "limits" | "process" | "keys" | "hooks" | "management"
>;

interface ShopperContext {
  readonly snapshot: Snapshot;
  readonly customer: Customer | undefined;
}

/** The checkout of a cart, or the reason why there is none. */
export type OpenCheckoutResult =
  | {
      readonly checkout: CheckoutSnapshot;
      /** Notices for the shopper about the cart, such as a changed price. Empty if the checkout is already reserved. */
      readonly issues: readonly Issue[];
    }
  /** The completed checkout of a cart that was already ordered. */
  | { readonly orderedCheckout: CheckoutSnapshot }
  | {
      readonly unavailableReason: RefundReason | "price_unknown" | "customer_required";
      readonly pricedCart: PricedCart;
    };

/**
 * Returns the current checkout of a cart. Opens a new one if the cart, the language, or the customer has changed.
 * @param step "view" reserves only discount uses; "pay" also reserves stock, gift cards, and store credit
 * @throws Problem `cart_service_unavailable`
 */
export async function ensureCheckout(
  shop: OpenCheckoutServices,
  request: StoreRequest,
  cart: StoredCart,
  shopperContext: ShopperContext,
  step: "view" | "pay",
): Promise<OpenCheckoutResult> {
  const { customer } = shopperContext;
  const { locale, now } = request;
  const openCheckout = await awaitWithDeadline(shop.checkouts.findOpenCheckout(cart.checkoutId));
  if (
    openCheckout !== undefined &&
    matchesCart(openCheckout, cart, { locale, customer }) &&
    openCheckout.reservedUntil > now
  ) {
    await awaitWithDeadline(reserveLimitedDiscounts(shop, request, cart, openCheckout.content.priced));
    return { checkout: openCheckout, issues: [] };
  }
  let { pricedCart, content } = await priceCheckout(shop, request, cart, shopperContext);
  if (!(await awaitWithDeadline(reserveLimitedDiscounts(shop, request, cart, pricedCart))))
    ({ pricedCart, content } = await priceCheckout(shop, request, cart, shopperContext));
  if (content === undefined) return { unavailableReason: "price_unknown", pricedCart };
  // A customer who signed out keeps the cart.
  if (pricedCart.issues.some(({ code }) => code === "customer_required"))
    return { unavailableReason: "customer_required", pricedCart };
  const newCheckout = createCheckout(shop, request, cart, await getCheckoutId(shop, cart, content), content);
  if (step === "pay") {
    const reservation = await reserve(shop, request, newCheckout);
    if (reservation.outcome === "short") return { unavailableReason: reservation.reason, pricedCart };
    if (reservation.outcome === "ordered") return { orderedCheckout: reservation.checkout };
  } else if (pricedCart.lines.some(({ available }) => !available))
    return { unavailableReason: "out_of_stock", pricedCart };
  const { issues } = pricedCart;
  const storedCheckout = await awaitWithDeadline(shop.checkouts.find(newCheckout.id));
  if (storedCheckout !== undefined) return { checkout: storedCheckout, issues };
  await shop.checkouts.saveCheckout(newCheckout, now);
  const checkout = await awaitWithDeadline(shop.checkouts.find(newCheckout.id));
  // A concurrent request for the same cart replaced the checkout.
  if (checkout === undefined) throw new Problem("cart_service_unavailable", "The checkout was changed: try again.");
  return { checkout, issues };
}

/**
 * Temporarily reserves one use of each discount that has a usage limit. The number of reservations for each network is
 * also limited, so that one visitor cannot block a discount without ordering.
 * @returns false if a discount has no uses left
 */
async function reserveLimitedDiscounts(
  { checkouts: { discountUses }, limits }: Pick<Shop, "checkouts" | "limits">,
  { client, now }: Pick<StoreRequest, "client" | "now">,
  { checkoutId }: StoredCart,
  { limitedDiscounts }: Pick<PricedCart, "limitedDiscounts">,
): Promise<boolean> {
  const canReserve =
    limitedDiscounts.length > 0 && limits.consume("discount use by address", findAddressBlock(client.address), now);
  return !canReserve || reserveDiscounts(discountUses, limitedDiscounts, checkoutId, now);
}

/**
 * Prices the cart for a new checkout. Reserves and stores nothing.
 * @returns `content` is undefined if the merchant's price hook fails
 */
export async function priceCheckout(
  shop: OpenCheckoutServices,
  request: StoreRequest,
  cart: StoredCart,
  { snapshot, customer }: ShopperContext,
): Promise<{ readonly pricedCart: PricedCart; readonly content: CheckoutContent | undefined }> {
  await refreshStock(shop, cart, snapshot, request.now);
  const pricedCart = await priceCartForRequest(shop, cart, snapshot, customer, request);
  if (pricedCart.issues.some(({ code }) => code === "price_unknown")) return { pricedCart, content: undefined };
  const { locale } = request;
  return {
    pricedCart,
    content: takeSnapshot(pricedCart, { locale, customer, taxes: computeHomeCountryTaxes(shop.config, pricedCart) }),
  };
}

/**
 * Returns a copy of the checkout with the shipping details that the shopper entered. Its id is a digest of the details,
 * so submitting the same form twice creates only one checkout.
 */
export function applyChosenDelivery(
  shop: Pick<Shop, "config" | "carts" | "keys">,
  request: Pick<StoreRequest, "now">,
  source: { readonly base: CheckoutSnapshot; readonly cart: StoredCart },
  {
    delivery,
    taxes,
    bankAccount,
    isTest,
  }: {
    readonly delivery: ShippingDetails;
    readonly taxes: Taxes | undefined;
    /** Account of an order by bank transfer. Undefined for other payment methods. */
    readonly bankAccount: BankAccount | undefined;
    readonly isTest: boolean;
  },
): NewCheckout {
  const { base, cart } = source;
  const content = addBankTransfer(addDelivery(base.content, delivery, taxes), bankAccount);
  // A test order has a different id, so that a payment for the shopper's real checkout never pays the test order.
  if (isTest) {
    const id = digestId(shop, cart, "test checkout", `${base.id} ${JSON.stringify([delivery, bankAccount])}`);
    return createCheckout(shop, request, cart, id, toTestContent(content));
  }
  const id =
    content.bankTransfer === undefined
      ? getDeliveryId(shop, source, delivery)
      : digestId(shop, cart, "transfer checkout", `${base.id} ${JSON.stringify([delivery, bankAccount])}`);
  return createCheckout(shop, request, cart, id, content);
}

/** Reserves what a checkout needs, such as stock and gift cards, before its payment starts. */
export function reserve(
  { limits, checkouts, keys }: Pick<Shop, "limits" | "checkouts" | "keys">,
  { client: { address }, now }: Pick<StoreRequest, "client" | "now">,
  checkout: NewCheckout,
): Promise<OpeningResult> {
  // One IPv6 customer may have many /64 networks, so the larger /48 network is used.
  const network = keys.digest("reservations", findAddressBlock(address, { ipv4: 32, ipv6: 48 }));
  const canReserve = (): boolean =>
    limits.consume("reservation by cart", checkout.cartId, now) &&
    limits.consume("reservation by address", findAddressBlock(address), now);
  return checkouts.open(checkout, { network, canReserve }, now);
}

/**
 * Returns the id of the checkout that {@link applyChosenDelivery} creates. If the shipping details are unchanged, for
 * example after a failed payment, it is the id of the existing checkout.
 */
function getDeliveryId(
  shop: Pick<Shop, "carts" | "keys">,
  { base, cart }: { readonly base: CheckoutSnapshot; readonly cart: StoredCart },
  delivery: ShippingDetails,
): string {
  const content = JSON.stringify(delivery);
  if (JSON.stringify(base.content.delivery) === content) return base.id;
  return digestId(shop, cart, "checkout delivery", `${base.id} ${content}`);
}

/** Returns a digest as the id of a checkout, with the name of the cart's database if it has one. */
function digestId(
  { carts, keys }: Pick<Shop, "carts" | "keys">,
  { checkoutId }: StoredCart,
  purpose: string,
  text: string,
): string {
  return `${carts.idPrefixes?.getPrefix(checkoutId) ?? ""}${keys.digest(purpose, text)}`;
}

function matchesCart(
  { revision, content }: CheckoutSnapshot,
  cart: StoredCart,
  { locale, customer }: { readonly locale: string; readonly customer: Customer | undefined },
): boolean {
  return revision === cart.revision && content.locale === locale && content.customerId === customer?.id;
}

/**
 * Returns the id of a checkout. The first checkout of a cart has the id in the cart's checkout URL. The ids of later
 * ones are digests of their content, so that all servers compute the same id.
 */
async function getCheckoutId(
  shop: Pick<Shop, "carts" | "checkouts" | "keys">,
  cart: StoredCart,
  content: CheckoutContent,
): Promise<string> {
  const { checkoutId, revision } = cart;
  const contentJson = JSON.stringify(content);
  const firstCheckout = await awaitWithDeadline(shop.checkouts.find(checkoutId));
  const isFirstCheckout =
    firstCheckout === undefined ||
    (firstCheckout.revision === revision && JSON.stringify(firstCheckout.content) === contentJson);
  return isFirstCheckout && firstCheckout?.state !== "completed"
    ? checkoutId
    : digestId(shop, cart, "checkout", `${checkoutId} ${revision} ${contentJson}`);
}

function createCheckout(
  { config }: Pick<Shop, "config">,
  { now }: Pick<StoreRequest, "now">,
  { id: cartId, checkoutId: cartCheckoutId, revision }: StoredCart,
  id: string,
  content: CheckoutContent,
): NewCheckout {
  // Prices from hooks may be very large, and JavaScript does not represent amounts above 2^53 exactly.
  if (!Number.isSafeInteger(content.amount) || !Number.isSafeInteger(content.priced.originalTotal))
    throw createFieldProblem("quantity", "max", "The order's total would be too large: choose a smaller quantity.");
  const reservedUntil = now + config.checkout.holdMinutes * 60_000;
  return { id, cartId, cartCheckoutId, revision, reservedUntil, content };
}

/**
 * Reads the stock of the cart's variants from the merchant's warehouse hook, if configured. The new stock applies to
 * all visitors.
 */
export async function refreshStock(
  shop: Pick<Shop, "hooks" | "management" | "snapshot">,
  { lines }: Cart,
  { catalog, revision }: Pick<Snapshot, "catalog" | "revision">,
  now: number,
): Promise<void> {
  const ids = [...new Set(lines.map(({ variantId }) => variantId))];
  const trackedIds = ids.filter((id) => catalog.variant(id)?.variant.inventoryQuantity !== undefined);
  const counts = await shop.hooks.stockCounts.fetchQuantities(trackedIds);
  if (counts.length === 0) return;
  const batch = { absolute: counts, relative: [], expected: [], revision };
  const outcome = await shop.management.stock.change(
    batch,
    { scope: "stock hook", fingerprint: JSON.stringify(counts) },
    now,
  );
  // If the hook fails, the last known stock applies. The database checks the stock again when the order is placed.
  if (typeof outcome !== "string" && "levels" in outcome) shop.snapshot().stock.applyChanges(outcome.levels);
}
