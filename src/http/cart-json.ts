import type { Issue } from "../cart/cart.ts";
import type { DiscountAllocation, DiscountApplication, PricedCart, PricedLine } from "../cart/priced-cart.ts";
import { localize } from "../catalog/localize.ts";
import { sellable } from "../catalog/stock.ts";
import { imageJson, imageOf } from "./image-json.ts";
import { jsonId } from "./json-id.ts";

/** Where and in which language a cart is shown. */
export interface CartView {
  readonly locale: string;
  /** Of links: "/fr", or "" for the default language. */
  readonly prefix: string;
  /** The most units of one line. */
  readonly maxQuantity: number;
}

/** The cart object. Money is in minor units of the shop's currency. @see spec 2.3 */
export function cartJson(priced: PricedCart, view: CartView): Record<string, unknown> {
  const { cart, currency } = priced;
  const items = priced.lines.map((line) => lineJson(line, view));
  return {
    id: cart.revision === 0 ? null : (cart.id ?? null),
    revision: cart.revision,
    item_count: priced.itemCount,
    line_count: items.length,
    items,
    lines: items,
    ...(cart.note === undefined ? {} : { note: cart.note }),
    attributes: {},
    requires_shipping: priced.requiresShipping,
    currency: { iso_code: currency },
    currency_code: currency,
    items_subtotal_price: priced.itemsSubtotal,
    items_subtotal_price_cents: priced.itemsSubtotal,
    original_total_price: priced.originalTotal,
    original_total_price_cents: priced.originalTotal,
    total_discount: priced.totalDiscount,
    total_discount_cents: priced.totalDiscount,
    total_price: priced.total,
    total_price_cents: priced.total,
    amount_due: priced.amountDue,
    amount_due_cents: priced.amountDue,
    store_credit: priced.storeCredit,
    total_weight: priced.totalWeight,
    discount_applications: priced.discountApplications.map(discountJson),
    cart_level_discount_applications: priced.discounts.map(discountJson),
    discount_codes: priced.discountCodes,
    gift_cards: priced.giftCards,
  };
}

/** One of a cart's `issues`; every field is always there. */
export function issueJson(issue: Issue): object {
  return {
    code: issue.code,
    message: issue.message,
    field: issue.field ?? null,
    key: issue.key ?? null,
    variant_id: issue.variantId === undefined ? null : jsonId(issue.variantId),
    requested_quantity: issue.requestedQuantity ?? null,
    quantity: issue.quantity ?? null,
    available_quantity: issue.availableQuantity ?? null,
  };
}

function lineJson(priced: PricedLine, { locale, prefix, maxQuantity }: CartView): Record<string, unknown> {
  const { line, originalLinePrice, finalLinePrice, totalDiscount } = priced;
  const product = localize(priced.product, locale);
  const variant = product.variants.find(({ id }) => id === priced.variant.id) ?? priced.variant;
  const isPlain = product.variants.length === 1 && product.options.length === 0;
  const image = imageOf(product, variant);
  const rule = variant.quantityRule;
  const most = Math.min(sellable(variant), rule.max ?? maxQuantity, maxQuantity);
  const money = {
    price: priced.price,
    original_price: priced.price,
    final_price: Math.round(finalLinePrice / line.quantity),
    line_price: originalLinePrice,
    original_line_price: originalLinePrice,
    final_line_price: finalLinePrice,
    total_discount: totalDiscount,
  };
  return {
    id: jsonId(variant.id),
    variant_id: jsonId(variant.id),
    key: line.key,
    cartLineId: line.key,
    cart_line_id: line.key,
    product_id: jsonId(product.id),
    title: isPlain || variant.title === "" ? product.title : `${product.title} - ${variant.title}`,
    product_title: product.title,
    variant_title: isPlain || variant.title === "" ? null : variant.title,
    handle: product.handle,
    url: `${prefix}/products/${encodeURIComponent(product.handle)}?variant=${encodeURIComponent(variant.id)}`,
    sku: variant.sku ?? null,
    vendor: product.vendor,
    product_type: product.productType,
    image: image?.src ?? null,
    featured_image: imageJson(image, product.title),
    quantity: line.quantity,
    ...money,
    ...Object.fromEntries(Object.entries(money).map(([name, amount]) => [`${name}_cents`, amount])),
    discounts: priced.discounts.map(({ title, amount }) => ({ title, amount })),
    line_level_discount_allocations: priced.discounts.map(allocationJson),
    cart_level_discount_allocations: priced.cartShares.map(allocationJson),
    properties: line.properties,
    grams: variant.grams,
    requires_shipping: variant.requiresShipping,
    taxable: variant.taxable,
    gift_card: false,
    variant_options: variant.options,
    options_with_values: product.options.map((name, index) => ({ name, value: variant.options[index] ?? "" })),
    product_has_only_default_variant: isPlain,
    quantity_rule: { min: rule.min, max: rule.max ?? null, increment: rule.increment },
    max_quantity: most,
    available: sellable(variant) >= line.quantity,
    url_to_remove: `${prefix}/cart/change?id=${encodeURIComponent(line.key)}&quantity=0`,
  };
}

function allocationJson(discount: DiscountAllocation): object {
  return { amount: discount.amount, discount_application: discountJson(discount) };
}

function discountJson({ title, code, valueType, value, target, total }: DiscountApplication): object {
  return {
    type: code === undefined ? "automatic" : "discount_code",
    title,
    code: code ?? null,
    value_type: valueType,
    value,
    target_type: "line_item",
    target_selection: target === "cart" ? "all" : "entitled",
    total_allocated_amount: total,
  };
}
