import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, test } from "node:test";
import { add, assertCartError } from "../support/assertions.ts";
import { rows, variant } from "../support/catalog.ts";
import { address, checkoutOf, submit } from "../support/checkout-page.ts";
import type { Client } from "../support/client.ts";
import { runCommand } from "../support/command.ts";
import type { MutationJson } from "../support/replies.ts";
import { startShop, type TestShop } from "../support/shop.ts";

/** State of the other system, which has rates and taxes by postal code, and sessions by cookie. */
const office = { isAway: false, counted: 2, asked: [] as string[] };
const server = createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request) body += String(chunk);
  office.asked.push(String(request.url));
  const answer = (status: number, value: unknown): void => void response.writeHead(status).end(JSON.stringify(value));
  if (office.isAway) return answer(500, {});
  if (request.url === "/me") {
    const [, id] = /session=of-(\d+)/.exec(request.headers.cookie ?? "") ?? [];
    return id === undefined ? answer(401, {}) : answer(200, { id, email: `${id}@example.com`, firstName: "Ada" });
  }
  const { to, lines, customerId, variantIds } = JSON.parse(body);
  if (request.url === "/prices") return answer(200, customerId === "9" ? { [variant.unlimited]: 1_500 } : {});
  if (request.url === "/stock")
    return answer(200, Object.fromEntries(variantIds.map((id: string) => [id, office.counted])));
  if (request.url === "/taxes")
    return answer(200, { lines: lines.map(() => (to.zip === "20457" ? 7 : 19)), shipping: 19 });
  if (to.country === "FR") return answer(200, []);
  return answer(200, [
    { code: "van", name: "Van", price: to.zip === "20457" ? 300 : 900 },
    { code: "boat", name: "Boat", price: 2_000 },
  ]);
});

await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
after(() => server.close());
const origin = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
const shop = await openShop({});

/** Reads `/cart.js` with its issues. */
async function readCart(client: Client): Promise<MutationJson> {
  return (await client.get("/cart.js")).json<MutationJson>();
}

/** Starts a shop.  @param hooks comma-separated names of its hooks */
function openShop(config: object, hooks = "customer, price, discounts, stock, shipping, tax"): Promise<TestShop> {
  const example = new URL("../../examples/back-office/back-office.ts", import.meta.url).href;
  return startShop({
    hasTheme: false,
    rows: [...rows, { kind: "customer", id: 9, email: "old@example.com", store_credit: 500 }],
    config: { hooks: "hooks.ts", shipping: { countries: ["DE", "FR"] }, ...config },
    storeFiles: {
      "hooks.ts": `import { defineHooks } from "vitrine";
        import { backOffice } from ${JSON.stringify(example)};
        const { ${hooks} } = backOffice(${JSON.stringify(origin)});
        export default defineHooks({ ${hooks} });`,
    },
  });
}

test("shipping cost and tax come from the hooks, and no order is placed at a price that was not shown", async () => {
  const client = shop.client();
  await add(client, variant.unlimited, 1);
  const checkout = await checkoutOf(client);
  assert.match(checkout.page, /Including 19% tax<\/dt><dd>\$4\.63[\s\S]*value="2899 van"[\s\S]*value="3999 boat"/);
  const anew = await submit(client, checkout, { ...address, shipping: "2899 van", order: "" });
  assert.equal(anew.status, 400);
  assert.match(
    anew.text,
    /shipping options for this country are shown below[\s\S]*Including 7% tax<\/dt><dd>\$1\.31[\s\S]*value="2299 van"/,
  );
  const unreached = await submit(client, checkout, { ...address, country: "FR", quoted_country: "FR", order: "" });
  assert.match(unreached.text, /id="order-country-error"/);
  const orderReply = await submit(
    client,
    { ...checkout, page: anew.text },
    { ...address, shipping: "2299 van", order: "" },
  );
  assert.equal(orderReply.status, 303, orderReply.text);
  const { out } = await runCommand(shop, "orders", "export", "--format", "jsonl");
  const order = JSON.parse(out) as { readonly total: number; readonly taxes: object };
  const rates = [
    { percent: 19, amount: 48 },
    { percent: 7, amount: 131 },
  ];
  assert.deepEqual(order.taxes, { country: "DE", included: true, total: 179, rates, shipping: 48 });
});

test("an order without shipping has the tax of its checkout", async () => {
  const withTax = await openShop({ tax: { pricesIncludeTax: false } });
  const client = withTax.client();
  await add(client, variant.notShipped, 1);
  const checkout = await checkoutOf(client);
  assert.match(checkout.page, /name="quoted_amount" value="5950"/);
  const otherReply = await submit(client, checkout, { ...address, quoted_amount: "5950", order: "" });
  assert.match(
    otherReply.text,
    /shipping options for this country are shown below[\s\S]*|name="quoted_amount" value="5350"/,
  );
  assert.equal((await readCart(client)).item_count, 1);
  const orderReply = await submit(
    client,
    { ...checkout, page: otherReply.text },
    { ...address, quoted_amount: "5350", order: "" },
  );
  assert.equal(orderReply.status, 303, orderReply.text);
  await withTax.close();
});

test("shipping calculators of themes get the carrier's rates for the postal code", async () => {
  const client = shop.client();
  await add(client, variant.unlimited, 1);
  const prices = async (path: string): Promise<readonly string[]> =>
    (await client.get(path)).json<{ shipping_rates: { price: string }[] }>().shipping_rates.map(({ price }) => price);
  const germany = "shipping_address[country]=Germany&shipping_address[zip]=";
  assert.deepEqual(await prices(`/cart/shipping_rates.json?${germany}20457`), ["3.00", "20.00"]);
  const prepared = await client.post(`/cart/prepare_shipping_rates.json?${germany}10115`);
  assert.equal(prepared.status, 202);
  assert.deepEqual(await prices("/cart/async_shipping_rates.json"), ["9.00", "20.00"]);
});

test("a customer of the other system is signed in with the data of the catalog, and pages show it", async () => {
  const [member, stranger] = [shop.client(), shop.client()];
  assertCartError(await stranger.post("/cart/add.js", { id: variant.membersOnly }), 401, "customer_required");
  member.cookies.set("session", "of-9");
  await add(member, variant.membersOnly, 1);
  const pay = await checkoutOf(member);
  assert.match(pay.page, /Store credit<\/dt><dd>[^<]*\$5\.00/);
  const before = office.asked.filter((path) => path === "/me").length;
  member.cookies.set("session", "nobody");
  assertCartError(await member.post("/cart/add.js", { id: variant.membersOnly }), 401, "customer_required");
  assertCartError(await member.post("/cart/add.js", { id: variant.membersOnly }), 401, "customer_required");
  assert.equal(office.asked.filter((path) => path === "/me").length, before + 1, "an answer counts for a while");
});

test("a cart has the customer's negotiated prices and any discounts of the hook, and the order equals the cart", async () => {
  const member = shop.client();
  member.cookies.set("session", "of-9");
  await add(member, variant.unlimited, 4);
  for (const cart of [await readCart(member), await readCart(member)]) {
    const [line] = cart.items;
    assert.deepEqual(
      [line?.price, cart.total_price, cart.total_discount],
      [1_500, 4_001, 1_999],
      "three for two of the list's price",
    );
    assert.deepEqual(cart.issues, []);
    assert.match(JSON.stringify(cart.cart_level_discount_applications), /"title":"Three for two"/);
  }
  const guest = shop.client();
  await add(guest, variant.unlimited, 1);
  assert.equal((await readCart(guest)).total_price, 1_999);
  const sentFields = { ...address, shipping: "3801 van", order: "" };
  const orderReply = await submit(member, await checkoutOf(member), sentFields);
  assert.equal(orderReply.status, 303, orderReply.text);
});

test("stock from the warehouse at the opening of a checkout applies to all shoppers", async () => {
  const client = shop.client();
  await add(client, variant.scarce, 3);
  const url = String((await client.get("/checkout")).headers.location);
  const rejectedReply = await client.get(url, { accept: "text/html", "sec-fetch-mode": "navigate" });
  assert.equal(rejectedReply.status, 422);
  const addReply = await shop.client().post("/cart/add.js", { id: variant.scarce, quantity: 3 });
  assert.match(addReply.text, /Only 2 of Brass Button/);
});

test("while the other system is unavailable, carts work for guests, no order has an unknown price, and settings replace hooks", async () => {
  const client = shop.client();
  const settled = await openShop(
    {
      shipping: { countries: ["DE"], rates: [{ name: "Standard", price: 500 }] },
      tax: { rates: { DE: 19 } },
    },
    "shipping, tax",
  );
  const guest = settled.client();
  await add(client, variant.unlimited, 1);
  await add(guest, variant.unlimited, 1);
  const { page, url } = await checkoutOf(client);
  office.isAway = true;
  const away = await checkoutOf(client);
  assert.match(away.page, /couldn’t calculate the total\. Your order wasn’t placed/);
  assert.doesNotMatch(away.page, /name="order"/);
  const rejectedReply = await submit(client, { page, url }, { ...address, shipping: "2299 van", order: "" });
  assert.deepEqual([rejectedReply.status, rejectedReply.headers["retry-after"]], [503, undefined]);
  assert.match(rejectedReply.text, /couldn’t calculate the total\. Your order wasn’t placed/);
  assertCartError(
    await client.get("/cart/shipping_rates.json?shipping_address[country]=Germany"),
    503,
    "quote_unavailable",
  );
  await add(client, variant.notShipped, 1);
  const keptCart = await readCart(client);
  assert.equal(keptCart.item_count, 2);
  assert.deepEqual(
    keptCart.issues.map(({ code }) => code),
    ["price_unknown"],
  );
  const unpriced = await client.get(url, { accept: "text/html", "sec-fetch-mode": "navigate" });
  assert.equal(unpriced.status, 503);
  assert.match(unpriced.text, /couldn’t calculate the total/);
  const member = shop.client();
  member.cookies.set("session", "of-9-at-another-desk");
  assert.equal((await member.get("/cart")).status, 200, "a guest meanwhile");
  assertCartError(await member.post("/cart/add.js", { id: variant.membersOnly }), 401, "customer_required");
  const orderReply = await submit(guest, await checkoutOf(guest), { ...address, shipping: "2499 Standard", order: "" });
  assert.equal(orderReply.status, 303, orderReply.text);
  office.isAway = false;
  // The session whose lookup failed is a guest for five seconds.
  const other = shop.client();
  other.cookies.set("session", "of-9-at-a-third-desk");
  await add(other, variant.membersOnly, 1);
  await settled.close();
});
