import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { add, assertCartError, assertInvalid, readCart } from "../support/assertions.ts";
import { product, type RowJson, rows as usualRows, variant } from "../support/catalog.ts";
import { address, checkoutOf, submit } from "../support/checkout-page.ts";
import { type Reply, send } from "../support/client.ts";
import { createApiToken, runCommand } from "../support/command.ts";
import { startShop } from "../support/shop.ts";
import { until } from "../support/until.ts";

/** JSON values that are not amounts. */
const noAmounts = [
  '"1e3"',
  '"1999"',
  '"١٩٩٩"',
  '"１９９９"',
  "19.99",
  "1999.5",
  "-1",
  "9007199254740993",
  "1e21",
  "1000000000001",
  "true",
  "[1999]",
  "{}",
];

/** All money fields of the catalog, each with a row that contains it. */
const fields: readonly (readonly [row: RowJson, field: string])[] = [
  [product(970, "coin", "Coin", [{ id: 9_700, price: "AMOUNT" }]), "variants[0].price"],
  [product(970, "coin", "Coin", [{ id: 9_700, price: 1, compare_at_price: "AMOUNT" }]), "variants[0].compare_at_price"],
  [product(970, "coin", "Coin", [{ id: 9_700, price: 1, cost: "AMOUNT" }]), "variants[0].cost"],
  [{ kind: "discount", code: "COIN", value_type: "fixed_amount", value: "AMOUNT" }, "value"],
  [
    { kind: "discount", code: "COIN", value_type: "percentage", value: 1, minimum_subtotal: "AMOUNT" },
    "minimum_subtotal",
  ],
  [{ kind: "gift_card", code: "COIN-1", balance: "AMOUNT" }, "balance"],
  [{ kind: "customer", id: "coin", store_credit: "AMOUNT" }, "store_credit"],
];

const yacht = product(950, "yacht", "Yacht", [{ id: 9_500, price: 1_000_000_000_000 }]);

async function open(currency: string, config: Readonly<Record<string, unknown>> = {}, hooks = "") {
  const storeFiles: Readonly<Record<string, string>> = hooks === "" ? {} : { "hooks.ts": hooks };
  const settings = { currency, ...config, ...(hooks === "" ? {} : { hooks: "hooks.ts" }) };
  const shop = await startShop({ rows: [...usualRows, yacht], config: settings, storeFiles, hasTheme: false });
  const token = await createApiToken(shop, "catalog:write", "checkouts:complete", "checkouts:read", "orders:read");
  const post = (path: string, body: string): Promise<Reply> =>
    send(shop.origin, "POST", path, {
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body,
    });
  return { shop, post };
}

const shops = { KWD: await open("KWD"), JPY: await open("JPY") } as const;

for (const [row, field] of fields) {
  test(`a row whose ${field} is not an integer in minor units is rejected (${row.kind})`, async () => {
    for (const { post } of Object.values(shops)) {
      for (const written of noAmounts) {
        const reply = await post("/admin/catalog", JSON.stringify(row).replace('"AMOUNT"', written));
        const { fields: faults = [] } = assertCartError(reply, 400, "validation_failed");
        assert.deepEqual([faults[0]?.field, written], [field, written], reply.text);
      }
      const infinite = await post("/admin/catalog", JSON.stringify(row).replace('"AMOUNT"', "1e400"));
      assertCartError(infinite, 400, "validation_failed");
      const nothing = await post("/admin/catalog", JSON.stringify(row).replace('"AMOUNT"', "-0"));
      assert.equal(nothing.status, 200, nothing.text);
    }
  });
}

for (const [currency, expectedText] of [
  ["KWD", "2.001"],
  ["JPY", "2,001"],
] as const) {
  test(`${currency}: the displayed amount is requested, and a payment with another amount or currency orders nothing`, async () => {
    const { shop, post } = shops[currency];
    const client = shop.client();
    const row = product(960, "drum", "Drum", [{ id: 9_600, price: 667 }]);
    assert.equal((await post("/admin/catalog", JSON.stringify(row))).status, 200);
    await until(async () => (await client.get("/products/drum.js")).status === 200, "the drum is shown");
    await add(client, 9_600, 3);
    assert.equal((await readCart(client)).total_price_cents, 2_001);
    const { page } = await checkoutOf(client);
    assert.match(page, new RegExp(expectedText.replace(".", "\\.")));
    const [, checkout = ""] = /name="checkout" value="([^"]+)"/.exec(page) ?? [];
    const complete = (fieldsOf: string): Promise<Reply> =>
      post(`/api/checkouts/${checkout}/complete`, `{"reference":"pay-${currency}",${fieldsOf}}`);
    const otherCurrency = currency === "KWD" ? "JPY" : "KWD";
    for (const amount of ["2", "2.001", "20010", "200100", "2000", "0", "9007199254740991"])
      assert.notEqual((await complete(`"amount":${amount},"currency":"${currency}"`)).status, 200, amount);
    for (const amount of ['"2001"', "2001.0", "2001.000000000000000001", "2.001e3", "-0", "9007199254740993", "1e400"])
      assertInvalid(await complete(`"amount":${amount},"currency":"${currency}"`), "amount", "integer");
    for (const code of [otherCurrency, "USD"])
      assertCartError(await complete(`"amount":2001,"currency":"${code}"`), 422, "amount_differs");
    for (const code of [currency.toLowerCase(), ` ${currency}`, ""])
      assertInvalid(await complete(`"amount":2001,"currency":"${code}"`), "currency", "format");
    const completionReply = await complete(`"amount":2001,"currency":"${currency}"`);
    assert.equal(completionReply.status, 200, completionReply.text);
    const order = completionReply.json<{ order: Readonly<Record<string, unknown>> }>().order;
    assert.deepEqual([order.amount, order.currency, order.payment_state], [2_001, currency, "paid"]);
  });

  test(`${currency}: prices of a table are read exactly or rejected with their line`, async () => {
    const { shop } = shops[currency];
    const written = ["1e3", "-0", "٣", "٣٫٥", "1999999999999999999", "0x10", "1,5,0", "Infinity", "3.5001"];
    const right = currency === "KWD" ? ["3.5", "0.001", "KWD 12.250"] : ["350", "3,500", "JPY 12"];
    const lines = [...written, ...right].map((price, at) => `bad-${at},Bad ${at},Default Title,Title,"${price}"`);
    const folder = join(shop.storeDir, "in");
    await mkdir(folder, { recursive: true });
    const file = join(folder, "products_export.csv");
    await writeFile(file, ["Handle,Title,Option1 Value,Option1 Name,Variant Price", ...lines, ""].join("\n"));
    const { code, err } = await runCommand(shop, "import", "--store", shop.storeDir, "--dry-run", file);
    assert.equal(code, 1, err);
    for (const [at, price] of written.entries())
      assert.match(err, new RegExp(`products_export\\.csv:${at + 2}\\b`), `${price}: ${err}`);
    for (const at of right.keys())
      assert.doesNotMatch(err, new RegExp(`products_export\\.csv:${written.length + at + 2}\\b`), err);
  });
}

test("an order whose total exceeds exact numbers is rejected", async () => {
  const maxAmount = Number.MAX_SAFE_INTEGER;
  const cases = [
    await open("USD", { tax: { pricesIncludeTax: false, rates: { DE: 50 } }, shipping: { countries: ["DE"] } }),
    await open("USD", {}, `export default { price: { unitPrices: () => ({ "9500": ${maxAmount} }) } };`),
    await open("USD", { shipping: { rates: [{ name: "Fast", price: maxAmount }] } }),
  ];
  for (const { shop } of cases) {
    const client = shop.client();
    await add(client, 9_500, 9_007);
    const url = String((await client.get("/checkout")).headers.location);
    const page = await client.get(url);
    const orderReply = await submit(client, { url, page: page.text }, { ...address, order: "" });
    assert.equal(orderReply.status, 400, orderReply.text);
    assert.equal((await runCommand(shop, "orders", "list")).out, "");
    assert.equal(
      (await client.post("/cart/change.js", { line: 1, quantity: 1 })).status,
      200,
      "the cart can be mended",
    );
    await add(client, variant.unlimited, 1);
  }
});
