import assert from "node:assert/strict";
import { test } from "node:test";
import { add } from "../support/assertions.ts";
import { rows, variant } from "../support/catalog.ts";
import { address, checkoutOf, submit } from "../support/checkout-page.ts";
import { customerToken } from "../support/customer-token.ts";
import { startShop } from "../support/shop.ts";

const shop = await startShop({
  hasTheme: false,
  config: {
    shipping: {
      countries: ["DE", "US", "AU", "HK", "IE", "CL", "KW", "JP"],
      rates: [
        { name: "Express", price: 1_500 },
        { name: "Standard", price: 500 },
      ],
    },
    tax: { pricesIncludeTax: false, rates: { DE: 10 } },
  },
});

/** Returns the fields that the page reports as invalid. */
function wrongFields(page: string): readonly string[] {
  return [...page.matchAll(/aria-invalid="true" aria-describedby="order-(\w+)-error"/g)].map(([, name = ""]) => name);
}

for (const [country, zip, province, wrong] of [
  ["DE", "", "", ["zip"]],
  ["DE", "-", "", ["zip"]],
  ["DE", "2045", "", ["zip"]],
  ["US", "SW1A 1AA", "OR", ["zip"]],
  ["US", "97201", "", ["province"]],
  ["US", "97201", "Atlantis", ["province"]],
  ["AU", "", "", ["zip", "province"]],
  ["JP", "100-0001", "", ["province"]],
  ["HK", "", "", ["province"]],
  ["CL", "832", "", ["zip"]],
] as const)
  test(`an address in ${country} with postal code "${zip}" and state "${province}" is incomplete`, async () => {
    const client = shop.client();
    await add(client, variant.unlimited, 1);
    const checkout = await checkoutOf(client);
    const sentFields = {
      ...address,
      country,
      quoted_country: country,
      zip,
      province,
      shipping: "2499 Standard",
      order: "",
    };
    const fields = country === "DE" ? { ...sentFields, shipping: "2749 Standard" } : sentFields;
    const reply = await submit(client, checkout, fields);
    assert.equal(reply.status, 400);
    assert.deepEqual(wrongFields(reply.text), wrong);
    assert.match(reply.text, new RegExp(`id="order-${wrong[0]}"[^>]* autofocus`));
    const provinceLabel = /<label for="order-province">([^<]*)</.exec(reply.text)?.[1];
    assert.equal(
      provinceLabel,
      country === "DE" ? undefined : country === "CL" ? "State or province (optional)" : "State or province",
    );
    for (const name of wrong) assert.match(reply.text, new RegExp(`id="order-${name}-error">Enter a `));
  });

for (const [country, zip, province, shipping] of [
  ["IE", "", "", "2499 Standard"],
  ["CL", "", "", "2499 Standard"],
  ["KW", "", "", "2499 Standard"],
  ["HK", "", "Kowloon", "2499 Standard"],
  ["US", "97201", "OR", "2499 Standard"],
] as const)
  test(`an address in ${country} with postal code "${zip}" and state "${province}" is complete`, async () => {
    const client = shop.client();
    await add(client, variant.unlimited, 1);
    const sentFields = { ...address, country, quoted_country: country, zip, province, shipping, order: "" };
    const reply = await submit(client, await checkoutOf(client), sentFields);
    assert.equal(reply.status, 303, reply.text);
  });

test("the cheapest shipping method is selected, and the summary has its cost, with taxes", async () => {
  const client = shop.client();
  await add(client, variant.unlimited, 1);
  const { page } = await checkoutOf(client);
  assert.match(page, /value="2749 Standard" checked/);
  assert.doesNotMatch(page, /value="\d+ Express" checked/);
  const totalsHtml = /<div data-totals="2749 Standard">([\s\S]*?)<\/dl>/.exec(page)?.[1] ?? "";
  assert.match(totalsHtml, /Standard[\s\S]*\$5\.00[\s\S]*\$2\.50[\s\S]*Total[\s\S]*\$27\.49/);
  assert.match(page, /<div data-totals="3849 Express" hidden>/);
});

test("the form names postal code and city in the order of the country", async () => {
  const client = shop.client();
  await add(client, variant.unlimited, 1);
  const checkout = await checkoutOf(client);
  const fieldsOf = (page: string): readonly (string | undefined)[] =>
    [...page.matchAll(/id="order-(zip|city)" name/g)].map(([, name]) => name);
  assert.deepEqual(fieldsOf(checkout.page), ["zip", "city"]);
  assert.doesNotMatch(checkout.page, /vat_id/, "a shop asks for VAT IDs only by setting");
  assert.match(checkout.page, /for="order-zip">Postal code</);
  const chilean = await submit(client, checkout, { ...address, country: "CL", quoted_country: "DE", update: "" });
  assert.match(chilean.text, /for="order-zip">Postal code \(optional\)</);
  const american = await submit(client, checkout, { ...address, country: "US", quoted_country: "DE", update: "" });
  assert.deepEqual(fieldsOf(american.text), ["city", "zip"]);
});

test("a missing shipping method is reported and focused at the methods", async () => {
  const client = shop.client();
  await add(client, variant.unlimited, 1);
  const reply = await submit(client, await checkoutOf(client), { ...address, order: "" });
  assert.equal(reply.status, 400);
  assert.match(reply.text, /role="radiogroup" aria-invalid="true" aria-describedby="order-shipping-error"/);
  assert.match(reply.text, /value="2749 Standard" checked autofocus/);
  assert.match(reply.text, /<\/legend><p[^>]*id="order-shipping-error">Select a shipping method/);
});

test("a country with states has them as a list, and a state is stored by its code", async () => {
  const client = shop.client();
  await add(client, variant.unlimited, 1);
  const checkout = await checkoutOf(client);
  const fields = { ...address, zip: "97201", province: "oregon", country: "US", shipping: "2499 Standard" };
  // Another country than on the page: the page is shown again, with the states of the country.
  const changed = await submit(client, checkout, { ...fields, quoted_country: "DE", order: "" });
  assert.match(changed.text, /<select id="order-province"[\s\S]*<option value="OR" selected>Oregon<\/option>/);
  const left = await submit(client, checkout, { ...fields, country: "AU", quoted_country: "US", order: "" });
  assert.match(left.text, /<option value="NSW">New South Wales</);
  assert.doesNotMatch(left.text, /<select id="order-province"[^>]*>(?:(?!<\/select>)[\s\S])*selected/);
  const german = await submit(client, checkout, { ...fields, country: "DE", quoted_country: "US", order: "" });
  assert.doesNotMatch(german.text, /id="order-province"/);
  const placed = await submit(client, checkout, { ...fields, quoted_country: "US", order: "" });
  assert.equal(placed.status, 303, placed.text);
  const order = await client.get(String(placed.headers.location));
  assert.match(order.text, /Hamburg, OR 97201/);
});

test("a long name is shortened without cutting a character in half", async () => {
  const client = shop.client();
  await add(client, variant.unlimited, 1);
  const checkout = await checkoutOf(client);
  const name = `${"a".repeat(254)}🚢`;
  const placed = await submit(client, checkout, { ...address, name, shipping: "2749 Standard", order: "" });
  assert.equal(placed.status, 303, placed.text);
  const order = await client.get(String(placed.headers.location));
  assert.match(order.text, /a{254}(?![a\ufffd])/);
});

test("invisible characters of the form are removed, and do not fill in a required field", async () => {
  const client = shop.client();
  await add(client, variant.unlimited, 1);
  const checkout = await checkoutOf(client);
  const fields = { ...address, shipping: "2749 Standard", order: "" };
  const blank = await submit(client, checkout, { ...fields, name: "\u200b\u2060", city: "\u202e\u2066" });
  assert.deepEqual(wrongFields(blank.text), ["name", "city"]);
  const hidden = await submit(client, checkout, { ...fields, email: "ann\u00ad@shop.example" });
  assert.deepEqual(wrongFields(hidden.text), ["email"]);
  const pasted = { ...fields, email: "\u200bann@shop.example\ufeff", name: "\u202eAnn\u202c", city: "تهران\u200cها" };
  const placed = await submit(client, checkout, pasted);
  assert.equal(placed.status, 303, placed.text);
  const order = (await client.get(String(placed.headers.location))).text;
  assert.match(order, /ann@shop\.example/);
  assert.match(order, /تهران\u200cها/);
  assert.doesNotMatch(order, /[\u200b\u202a-\u202e\ufeff]/);
});

test("a new euro shop sends to the euro area, its own country selected", async () => {
  const config = { currency: "EUR", locales: { default: "en", others: ["fr"] }, shipping: {} };
  const euro = await startShop({ hasTheme: false, config });
  const client = euro.client();
  await add(client, variant.unlimited, 1);
  const checkout = await checkoutOf(client);
  assert.match(checkout.page, /<option value="DE" selected>/);
  assert.doesNotMatch(checkout.page, /<option value="US"/);
  const american = { ...address, province: "OR", country: "US", quoted_country: "US", order: "" };
  assert.equal((await submit(client, checkout, american)).status, 400);
  assert.equal((await submit(client, checkout, { ...address, order: "" })).status, 303);
});

test("a euro shop that sends everywhere selects a country of the euro area", async () => {
  const shipping = { rates: [{ name: "Standard", price: 500 }] };
  const locales = { default: "en", others: ["fr"] };
  const euro = await startShop({ hasTheme: false, config: { currency: "EUR", locales, shipping } });
  const client = euro.client();
  await add(client, variant.unlimited, 1);
  assert.match((await checkoutOf(client)).page, /<option value="DE" selected>/);
  assert.match((await checkoutOf(client, "/fr")).page, /<option value="FR" selected>/);
});

test("gift cards and store credit show their share of the total before and after the order", async () => {
  const ownShop = await startShop({
    hasTheme: false,
    rows: [
      ...rows,
      { kind: "gift_card", code: "PLENTY-2026", balance: 9_000 },
      { kind: "customer", id: 9, email: "ada@example.com", store_credit: 2_300 },
    ],
    config: { shipping: { rates: [{ name: "Standard", price: 500 }] } },
  });
  for (const [label, code, customer, drawn] of [
    ["Gift card", "PLENTY-2026", undefined, "\\$24\\.99"],
    ["Store credit", undefined, "9", "\\$23\\.00"],
  ] as const) {
    const client = ownShop.client();
    if (customer !== undefined) client.cookies.set("customer", customerToken(customer));
    await client.post("/cart/add.js", { id: variant.unlimited, ...(code === undefined ? {} : { gift_cards: code }) });
    const checkout = await checkoutOf(client);
    const [, shipping = "", totals = ""] = /<div data-totals="([^"]+)">([\s\S]*?)<\/dl>/.exec(checkout.page) ?? [];
    const line = new RegExp(`>${label}</dt><dd>-${drawn}<`);
    assert.match(totals, line);
    const orderReply = await submit(client, checkout, { ...address, shipping, order: "" });
    assert.match((await client.get(String(orderReply.headers.location))).text, line);
  }
});

test("on a right-to-left page, names and discounts have their own direction", async () => {
  const title = "3 for 2 (coats)";
  const arabicShop = await startShop({
    hasTheme: false,
    rows: [
      ...rows,
      { kind: "discount", title, value_type: "percentage", value: 10, products: ["canvas-tote"] },
      { kind: "gift_card", code: "CARD-AAAA-1111", balance: 300 },
    ],
    config: { name: "Quay (Harbour)", locales: { default: "en", others: ["ar"] } },
  });
  const client = arabicShop.client();
  await add(client, variant.unlimited, 1);
  await client.post("/cart/update.js", { gift_cards: "CARD-AAAA-1111" });
  const cart = (await client.get("/ar/cart")).text;
  const { page } = await checkoutOf(client, "/ar");
  for (const text of [cart, page]) {
    assert.ok(text.includes(`<bdi>${title}</bdi> \u200f\u200e-2.00`), "the minus is on the left of the amount");
    assert.ok(text.includes("<dd>\u200f\u200e-3.00"));
    assert.match(text, /header__name[^>]*><bdi>Quay \(Harbour\)</);
  }
});
