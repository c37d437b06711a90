import assert from "node:assert/strict";
import { test } from "node:test";
import { add, assertInvalid, assertMutated, readCart } from "../support/assertions.ts";
import { variant } from "../support/catalog.ts";
import { startShop } from "../support/shop.ts";

const shop = await startShop();

test("4.3 an add with an argument that is not stored names it in an issue", async () => {
  const client = shop.client();
  const issuesOf = async (body: object) => assertMutated(await client.post("/cart/add.js", body)).issues;
  const item = { id: variant.unlimited };
  const [single] = await issuesOf({ ...item, engraving: "Ada", attributes: {}, form_type: "product", utf8: "✓" });
  assert.deepEqual([single?.code, single?.field], ["fields_not_kept", "engraving"]);
  assert.match(single?.message ?? "", /engraving/);
  const [several] = await issuesOf({ items: [item, { ...item, gift: true, empty: "" }], utm: "x", sections: [] });
  assert.match(several?.message ?? "", /utm.*items\.1\.gift/);
  const known = { "section_ids[]": ["header"], note: null };
  assert.deepEqual(await issuesOf({ items: [{ ...item, properties: { a: "b" }, selling_plan: "" }], ...known }), []);
});

const parentFields = ["parent_id", "parent_line_key"] as const;

test("4.3 a subscription, and a parent outside of an added item, is rejected, naming the field", async () => {
  const client = shop.client();
  const { items } = await add(client, variant.tracked);
  const first = { id: variant.unlimited };
  const subscription = { ...first, selling_plan: 688 };
  for (const [path, body, field] of [
    ["/cart/add.js", subscription, "selling_plan"],
    ["/cart/add.js", { items: [first, subscription] }, "items.1.selling_plan"],
    [
      "/api/cart/buyNowCheckout",
      { item: { product: { variantId: 21, selling_plan: 688 } } },
      "item.product.selling_plan",
    ],
    ["/cart/change.js", { line: 1, quantity: 2, selling_plan: 688 }, "selling_plan"],
    ...parentFields.flatMap((name) => [
      ["/cart/add.js", { items: [first], [name]: "7" }, name] as const,
      ["/cart/change.js", { id: items[0]?.key, quantity: 2, [name]: "7" }, name] as const,
      [
        "/api/cart/buyNowCheckout",
        { item: { product: { variantId: 21, [name]: "7" } } },
        `item.product.${name}`,
      ] as const,
    ]),
  ] as const)
    assertInvalid(await client.post(path, body), field, "unsupported");
  assert.equal((await readCart(client)).item_count, 1);
});

test("4.3 the empty fields for subscriptions and parents that product forms always send are accepted", async () => {
  const forms = await startShop({ config: { compat: { forms: true } } });
  const client = forms.client();
  const empty = Object.fromEntries(["selling_plan", ...parentFields].map((field) => [field, ""]));
  await add(client, variant.tracked);
  const item = { id: variant.unlimited, ...empty };
  for (const [path, body] of [
    ["/cart/add.js", { ...item, attributes: {} }],
    ["/cart/add.js", { items: [item], selling_plan: null, attributes: { gift: "" } }],
    ["/cart/change.js", { line: 1, quantity: 2, ...empty }],
  ] as const)
    assert.deepEqual(assertMutated(await client.post(path, body)).issues, [], path);
  const checkout = { item: { product: { ...item, variantId: variant.unlimited } } };
  assert.equal((await client.post("/api/cart/buyNowCheckout", checkout)).status, 200);
  const form = new URLSearchParams({ id: String(variant.unlimited), selling_plan: "", "attributes[gift]": "" });
  const type = { "content-type": "application/x-www-form-urlencoded" };
  assert.deepEqual(assertMutated(await client.post("/cart/add.js", form.toString(), type)).issues, []);
  form.set("attributes[gift]", "yes");
  const { issues } = assertMutated(await client.post("/cart/add.js", form.toString(), type));
  assert.deepEqual(
    issues.map(({ code }) => code),
    ["attributes_not_kept"],
  );
});
