import type { Customer } from "../catalog/customer.ts";
import { countUnitsInStock } from "../catalog/stock.ts";
import type { Discount } from "../pricing/discount.ts";
import { hasUsageLimit, isCartDiscount } from "../pricing/discount-rules.ts";
import { type Allocation, payFromBalances } from "../pricing/totals.ts";
import { applyDiscounts, type DiscountContext, type OfferedLine } from "./apply-discounts.ts";
import type { Cart, Issue, Line } from "./cart.ts";
import { createUnusableCodeIssue, maskCode, type SubmittedCode } from "./edits/submitted-codes.ts";
import type { Balance, DiscountAllocation, DiscountApplication, PricedCart, PricedLine } from "./priced-cart.ts";
import { computeLargestAllowedQuantity, countRemainingStock } from "./quantity.ts";
import { createLoginIssue, createStockIssue, findMessages, type LocaleContext } from "./quantity-issues.ts";
import { reconcileCart } from "./reconcile.ts";

export interface CartPriceContext extends LocaleContext, DiscountContext {
  readonly currency: string;
  /** Maximum units of one line. */
  readonly maxQuantity: number;
  /** The signed-in customer, whose store credit can pay. */
  readonly customer?: Customer | undefined;
  /** Spent or reserved amounts in minor units, by kind and ID of the balance, such as "gift_card 12". */
  readonly usedBalances?: ReadonlyMap<string, number> | undefined;
  /** Prices from the merchant's hook for this cart, in minor units by variant ID. */
  readonly prices?: ReadonlyMap<string, number>;
  /** Whether a hook for prices or discounts failed, so that the final price is unknown. */
  readonly isPriceUncertain?: boolean;
}

/** Returns the gift cards and store credit that can pay for a cart. The caller must look up their used amounts. */
export function collectBalances(
  cart: Cart,
  { catalog, customer }: Pick<CartPriceContext, "catalog" | "customer">,
): readonly Balance[] {
  if (cart.lines.length === 0) return [];
  const cards = cart.giftCards.flatMap((code) => catalog.giftCard(code) ?? []);
  return [
    ...cards.map(({ id, balance }): Balance => ({ kind: "gift_card", id, loaded: balance, available: balance })),
    ...(customer !== undefined && customer.storeCredit > 0 ? [toCreditBalance(customer, customer.storeCredit)] : []),
  ];
}

function toCreditBalance({ id, storeCredit: loaded }: Customer, available: number): Balance {
  return { kind: "store_credit", id, loaded, available };
}

/** Returns the discounts with a usage limit that may apply. The caller must look up their remaining uses. */
export function findLimitedDiscounts(cart: Cart, { catalog }: Pick<CartPriceContext, "catalog">): readonly Discount[] {
  const automaticDiscounts = catalog.automaticDiscounts();
  if (cart.lines.length === 0 || (automaticDiscounts.length === 0 && cart.discountCodes.length === 0)) return [];
  const codeDiscounts = cart.discountCodes.flatMap((code) => catalog.discount(code) ?? []);
  return [...automaticDiscounts, ...codeDiscounts].filter(hasUsageLimit);
}

/** Returns whether orders of other carts can change the price, because of limited discounts or balances. */
export function dependsOnOtherOrders(cart: Cart, context: Pick<CartPriceContext, "catalog" | "customer">): boolean {
  return findLimitedDiscounts(cart, context).length > 0 || collectBalances(cart, context).length > 0;
}

/** Prices a cart by the current catalog, stock and discounts.  @see spec 2.3 */
export function priceCart(cart: Cart, context: CartPriceContext): PricedCart {
  const reconcileResult = reconcileCart(cart, context);
  const { discountCodes, giftCards, lines } = reconcileResult.cart;
  const offers = reconcileResult.offers.map(
    ({ product, variant }, index): OfferedLine => ({ line: lines[index] as Line, product, variant }),
  );
  const hasNoDiscounts =
    context.customer === undefined &&
    discountCodes.length === 0 &&
    giftCards.length === 0 &&
    (context.hookDiscounts ?? emptyList).length === 0 &&
    context.catalog.automaticDiscounts().length === 0;
  return hasNoDiscounts
    ? priceCartWithoutDiscounts(reconcileResult, offers, context)
    : priceCartWithDiscounts(reconcileResult, offers, context);
}

/** Fast path of {@link priceCartWithDiscounts} for a cart to which no discount can apply. */
function priceCartWithoutDiscounts(
  { cart, issues }: { readonly cart: Cart; readonly issues: readonly Issue[] },
  offers: readonly OfferedLine[],
  context: CartPriceContext,
): PricedCart {
  const stock = computeLineStock(offers, context.maxQuantity);
  let total = 0;
  let itemCount = 0;
  let totalWeight = 0;
  let requiresShipping = false;
  const lines = offers.map(({ line, product, variant }, index): PricedLine => {
    const { price } = variant;
    const amount = line.quantity * price;
    total += amount;
    itemCount += line.quantity;
    totalWeight += line.quantity * variant.grams;
    requiresShipping ||= variant.requiresShipping;
    return {
      line,
      product,
      variant,
      currency: context.currency,
      price,
      finalPrice: price,
      originalLinePrice: amount,
      finalLinePrice: amount,
      totalDiscount: 0,
      discounts: emptyList,
      cartShares: emptyList,
      available: stock[index]?.available ?? false,
      maxQuantity: stock[index]?.maxQuantity ?? 0,
    };
  });
  return {
    cart,
    currency: context.currency,
    lines,
    itemCount,
    requiresShipping,
    totalWeight,
    originalTotal: total,
    itemsSubtotal: total,
    totalDiscount: 0,
    discounts: emptyList,
    discountApplications: emptyList,
    limitedDiscounts: emptyList,
    total,
    discountCodes: emptyList,
    giftCards: emptyList,
    storeCredit: 0,
    amountDue: total,
    balances: emptyList,
    inapplicable: emptyList,
    issues: [...issues, ...listLineIssues(lines, context), ...createUncertainPriceIssue(context)],
  };
}

const emptyList: readonly never[] = [];

function priceCartWithDiscounts(
  cartState: { readonly cart: Cart; readonly issues: readonly Issue[] },
  offers: readonly OfferedLine[],
  context: CartPriceContext,
): PricedCart {
  const { totals, discounts, shippingDiscounts, codes } = applyDiscounts(cartState.cart, offers, context);
  const amounts = offers.map(({ line, variant }) => line.quantity * variant.price);
  const originalTotal = amounts.reduce((a, b) => a + b, 0);
  const discountTotals = sumAllocations(discounts, [...totals.lineAllocations.flat(), ...totals.cartAllocations]);
  const toDiscountAllocation = ({ discount, amount }: Allocation): DiscountAllocation => ({
    ...toAppliedDiscount(discount, discountTotals.get(discount) ?? 0),
    amount,
  });
  const stock = computeLineStock(offers, context.maxQuantity);
  const lines = offers.map(({ line, product, variant }, index): PricedLine => {
    const discounts = (totals.lineAllocations[index] ?? []).map(toDiscountAllocation);
    const originalLinePrice = amounts[index] ?? 0;
    const totalDiscount = discounts.reduce((sum, { amount }) => sum + amount, 0);
    const finalLinePrice = originalLinePrice - totalDiscount;
    return {
      line,
      product,
      variant,
      currency: context.currency,
      price: variant.price,
      finalPrice: Math.round(finalLinePrice / line.quantity),
      originalLinePrice,
      finalLinePrice,
      totalDiscount,
      discounts,
      cartShares: (totals.cartShares[index] ?? []).map(toDiscountAllocation),
      available: stock[index]?.available ?? false,
      maxQuantity: stock[index]?.maxQuantity ?? 0,
    };
  });
  const cards = cartState.cart.giftCards.map((code) => ({ code, card: context.catalog.giftCard(code) }));
  const computeRemainingBalance = (kind: Balance["kind"], id: string, fullAmount: number): number =>
    Math.max(0, fullAmount - (context.usedBalances?.get(`${kind} ${id}`) ?? 0));
  const usableCards = cards.flatMap(({ card }) => {
    const balance = card === undefined ? 0 : computeRemainingBalance("gift_card", card.id, card.balance);
    return card !== undefined && balance > 0 ? [{ ...card, balance, loaded: card.balance }] : [];
  });
  const inapplicableCodes: readonly SubmittedCode[] = [
    ...codes.flatMap(({ code, discount }) => (discount === undefined ? [{ field: "discount", code } as const] : [])),
    ...cards.flatMap(({ code, card }) =>
      !usableCards.some(({ id }) => id === card?.id) ? [{ field: "gift_cards", code } as const] : [],
    ),
  ];
  const storeCredit =
    context.customer === undefined
      ? 0
      : computeRemainingBalance("store_credit", context.customer.id, context.customer.storeCredit);
  const { payments, amountDue } = payFromBalances(totals.total, [
    ...usableCards.map(({ balance }) => balance),
    storeCredit,
  ]);
  return {
    cart: cartState.cart,
    currency: context.currency,
    lines,
    itemCount: offers.reduce((sum, { line }) => sum + line.quantity, 0),
    requiresShipping: offers.some(({ variant }) => variant.requiresShipping),
    totalWeight: offers.reduce((sum, { line, variant }) => sum + line.quantity * variant.grams, 0),
    originalTotal,
    itemsSubtotal: totals.subtotal,
    totalDiscount: totals.totalDiscount,
    discounts: totals.cartAllocations.map(toDiscountAllocation),
    discountApplications: [...discountTotals].map(([discount, amount]) => toAppliedDiscount(discount, amount)),
    limitedDiscounts: [...discountTotals.keys(), ...shippingDiscounts].filter(hasUsageLimit),
    ...(shippingDiscounts.length === 0 ? {} : { hasFreeShipping: true }),
    total: totals.total,
    discountCodes: codes.map(({ code, discount }) => ({ code, applicable: discount !== undefined })),
    giftCards: usableCards.map(({ code }, index) => ({ code: maskCode(code), amount: payments[index] ?? 0 })),
    storeCredit: payments[usableCards.length] ?? 0,
    amountDue,
    balances: [
      ...usableCards.map(({ id, loaded, balance }): Balance => ({ kind: "gift_card", id, loaded, available: balance })),
      ...(context.customer === undefined ? [] : [toCreditBalance(context.customer, storeCredit)]),
    ],
    inapplicable: inapplicableCodes,
    issues: [
      ...cartState.issues,
      ...listLineIssues(lines, context),
      ...inapplicableCodes.map((submittedCode) => createUnusableCodeIssue(submittedCode, context)),
      ...createUncertainPriceIssue(context),
    ],
  };
}

/**
 * Returns issues (notices for the shopper) for lines with more units than are in stock, and for products that only
 * signed-in customers can buy.
 */
function listLineIssues(
  lines: readonly PricedLine[],
  context: LocaleContext & Pick<CartPriceContext, "customer">,
): readonly Issue[] {
  return lines.flatMap(({ line: { quantity, key }, product, variant, available }): readonly Issue[] => {
    const offer = { product, variant };
    if (!available) return [createStockIssue(offer, { requestedQuantity: quantity, quantity, key }, context)];
    if (!product.requiresCustomer || context.customer !== undefined) return emptyList;
    return [createLoginIssue(offer, { quantity, key }, context)];
  });
}

/** Returns a notice for the shopper if the displayed price may differ from the final price. */
function createUncertainPriceIssue(context: Pick<CartPriceContext, "isPriceUncertain" | "locale">): readonly Issue[] {
  return context.isPriceUncertain === true
    ? [{ code: "price_unknown", message: findMessages(context)("cart.priceUnknown") }]
    : emptyList;
}

/** Returns the total amount that each discount takes off, in the order of application. Omits zero totals. */
function sumAllocations(
  discounts: readonly Discount[],
  allocations: readonly Allocation[],
): ReadonlyMap<Discount, number> {
  const sums = new Map(discounts.map((discount) => [discount, 0]));
  for (const { discount, amount } of allocations) sums.set(discount, (sums.get(discount) ?? 0) + amount);
  return new Map([...sums].filter(([, amount]) => amount > 0));
}

function toAppliedDiscount(discount: Discount, total: number): DiscountApplication {
  const { title, code, get } = discount;
  const { valueType, value } =
    discount.valueType === "fixed_amount"
      ? { valueType: discount.valueType, value: discount.value }
      : { valueType: "percentage" as const, value: get?.percentage ?? discount.value };
  const target = isCartDiscount(discount) ? "cart" : "lines";
  // The code is used as title, because themes distinguish codes by title.
  return { title: code ?? title, ...(code === undefined ? {} : { code }), valueType, value, target, total };
}

/**
 * Returns the quantity limits of each line by stock and rules, in the order of the lines. All lines of a variant share
 * its stock.
 * @param maxQuantity the shop's limit for one line
 */
function computeLineStock(
  lines: readonly OfferedLine[],
  maxQuantity: number,
): readonly Pick<PricedLine, "available" | "maxQuantity">[] {
  const unitsByVariant = new Map<string, number>();
  for (const { line, variant } of lines)
    unitsByVariant.set(variant.id, (unitsByVariant.get(variant.id) ?? 0) + line.quantity);
  const precedingUnits = new Map<string, number>();
  return lines.map(({ line, variant }) => {
    const totalUnits = (precedingUnits.get(variant.id) ?? 0) + line.quantity;
    precedingUnits.set(variant.id, totalUnits);
    const otherLineUnits = (unitsByVariant.get(variant.id) ?? 0) - line.quantity;
    return {
      available: totalUnits <= countUnitsInStock(variant),
      maxQuantity: computeLargestAllowedQuantity(
        Math.min(countRemainingStock(variant, otherLineUnits), maxQuantity),
        variant.quantityRule,
      ),
    };
  });
}
