import assert from "node:assert/strict";
import { test } from "node:test";
import { product, type RowJson } from "../support/catalog.ts";
import { address, checkoutOf, submit } from "../support/checkout-page.ts";
import type { Client } from "../support/client.ts";
import { runCommand } from "../support/command.ts";
import { startShop } from "../support/shop.ts";

const [coat, hat, scarf] = [1, 2, 3];
const code = (name: string, value_type: string, more: object): RowJson => ({
  kind: "discount",
  code: name,
  value_type,
  ...more,
});
const shop = await startShop({
  hasTheme: false,
  themeFiles: {
    "sections/free.liquid": "{{ cart.free_delivery_from }}",
    "sections/breaks.liquid":
      "{{ product.quantity_price_breaks_configured? }}{% for variant in product.variants %}{% for break in variant.quantity_price_breaks %} {{ break.minimum_quantity }}:{{ break.price }}{% endfor %}{% endfor %}",
  },
  rows: [
    product(1, "coat", "Coat", [{ id: coat, price: 10_000 }]),
    product(2, "hat", "Hat", [{ id: hat, price: 1_999 }]),
    product(3, "scarf", "Scarf", [{ id: scarf, price: 1_001 }]),
    { kind: "collection", id: 90, handle: "warm", title: "Warm", products: ["hat", "scarf"] },
    code("SHIP", "free_shipping", { minimum_subtotal: 2_000 }),
    code("THREEFORTWO", "buy_x_get_y", { collections: ["warm"], buy: { quantity: 2 }, get: { quantity: 1 } }),
    code("HATFREE", "buy_x_get_y", {
      ...{ products: ["hat"], buy: { quantity: 1, products: ["coat"] }, get: { quantity: 1, percentage: 50 } },
    }),
    code("BULK", "percentage", {
      products: ["scarf"],
      quantity_breaks: [
        { quantity: 3, value: 10 },
        { quantity: 10, value: 20 },
      ],
    }),
    {
      ...{ kind: "discount", title: "Bulk coats", value_type: "percentage", products: ["coat"] },
      quantity_breaks: [
        { quantity: 50, value: 5 },
        { quantity: 100, value: 15 },
      ],
    },
    {
      ...{ kind: "discount", title: "Members", value_type: "percentage", products: ["coat", "hat"], customer_limit: 1 },
      quantity_breaks: [{ quantity: 20, value: 30 }],
    },
    code("ALONE", "percentage", { value: 20, combines: false }),
    code("TEN", "percentage", { value: 10 }),
  ],
  config: { shipping: { countries: ["DE"], rates: [{ name: "Parcel", price: 490, freeFrom: 12_000 }] } },
});

interface Application {
  readonly title: string;
  readonly value: number;
  readonly value_type: string;
  readonly target_selection: string;
  readonly total_allocated_amount: number;
}

interface CartJson {
  readonly items: readonly {
    readonly id: number;
    readonly final_line_price: number;
    readonly line_level_discount_allocations: readonly {
      readonly amount: number;
      readonly discount_application: Application;
    }[];
  }[];
  readonly total_price: number;
  readonly cart_level_discount_applications: readonly Application[];
  readonly discount_codes: readonly { readonly code: string; readonly applicable: boolean }[];
}

async function fill(discount: string, units: Readonly<Record<number, number>>, client = shop.client()) {
  const items = Object.entries(units).map(([id, quantity]) => ({ id, quantity }));
  const reply = await client.post("/cart/add.js", { items, discount });
  assert.equal(reply.status, 200, reply.text);
  return reply.json<CartJson>();
}

const applicable = ({ discount_codes }: CartJson): readonly boolean[] => discount_codes.map((one) => one.applicable);

test("2.3 three for two reduces the cheapest items of each three, and reports them on their lines", async () => {
  const cart = await fill("THREEFORTWO", { [hat]: 4, [scarf]: 2 });
  const [hats, scarves] = cart.items;
  assert.deepEqual([hats?.final_line_price, scarves?.final_line_price], [4 * 1_999, 0]);
  assert.deepEqual(hats?.line_level_discount_allocations, []);
  const [allocation] = scarves?.line_level_discount_allocations ?? [];
  assert.equal(allocation?.amount, 2_002);
  const { title, value, value_type, target_selection, total_allocated_amount } =
    allocation?.discount_application ?? ({} as Application);
  assert.deepEqual(
    [title, value, value_type, target_selection, total_allocated_amount],
    ["THREEFORTWO", 100, "percentage", "entitled", 2_002],
  );
  assert.deepEqual(cart.cart_level_discount_applications, []);
  assert.equal(cart.total_price, 4 * 1_999);
  assert.deepEqual(applicable(await fill("THREEFORTWO", { [hat]: 2 })), [false]);
});

test("2.3 a coat halves the price of one hat, and of no other product", async () => {
  const cart = await fill("HATFREE", { [coat]: 1, [hat]: 3, [scarf]: 1 });
  assert.equal(cart.total_price, 10_000 + 3 * 1_999 - 1_000 + 1_001);
  assert.deepEqual(applicable(await fill("HATFREE", { [hat]: 3 })), [false]);
});

test("2.3 a price break applies from its quantity on", async () => {
  for (const [quantity, percent] of [
    [2, 0],
    [3, 10],
    [9, 10],
    [10, 20],
  ] as const) {
    const cart = await fill("BULK", { [scarf]: quantity });
    assert.equal(cart.total_price, quantity * 1_001 - Math.round((quantity * 1_001 * percent) / 100), `${quantity}`);
    assert.deepEqual(applicable(cart), [percent > 0]);
  }
});

test("themes show the price breaks of automatic discounts, which are the prices in the cart", async () => {
  const read = async (handle: string): Promise<string> =>
    (await shop.client().get(`/products/${handle}?section_id=breaks`)).text.replace(/<[^>]*>/g, "");
  assert.equal(await read("coat"), "true 50:9500 100:8500");
  for (const handle of ["scarf", "hat"]) assert.equal(await read(handle), "false");
  const client = shop.client();
  const cart = (await client.post("/cart/add.js", { id: coat, quantity: 100 })).json<CartJson>();
  assert.equal(cart.total_price, 100 * 8_500);
});

test("2.3 a discount that does not combine replaces smaller ones, and their codes do not apply", async () => {
  const cart = await fill("TEN,ALONE", { [coat]: 1 });
  assert.equal(cart.total_price, 8_000);
  assert.deepEqual(applicable(cart), [false, true]);
});

test("a cart whose discount makes shipping free needs no higher total for it", async () => {
  const client = shop.client();
  const readTotal = async (): Promise<string> =>
    (await client.get("/cart?section_id=free")).text.replace(/<[^>]*>/g, "");
  await fill("SHIP", { [hat]: 1 }, client);
  assert.equal(await readTotal(), "12000");
  await client.post("/cart/add.js", { id: hat, quantity: 1 });
  assert.equal(await readTotal(), "0");
  const { products } = (await client.get("/search/suggest/cart.json?products=1")).json<{
    products: readonly unknown[];
  }>();
  assert.deepEqual(products, [{ id: 1, in_cart: 0, reaches_free_delivery: false }]);
});

test("free shipping makes every rate free at the checkout and in the order, from its minimum on", async () => {
  const client: Client = shop.client();
  const cart = await fill("SHIP", { [hat]: 1 }, client);
  assert.deepEqual([cart.total_price, applicable(cart)], [1_999, [false]]);
  assert.match((await checkoutOf(client)).page, /Parcel: \$4\.90/);
  await client.post("/cart/add.js", { id: hat, quantity: 1 });
  const checkout = await checkoutOf(client);
  assert.match(checkout.page, /Parcel: Free, total \$39\.98/);
  const reply = await submit(client, checkout, { ...address, shipping: "3998 Parcel", order: "" });
  assert.equal(reply.status, 303, reply.text);
  const { out } = await runCommand(shop, "orders", "list", "--json");
  const order = JSON.parse(out) as { readonly amount: number; readonly shipping: object };
  assert.deepEqual([order.amount, order.shipping], [3_998, { name: "Parcel", price: 0 }]);
});
