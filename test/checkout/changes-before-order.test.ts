import assert from "node:assert/strict";
import { test } from "node:test";
import { add, readCart } from "../support/assertions.ts";
import { product, rows, variant } from "../support/catalog.ts";
import { address, checkoutOf, submit } from "../support/checkout-page.ts";
import { createApiToken } from "../support/command.ts";
import { customerToken } from "../support/customer-token.ts";
import { startShop } from "../support/shop.ts";
import { until } from "../support/until.ts";

const home = {
  first_name: "Ada",
  last_name: "O'Quay",
  address1: "Pier 1",
  zip: "97201",
  city: "Portland",
  province: "Oregon",
  country: "US",
};
const shop = await startShop({
  hasTheme: false,
  rows: [
    ...rows,
    product(50, "lamp", "Lamp", [{ id: 501, price: 4_000 }]),
    product(51, "chart", "Chart", [{ id: 511, price: 900 }]),
    { kind: "discount", id: 90, code: "ENDING", value_type: "percentage", value: 10 },
    { kind: "customer", id: 9, email: "ada@example.com", phone: "+1 503 1", addresses: [home] },
    { kind: "customer", id: 10, email: "eve@example.com", first_name: "Eve", addresses: [{ ...home, country: "CH" }] },
  ],
  config: { shipping: { countries: ["DE", "US"], rates: [{ name: "Standard", price: 500 }] } },
});
const token = await createApiToken(shop, "catalog:write");

/** Changes rows of the catalog, and waits until a cart shows the change. */
async function patch(changedRows: readonly object[], isShown: () => Promise<boolean>): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const body = JSON.stringify(changedRows.map((row) => ({ patch: row })));
  const reply = await shop.client().send("POST", "/admin/catalog", { headers, body });
  assert.equal(reply.status, 200, reply.text);
  await until(isShown);
}

test("the checkout lists what changed since the shopper changed the cart, and then since the page was shown", async () => {
  const client = shop.client();
  await add(client, 501);
  await add(client, 511);
  await client.post("/cart/update.js", { discount: "ENDING" });
  assert.doesNotMatch((await checkoutOf(client)).page, /role="alert"/);
  const setPrice = (price: number, ...otherChanges: readonly object[]) =>
    patch([{ kind: "product", handle: "lamp", variants: [{ id: 501, price }] }, ...otherChanges], async () =>
      (await readCart(client)).items.some((item) => item.price === price),
    );
  const ended = { kind: "discount", id: 90, ends_at: "2020-01-01" };
  await setPrice(4_500, ended, { kind: "product", handle: "chart", published: false });
  const checkout = await checkoutOf(client);
  const [, changes = ""] = /role="alert">([\s\S]*?)<\/div>/.exec(checkout.page) ?? [];
  assert.match(changes, /price of Lamp changed from \$40\.00 to \$45\.00/);
  assert.match(changes, /Chart is no longer available/);
  assert.match(changes, /Discount code ENDING isn’t valid/);
  await setPrice(3_500);
  const fields = { ...address, shipping: "5000 Standard", order: "" };
  const changed = await submit(client, checkout, fields);
  assert.match(changed.text, /price of Lamp changed from \$45\.00 to \$35\.00/);
  const placed = await submit(client, { ...checkout, page: changed.text }, { ...fields, shipping: "4000 Standard" });
  assert.match(String(placed.headers.location), /^\/orders\//, placed.text);
});

test("a checkout whose items were all removed from the shop names them", async () => {
  const client = shop.client();
  await add(client, 101);
  const removed = { kind: "product", handle: "paint-tin", published: false };
  await patch([removed], async () => (await readCart(client)).items.length === 0);
  const { page } = await checkoutOf(client);
  assert.match(page, /Paint [^<]* is no longer available/);
  assert.match(page, /Your cart is empty/);
});

test("a form with a payment method that the shop no longer offers is shown again with the shopper's input", async () => {
  const client = shop.client();
  await add(client, variant.unlimited);
  const fields = { ...address, name: "Ada Quay", shipping: "2499 Standard", order: "" };
  const reply = await submit(client, await checkoutOf(client), { ...fields, payment_method: "bank_transfer" });
  assert.equal(reply.status, 400);
  assert.match(reply.text, /role="alert"/);
  assert.match(reply.text, /value="Ada Quay"/);
});

test("a product for members stays in the cart of a customer who logs out, and cannot be ordered", async () => {
  const client = shop.client();
  client.cookies.set("customer", customerToken("9"));
  await add(client, variant.membersOnly);
  const checkout = await checkoutOf(client);
  client.cookies.delete("customer");
  const { issues } = (await client.get("/cart.js")).json<{ issues: readonly { code: string; message: string }[] }>();
  assert.deepEqual(
    issues.map(({ code, message }) => [code, message]),
    [["customer_required", "Log in to buy Captain's Cap."]],
  );
  const fields = { ...address, shipping: "3500 Standard", order: "" };
  const page = await client.get(checkout.url);
  for (const reply of [page, await submit(client, checkout, fields)]) {
    assert.equal(reply.status, 422);
    assert.match(reply.text, /Log in to buy Captain&#39;s Cap\./);
    assert.doesNotMatch(reply.text, /no longer available/);
    assert.doesNotMatch(reply.text, /name="order"/);
  }
  client.cookies.set("customer", customerToken("9"));
  assert.equal((await submit(client, await checkoutOf(client), fields)).status, 303);
});

test("the checkout of a customer who is logged in has the default address, if the shop ships there", async () => {
  const valuesOf = async (id: string): Promise<Readonly<Record<string, string>>> => {
    const client = shop.client();
    client.cookies.set("customer", customerToken(id));
    await add(client, variant.unlimited);
    const { page } = await checkoutOf(client);
    const inputs = [...page.matchAll(/id="order-(\w+)" name="\w+" type="\w+" value="([^"]*)"/g)];
    const selected = [
      ...page.matchAll(/<select id="order-(\w+)"(?:(?!<\/select>)[\s\S])*<option value="(\w+)" selected>/g),
    ];
    return Object.fromEntries([...inputs, ...selected].map(([, name = "", value = ""]) => [name, value]));
  };
  assert.deepEqual(await valuesOf("9"), {
    ...{ email: "ada@example.com", name: "Ada O&#39;Quay", address1: "Pier 1", address2: "" },
    ...{ zip: "97201", city: "Portland", province: "OR", country: "US", phone: "+1 503 1" },
  });
  const { email, name, address1, country } = await valuesOf("10");
  assert.deepEqual([email, name, address1, country], ["eve@example.com", "Eve", "", "DE"]);
});
