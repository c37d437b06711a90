import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { add, assertMutated } from "../support/assertions.ts";
import { product, rows, variant } from "../support/catalog.ts";
import { address, checkoutOf, submit } from "../support/checkout-page.ts";
import type { Client } from "../support/client.ts";
import { createApiToken, runCommand } from "../support/command.ts";
import { startShop } from "../support/shop.ts";

const shipping = { countries: ["DE", "FR", "US"], rates: [{ name: "Standard", price: 500 }] };
const rates = { DE: 19, FR: 5.5 };

/** Number of rounds, which `npm run test:soak` increases. */
const rounds = Number(process.env.VITRINE_ROUNDS ?? 6);

interface Told {
  readonly document: {
    readonly amount: number;
    readonly taxes: {
      readonly total: number;
      readonly lines: readonly number[];
      readonly shipping: number;
      readonly included: boolean;
    } | null;
  };
}

async function placed(client: Client, fields: Readonly<Record<string, string>>): Promise<string> {
  const reply = await submit(client, await checkoutOf(client), { ...address, ...fields, order: "" });
  assert.equal(reply.status, 303, reply.text);
  return (await client.get(String(reply.headers.location))).text;
}

test("tax-inclusive prices do not change, and cart, checkout and order contain the tax by country", async () => {
  const shop = await startShop({ hasTheme: false, config: { shipping, tax: { rates } } });
  const client = shop.client();
  await add(client, variant.unlimited, 1);
  assert.match((await client.get("/cart")).text, /Including 19% tax<\/dt><dd>\$3\.19</, "by the shop's own country");
  const checkout = await checkoutOf(client);
  assert.match(checkout.page, /Including 19% tax<\/dt><dd>\$3\.99[\s\S]*total \$24\.99 \(tax: \$3\.99\)/);
  const french = await submit(client, checkout, { ...address, country: "FR", update: "" });
  assert.match(french.text, /Including 5\.5% tax<\/dt><dd>\$1\.30[\s\S]*total \$24\.99 \(tax: \$1\.30\)/);
  const american = await submit(client, checkout, { ...address, country: "US", update: "" });
  assert.doesNotMatch(/<main[\s\S]*<\/main>/.exec(american.text)?.[0] ?? "Including", /Including|\(tax/);
  const thanks = await placed(client, { shipping: "2499 Standard" });
  assert.match(thanks, /Total<\/dt><dd>\$24\.99[\s\S]*Including 19% tax<\/dt><dd>\$3\.99/);
  const { out: stdout } = await runCommand(shop, "orders", "export", "--format", "jsonl");
  const order = JSON.parse(stdout) as { taxes: object; items: readonly { tax: number }[] };
  assert.deepEqual(order.taxes, {
    country: "DE",
    included: true,
    total: 399,
    rates: [{ percent: 19, amount: 399 }],
    shipping: 80,
  });
  assert.equal(order.items[0]?.tax, 319);
  assert.match(
    (await runCommand(shop, "orders", "export", "--format", "csv")).out,
    /line_tax,order_tax,.*\r\n.*,3\.19,3\.99,,,,,,0\.00,,0\.00,0\.00\r\n/,
  );
  assert.match((await runCommand(shop, "orders", "show", "1001")).out, /with tax 19 % {2}\$3\.99/);
});

test("added tax is paid with items and shipping, also by gift card, and no order has another amount", async () => {
  const shop = await startShop({
    hasTheme: false,
    rows: [...rows, { kind: "gift_card", code: "CARD-AAAA-1111", balance: 1_000 }],
    config: { shipping, tax: { rates, pricesIncludeTax: false } },
  });
  const client = shop.client();
  await add(client, variant.unlimited, 1);
  assert.match((await client.get("/cart")).text, /plus 19% tax<\/dt><dd>\$3\.80</);
  const checkout = await checkoutOf(client);
  assert.match(checkout.page, /total \$29\.74 \(tax: \$4\.75\)/);
  const cheap = await submit(client, checkout, { ...address, shipping: "2499 Standard", order: "" });
  assert.equal(cheap.status, 400);
  assertMutated(await client.post("/cart/update.js", { gift_cards: "CARD-AAAA-1111" }));
  const thanks = await placed(client, { shipping: "1974 Standard" });
  assert.match(thanks, /plus 19% tax<\/dt><dd>\$4\.75[\s\S]*Total<\/dt><dd>\$29\.74[\s\S]*-\$10\.00[\s\S]*\$19\.74/);
});

test("untaxed products have no tax, product types have their rates, and external checkouts get the tax", async () => {
  const goods = [
    { ...product(1, "book", "Book", [{ id: 11, price: 1_000 }]), product_type: "Books" },
    product(2, "voucher", "Voucher", [{ id: 21, price: 1_000, taxable: false }]),
    product(3, "coat", "Coat", [{ id: 31, price: 1_000 }]),
  ];
  const reduced = [{ types: ["Books"], rates: { DE: 7 } }];
  const shop = await startShop({
    rows: goods,
    hasTheme: false,
    config: { shipping, tax: { rates, reduced, pricesIncludeTax: false } },
  });
  const authorization = `Bearer ${await createApiToken(shop, "checkouts:read", "checkouts:complete")}`;
  const client = shop.client();
  for (const id of [11, 21, 31]) await add(client, id, 1);
  const { url } = await checkoutOf(client);
  const path = `/api/checkouts/${url.split("/").at(-1)}`;
  const { document } = (await client.get(path, { authorization })).json<never>() as Told;
  assert.deepEqual(
    [document.amount, document.taxes?.lines.toSorted((a, b) => a - b), document.taxes?.included],
    [3_260, [0, 70, 190], false],
  );
});

for (const currency of ["JPY", "USD", "KWD"])
  test(`in ${currency}, a payment equals items, shipping and tax in minor units, with any discount`, async () => {
    const prices = [1, 3, 99, 333, 1_999, 123_457];
    const goods = [
      ...prices.map((price, n) => product(n + 1, `p${n}`, `Thing ${n}`, [{ id: 100 + n, price, taxable: n !== 2 }])),
      { kind: "discount", code: "THIRD", title: "THIRD", value_type: "percentage", value: 33.33 },
    ];
    for (const pricesIncludeTax of [true, false]) {
      const shop = await startShop({
        rows: goods,
        hasTheme: false,
        config: { currency, shipping, tax: { rates, pricesIncludeTax } },
      });
      const basket = fc.record({
        lines: fc.uniqueArray(fc.record({ n: fc.nat(5), quantity: fc.integer({ min: 1, max: 40 }) }), {
          selector: ({ n }) => n,
          minLength: 1,
        }),
        discount: fc.constantFrom("", "THIRD"),
        country: fc.constantFrom("DE", "FR", "US"),
      });
      await fc.assert(
        fc.asyncProperty(basket, async ({ lines, discount, country }) => {
          const client = shop.client();
          for (const { n, quantity } of lines) await add(client, 100 + n, quantity);
          const cart = assertMutated(await client.post("/cart/update.js", { discount }));
          const first = await checkoutOf(client);
          const sentFields = { ...address, province: "Oregon", country, quoted_country: country };
          const { text } = await submit(client, first, { ...sentFields, update: "" });
          const [, value = ""] = /name="shipping" value="([^"]+)"/.exec(text) ?? [];
          const reply = await submit(client, { ...first, page: text }, { ...sentFields, shipping: value, order: "" });
          assert.equal(reply.status, 303, reply.text);
          const { content } =
            (await shop.app.shop.checkouts.findCompletedCheckout(first.url.split("/").at(-1) ?? "")) ?? {};
          assert.ok(content);
          const { taxes, amount } = content;
          const parts = [...(taxes?.lines ?? []), taxes?.shipping ?? 0];
          const tax = parts.reduce((a, b) => a + b, 0);
          assert.equal(taxes?.total ?? 0, tax);
          assert.equal(amount, cart.total_price_cents + 500 + (pricesIncludeTax ? 0 : tax));
          assert.equal(value, `${amount} Standard`);
          assert.equal(taxes === undefined, country === "US");
        }),
        { numRuns: rounds },
      );
      await shop.close();
    }
  });
