import type { Catalog, OfferedVariant } from "../catalog/catalog.ts";
import { normalizeCode } from "../catalog/rows/parse-offers.ts";
import type { Discount } from "../pricing/discount.ts";
import { hasUsageLimit, isCartDiscount, isUsableDiscount } from "../pricing/discount-rules.ts";
import { applyQuantityBreak, selectDiscounts, selectRewardUnits } from "../pricing/promotions.ts";
import { computeTotals, type LineAmount, type Totals } from "../pricing/totals.ts";
import type { Cart, Line } from "./cart.ts";

/** Data on which the discounts of a cart depend. */
export interface DiscountContext {
  readonly catalog: Catalog;
  readonly now: number;
  /** IDs of discounts without remaining uses. */
  readonly usedUpDiscountIds?: ReadonlySet<string> | undefined;
  readonly hookDiscounts?: readonly Discount[];
}

/** A line of a cart with its product and variant. */
export interface OfferedLine extends OfferedVariant {
  readonly line: Line;
}

/** A number of units of a variant. */
export interface OfferQuantity extends OfferedVariant {
  readonly line: Pick<Line, "quantity">;
}

/** The discounts that apply to a cart, and its totals. */
export interface AppliedDiscounts {
  readonly totals: Totals;
  /** Discounts that may reduce prices, in the order of application. */
  readonly discounts: readonly Discount[];
  /** Discounts for free shipping. */
  readonly shippingDiscounts: readonly Discount[];
  /** The codes of the cart. A code without a discount does not apply. */
  readonly codes: readonly { readonly code: string; readonly discount: Discount | undefined }[];
}

/** Finds the discounts that apply to a cart, by its codes and automatically, and computes the totals. */
export function applyDiscounts(
  { discountCodes }: Pick<Cart, "discountCodes">,
  offers: readonly OfferQuantity[],
  context: DiscountContext,
): AppliedDiscounts {
  const matchesProduct = ({ products, collections }: DiscountTargets, handle: string): boolean =>
    products.includes(handle) ||
    (collections.length > 0 &&
      context.catalog.collectionsOf(handle).some((collection) => collections.includes(collection)));
  const appliesToProduct = (discount: Discount, handle: string): boolean =>
    isCartDiscount(discount) || matchesProduct(discount, handle);
  const subtotal = offers.reduce((sum, { line, variant }) => sum + line.quantity * variant.price, 0);
  const computeRewardUnits = (discount: Discount): readonly number[] =>
    selectRewardUnits(
      discount,
      offers.map(({ line: { quantity }, variant: { price }, product: { handle } }) => ({
        ...{ quantity, price, isTarget: appliesToProduct(discount, handle) },
        isBought: discount.buy !== undefined && matchesProduct(discount.buy, handle),
      })),
    );
  const countTargetedUnits = (discount: Discount): number =>
    offers.reduce(
      (sum, { line, product }) => sum + (appliesToProduct(discount, product.handle) ? line.quantity : 0),
      0,
    );
  const hasTarget = (discount: Discount): boolean => {
    if (discount.valueType === "free_shipping") return offers.some(({ variant }) => variant.requiresShipping);
    if (discount.valueType === "buy_x_get_y") return computeRewardUnits(discount).some((units) => units > 0);
    return offers.some(({ product }) => appliesToProduct(discount, product.handle));
  };
  /** Returns the discount with its value for this cart; undefined if it does not apply. */
  const resolveDiscount = (discount: Discount): Discount | undefined => {
    const isUsedUp = hasUsageLimit(discount) && context.usedUpDiscountIds?.has(discount.id) === true;
    return isUsableDiscount(discount, { now: context.now, isUsedUp, subtotal, hasTarget: hasTarget(discount) })
      ? applyQuantityBreak(discount, countTargetedUnits(discount))
      : undefined;
  };
  const computeCartTotals = (discounts: readonly Discount[]): Pick<AppliedDiscounts, "totals" | "discounts"> => {
    const itemDiscounts = discounts.filter(({ valueType }) => valueType !== "free_shipping");
    const lineDiscounts = itemDiscounts.filter((discount) => !isCartDiscount(discount));
    const cartDiscounts = itemDiscounts.filter(isCartDiscount);
    const rewards = lineDiscounts
      .filter(({ valueType }) => valueType === "buy_x_get_y")
      .map((discount) => [discount, computeRewardUnits(discount)] as const);
    const amounts = offers.map(
      ({ line: { quantity }, variant, product }, index): LineAmount => ({
        amount: quantity * variant.price,
        discountSet: new Set(lineDiscounts.filter((discount) => appliesToProduct(discount, product.handle))),
        rewards: { quantity, units: new Map(rewards.map(([discount, units]) => [discount, units[index] ?? 0])) },
      }),
    );
    return {
      totals: computeTotals(amounts, lineDiscounts, cartDiscounts),
      discounts: [...lineDiscounts, ...cartDiscounts],
    };
  };

  const { hookDiscounts = [] } = context;
  const findHookDiscount = (code: string): Discount | undefined =>
    hookDiscounts.find((discount) => normalizeCode(discount.code ?? "") === normalizeCode(code));
  const codeDiscounts = discountCodes.map((code) => {
    const discount = context.catalog.discount(code) ?? findHookDiscount(code);
    return { code, discount: discount && resolveDiscount(discount) };
  });
  const discountsWithoutCode = hookDiscounts.filter(({ code }) => code === undefined);
  const automaticDiscounts = [...context.catalog.automaticDiscounts(), ...discountsWithoutCode].flatMap(
    (discount) => resolveDiscount(discount) ?? [],
  );
  const selectedDiscounts = selectDiscounts(
    [...automaticDiscounts, ...codeDiscounts.flatMap(({ discount }) => discount ?? [])],
    (alternative) => subtotal - computeCartTotals(alternative).totals.total,
  );
  return {
    ...computeCartTotals(selectedDiscounts),
    shippingDiscounts: selectedDiscounts.filter(({ valueType }) => valueType === "free_shipping"),
    codes: codeDiscounts.map(({ code, discount }) => ({
      code,
      discount: discount !== undefined && selectedDiscounts.includes(discount) ? discount : undefined,
    })),
  };
}

type DiscountTargets = Pick<Discount, "products" | "collections">;
