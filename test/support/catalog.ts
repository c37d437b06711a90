/** One line of a catalog file. */
export type RowJson = { readonly kind: string } & Readonly<Record<string, unknown>>;

/** Variants of the fixture catalog by purpose. Prices are in minor units of the store's currency. */
export const variant = {
  /** Stock 10, price 12000, weight 900 g. */
  tracked: 11,
  /** Stock 0, in the same product as `tracked`. */
  soldOut: 12,
  /** Untracked stock, price 1999. */
  unlimited: 21,
  unpublished: 31,
  membersOnly: 41,
  /** Price 5000. */
  notShipped: 51,
  /** Sold in quantities of 2, 4, 6, 8 or 10, price 350. */
  byTwos: 61,
  /** Stock 0, but sold on backorder, price 800. */
  backorder: 71,
  /** Stock 3, price 101. */
  scarce: 81,
  unknown: 999_999,
} as const;

const image = { src: "raincoat.png", alt: "A yellow raincoat", width: 800, height: 600 };

const flags: readonly RowJson[] = "Alpha Bravo Charlie Delta Echo Foxtrot Golf Hotel India Juliett Kilo Lima"
  .split(" ")
  .map((name, index) => ({
    ...product(200 + index, `flag-${name.toLowerCase()}`, `Signal Flag ${name}`, [{ id: 2_000 + index, price: 700 }]),
    product_type: "Flags",
    vendor: "Bunting",
  }));

export const rows: readonly RowJson[] = [
  {
    ...product(1, "harbour-raincoat", "Harbour Raincoat", [
      { id: variant.tracked, title: "S", options: ["S"], price: 12_000, inventory_quantity: 10, sku: "NOR.0707-60" },
      { id: variant.soldOut, title: "M", options: ["M"], price: 12_500, inventory_quantity: 0, sku: "NOR.0707-61" },
    ]),
    options: ["Size"],
    vendor: "Norrland",
    product_type: "Coats",
    tags: ["rain", "yellow"],
    description: "<p>Keeps the spray out.</p>",
    images: [image],
    translations: { fr: { title: "Imperméable du port" }, ja: { title: "港のレインコート" } },
  },
  product(2, "canvas-tote", "Canvas Tote", [{ id: variant.unlimited, price: 1_999, compare_at_price: 2_499 }]),
  { ...product(3, "rain-prototype", "Rain Prototype", [{ id: variant.unpublished, price: 100 }]), published: false },
  {
    ...product(4, "captains-cap", "Captain's Cap", [{ id: variant.membersOnly, price: 3_000 }]),
    requires_customer: true,
  },
  product(5, "sailing-lesson", "Sailing Lesson", [{ id: variant.notShipped, price: 5_000, requires_shipping: false }]),
  product(6, "rope-by-the-pair", "Rope by the Pair", [
    { id: variant.byTwos, price: 350, quantity_rule: { min: 2, max: 10, increment: 2 } },
  ]),
  product(7, "oiled-jumper", "Oiled Jumper", [
    { id: variant.backorder, price: 800, inventory_quantity: 0, inventory_policy: "continue" },
  ]),
  product(8, "brass-button", "Brass Button", [{ id: variant.scarce, price: 101, inventory_quantity: 3 }]),
  product(9, "snowboard-wax", "Snowboard Wax", [{ id: 91, price: 600 }]),
  product(10, "paint-tin", 'Paint <b>"Deck"</b> & {{ 7 | times: 7 }}', [{ id: 101, price: 450 }]),
  product(11, "signal-flag-torn", "Signal Flag Torn", [{ id: 111, price: 100, inventory_quantity: 0 }]),
  ...flags,

  {
    kind: "collection",
    id: 301,
    handle: "rainwear",
    title: "Rainwear",
    products: ["harbour-raincoat"],
    description: "<p>Dry.</p>",
  },
  { kind: "collection", id: 302, handle: "flags", title: "Signal Flags", rules: { product_type: "Flags" } },
  {
    kind: "collection",
    id: 303,
    handle: "rain-secret",
    title: "Rain Secret",
    products: ["canvas-tote"],
    published: false,
  },
  {
    kind: "page",
    id: 401,
    handle: "rain-care",
    title: "Rain care",
    content: "<p>Wash cold.</p>",
    translations: { fr: { title: "Entretien" } },
  },
  { kind: "page", id: 402, handle: "rain-draft", title: "Rain draft", content: "<p>Not yet.</p>", published: false },
  article(501, "rain-at-sea", "Rain at sea", "2026-01-02T00:00:00Z"),
  article(502, "rain-to-come", "Rain to come", "2999-01-01T00:00:00Z"),
  bundle(601, "rainy-day", "Rainy Day", "box_builder", ["harbour-raincoat", "canvas-tote"]),
  bundle(602, "flag-pair", "Flag Pair", "frequently_bought_together", ["flag-alpha", "flag-bravo"]),
  { ...bundle(603, "rain-over", "Rain Over", "box_builder", ["canvas-tote"]), ends_at: "2020-01-01T00:00:00Z" },
  { ...bundle(604, "rain-ahead", "Rain Ahead", "box_builder", ["canvas-tote"]), starts_at: "2999-01-01T00:00:00Z" },
  bundle(605, "rain-half", "Rain Half", "box_builder", ["canvas-tote", "rain-prototype"]),
  { ...bundle(606, "rain-off", "Rain Off", "box_builder", ["canvas-tote"]), published: false },

  { kind: "discount", code: "TENOFF", title: "Ten off", value_type: "percentage", value: 10 },
  { kind: "discount", code: "FIVE", title: "Five hundred units off", value_type: "fixed_amount", value: 500 },
  {
    kind: "discount",
    code: "BIG",
    title: "Big baskets",
    value_type: "percentage",
    value: 20,
    minimum_subtotal: 1_000_000,
  },
  {
    kind: "discount",
    code: "OVER",
    title: "Over",
    value_type: "percentage",
    value: 50,
    ends_at: "2020-01-01T00:00:00Z",
  },
  {
    kind: "discount",
    code: "FLAGS",
    title: "Half a flag",
    value_type: "percentage",
    value: 50,
    collections: ["flags"],
  },
  { kind: "discount", code: "ALLFREE", title: "All free", value_type: "fixed_amount", value: 99_999_999 },
  { kind: "gift_card", code: "GIFT-AAAA-1234", balance: 1_000 },
  { kind: "gift_card", code: "GIFT-BBBB-0000", balance: 0 },
  { kind: "customer", id: 7, email: "mate@example.test", store_credit: 700 },
];

/** Returns a product row for a test. */
export function product(
  id: number,
  handle: string,
  title: string,
  variants: readonly Readonly<Record<string, unknown>>[],
): RowJson {
  const filled = variants.map((one) => ({ grams: 900, ...one }));
  return { kind: "product", id, handle, title, vendor: "Harbour", product_type: "Goods", variants: filled };
}

export function article(id: number, handle: string, title: string, publishedAt: string): RowJson {
  const content = "<p>It rained.</p>";
  return { kind: "article", id, handle, title, blog: "journal", author: "Ada", content, published_at: publishedAt };
}

export function bundle(id: number, handle: string, name: string, type: string, products: readonly string[]): RowJson {
  return { kind: "bundle", id, handle, name, title: `${name} offer`, type, products };
}
