import * as v from "valibot";

/**
 * Members that a response of each operation must have, with their types. They were written from the specification of the
 * Universal Commerce Protocol, release 2026-04-08. Other members are allowed.
 */
const text = v.pipe(v.string(), v.minLength(1));
const url = v.pipe(v.string(), v.url());
const time = v.pipe(v.string(), v.isoTimestamp());
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const currency = v.pipe(v.string(), v.regex(/^[A-Z]{3}$/));
const price = v.looseObject({ amount: count, currency });
const priceRange = v.looseObject({ min: price, max: price });
const description = v.looseObject({ plain: v.string() });
const media = v.looseObject({ type: text, url, width: v.optional(count), height: v.optional(count) });
const message = v.looseObject({
  type: v.picklist(["error", "warning", "info"]),
  code: text,
  content: text,
  path: v.optional(v.pipe(v.string(), v.startsWith("$."))),
});
const total = v.pipe(
  v.looseObject({ type: text, amount: v.pipe(v.number(), v.integer()) }),
  v.check(
    ({ type, amount }) => (type.endsWith("discount") ? amount < 0 : amount >= 0 || type === "total"),
    "discounts are negative, and other amounts are not",
  ),
);
const totals = v.pipe(
  v.array(total),
  v.check((all) => all.filter(({ type }) => type === "total").length === 1, "there is one total"),
);
const option = v.looseObject({ name: text, values: v.pipe(v.array(v.looseObject({ label: text })), v.minLength(1)) });
const variant = v.looseObject({
  id: text,
  title: text,
  description,
  url: v.optional(url),
  price,
  list_price: v.optional(price),
  availability: v.optional(v.looseObject({ available: v.boolean(), status: text })),
  options: v.optional(v.array(v.looseObject({ name: text, label: v.string() }))),
  media: v.optional(v.array(media)),
});
const product = v.looseObject({
  id: text,
  title: text,
  description,
  price_range: priceRange,
  list_price_range: v.optional(priceRange),
  media: v.optional(v.array(media)),
  options: v.optional(v.array(option)),
  categories: v.optional(v.array(v.looseObject({ value: text, taxonomy: v.optional(text) }))),
  variants: v.pipe(v.array(variant), v.minLength(1)),
});
const itemShape = { id: text, item: v.looseObject({ id: text, title: text, price: count }), totals };
const metadata = v.looseObject({
  version: v.literal("2026-04-08"),
  status: v.optional(v.picklist(["success", "error"])),
  capabilities: v.record(
    v.pipe(v.string(), v.regex(/^dev\.ucp\.shopping\./)),
    v.array(v.looseObject({ version: text })),
  ),
});
const messages = v.optional(v.array(message));

const products = v.looseObject({ ucp: metadata, products: v.array(product), messages });
const cart = v.looseObject({
  ucp: metadata,
  id: text,
  line_items: v.array(v.looseObject({ ...itemShape, quantity: v.pipe(count, v.minValue(1)) })),
  currency,
  totals,
  messages,
  links: v.optional(v.array(v.looseObject({ type: text, url }))),
  continue_url: v.optional(url),
});
const order = v.looseObject({
  ucp: metadata,
  id: text,
  checkout_id: text,
  permalink_url: url,
  line_items: v.array(
    v.looseObject({
      ...itemShape,
      quantity: v.looseObject({ total: count, fulfilled: count }),
      status: v.picklist(["processing", "partial", "fulfilled", "removed"]),
    }),
  ),
  fulfillment: v.looseObject({
    events: v.optional(v.array(v.looseObject({ id: text, occurred_at: time, type: text }))),
  }),
  adjustments: v.optional(v.array(v.looseObject({ id: text, type: text, occurred_at: time, status: text }))),
  currency,
  totals,
});
const endpoints = v.pipe(
  v.array(
    v.looseObject({ version: text, spec: url, schema: url, transport: v.picklist(["rest", "mcp"]), endpoint: url }),
  ),
  v.minLength(1),
);

export const ucpShapes = {
  profile: v.looseObject({
    ucp: v.looseObject({
      version: v.literal("2026-04-08"),
      services: v.looseObject({ "dev.ucp.shopping": endpoints }),
      capabilities: v.record(v.string(), v.array(v.looseObject({ version: text, spec: url, schema: url }))),
      payment_handlers: v.looseObject({}),
    }),
  }),
  search_catalog: v.looseObject({
    ...products.entries,
    pagination: v.looseObject({ has_next_page: v.boolean(), cursor: v.optional(text), total_count: count }),
  }),
  lookup_catalog: products,
  get_product: v.looseObject({ ucp: metadata, product, messages }),
  create_cart: cart,
  get_cart: cart,
  update_cart: cart,
  cancel_cart: cart,
  get_order: order,
  error: v.looseObject({
    ucp: v.looseObject({ ...metadata.entries, status: v.literal("error") }),
    messages: v.pipe(v.array(message), v.minLength(1)),
  }),
} as const;
