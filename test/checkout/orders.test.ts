import assert from "node:assert/strict";
import { test } from "node:test";
import { add, readCart } from "../support/assertions.ts";
import { variant } from "../support/catalog.ts";
import { address, checkoutOf, submit } from "../support/checkout-page.ts";
import type { Client } from "../support/client.ts";
import { createApiToken, runCommand } from "../support/command.ts";
import { startShop } from "../support/shop.ts";
import { until } from "../support/until.ts";

let now = Date.now();
const shop = await startShop({
  now: () => now,
  hasTheme: false,
  config: {
    shipping: {
      countries: ["DE", "FR", "JP"],
      rates: [
        { name: "Standard", price: 500, countries: ["DE"], freeFrom: 10_000 },
        { name: "Abroad", price: 1_500, countries: ["FR", "JP"], translations: { fr: "Étranger" } },
      ],
    },
  },
});
const orders = (...args: readonly string[]) => runCommand(shop, "orders", ...args);

async function order(client: Client, fields: Readonly<Record<string, string>> = {}): Promise<string> {
  const reply = await submit(client, await checkoutOf(client), {
    ...address,
    shipping: "2499 Standard",
    order: "",
    ...fields,
  });
  assert.equal(reply.status, 303, reply.text);
  return String(reply.headers.location);
}

test("a form without script places an invoice order and redirects to the page of the order", async () => {
  const client = shop.client();
  await add(client, variant.unlimited, 1);
  const checkout = await checkoutOf(client);
  assert.match(checkout.page, /Standard: \$5\.00, total \$24\.99/);
  assert.match(checkout.page, /You don’t pay now\.[\s\S]*<button[^>]*name="order">Place order</);
  assert.doesNotMatch(/<main[\s\S]*<\/main>/.exec(checkout.page)?.[0] ?? "invoice", /invoice/i);
  const reply = await submit(client, checkout, { ...address, shipping: "2499 Standard", order: "" });
  assert.equal(reply.status, 303, reply.text);
  const thanks = await client.get(String(reply.headers.location));
  assert.equal(thanks.status, 200);
  assert.match(thanks.text, /Thank you for your order[\s\S]*#1001[\s\S]*Canvas Tote[\s\S]*\$24\.99[\s\S]*Ada Quay/);
  assert.equal(thanks.headers["referrer-policy"], "no-referrer");
  assert.match(String(thanks.headers["cache-control"]), /no-store/);
  const stranger = await shop.client().get(String(reply.headers.location).split("?")[0] ?? "");
  assert.match(stranger.text, /Order #1001/, "the signed link opens it");
  assert.equal((await shop.client().get("/orders/v1.abcdefgh.x.9999999999999.forged")).status, 404);
  assert.equal((await readCart(client)).item_count, 0);

  const secondReply = await submit(client, checkout, { ...address, shipping: "2499 Standard", order: "" });
  assert.equal(
    secondReply.headers.location,
    String(reply.headers.location).split("?")[0],
    "the form sent twice is one order",
  );
  assert.equal((await client.get(checkout.url)).headers.location, secondReply.headers.location);
});

test("missing fields are requested again with the previous input, escaped", async () => {
  const client = shop.client();
  await add(client, variant.unlimited, 1);
  const checkout = await checkoutOf(client);
  const reply = await submit(client, checkout, {
    ...address,
    email: "no",
    name: '"><script>1</script>',
    city: "",
    order: "",
  });
  assert.equal(reply.status, 400);
  assert.match(reply.text, /id="order-email-error"[\s\S]*id="order-city-error"[\s\S]*id="order-shipping-error"/);
  assert.match(reply.text, /value="&quot;&gt;&lt;script&gt;/);
  assert.doesNotMatch(reply.text, /"><script>1/);
  for (const email of ["<a@b.example>", "a,b@c.example", "a\u0085@b.example"]) {
    const { status, text } = await submit(client, checkout, {
      ...address,
      email,
      shipping: "2499 Standard",
      order: "",
    });
    assert.deepEqual([status, /id="order-email-error"/.test(text)], [400, true], email);
  }
  assert.equal((await readCart(client)).item_count, 1);
});

test("another country shows its rates before the order, in the language of the page", async () => {
  const client = shop.client();
  await add(client, variant.unlimited, 1);
  const checkout = await checkoutOf(client, "/fr");
  const sentFields = { ...address, zip: "100-0001", province: "Tokyo", country: "JP", shipping: "2499 Standard" };
  for (const button of ["update", "order"]) {
    const reply = await submit(client, checkout, { ...sentFields, [button]: "" });
    assert.equal(reply.status, 200);
    assert.match(reply.text, /Étranger\u00a0: [\s\S]*34,99/);
    assert.match(reply.text, /value="Pier 1"/);
  }
  const invalidReply = await submit(client, checkout, { ...sentFields, quoted_country: "JP", order: "" });
  assert.equal(invalidReply.status, 400, "Standard is not for Japan");
  const cheap = await submit(client, checkout, {
    ...sentFields,
    quoted_country: "JP",
    shipping: "1 Abroad",
    order: "",
  });
  assert.equal(cheap.status, 400, "a price is none of the form's");
  assert.equal(
    (await submit(client, checkout, { ...sentFields, country: "US", quoted_country: "US", order: "" })).status,
    400,
  );
  const [, id = ""] = /name="checkout" value="([^"]+)"/.exec((await client.get(checkout.url)).text) ?? [];
  const orderReply = await submit(
    client,
    { ...checkout, page: `name="checkout" value="${id}"` },
    {
      ...{ ...sentFields, quoted_country: "JP", shipping: "3499 Abroad", order: "" },
    },
  );
  assert.match(String(orderReply.headers.location), /^\/fr\/orders\//);
});

test("a form of an outdated cart shows the current cart and orders nothing", async () => {
  const client = shop.client();
  await add(client, variant.unlimited, 1);
  const checkout = await checkoutOf(client);
  await add(client, variant.unlimited, 1);
  const reply = await submit(client, checkout, { ...address, shipping: "2499 Standard", order: "" });
  assert.equal(reply.status, 200);
  assert.match(reply.text, /Your cart or its prices changed/);
  assert.equal((await readCart(client)).item_count, 2);
});

test("purchases of others do not affect a checkout while enough stock remains", async () => {
  const [client, other] = [shop.client(), shop.client()];
  for (const one of [client, other]) await add(one, variant.scarce, 1);
  const checkout = await checkoutOf(client);
  await order(other, { shipping: "601 Standard" });
  const reply = await submit(client, checkout, { ...address, shipping: "601 Standard", order: "" });
  assert.match(String(reply.headers.location), /^\/orders\//, reply.text);
});

test("a change of a product that no checkout shows does not affect a checkout", async () => {
  const client = shop.client();
  await add(client, variant.unlimited, 1);
  const checkout = await checkoutOf(client);
  const seo = { title: "Totes" };
  const dates = { created_at: "2026-01-01", updated_at: "2026-01-02", published_at: "2026-01-01" };
  const patch = { kind: "product", handle: "canvas-tote", popularity: 0.7, seo, template_suffix: "wide", ...dates };
  const token = await createApiToken(shop, "catalog:write");
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const change = await client.send("POST", "/admin/catalog", { headers, body: JSON.stringify([{ patch }]) });
  assert.equal(change.status, 200, change.text);
  const readDate = async () => /"updated_at":"[^"]+"/.exec((await client.get("/products/canvas-tote.json")).text)?.[0];
  await until(async () => (await readDate())?.includes("2026-01-02") === true, "the change is shown");
  const reply = await submit(client, checkout, { ...address, shipping: "2499 Standard", order: "" });
  assert.match(String(reply.headers.location), /^\/orders\//, reply.text);
});

test("a form without its token orders nothing", async () => {
  const client = shop.client();
  await add(client, variant.unlimited, 1);
  const checkout = await checkoutOf(client);
  const reply = await submit(client, checkout, { ...address, csrf_token: "x", shipping: "2499 Standard", order: "" });
  assert.equal(reply.status, 403);
});

test("orders are listed, shown, and exported, and a canceled order restores stock once", async () => {
  const client = shop.client();
  await add(client, variant.tracked, 10);
  const path = await order(client, { shipping: "120000 Standard", name: "=SUM(A1)", city: "A;=B1", address1: "＝1+1" });
  const { out: list } = await orders("list");
  const number = String(/#(\d+) [^\n]*10 pieces/.exec(list)?.[1]);
  assert.match(
    (await orders("show", number)).out,
    /10 x Harbour Raincoat \(S, NOR\.0707-60\)[\s\S]*delivery Standard {2}\$0\.00[\s\S]*=SUM/,
  );
  const csv = (await orders("export", "--format", "csv")).out;
  assert.match(
    csv,
    new RegExp(
      `^${number},.*,'=SUM\\(A1\\),'＝1\\+1,.*,A;'=B1,.*,1200\\.00,0\\.00,0\\.00,,,,,,0\\.00,,0\\.00,0\\.00\\r$`,
      "m",
    ),
  );
  const jsonl = (await orders("export")).out.trim().split("\n");
  assert.equal((JSON.parse(jsonl.at(-1) ?? "") as { number: number }).number, Number(number));

  const other = shop.client();
  assert.equal((await other.post("/cart/add.js", { id: variant.tracked })).status, 422, "all ten are sold");
  const cancelled = await orders("cancel", number, "--note", "by the shopper");
  assert.deepEqual([cancelled.code, cancelled.out], [0, `Cancelled: #${number}; its stock was returned.\n`]);
  await assert.rejects(orders("cancel", number), /was cancelled before/);
  assert.match((await client.get(path)).text, /Canceled/);
  assert.equal((await orders("refund-note", `#${number}`, "--note", "by bank transfer")).code, 0);
  assert.match((await orders("show", number)).out, /cancelled: by the shopper[\s\S]*refund: by bank transfer/);
  now += 1_000;
  // The command does not notify the server, which polls the database a few times per second.
  const addTen = () => other.post("/cart/add.js", { id: variant.tracked, quantity: 10 });
  await until(async () => (await addTen()).status === 200, "the stock is back");
});

test("an invoice order is marked as paid once, by a payment of no other order", async () => {
  const client = shop.client();
  for (const _ of [1, 2]) {
    await add(client, variant.unlimited, 1);
    await order(client);
  }
  const last = Number(/#(\d+) [^\n]*\n$/.exec((await orders("list")).out)?.[1]);
  const [one, other] = [String(last - 1), String(last)];
  for (const _ of ["the first time", "once more"])
    assert.deepEqual(await orders("paid", one, "--reference", "bank-1"), { code: 0, out: `Paid: #${one}.\n`, err: "" });
  assert.match((await orders("show", one)).out, /^ {2}paid {2}\$24\.99 as bank-1$/m);
  await assert.rejects(orders("paid", one, "--reference", "bank-2"), /is already paid \(bank-1\)\. Refund the payment/);
  await assert.rejects(
    orders("paid", other, "--reference", "bank-1"),
    /payment with this reference is already recorded/,
  );
  assert.equal((await orders("paid", other)).code, 2);
  assert.equal((await orders("cancel", other)).code, 0);
  await assert.rejects(orders("paid", other, "--reference", "bank-3"), /was canceled\. Refund the payment/);
  assert.equal((await orders("refunds")).out, "");
});

test("the page of an order shows the balance due, or the refund of a canceled paid order", async () => {
  const client = shop.client();
  await add(client, variant.unlimited, 1);
  const path = await order(client);
  const number = String(/#(\d+) [^\n]*\n$/.exec((await orders("list")).out)?.[1]);
  assert.match((await client.get(path)).text, /Payment pending[\s\S]*Balance due<\/dt><dd>\$24\.99</);
  assert.equal((await orders("paid", number, "--reference", "bank-still-to-pay")).code, 0);
  const paidPage = (await client.get(path)).text;
  assert.match(paidPage, /<strong>Paid</);
  assert.doesNotMatch(paidPage, /Balance due|\$0\.00/);
  assert.equal((await orders("cancel", number)).code, 0);
  assert.match((await client.get(path)).text, /Canceled[\s\S]*We’ll refund your payment of \$24\.99\./);
});

test("an order is shipped once with tracking in its page and exports, and a canceled one is not shipped", async () => {
  const client = shop.client();
  await add(client, variant.unlimited, 1);
  const path = await order(client);
  const number = String(/#(\d+) [^\n]*\n$/.exec((await orders("list")).out)?.[1]);
  assert.doesNotMatch((await client.get(path)).text, /Shipped on/);
  const parcel = ["--carrier", "DHL", "--tracking", "00340", "--tracking-url", "https://dhl.example/?a=1&b=<2>"];
  assert.deepEqual(await orders("ship", number, ...parcel), {
    code: 0,
    out: `Shipped: #${number}, to ada@example.com. It is not paid yet.\n`,
    err: "",
  });
  await assert.rejects(orders("ship", number, "--tracking", "other"), { message: `order ${number} was sent before.` });
  assert.match((await orders("list")).out, new RegExp(`#${number} .* unpaid, shipped `));
  assert.match((await orders("show", number)).out, /sent: DHL, 00340, https:\/\/dhl\.example/);
  assert.match(
    (await orders("export", "--format", "csv")).out,
    new RegExp(`^${number},.*Z,DHL,00340,,,0\\.00,,0\\.00,0\\.00\r$`, "m"),
  );
  const { shipment } = JSON.parse((await orders("export")).out.trim().split("\n").at(-1) ?? "");
  assert.deepEqual([shipment.carrier, shipment.tracking_number], ["DHL", "00340"]);
  assert.match(
    (await client.get(path)).text,
    /Shipped on [\s\S]*DHL[\s\S]*00340[\s\S]*href="https:\/\/dhl\.example\/\?a=1&amp;b=&lt;2&gt;"/,
  );
  assert.equal((await orders("cancel", number)).code, 0, "what was sent may come back");

  await add(client, variant.unlimited, 1);
  await order(client);
  const next = String(Number(number) + 1);
  assert.equal((await orders("cancel", next)).code, 0);
  await assert.rejects(orders("ship", next), { message: `Order ${next} was canceled and cannot be shipped.` });
  const invalidReply = await orders("ship", next, "--tracking-url", "javascript:alert(1)");
  assert.equal(invalidReply.code, 2);
  assert.match(invalidReply.err, /tracking_url is an address/);
});

test("an invalid command reports its error", async () => {
  for (const [args, words] of [
    [[], /use list, show/],
    [["show"], /name one order/],
    [["show", "x"], /name one order/],
    [["refund-note", "1001"], /--note/],
    [["export", "--format", "xml"], /csv or jsonl/],
    [["list", "--since", "yesterday"], /is not a date/],
  ] as const) {
    const { code, err } = await orders(...args);
    assert.equal(code, 2);
    assert.match(err, words);
  }
  await assert.rejects(orders("show", "99"), /there is no order 99/);
});
