import assert from "node:assert/strict";
import { test } from "node:test";
import { add, assertCartError, assertInvalid, assertMutated, readCart, summary } from "../support/assertions.ts";
import { variant } from "../support/catalog.ts";
import { startShop } from "../support/shop.ts";

const shop = await startShop({ config: { cart: { maxLines: 15 } } });

for (const path of ["/cart/add.js", "/cart/add", "/fr/cart/add.js", "/ja/cart/add"]) {
  test(`4.3 POST ${path} with { id, quantity } adds and returns the updated cart`, async () => {
    const client = shop.client();
    const cart = assertMutated(await client.post(path, { id: variant.tracked, quantity: 2 }));
    assert.deepEqual(summary(cart), [[String(variant.tracked), 2]]);
    assert.deepEqual(await readCart(client).then(summary), summary(cart));
  });
}

test("4.3 { items: [{ id, quantity }, ...] } adds every item", async () => {
  const client = shop.client();
  const items = [
    { id: variant.tracked, quantity: 2 },
    { id: variant.unlimited, quantity: 3 },
    { id: variant.backorder },
  ];
  const cart = assertMutated(await client.post("/cart/add.js", { items }));
  assert.deepEqual(summary(cart), [
    [String(variant.tracked), 2],
    [String(variant.unlimited), 3],
    [String(variant.backorder), 1],
  ]);
  assert.equal(cart.added?.length, 3);
});

for (const name of ["id", "variantId", "variant_id"]) {
  test(`4.3 ${name} is the variant id, as a number or a string, alone and in items`, async () => {
    for (const value of [variant.tracked, String(variant.tracked)]) {
      const client = shop.client();
      assertMutated(await client.post("/cart/add.js", { [name]: value, quantity: 1 }));
      const cart = assertMutated(await client.post("/cart/add.js", { items: [{ [name]: value, quantity: 1 }] }));
      assert.deepEqual(summary(cart), [[String(variant.tracked), 2]]);
    }
  });
}

test("4.3 quantity is an integer or a decimal string, 1 by default", async () => {
  const client = shop.client();
  assertMutated(await client.post("/cart/add.js", { id: variant.tracked, quantity: "2" }));
  const cart = assertMutated(await client.post("/cart/add.js", { id: variant.tracked }));
  assert.deepEqual(summary(cart), [[String(variant.tracked), 3]]);
});

test("4.3 items takes precedence over id, and id over its aliases", async () => {
  const client = shop.client();
  const body = {
    id: variant.tracked,
    items: [{ id: variant.unlimited, variantId: variant.tracked, variant_id: variant.backorder }],
  };
  assert.deepEqual(summary(assertMutated(await client.post("/cart/add.js", body))), [[String(variant.unlimited), 1]]);
});

const bodiesWithoutItems = [
  ...[{}, { quantity: 1 }, { note: "x" }, { id: null }, { items: undefined, properties: {} }],
  ...[{ items: [] }, { items: {} }, { items: "x" }],
];
for (const body of bodiesWithoutItems) {
  test(`4.3 a body without id and items is 400 validation_failed: ${JSON.stringify(body)}`, async () => {
    assertInvalid(await shop.client().post("/cart/add.js", body), "id|item|items", "required");
  });
}

const quantities: readonly (readonly [unknown, string])[] = [
  [0, "min"],
  [-1, "integer"],
  [1.5, "integer"],
  ["1.5", "integer"],
  ["2.5", "integer"],
  ["1_0", "integer"],
  ["١", "integer"],
  ["abc", "integer"],
  ["", "integer"],
  [" 1 ", "integer"],
  ["+1", "integer"],
  ["1e2", "integer"],
  ["0x10", "integer"],
  [true, "integer"],
  [null, "integer"],
  [[1], "integer"],
  [{}, "integer"],
  [10_000, "max"],
];
for (const [quantity, rule] of quantities) {
  test(`4.3 quantity ${JSON.stringify(quantity)} is rejected, alone and in items`, async () => {
    const client = shop.client();
    const alone = await client.post("/cart/add.js", { id: variant.unlimited, quantity });
    // The error of a negative number may be about its type or its range.
    assertInvalid(alone, "quantity", quantity === -1 ? undefined : rule);
    const good = { id: variant.unlimited, quantity: 1 };
    const listed = await client.post("/cart/add.js", { items: [good, { id: variant.unlimited, quantity }] });
    assertInvalid(listed, "items.1.quantity", quantity === -1 ? undefined : rule);
    assert.equal((await readCart(client)).item_count, 0);
  });
}

test("4.3 a quantity and an id may be whole numbers with a decimal point", async () => {
  const client = shop.client();
  for (const quantity of ["1.0", '"1.0"', "2.00"])
    assertMutated(await client.post("/cart/add.js", `{"id":${variant.unlimited}.0,"quantity":${quantity}}`));
  for (const id of ["9007199254740993.0", `${variant.unlimited}.5`])
    assertInvalid(await client.post("/cart/add.js", `{"id":${id}}`), "id", "exists");
  const changed = assertMutated(await client.post("/cart/change.js", '{"line":1.0,"quantity":3.0}'));
  assert.equal(changed.item_count, 3);
});

test("4.3 an item that is no object is rejected at its position", async () => {
  for (const item of [null, [1], "x"])
    assertInvalid(await shop.client().post("/cart/add.js", { items: [item] }), "items.0.id", "required");
});

test("4.3 an unknown and an unpublished variant get the same error: id, exists", async () => {
  const client = shop.client();
  const unknown = await client.post("/cart/add.js", { id: variant.unknown });
  const hidden = await client.post("/cart/add.js", { id: variant.unpublished });
  assertInvalid(unknown, "id", "exists");
  assert.equal(hidden.text.replaceAll("31", "#"), unknown.text.replaceAll(String(variant.unknown), "#"));
  const listed = await client.post("/cart/add.js", { items: [{ id: variant.tracked }, { id: variant.unknown }] });
  assertInvalid(listed, "items.1.id", "exists");
  assert.equal((await readCart(client)).item_count, 0);
});

test("4.3 a sold-out variant is rejected with a descriptive message, and the cart is unchanged", async () => {
  const client = shop.client();
  await add(client, variant.unlimited);
  const before = await readCart(client);
  const reply = await client.post("/cart/add.js", { id: variant.soldOut, quantity: 1 });
  const error = assertCartError(reply, 422, "out_of_stock");
  assert.match(error.description, /Harbour Raincoat/);
  assert.deepEqual(error.cart, before);
  assert.ok((error.issues?.length ?? 0) > 0 && (error.fields?.length ?? 0) > 0);
  assert.deepEqual(await readCart(client), before);
});

test("4.3 a quantity above stock is rejected with a descriptive message, and the cart is unchanged", async () => {
  const client = shop.client();
  await add(client, variant.tracked, 2);
  const before = await readCart(client);
  const error = assertCartError(
    await client.post("/cart/add.js", { id: variant.tracked, quantity: 9 }),
    422,
    "insufficient_stock",
  );
  assert.match(error.description, /Harbour Raincoat/);
  assert.equal(error.issues?.[0]?.available_quantity, 10);
  assert.deepEqual(await readCart(client), before);
  assert.equal((await add(client, variant.tracked, 8)).item_count, 10);
});

test("4.3 quantities of a variant listed twice are summed before the stock check", async () => {
  const client = shop.client();
  const items = [
    { id: variant.tracked, quantity: 6 },
    { id: variant.tracked, quantity: 6, properties: { For: "Ada" } },
  ];
  assertCartError(await client.post("/cart/add.js", { items }), 422, "insufficient_stock");
  assert.equal((await readCart(client)).item_count, 0);
});

test("4.3 a rejected add renders sections too, so that a theme refreshes in one round trip", async () => {
  const client = shop.client();
  await add(client, variant.unlimited, 3);
  const reply = await client.post("/cart/add.js?sections=cart-count", { id: variant.soldOut });
  assert.match(String(assertCartError(reply, 422, "out_of_stock").sections?.["cart-count"]), /count=3 /);
});

test("4.3 one invalid item rejects the whole add", async () => {
  const client = shop.client();
  const items = [{ id: variant.unlimited }, { id: variant.soldOut }];
  assertCartError(await client.post("/cart/add.js", { items }), 422, "out_of_stock");
  assert.equal((await readCart(client)).item_count, 0);
});

test("4.3 variants with untracked stock or backorders are limited only by the maximum quantity of a line", async () => {
  const client = shop.client();
  await add(client, variant.unlimited, 9_999);
  assertInvalid(await client.post("/cart/add.js", { id: variant.unlimited, quantity: 1 }), "quantity", "max");
  await add(client, variant.backorder, 50);
});

test("4.3 properties: lines merge when variant and properties are equal", async () => {
  const client = shop.client();
  const bodies = [{ Name: "Ada" }, { Name: "Bo" }, { Name: "Ada" }, undefined].map((properties) => ({
    id: variant.unlimited,
    properties,
  }));
  let cart = assertMutated(await client.post("/cart/add.js", bodies[0]));
  for (const body of bodies.slice(1)) cart = assertMutated(await client.post("/cart/add.js", body));
  assert.deepEqual(
    cart.items.map(({ quantity, properties }) => [quantity, properties?.Name]),
    [
      [2, "Ada"],
      [1, "Bo"],
      [1, undefined],
    ],
  );
  assert.equal(new Set(cart.items.map(({ key }) => key)).size, 3);
});

test("4.3 properties may have a member cartId and are an object of strings", async () => {
  const client = shop.client();
  const properties = { cartId: "mine" };
  assertMutated(await client.post("/cart/add.js", { id: variant.unlimited, properties }));
  for (const bad of ["x", 1, [1], { a: { b: 1 } }, { a: ["b"] }]) {
    assertInvalid(await client.post("/cart/add.js", { id: variant.unlimited, properties: bad }), "properties");
  }
});

test("4.3 the response has added, the changed keys, and key and variant_id of the last added line", async () => {
  const client = shop.client();
  await add(client, variant.backorder);
  const items = [{ id: variant.tracked }, { id: variant.unlimited }];
  const cart = assertMutated(await client.post("/cart/add.js", { items }));
  const keys = cart.items.slice(1).map(({ key }) => key);
  assert.deepEqual(cart.added, keys);
  assert.equal(cart.key, keys[1]);
  assert.equal(String(cart.variant_id), String(variant.unlimited));
});

test("4.3 the response has the fields that a notice needs of the last added line, and all fields of the cart", async () => {
  const client = shop.client();
  const properties = { Gift: "yes" };
  const reply = await client.post("/cart/add.js", {
    items: [{ id: variant.unlimited }, { id: variant.tracked, properties }],
  });
  const cart = assertMutated(reply) as unknown as Readonly<Record<string, unknown>>;
  const line = (cart.items as readonly Readonly<Record<string, unknown>>[])[1] ?? {};
  const noticeFields =
    "product_title variant_title variant_options product_type image featured_image url handle price original_price line_price original_line_price final_price final_line_price sku vendor properties options_with_values product_has_only_default_variant";
  for (const name of noticeFields.split(" ")) assert.deepEqual([name in cart, cart[name]], [true, line[name]], name);
  assert.deepEqual([cart.product_title, cart.sku, cart.properties], ["Harbour Raincoat", "NOR.0707-60", properties]);
  assert.deepEqual([line.discounted_price, line.has_components], [12_000, false]);
  const read = (await client.get("/cart.js")).json();
  for (const name of ["id", "total_discount", "requires_shipping"]) assert.deepEqual(cart[name], read[name], name);
});

test("4.3 a quantity rule adjusts the quantity and reports an issue", async () => {
  const cart = await add(shop.client(), variant.byTwos, 3);
  assert.deepEqual([cart.item_count, cart.issues[0]?.code], [4, "quantity_rule"]);
  const few = await add(shop.client(), variant.byTwos, 1);
  assert.deepEqual([few.item_count, few.issues[0]?.code], [2, "quantity_rule"]);
});

test("4.3 prices come only from the catalog, and unknown fields are ignored", async () => {
  const body = { id: variant.tracked, price: 0, line_price: 1, customerId: 1, utm: "x", attributes: { a: 1 } };
  assert.equal(assertMutated(await shop.client().post("/cart/add.js", body)).total_price_cents, 12_000);
});

test("4.3 an add has at most 100 items, and a cart at most cart.maxLines lines", async () => {
  const client = shop.client();
  const many = (count: number, distinct: boolean): object => ({
    items: Array.from({ length: count }, (_, n) => ({
      id: variant.unlimited,
      properties: { n: String(distinct ? n : 0) },
    })),
  });
  assertInvalid(await client.post("/cart/add.js", many(101, false)), "items");
  assert.equal(assertMutated(await client.post("/cart/add.js", many(100, false))).item_count, 100);
  assertCartError(await client.post("/cart/add.js", many(16, true)), 400, "validation_failed");
  assert.equal((await readCart(client)).line_count, 1);
});
