import assert from "node:assert/strict";
import { test } from "node:test";
import { assertMutated, readCart, summary } from "../support/assertions.ts";
import { product, type RowJson, rows as usualRows, variant } from "../support/catalog.ts";
import type { Client } from "../support/client.ts";
import type { IssueJson } from "../support/replies.ts";
import { startShop, type TestShop } from "../support/shop.ts";

const limited = (code: string | undefined, usage_limit: number, more: object = {}): RowJson => ({
  kind: "discount",
  ...(code === undefined ? {} : { code }),
  title: code ?? "First come",
  value_type: "percentage",
  value: 10,
  usage_limit,
  ...more,
});
const rows: readonly RowJson[] = [
  ...usualRows,
  limited("ONCE", 1),
  limited("TWICE", 2),
  limited("THRICE", 3),
  limited("LARGE", 1, { minimum_subtotal: 1_000_000 }),
  limited("EXPRESS", 1),
  limited("HANDED", 1),
  limited("HEADED", 1),
  limited("LAPSING", 2),
  limited("RENEWED", 1),
  limited("RETURNED", 1),
];
const MINUTE = 60_000;
let now = Date.now();
const shop = await startShop({
  rows,
  now: () => now,
  themeFiles: { "templates/checkout.liquid": "<p>due {{ checkout.amount_due_cents }}</p>" },
});

async function withCode(client: Client, discount: string): Promise<Client> {
  assertMutated(await client.post("/cart/add.js", { id: variant.tracked, discount }));
  return client;
}

async function isApplicable(client: Client): Promise<boolean> {
  const { discount_codes, total_discount_cents } = await readCart(client);
  assert.equal(total_discount_cents > 0, discount_codes[0]?.applicable);
  return discount_codes[0]?.applicable === true;
}

/** Opens the checkout `times` times, as a shopper does. */
async function checkOut(client: Client, times = 1): Promise<string> {
  const url = String((await client.get("/checkout")).headers.location);
  for (let n = 1; n < times; n += 1) await client.get(url);
  return (await client.get(url)).text;
}

test("2.3 discounts: a use is counted when a checkout is opened, once for each checkout", async () => {
  const [first, second, third] = await Promise.all([1, 2, 3].map(() => withCode(shop.client(), "TWICE")));
  assert.ok(first && second && third);
  assert.match(await checkOut(first, 3), /due 10800/);
  assert.ok(await isApplicable(second), "one use remains");
  assert.match(await checkOut(second), /due 10800/);
  assert.ok(await isApplicable(first), "the shopper who used the code still has it");
  assert.ok(!(await isApplicable(third)));
  assert.match(await checkOut(third), /due 12000/);
});

test("2.3 discounts: a used-up code is reported like an expired one on reads, writes and pages", async () => {
  await checkOut(await withCode(shop.client(), "ONCE"));
  const client = shop.client();
  const cart = assertMutated(await client.post("/cart/add.js", { id: variant.tracked, discount: "once" }));
  assert.deepEqual(cart.discount_codes, [{ code: "once", applicable: false }]);
  const issues = [cart.issues, (await client.get("/cart.js")).json<{ issues: readonly IssueJson[] }>().issues];
  for (const [issue, ...others] of issues) {
    assert.deepEqual([issue?.code, issue?.field, others], ["discount_not_applicable", "discount", []]);
  }
  assert.deepEqual(summary(cart), [[String(variant.tracked), 1]]);
});

test("2.3 discounts: of ten concurrent checkouts with a code for three uses, three get it", async () => {
  const clients = await Promise.all(Array.from({ length: 10 }, () => withCode(shop.client(), "THRICE")));
  const pages = await Promise.all(clients.map((client) => checkOut(client, 2)));
  assert.equal(pages.filter((page) => page.includes("due 10800")).length, 3);
  const applicable = await Promise.all(clients.map(isApplicable));
  assert.equal(applicable.filter(Boolean).length, 3);
});

test("2.3 discounts: a checkout without a deduction consumes no use", async () => {
  const client = await withCode(shop.client(), "LARGE");
  await checkOut(client);
  const large = shop.client();
  const body = { id: variant.unlimited, quantity: 600, discount: "LARGE" };
  assert.ok(assertMutated(await large.post("/cart/add.js", body)).discount_codes[0]?.applicable);
});

test("2.3 discounts: an express checkout counts as a use, and a used-up code does not prevent the sale", async () => {
  const buy = async (): Promise<string> => {
    const client = shop.client();
    const body = { item: { product: { variantId: variant.tracked } }, discountCode: "EXPRESS" };
    const { checkout_url } = (await client.post("/api/cart/buyNowCheckout", body)).json<{ checkout_url: string }>();
    return (await client.get(checkout_url)).text;
  };
  assert.match(await buy(), /due 10800/);
  assert.match(await buy(), /due 12000/);
});

test("2.3 discounts: with external payments a use is counted at the redirect", async () => {
  const other = await startShop({ rows, config: { checkout: { handoffUrl: "https://pay.example/{id}" } } });
  const [first, second] = await Promise.all([1, 2].map(() => withCode(other.client(), "HANDED")));
  assert.ok(first && second);
  const url = String((await first.get("/checkout")).headers.location);
  assert.ok(await isApplicable(second), "an unopened checkout is not a use");
  for (let n = 0; n < 3; n += 1)
    assert.match(String((await first.get(url)).headers.location), /^https:\/\/pay\.example\//);
  assert.deepEqual([await isApplicable(first), await isApplicable(second)], [true, false]);
});

test("2.3 discounts: an automatic discount ends silently with its last use", async () => {
  const other: TestShop = await startShop({
    rows: [product(1, "rope", "Rope", [{ id: 1, price: 1_000 }]), limited(undefined, 1)],
  });
  const [first, second] = [other.client(), other.client()];
  for (const client of [first, second])
    assert.equal(assertMutated(await client.post("/cart/add.js", { id: 1 })).total_discount_cents, 100);
  await checkOut(first);
  assert.deepEqual(
    (await Promise.all([first, second].map(readCart))).map((cart) => cart.total_discount_cents),
    [100, 0],
  );
  assert.deepEqual((await second.get("/cart.js")).json<{ issues: unknown }>().issues, []);
});

test("2.3 discounts: a HEAD request does not open a checkout", async () => {
  const [first, second] = await Promise.all([1, 2].map(() => withCode(shop.client(), "HEADED")));
  assert.ok(first && second);
  const url = String((await first.get("/checkout")).headers.location);
  assert.equal((await first.send("HEAD", url)).status, 200);
  assert.match(await checkOut(second), /due 10800/);
});

test("2.3 discounts: uses of abandoned checkouts expire after half an hour", async () => {
  const clients = await Promise.all(Array.from({ length: 4 }, () => withCode(shop.client(), "LAPSING")));
  const [first, second, third, fourth] = clients as [Client, Client, Client, Client];
  for (const client of [first, second]) assert.match(await checkOut(client), /due 10800/);
  now += 29 * MINUTE;
  assert.match(await checkOut(third), /due 12000/);
  now += 2 * MINUTE;
  assert.ok(await isApplicable(third));
  const pages = await Promise.all([third, fourth].map((client) => checkOut(client, 2)));
  for (const page of pages) assert.match(page, /due 10800/);
  assert.match(await checkOut(first), /due 12000/, "an expired checkout permanently loses its discount");
});

test("2.3 discounts: reopening a checkout extends its use by half an hour", async () => {
  const [first, second] = await Promise.all([1, 2].map(() => withCode(shop.client(), "RENEWED")));
  assert.ok(first && second);
  for (let times = 0; times < 3; times += 1) {
    assert.match(await checkOut(first), /due 10800/);
    now += 20 * MINUTE;
    assert.ok(!(await isApplicable(second)));
  }
});

test("2.3 discounts: a removed code is available to others at once", async () => {
  const [first, second] = await Promise.all([1, 2].map(() => withCode(shop.client(), "RETURNED")));
  assert.ok(first && second);
  assert.match(await checkOut(first), /due 10800/);
  assert.ok(!(await isApplicable(second)));
  assertMutated(await first.post("/cart/update.js", { discount: "" }));
  assert.match(await checkOut(second), /due 10800/);
});
