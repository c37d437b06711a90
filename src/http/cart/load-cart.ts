import { type Cart, emptyCart } from "../../cart/cart.ts";
import { collectBalances, findLimitedDiscounts, priceCart } from "../../cart/price-cart.ts";
import type { Balance, PricedCart } from "../../cart/priced-cart.ts";
import type { Customer } from "../../catalog/customer.ts";
import { findUsedUpDiscounts } from "../../checkout/discount-uses.ts";
import { type CartPrices, unknownPrices } from "../../hooks/cart-pricing.ts";
import type { HookCartLine } from "../../hooks/price-hooks.ts";
import type { Discount } from "../../pricing/discount.ts";
import type { Shop } from "../../shop.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
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
  const id = readCartId(shop, request);
  return (id === undefined ? undefined : await awaitWithDeadline(shop.carts.find(id))) ?? emptyCart;
}

/**
 * Returns a function that reads the shopper's cart for templates. If the database is unavailable, the cart is empty,
 * except on pages about the cart.
 * @throws Problem `cart_service_unavailable`
 */
export function createTemplateCart(
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

/** Time at which the prices of a cart apply, and language of the cart's messages. */
type PricingRequest = Pick<StoreRequest, "now" | "locale">;

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
  requestContext: PricingRequest,
  deadline?: number,
): PricedCart | Promise<PricedCart> {
  const discountsWithLimit = findLimitedDiscounts(cart, { catalog });
  const balances = collectBalances(cart, { catalog, ...(customer === undefined ? {} : { customer }) });
  const needsPricingHook = shop.hooks.cartPricing.isEnabled && cart.lines.length > 0;
  if (
    discountsWithLimit.length === 0 &&
    balances.length === 0 &&
    !needsPricingHook &&
    cart.lines.length <= MIN_LONG_CART_LINES
  )
    return priceCartGradually(shop, cart, { catalog, customer, pricingRequest: requestContext });
  return readAndPriceCart(
    shop,
    cart,
    { catalog, customer, pricingRequest: requestContext },
    { discountsWithLimit, balances, deadline },
  );
}

async function readAndPriceCart(
  shop: PricingServices,
  cart: Cart,
  context: {
    readonly catalog: Snapshot["catalog"];
    readonly customer: Customer | undefined;
    readonly pricingRequest: PricingRequest;
  },
  inputs: {
    readonly discountsWithLimit: readonly Discount[];
    readonly balances: readonly Balance[];
    readonly deadline: number | undefined;
  },
): Promise<PricedCart> {
  const { discountsWithLimit, balances, deadline } = inputs;
  const usedBalances =
    balances.length === 0
      ? undefined
      : await awaitWithDeadline(shop.checkouts.usedBalances(balances, cart.checkoutId), deadline);
  // Few discounts have a limited number of uses, so this read is usually skipped.
  const usedUpDiscounts =
    discountsWithLimit.length === 0
      ? undefined
      : await awaitWithDeadline(
          findUsedUpDiscounts(
            shop.checkouts.discountUses,
            discountsWithLimit,
            { checkoutId: cart.checkoutId, customerId: context.customer?.id },
            context.pricingRequest.now,
          ),
          deadline,
        );
  const hookPrices = shop.hooks.cartPricing.isEnabled
    ? await awaitWithDeadline(readHookPrices(shop, cart, context), deadline)
    : undefined;
  await waitForNextTurn(shop, cart.lines.length);
  return priceCartGradually(shop, cart, { ...context, usedUpDiscounts, usedBalances, hookPrices });
}

function readHookPrices(
  { config: { currency }, hooks: { cartPricing } }: Pick<Shop, "config" | "hooks">,
  { lines, discountCodes: codes }: Cart,
  {
    catalog,
    customer,
    pricingRequest: { locale },
  }: {
    readonly catalog: Snapshot["catalog"];
    readonly customer: Customer | undefined;
    readonly pricingRequest: PricingRequest;
  },
): Promise<CartPrices> {
  const hookLines = lines.flatMap(({ variantId, quantity, properties }): readonly HookCartLine[] => {
    const offer = catalog.variant(variantId);
    if (offer === undefined) return [];
    const { sku, price } = offer.variant;
    const variantFields = { variantId, ...(sku === undefined ? {} : { sku }), handle: offer.product.handle };
    return [{ ...variantFields, quantity, price, properties }];
  });
  return cartPricing.fetchPrices({
    currency,
    locale,
    ...(customer === undefined ? {} : { customerId: customer.id }),
    lines: hookLines,
    codes,
  });
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
  snapshot: Pick<Snapshot, "catalog">,
  customer: Customer | undefined,
  requestContext: PricingRequest,
): PricedCart | Promise<PricedCart> {
  const pricedCart = priceCartForRequest(
    shop,
    cart,
    snapshot,
    customer,
    requestContext,
    performance.now() + WRITTEN_CART_PRICING_TIMEOUT_MS,
  );
  if (!(pricedCart instanceof Promise)) return pricedCart;
  const hookPrices = shop.hooks.cartPricing.isEnabled ? unknownPrices : undefined;
  return pricedCart.catch(() =>
    priceCartGradually(shop, cart, { catalog: snapshot.catalog, customer, pricingRequest: requestContext, hookPrices }),
  );
}

function priceCartGradually(
  {
    config: {
      currency,
      cart: { maxQuantity },
    },
  }: Pick<Shop, "config">,
  cart: Cart,
  context: {
    readonly catalog: Snapshot["catalog"];
    readonly customer: Customer | undefined;
    readonly pricingRequest: PricingRequest;
    readonly usedUpDiscounts?: ReadonlySet<string> | undefined;
    readonly usedBalances?: ReadonlyMap<string, number> | undefined;
    readonly hookPrices?: CartPrices | undefined;
  },
): PricedCart {
  const { catalog, customer, usedUpDiscounts, usedBalances, hookPrices } = context;
  const { now, locale } = context.pricingRequest;
  return priceCart(cart, {
    catalog,
    currency,
    maxQuantity,
    now,
    locale,
    ...(customer === undefined ? {} : { customer }),
    ...(usedUpDiscounts === undefined ? {} : { usedUpDiscountIds: usedUpDiscounts }),
    ...(usedBalances === undefined ? {} : { usedBalances }),
    ...(hookPrices && {
      prices: hookPrices.prices,
      hookDiscounts: hookPrices.discounts,
      isPriceUncertain: hookPrices.isUnknown,
    }),
  });
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

/**
 * Renders the response field `sections` with the given cart. It is empty if no sections were requested.
 * @see spec 4.8
 */
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
  if (requestedSections.ids.length === 0) return {};
  const { catalog, index } = snapshot;
  const sectionData = {
    origin,
    catalog,
    index,
    now,
    lane,
    cart: () => pricedCart,
    searchRules: shop.snapshot().rules,
  };
  const visitor = {
    ...getCustomerData(shop, customer, requestedSections.locale),
    ...(csrfToken === undefined ? {} : { csrfToken }),
  };
  return { sections: await renderSections(shop, requestedSections, { ...sectionData, ...visitor }) };
}
