import assert from "node:assert/strict";
import { test } from "node:test";
import { add, assertMutated, readCart, summary } from "../support/assertions.ts";
import { product, rows, variant } from "../support/catalog.ts";
import type { CartJson } from "../support/replies.ts";
import { startShop } from "../support/shop.ts";

const shop = await startShop();

test("2.3 an empty or never-created cart is a valid empty cart object, not an error", async () => {
  const cart = await readCart(shop.client());
  const { item_count, line_count, items, lines, attributes, requires_shipping, currency } = cart;
  assert.deepEqual(
    { item_count, line_count, items, lines, attributes, requires_shipping },
    { item_count: 0, line_count: 0, items: [], lines: [], attributes: {}, requires_shipping: false },
  );
  assert.equal(currency.iso_code, "USD");
  assert.deepEqual(amounts(cart), [0, 0, 0, 0]);
  assert.ok(!("note" in cart));
});

test("2.3 id is null for a cart that does not exist yet, otherwise a string, and grants no access", async () => {
  const client = shop.client();
  assert.equal((await readCart(client)).id, null);
  const { id } = await add(client, variant.tracked);
  assert.equal(typeof id, "string");
  const otherShopper = shop.client();
  assert.equal((await otherShopper.get(`/cart.js?id=${id}&cartId=${id}`)).json<CartJson>().item_count, 0);
  assert.equal((await otherShopper.get("/cart.js", { cookie: `cart=${id}` })).json<CartJson>().item_count, 0);
});

test("2.3 items are also available as lines", async () => {
  const client = shop.client();
  const cart = await add(client, variant.tracked);
  assert.equal(cart.items.length, 1);
  assert.deepEqual(cart.lines, cart.items);
});

test("2.3 items preserve the order in which they were added", async () => {
  const client = shop.client();
  for (const id of [variant.unlimited, variant.tracked, variant.backorder, variant.unlimited]) await add(client, id);
  assert.deepEqual(summary(await readCart(client)), [
    [String(variant.unlimited), 2],
    [String(variant.tracked), 1],
    [String(variant.backorder), 1],
  ]);
});

test("2.3 note is absent when unset, otherwise the stored string", async () => {
  const client = shop.client();
  assert.ok(!("note" in (await add(client, variant.tracked))));
  assertMutated(await client.post("/cart/update.js", { note: "Ring twice" }));
  assert.equal((await readCart(client)).note, "Ring twice");
});

test("2.3 attributes are always {} and are not persisted", async () => {
  const client = shop.client();
  const cart = assertMutated(
    await client.post("/cart/update.js", { attributes: { gift: "yes", wrap: "", day: null } }),
  );
  assert.deepEqual(cart.attributes, {});
  const [issue, ...others] = cart.issues;
  assert.deepEqual([issue?.code, issue?.field, others], ["attributes_not_kept", "attributes", []]);
  assert.match(issue?.message ?? "", /: gift\.$/);
  const added = await client.post("/fr/cart/add.js", { id: variant.unlimited, attributes: { emballage: "oui" } });
  assert.match(assertMutated(added).issues[0]?.message ?? "", /^Le panier .*emballage/);
  assert.deepEqual((await readCart(client)).attributes, {});
});

test("2.3 requires_shipping is true when any line needs shipping", async () => {
  const client = shop.client();
  assert.equal((await add(client, variant.notShipped)).requires_shipping, false);
  assert.equal((await add(client, variant.tracked)).requires_shipping, true);
});

test("2.3 a line has an id: key = cartLineId = cart_line_id, in addition to id = variant_id and a quantity", async () => {
  const client = shop.client();
  const [line] = (await add(client, variant.tracked, 2)).items;
  assert.ok(line !== undefined && line.key.length > 0);
  assert.equal(line.cartLineId, line.key);
  assert.equal(line.cart_line_id, line.key);
  assert.equal(String(line.id), String(variant.tracked));
  assert.equal(line.variant_id, line.id);
  assert.equal(line.quantity, 2);
});

test("2.3 a line's key is its variant's id, one colon and a token, for any characters of the id", async () => {
  const gid = 'gid://vitrine/Variant/7?"x"<é>';
  const own = await startShop({ rows: [...rows, product(7_001, "anchor", "Anchor", [{ id: gid, price: 100 }])] });
  const client = own.client();
  await add(client, variant.tracked);
  const { items } = await add(client, gid);
  assert.match(String(items[0]?.key), /^11:[\w-]{22,}$/);
  assert.match(String(items[1]?.key), /^[\w.-]+:[\w-]{22,}$/);
  assert.equal(items[1]?.variant_id, gid);
  for (const { key } of items) assertMutated(await client.post("/cart/change.js", { id: key, quantity: 0 }));
  assert.equal((await readCart(client)).line_count, 0);
});

test("2.3 stored keys without a colon remain valid and unchanged", async () => {
  const { carts: cartWriter, keys: keyring } = shop.app.shop;
  const lines = ["NtbF32XYHYq84rR7dTCkIQFa", "0I_6Sk1MkVNEo5Rz4pUpHi_K"].map((key, n) => ({
    ...{ key, variantId: String(variant.unlimited), quantity: 2, properties: { n: String(n) } },
    ...{ seenPrice: 1_999, seenTitle: "Canvas Tote" },
  }));
  const stored = {
    id: "stored-before",
    checkoutId: "stored-before-c",
    revision: 0,
    discountCodes: [],
    giftCards: [],
    lines,
  };
  assert.equal(await cartWriter.saveWithStatements(stored, { ...stored, revision: 1 }, { now: Date.now() }), "saved");
  const client = shop.client();
  client.cookies.set("cart", keyring.sign("cart", stored.id, Date.now() + 86_400_000));
  const keys = lines.map(({ key }) => key);
  const [first = "", second = ""] = keys;
  for (const name of ["key", "id", "cartLineId", "cart_line_id"]) {
    const { items } = assertMutated(await client.post("/cart/change.js", { [name]: second, quantity: name.length }));
    assert.deepEqual(
      items.map(({ key, quantity }) => [key, quantity]),
      [
        [first, 2],
        [second, name.length],
      ],
    );
  }
  const more = { id: variant.unlimited, properties: { n: "0" } };
  assert.equal(assertMutated(await client.post("/cart/add.js", more)).key, first);
  assert.equal(assertMutated(await client.post("/cart/update.js", { updates: { [first]: 0 } })).items[0]?.key, second);
});

test("2.3 a line's key never changes", async () => {
  const client = shop.client();
  const key = (await add(client, variant.tracked)).items[0]?.key;
  await add(client, variant.unlimited);
  await add(client, variant.tracked, 2);
  assertMutated(await client.post("/cart/update.js", { discount: "TENOFF", note: "x" }));
  assertMutated(await client.post("/cart/change.js", { key, quantity: 5 }));
  assert.equal((await readCart(client)).items[0]?.key, key);
});

const lineFields =
  "key cartLineId cart_line_id id variant_id product_id product_title variant_title title handle url sku vendor product_type image featured_image quantity " +
  "price original_price final_price line_price original_line_price final_line_price price_cents original_price_cents final_price_cents line_price_cents " +
  "original_line_price_cents final_line_price_cents total_discount discounts line_level_discount_allocations properties grams requires_shipping taxable " +
  "gift_card options_with_values quantity_rule max_quantity available url_to_remove " +
  "presentment_price discounted_price line_level_total_discount has_components";

test("2.3 a line has every field of the contract", async () => {
  const [line] = (await add(shop.client(), variant.tracked, 2)).items as unknown as Record<string, unknown>[];
  for (const field of lineFields.split(" ")) assert.ok(line !== undefined && field in line, field);
  assert.equal(line?.product_title, "Harbour Raincoat");
  assert.equal(line?.handle, "harbour-raincoat");
  assert.equal(line?.sku, "NOR.0707-60");
  assert.equal(line?.vendor, "Norrland");
  assert.equal(line?.grams, 900);
  assert.equal(line?.price, 12_000);
  assert.equal(line?.presentment_price, 120);
  assert.equal(line?.line_price, 24_000);
  assert.match(String(line?.url), /^\/products\/harbour-raincoat(\?variant=11)?$/);
  assert.deepEqual(line?.options_with_values, [{ name: "Size", value: "S" }]);
});

test("2.3 a line of a localized request is in its language", async () => {
  const client = shop.client();
  await add(client, variant.tracked);
  const cart = (await client.get("/fr/cart.js")).json<CartJson>();
  assert.equal(cart.items[0]?.product_title, "Imperméable du port");
});

test("2.3 every successful mutation includes the cart also as cart, and issues", async () => {
  const client = shop.client();
  const writes: readonly (readonly [string, object])[] = [
    ["/cart/add.js", { id: variant.tracked, quantity: 2 }],
    ["/cart/change.js", { line: 1, quantity: 1 }],
    ["/cart/update.js", { updates: [3] }],
    ["/cart/clear.js", {}],
  ];
  for (const [path, body] of writes) {
    const { cart, issues, sections, added, key, variant_id, ...top } = assertMutated(await client.post(path, body));
    assert.deepEqual({ ...top, ...cart }, top, `${path}: cart is the same object`);
    assert.deepEqual(issues, []);
    assert.equal(sections, undefined);
    assert.equal(added === undefined, path !== "/cart/add.js");
    assert.equal(key === undefined || variant_id === undefined, path !== "/cart/add.js");
    assert.deepEqual(await readCart(client), cart, `${path}: the state after the mutation`);
  }
});

test("2.3 the cart has exactly the documented fields, and an issue always has all of its fields", async () => {
  const client = shop.client();
  await add(client, variant.scarce, 3);
  const { issues, ...cart } = assertMutated(await client.post("/cart/change.js", { line: 1, quantity: 5 }));
  const cartFields =
    "amount_due amount_due_cents attributes cart_level_discount_applications currency currency_code discount_applications " +
    "discount_codes gift_cards id item_count items items_subtotal_price items_subtotal_price_cents line_count lines " +
    "original_total_price original_total_price_cents requires_shipping revision store_credit token total_discount " +
    "total_discount_cents total_price total_price_cents total_weight";
  assert.deepEqual(Object.keys(cart.cart).sort(), cartFields.split(" "));
  assert.deepEqual(
    Object.keys(issues[0] ?? {}).join(" "),
    "code message field key variant_id requested_quantity quantity available_quantity substitute",
  );
});

test("2.3 fields in addition to the spec's: totals without _cents, weight, codes, gift cards, revision", async () => {
  const client = shop.client();
  const before = await readCart(client);
  const cart = await add(client, variant.tracked, 2);
  assert.deepEqual(
    [cart.total_price, cart.original_total_price, cart.items_subtotal_price, cart.total_discount, cart.total_weight],
    [24_000, 24_000, 24_000, 0, 1_800],
  );
  assert.deepEqual([cart.cart_level_discount_applications, cart.discount_codes, cart.gift_cards], [[], [], []]);
  assert.ok(cart.revision > before.revision);
});

function amounts(cart: CartJson): readonly number[] {
  return [cart.items_subtotal_price_cents, cart.total_discount_cents, cart.total_price_cents, cart.amount_due_cents];
}
