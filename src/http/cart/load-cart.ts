import { type Cart, emptyCart } from "../../cart/cart.ts";
import { type CartPriceContext, collectBalances, findLimitedDiscounts, priceCart } from "../../cart/price-cart.ts";
import type { Balance, PricedCart } from "../../cart/priced-cart.ts";
import type { Customer } from "../../catalog/customer.ts";
import { findUsedUpDiscounts } from "../../checkout/discount-uses.ts";
import { unknownPrices } from "../../hooks/cart-pricing.ts";
import type { HookCart, HookCartLine } from "../../hooks/price-hooks.ts";
import type { Discount } from "../../pricing/discount.ts";
import type { Shop } from "../../shop.ts";
import type { ShopSnapshot, Snapshot } from "../../snapshot/snapshot.ts";
import type { RenderRequest } from "../../theme/theme.ts";
import { getSnapshot } from "../checkout/session-reservations.ts";
import { getCustomerData } from "../checkout/shown-order.ts";
import { awaitWithDeadline } from "../deadline.ts";
import { errorCodeOf } from "../error-responses.ts";
import { type RequestedSections, renderSections, type SectionsField } from "../sections/bundled-sections.ts";
import { readCartId } from "../sessions/cart-session.ts";
import type { StoreRequest } from "../wire/request.ts";

/**
 * Returns the shopper's cart, or an empty cart without a valid cookie. Reading never creates a cart.
 * @throws Problem `cart_service_unavailable`
 */
export async function findCart(shop: Pick<Shop, "carts" | "keys">, request: StoreRequest): Promise<Cart> {
  return readCart(shop, readCartId(shop, request));
}

/**
 * Returns the cart with this id; an empty cart if there is none, or without an id.
 * @throws Problem `cart_service_unavailable`
 */
export async function readCart({ carts }: Pick<Shop, "carts">, id: string | undefined): Promise<Cart> {
  return (id === undefined ? undefined : await awaitWithDeadline(carts.find(id))) ?? emptyCart;
}

/**
 * Returns a function that reads the shopper's cart for templates. If the database is unavailable, the cart is empty,
 * except on pages about the cart.
 * @throws Problem `cart_service_unavailable`
 */
function createTemplateCart(
  shop: PricingServices & Pick<Shop, "carts" | "keys" | "snapshot">,
  request: StoreRequest,
  customer: Customer | undefined,
): () => Promise<PricedCart> {
  return async () => {
    try {
      const cart = await findCart(shop, request);
      return await priceCartForRequest(shop, cart, await getSnapshot(shop, request), customer, request);
    } catch (error) {
      if (request.path === "/cart" || errorCodeOf(error) !== "cart_service_unavailable") throw error;
      return priceCartForRequest(shop, emptyCart, shop.snapshot(), undefined, request);
    }
  };
}

/** Returns the data that templates read in this request: catalog, cart, and customer. */
export function createRenderSources(
  shop: PricingServices & Pick<Shop, "carts" | "keys" | "snapshot">,
  request: StoreRequest,
  { catalog, index, rules }: Pick<ShopSnapshot, "catalog" | "index" | "rules">,
  customer: Customer | undefined,
): Omit<RenderRequest, "target"> {
  const { locale, origin, lane, now } = request;
  const cart = createTemplateCart(shop, request, customer);
  // Only the pages of the account need the orders.
  const customerData = getCustomerData(shop, customer, locale, !request.path.startsWith("/account"));
  return { locale, origin, catalog, index, cart, searchRules: rules, lane, now, ...customerData };
}

/** Parts of the shop that are used to price a cart. */
export type PricingServices = Pick<Shop, "config" | "checkouts" | "process" | "hooks">;

/**
 * Prices a cart for this request. The result is synchronous if no data must be read from the database.
 * @throws Problem `cart_service_unavailable`
 */
export function priceCartForRequest(
  shop: PricingServices,
  cart: Cart,
  { catalog }: Pick<Snapshot, "catalog">,
  customer: Customer | undefined,
  { now, locale }: Pick<StoreRequest, "now" | "locale">,
): PricedCart | Promise<PricedCart> {
  const {
    currency,
    cart: { maxQuantity },
  } = shop.config;
  return priceCartInContext(shop, cart, { catalog, currency, maxQuantity, now, locale, customer });
}

/** @param deadline end of the reads, in milliseconds of `performance.now()` */
function priceCartInContext(
  shop: PricingServices,
  cart: Cart,
  context: CartPriceContext,
  deadline?: number,
): PricedCart | Promise<PricedCart> {
  const limitedDiscounts = findLimitedDiscounts(cart, context);
  const balances = collectBalances(cart, context);
  const needsPricingHook = shop.hooks.cartPricing.isEnabled && cart.lines.length > 0;
  const needsReads = limitedDiscounts.length > 0 || balances.length > 0 || needsPricingHook;
  return needsReads || cart.lines.length > MIN_LONG_CART_LINES
    ? readAndPriceCart(shop, cart, context, { limitedDiscounts, balances, deadline })
    : priceCart(cart, context);
}

async function readAndPriceCart(
  shop: PricingServices,
  cart: Cart,
  context: CartPriceContext,
  inputs: {
    readonly limitedDiscounts: readonly Discount[];
    readonly balances: readonly Balance[];
    readonly deadline: number | undefined;
  },
): Promise<PricedCart> {
  const { limitedDiscounts, balances, deadline } = inputs;
  const { checkouts, hooks } = shop;
  const usedBalances =
    balances.length === 0
      ? undefined
      : await awaitWithDeadline(checkouts.usedBalances(balances, cart.checkoutId), deadline);
  const buyer = { checkoutId: cart.checkoutId, customerId: context.customer?.id };
  // Few discounts have a limited number of uses, so this read is usually skipped.
  const usedUpDiscountIds =
    limitedDiscounts.length === 0
      ? undefined
      : await awaitWithDeadline(
          findUsedUpDiscounts(checkouts.discountUses, limitedDiscounts, buyer, context.now),
          deadline,
        );
  const hookPrices = hooks.cartPricing.isEnabled
    ? await awaitWithDeadline(hooks.cartPricing.fetchPrices(createHookCart(cart, context)), deadline)
    : undefined;
  await waitForNextTurn(shop, cart.lines.length);
  return priceCart(cart, { ...context, usedUpDiscountIds, usedBalances, ...hookPrices });
}

function createHookCart(
  { lines, discountCodes: codes }: Cart,
  { catalog, currency, locale = "en", customer }: CartPriceContext,
): HookCart {
  const hookLines = lines.flatMap(({ variantId, quantity, properties }): readonly HookCartLine[] => {
    const offer = catalog.variant(variantId);
    if (offer === undefined) return [];
    const { sku, price } = offer.variant;
    const variantFields = { variantId, ...(sku === undefined ? {} : { sku }), handle: offer.product.handle };
    return [{ ...variantFields, quantity, price, properties }];
  });
  const customerField = customer === undefined ? {} : { customerId: customer.id };
  return { currency, locale, ...customerField, lines: hookLines, codes };
}

/** Maximum time for reads after a completed write, in milliseconds. */
const WRITTEN_CART_PRICING_TIMEOUT_MS = 500;

/**
 * Prices a cart after a completed write, which must not fail. If the database is unavailable, discounts with a limited
 * number of uses count as available. The checkout verifies them later.
 */
export function priceCartAfterWrite(
  shop: PricingServices,
  cart: Cart,
  context: CartPriceContext,
): PricedCart | Promise<PricedCart> {
  const deadline = performance.now() + WRITTEN_CART_PRICING_TIMEOUT_MS;
  const pricedCart = priceCartInContext(shop, cart, context, deadline);
  if (!(pricedCart instanceof Promise)) return pricedCart;
  const hookPrices = shop.hooks.cartPricing.isEnabled ? unknownPrices : undefined;
  return pricedCart.catch(() => priceCart(cart, { ...context, ...hookPrices }));
}

/**
 * Lets other requests run first if the cart is long, because pricing and serializing a long cart takes milliseconds.
 */
export function waitForNextTurn(
  { process: { scheduler } }: Pick<Shop, "process">,
  lines: number,
): Promise<void> | undefined {
  return lines > MIN_LONG_CART_LINES ? scheduler.yield("render") : undefined;
}

/** Number of lines from which a cart counts as long. */
const MIN_LONG_CART_LINES = 50;

/** Renders the response field `sections` with the given cart.  @see spec 4.8 */
export async function loadSections(
  shop: Pick<Shop, "theme" | "process" | "snapshot" | "checkouts" | "keys" | "config">,
  { origin, now, lane }: StoreRequest,
  state: {
    readonly requestedSections: RequestedSections;
    readonly snapshot: Snapshot;
    readonly customer: Customer | undefined;
    readonly pricedCart: PricedCart;
    readonly csrfToken: string | undefined;
  },
): Promise<SectionsField> {
  const { requestedSections, snapshot, customer, pricedCart, csrfToken } = state;
  const { catalog, index } = snapshot;
  const sources = { origin, catalog, index, now, lane, cart: () => pricedCart, searchRules: shop.snapshot().rules };
  const visitor = {
    ...getCustomerData(shop, customer, requestedSections.locale),
    ...(csrfToken === undefined ? {} : { csrfToken }),
  };
  return { sections: await renderSections(shop, requestedSections, { ...sources, ...visitor }) };
}
