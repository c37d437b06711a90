import assert from "node:assert/strict";
import { test } from "node:test";
import { emptyCart } from "../../cart/cart.ts";
import type { PricedCart } from "../../cart/priced-cart.ts";
import type { Product } from "../../catalog/product.ts";
import { issueJson } from "./cart-json.ts";
import { type CartView, createCartSerializer, formatCartMembers } from "./cart-text.ts";

const variant = {
  id: "41",
  title: "M / Navy",
  options: ["M", "Navy"],
  price: 5_000,
  inventoryQuantity: 7,
  inventoryPolicy: "deny",
  requiresShipping: true,
  taxable: true,
  grams: 400,
  quantityRule: { min: 1, increment: 1 },
} as const;
const product: Product = {
  kind: "product",
  id: "coat-1",
  handle: "rain coat",
  title: "Raincoat",
  vendor: "Harbour",
  productType: "Coats",
  tags: [],
  description: "",
  published: true,
  popularity: 0,
  options: ["Size", "Colour"],
  variants: [variant],
  images: [{ src: "/media/coat.jpg", width: 800, height: 400 }],
  requiresCustomer: false,
  giftCard: false,
  metafields: {},
  translations: { fr: { title: "Imperméable" } },
};
const line = { key: "k1", variantId: "41", quantity: 2, properties: { Name: "Ada" }, seenPrice: 5_000, seenTitle: "" };
const share = {
  title: "Ten off",
  code: "TEN",
  valueType: "percentage",
  value: 10,
  target: "lines",
  total: 1_000,
  amount: 1_000,
} as const;
const pricedCart: PricedCart = {
  cart: { ...emptyCart, id: "c1", checkoutId: "x1", revision: 3, lines: [line], note: "Ring twice" },
  currency: "USD",
  lines: [
    {
      line,
      product,
      variant,
      currency: "USD",
      price: 5_000,
      finalPrice: 4_500,
      originalLinePrice: 10_000,
      finalLinePrice: 9_000,
      totalDiscount: 1_000,
      discounts: [share],
      cartShares: [],
      available: true,
      maxQuantity: 7,
    },
  ],
  itemCount: 2,
  requiresShipping: true,
  totalWeight: 800,
  originalTotal: 10_000,
  itemsSubtotal: 9_000,
  totalDiscount: 500,
  discounts: [],
  discountApplications: [],
  limitedDiscounts: [],
  total: 8_500,
  discountCodes: [{ code: "TEN", applicable: true }],
  giftCards: [{ code: "••••1234", amount: 500 }],
  storeCredit: 0,
  amountDue: 8_000,
  inapplicable: [],
  balances: [],
  issues: [],
};
const view = { locale: "en", prefix: "" };

function cartJson(cart: PricedCart, at: CartView): Record<string, unknown> {
  return JSON.parse(`{${formatCartMembers(createCartSerializer().serialize(cart, at))}}`);
}

test("the cart object has every field of the spec, with money in minor units (spec 2.3)", () => {
  const { items, lines, ...cart } = cartJson(pricedCart, view);
  assert.deepEqual(cart, {
    id: "c1",
    token: "c1",
    revision: 3,
    item_count: 2,
    line_count: 1,
    note: "Ring twice",
    attributes: {},
    requires_shipping: true,
    currency: { iso_code: "USD" },
    currency_code: "USD",
    items_subtotal_price: 9_000,
    items_subtotal_price_cents: 9_000,
    original_total_price: 10_000,
    original_total_price_cents: 10_000,
    total_discount: 500,
    total_discount_cents: 500,
    total_price: 8_500,
    total_price_cents: 8_500,
    amount_due: 8_000,
    amount_due_cents: 8_000,
    store_credit: 0,
    total_weight: 800,
    discount_applications: [],
    cart_level_discount_applications: [],
    discount_codes: [{ code: "TEN", applicable: true }],
    gift_cards: [{ code: "••••1234", amount: 500 }],
  });
  assert.deepEqual(items, lines);
});

test("a line has its key in three spellings and its variant id as a number (spec 2.3)", () => {
  const [item] = cartJson(pricedCart, view).items as Record<string, unknown>[];
  assert.ok(item);
  assert.deepEqual([item.key, item.cartLineId, item.cart_line_id], ["k1", "k1", "k1"]);
  assert.deepEqual([item.id, item.variant_id, item.product_id], [41, 41, "coat-1"]);
  assert.equal(item.title, "Raincoat - M / Navy");
  assert.equal(item.url, "/products/rain%20coat?variant=41");
  assert.deepEqual(
    [item.price, item.final_price_cents, item.line_price, item.final_line_price, item.total_discount_cents],
    [5_000, 4_500, 10_000, 9_000, 1_000],
  );
  assert.deepEqual(item.options_with_values, [
    { name: "Size", value: "M" },
    { name: "Colour", value: "Navy" },
  ]);
  assert.deepEqual(item.featured_image, {
    url: "/media/coat.jpg",
    alt: "Raincoat",
    width: 800,
    height: 400,
    aspect_ratio: 2,
  });
  assert.deepEqual(item.properties, { Name: "Ada" });
  assert.equal(item.max_quantity, 7);
});

test("in another language texts are translated and links have its prefix", () => {
  const [item] = cartJson(pricedCart, { ...view, locale: "fr", prefix: "/fr" }).items as Record<string, unknown>[];
  assert.equal(item?.product_title, "Imperméable");
  assert.equal(item?.url, "/fr/products/rain%20coat?variant=41");
});

test("an empty cart that was never stored has no id, and a missing note has no field (spec 2.3)", () => {
  const cart = cartJson({ ...pricedCart, cart: { ...emptyCart, id: "reserved" }, lines: [], itemCount: 0 }, view);
  assert.equal(cart.id, null);
  assert.ok(!("note" in cart));
  assert.deepEqual(cart.items, []);
});

test("an issue always has all its fields", () => {
  assert.deepEqual(issueJson({ code: "inventory_cap", message: "Only 7.", variantId: "41", quantity: 7 }), {
    code: "inventory_cap",
    message: "Only 7.",
    field: null,
    key: null,
    variant_id: 41,
    requested_quantity: null,
    quantity: 7,
    available_quantity: null,
  });
});
