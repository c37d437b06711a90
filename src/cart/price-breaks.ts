import type { Catalog, OfferedVariant } from "../catalog/catalog.ts";
import type { Product } from "../catalog/product.ts";
import type { Discount } from "../pricing/discount.ts";
import { hasUsageLimit, isCartDiscount, isWithinDates } from "../pricing/discount-rules.ts";
import { applyDiscounts } from "./apply-discounts.ts";

/** Unit price of a variant for orders of at least a minimum quantity. */
export interface PriceBreak {
  readonly minimumQuantity: number;
  /** Price of one unit in minor units, rounded up. */
  readonly price: number;
}

interface PriceBreakContext {
  readonly catalog: Catalog;
  readonly now: number;
}

/** Returns whether the price of a product depends on the quantity. */
export function hasPriceBreaks(product: Product, context: PriceBreakContext): boolean {
  return listQuantityDiscounts(product, context).length > 0;
}

/**
 * Returns each quantity at which the unit price of a variant decreases, and the new price, lowest quantity first. The
 * prices are for a cart with only this variant and no codes. Discounts with a limited number of uses do not count.
 */
export function computePriceBreaks(
  { product, variant }: OfferedVariant,
  context: PriceBreakContext,
): readonly PriceBreak[] {
  const discountQuantityBreaks = listQuantityDiscounts(product, context).flatMap(
    ({ quantityBreaks = [] }) => quantityBreaks,
  );
  const quantities = [...new Set(discountQuantityBreaks.map(({ quantity }) => quantity))].sort((a, b) => a - b);
  const usedUpDiscountIds = new Set(
    context.catalog
      .automaticDiscounts()
      .filter(hasUsageLimit)
      .map(({ id }) => id),
  );
  let lowestPrice = variant.price;
  return quantities.flatMap((quantity) => {
    const { totals } = applyDiscounts({ discountCodes: [] }, [{ line: { quantity }, product, variant }], {
      ...context,
      usedUpDiscountIds,
    });
    const price = Math.ceil(totals.total / quantity);
    if (price >= lowestPrice) return [];
    lowestPrice = price;
    return [{ minimumQuantity: quantity, price }];
  });
}

function listQuantityDiscounts(product: Product, { catalog, now }: PriceBreakContext): readonly Discount[] {
  const discounts = catalog
    .automaticDiscounts()
    .filter(
      (discount) =>
        discount.quantityBreaks !== undefined &&
        !hasUsageLimit(discount) &&
        !isCartDiscount(discount) &&
        isWithinDates(discount, now),
    );
  if (discounts.length === 0) return [];
  const productCollections = new Set(catalog.collectionsOf(product.handle));
  return discounts.filter(
    ({ products, collections }) =>
      products.includes(product.handle) || collections.some((collection) => productCollections.has(collection)),
  );
}
