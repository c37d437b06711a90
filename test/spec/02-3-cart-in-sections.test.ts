import assert from "node:assert/strict";
import { test } from "node:test";
import { assertMutated } from "../support/assertions.ts";
import { product, rows, variant } from "../support/catalog.ts";
import type { MutationJson } from "../support/replies.ts";
import { startShop } from "../support/shop.ts";

/** Fields of a line that are plain values in sections and in JSON. */
const fields = (
  "title product_title variant_title available max_quantity line_price line_price_cents final_price final_line_price_cents price_cents " +
  "product_has_only_default_variant variant_options cartLineId cart_line_id"
).split(" ");

const shop = await startShop({
  rows: [
    ...rows,
    {
      ...product(9_100, "coat", "Coat", [
        { id: 9_101, title: "M", options: ["M"], price: 1_000, inventory_quantity: 3 },
      ]),
      options: ["Size"],
    },
    product(9_200, "anchor", "Anchor", [{ id: 9_201, price: 3_333 }]),
    { kind: "discount", title: "A fifth", value_type: "percentage", value: 20, products: ["coat"] },
    { kind: "discount", title: "Half", value_type: "percentage", value: 50, products: ["anchor"] },
  ],
  config: { cart: { maxQuantity: 100 } },
  themeFiles: {
    "sections/lines.liquid": `[{% for item in cart.items %}{ ${fields.map((name) => `"${name}": {{ item.${name} | json }}`).join(", ")} }{% unless forloop.last %},{% endunless %}{% endfor %}]`,
    "sections/whole.liquid": "{{ cart | json }}",
    "sections/issues.liquid": "{{ cart.issues | json }}",
    "sections/discounts.liquid":
      "[{% for discount in cart.discount_applications %}[{{ discount.amount }}, {{ discount.total_amount }}, {{ discount.savings }}, {{ discount.total_savings }}]{% unless forloop.last %},{% endunless %}{% endfor %}]",
  },
});

async function renderCart(items: readonly object[]): Promise<{ cart: MutationJson; section: (id: string) => unknown }> {
  const reply = await shop.client().post("/cart/add.js", { items, sections: "lines,whole,issues,discounts" });
  const cart = assertMutated(reply);
  return { cart, section: (id) => JSON.parse(String(cart.sections?.[id]).replace(/^<div[^>]*>|<\/div>$/g, "")) };
}

test("2.3 a section and the JSON have equal titles, prices, stock and limits of a line", async () => {
  const { cart, section } = await renderCart([
    { id: 9_101, quantity: 2 },
    { id: 9_201, quantity: 2 },
  ]);
  const lines = cart.items as unknown as readonly Record<string, unknown>[];
  assert.deepEqual(
    section("lines"),
    lines.map((line) => Object.fromEntries(fields.map((name) => [name, line[name]]))),
  );
  assert.deepEqual(
    lines.map(({ title, line_price, final_line_price, max_quantity }) => [
      ...[title, line_price],
      ...[final_line_price, max_quantity],
    ]),
    [
      ["Coat - M", 2_000, 1_600, 3],
      ["Anchor", 6_666, 3_333, 100],
    ],
    "line_price is price times quantity, before the line's discounts",
  );
  assert.deepEqual(
    section("discounts"),
    [400, 3_333].map((amount) => [amount, amount, -amount, -amount]),
  );
});

test("2.3 json of the cart in a section equals the cart of the JSON in every field that both have", async () => {
  const { cart, section } = await renderCart([{ id: 11, quantity: 1, properties: { Name: "Ada" } }]);
  const whole = section("whole") as Record<string, unknown>;
  const { items, ...totals } = whole;
  for (const name of Object.keys(totals).filter((one) => one !== "issues" && one !== "currency"))
    assert.deepEqual(whole[name], cart.cart[name as keyof typeof cart.cart], name);
  const [written, line] = [(items as object[])[0], cart.items[0]] as unknown as Record<string, unknown>[];
  const missing = Object.entries(line ?? {}).filter(([name, value]) => value !== null && !(name in (written ?? {})));
  assert.deepEqual(missing, [], "json includes every field of a line");
  assert.equal(written?.image, line?.image);
});

test("2.3 an issue uses the title of its line", async () => {
  const client = shop.client();
  const [line] = assertMutated(await client.post("/cart/add.js", { id: 9_101, quantity: 2 })).items;
  const body = { key: line?.key, quantity: 5, sections: "issues" };
  const { items, issues } = assertMutated(await client.post("/cart/change.js", body));
  assert.equal(items[0]?.title, "Coat - M");
  assert.equal(issues[0]?.message, "Only 3 of Coat - M available. The quantity is now 3.");
});

test("2.3 max_quantity is the highest quantity allowed by the line's rule, the stock and other lines of the variant", async () => {
  const client = shop.client();
  const items = [
    { id: variant.byTwos, quantity: 2 },
    ...["a", "b"].map((n) => ({ id: variant.scarce, properties: { n } })),
  ];
  const { items: lines } = assertMutated(await client.post("/cart/add.js", { items }));
  const most = lines.map((line) => (line as unknown as { readonly max_quantity: number }).max_quantity);
  assert.deepEqual(most, [10, 2, 2]);
  for (const [index, { key }] of lines.slice(0, 2).entries()) {
    const set = assertMutated(await client.post("/cart/change.js", { key, quantity: 100 }));
    assert.equal(set.items[index]?.quantity, most[index]);
  }
});
