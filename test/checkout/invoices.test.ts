import assert from "node:assert/strict";
import { test } from "node:test";
import { openStore } from "../../src/cli/store-database.ts";
import { formatMoney } from "../../src/pricing/money.ts";
import { computeTaxes } from "../../src/pricing/taxes.ts";
import { computeTotals } from "../../src/pricing/totals.ts";
import { add } from "../support/assertions.ts";
import { rows, variant } from "../support/catalog.ts";
import { address, checkoutOf, submit } from "../support/checkout-page.ts";
import type { Client } from "../support/client.ts";
import { createApiToken, runCommand } from "../support/command.ts";
import { logIn } from "../support/console.ts";
import { startMailReceiver } from "../support/mail-receiver.ts";
import { placeOrder } from "../support/orders.ts";
import { scanCode } from "../support/scan-code.ts";
import { startShop, type TestShop } from "../support/shop.ts";
import { serverVariable } from "../support/test-database.ts";

const now = Date.UTC(2026, 0, 15, 12);
const contactAddress = { address1: "Kai 3", zip: "20457", city: "Hamburg", country: "DE" };
const tax = { rates: { DE: 19 }, reduced: [{ types: ["Coats"], rates: { DE: 7 } }] };
const tenPercent = { kind: "discount", code: "TEN", title: "Ten percent", value_type: "percentage", value: 10 };

/** Starts a shop that issues invoices. */
function startInvoiceShop(
  invoices: Readonly<Record<string, unknown>>,
  config: Readonly<Record<string, unknown>> = {},
): Promise<TestShop> {
  return startShop({
    hasTheme: false,
    now: () => now,
    rows: [...rows, tenPercent, { kind: "gift_card", code: "CARD-AAAA-1111", balance: 10_000 }],
    config: {
      currency: "EUR",
      locales: { default: "de", others: ["en", "ar"] },
      contact: { address: contactAddress },
      tax,
      invoices: {
        issue: true,
        name: "Hafen GmbH",
        vatId: "DE123456789",
        iban: "DE89 3704 0044 0532 0130 00",
        ...invoices,
      },
      ...config,
    },
  });
}

/** Returns the paths of the invoices on an order's page. */
async function invoicePaths(client: Client, orderPath: string): Promise<readonly string[]> {
  const { text } = await client.get(orderPath);
  return [...text.matchAll(/href="([^"]+\/invoices\/[^".]+)"/g)].map(([, path = ""]) => path);
}

/** Returns the texts of the cells of each table row. */
function readRows(html: string): readonly (readonly string[])[] {
  return [...html.matchAll(/<tr[^>]*>(.*?)<\/tr>/gs)].map(([, row = ""]) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = ""]) =>
      cell.replace(/<br>/g, " ").replace(/<[^>]+>/g, ""),
    ),
  );
}

/** Returns the minor units of a formatted amount, which has all decimals of its currency. */
function unitsOf(text = ""): number {
  return Number(text.replace(/[^\d-]/g, ""));
}

// Amounts do not depend on the database.
for (const currency of process.env[serverVariable] === undefined ? ["JPY", "EUR", "KWD"] : ["EUR"])
  for (const pricesIncludeTax of [true, false])
    test(`an invoice in ${currency} has the totals of the order, and tax ${pricesIncludeTax ? "included" : "added"} by rate`, async () => {
      const shop = await startInvoiceShop(
        {},
        {
          currency,
          locales: { default: "en", others: [] },
          tax: { ...tax, pricesIncludeTax },
          shipping: { countries: ["DE"], rates: [{ name: "Standard", price: 495 }] },
        },
      );
      const client = shop.client();
      await client.get("/discount/TEN");
      await add(client, variant.tracked, 1);
      await add(client, variant.unlimited, 3);
      const fields = { ...address, shipping: "", order: "" };
      const checkout = await checkoutOf(client);
      const [, shipping = ""] = /name="shipping" value="([^"]+)"/.exec(checkout.page) ?? [];
      const reply = await submit(client, checkout, { ...fields, shipping });
      assert.equal(reply.status, 303, reply.text);
      const [path = ""] = await invoicePaths(client, String(reply.headers.location));
      const page = await client.get(path);
      assert.equal(page.status, 200);
      assert.match(page.text, /<h1>Invoice 2026-0001<\/h1>/);
      assert.match(page.text, /January 15, 2026[\s\S]*January 29, 2026/);
      assert.match(page.text, /Hafen GmbH[\s\S]*Kai 3[\s\S]*20457 Hamburg[\s\S]*DE123456789/);

      const lines = [
        { amount: 12_000, productType: "Coats", isTaxable: true },
        { amount: 3 * 1_999, productType: "", isTaxable: true },
      ];
      const discount = { title: "Ten percent", valueType: "percentage", value: 10 } as const;
      const totals = computeTotals(
        lines.map(({ amount }) => ({ amount, discountSet: new Set() })),
        [],
        [discount as never],
      );
      const shares = totals.cartShares.map((list) => list.reduce((sum, { amount }) => sum + amount, 0));
      const taxes = computeTaxes(
        { ...tax, pricesIncludeTax },
        "DE",
        lines.map((line, index) => ({ ...line, amount: line.amount - (shares[index] ?? 0) })),
        495,
      );
      assert.ok(taxes?.rates.length === 2);
      const total = totals.total + 495 + (pricesIncludeTax ? 0 : taxes.total);
      const cells = readRows(page.text);
      const text = (amount: number): string => formatMoney(amount, currency, "en");
      const amountOf = (label: string): string | undefined => cells.find(([name]) => name?.startsWith(label))?.at(-1);
      assert.equal(amountOf("Canvas Tote"), text(3 * 1_999));
      assert.equal(amountOf("Subtotal"), text(totals.subtotal));
      assert.equal(amountOf("Discount TEN"), text(-totals.totalDiscount));
      assert.equal(amountOf("Total"), text(total));
      assert.equal(amountOf("Amount due"), text(total));
      const taxRows = taxes.rates.map(({ percent }) => cells.find(([name]) => name === `${percent}%`) ?? []);
      for (const [index, { amount }] of taxes.rates.entries()) assert.equal(taxRows[index]?.[2], text(amount));
      for (const [, net, amount, gross] of taxRows) assert.equal(unitsOf(net) + unitsOf(amount), unitsOf(gross));
      assert.equal(
        taxRows.reduce((sum, row) => sum + unitsOf(row[3]), 0),
        total,
      );
      assert.equal(page.text.includes("<svg"), currency === "EUR");
      await shop.close();
    });

const shop = await startInvoiceShop(
  { prefix: "R", creditNotePrefix: "R", firstNumber: 1_001, bic: "COBADEFFXXX", accountHolder: "Häfen & Söhne" },
  { console: true },
);
const token = await createApiToken(shop, "orders:read", "orders:write", "console");

async function change(number: number, operation: string, body: object, at = shop, bearer = token): Promise<void> {
  const authorization = `Bearer ${bearer}`;
  const order = await at.client().get(`/api/orders/${number}`, { authorization });
  const headers = { authorization, "content-type": "application/json", "if-match": String(order.headers.etag) };
  const request = { headers, body: JSON.stringify(body) };
  const reply = await at.client().send("POST", `/api/orders/${number}/${operation}`, request);
  assert.equal(reply.status, 200, reply.text);
}

async function newestOrder(): Promise<{ readonly number: number; readonly amount: number }> {
  const headers = { authorization: `Bearer ${token}` };
  const reply = await shop.client().get("/api/orders?sort=newest&limit=1", headers);
  const [order] = reply.json<{ orders: { number: number; amount: number }[] }>().orders;
  assert.ok(order);
  return order;
}

test("numbers have no gaps under 50 concurrent orders, rejected orders, and cancellations", async () => {
  // The stock of the scarce variant covers three of the last eight orders.
  const variants = Array.from({ length: 58 }, (_, index) => (index < 50 ? variant.unlimited : variant.scarce));
  // On a busy machine, the server rejects a part of the orders.
  await Promise.allSettled(
    variants.map((id, index) => placeOrder(shop.client(), `shopper${index}@example.com`, "", { id })),
  );
  const { number } = await newestOrder();
  await Promise.all([0, 1, 2].map((offset) => change(number - offset, "cancel", {})));
  const { database } = await openStore(shop.storeDir, shop.env.DATABASE_URL);
  const orders = await database.read("SELECT id FROM orders ORDER BY id");
  const invoices = await database.read("SELECT number, order_id, kind FROM invoices ORDER BY number");
  await database.close();
  assert.ok(orders.length > 10);
  assert.deepEqual(
    invoices.flatMap(({ order_id, kind }) => (kind === "invoice" ? [order_id] : [])).sort(),
    orders.map(({ id }) => id),
  );
  assert.deepEqual(
    invoices.map((invoice) => invoice.number),
    Array.from({ length: orders.length + 3 }, (_, index) => `R${1_001 + index}`),
  );
});

test("refunds and the cancellation have credit notes, whose amounts add up to those of the invoice", async () => {
  const client = shop.client();
  await add(client, variant.tracked, 1);
  const path = await placeOrder(client, "ada@example.com", "/en");
  const { number, amount } = await newestOrder();
  const [invoicePath = ""] = await invoicePaths(client, path);
  const invoiceBefore = (await client.get(invoicePath)).text;
  await change(number, "pay", { reference: `transfer ${number}` });
  await change(number, "refund", { amount: 1_001, reason: "scratched" });
  await change(number, "cancel", {});
  await change(number, "refund", { reason: "returned" });
  const [samePath = "", ...creditNotePaths] = await invoicePaths(client, path);
  const numbers = [samePath, ...creditNotePaths].map((invoicePath) => invoicePath.split("/").at(-1));
  const { out } = await runCommand(shop, "orders", "export", "--format", "csv");
  assert.ok(out.includes(`,${numbers.join(" ")},0.00,0.00\r\n`), out);
  assert.equal(samePath, invoicePath);
  const invoice = (await client.get(invoicePath)).text;
  assert.equal(invoice, invoiceBefore, "an issued invoice does not change");
  const creditNotes = await Promise.all(creditNotePaths.map(async (creditNote) => (await client.get(creditNote)).text));
  assert.equal(creditNotes.length, 2, "the refund of a canceled order has no third one");
  for (const creditNote of creditNotes) {
    assert.match(creditNote, /<h1>Credit note R\d{4}<\/h1>\s*<p>Credit note for invoice R\d{4} of January 15, 2026</);
    assert.doesNotMatch(creditNote, /IBAN|scratched/);
  }
  const amountsOf = (html: string, label: string): readonly number[] =>
    (readRows(html).find(([name]) => name === label) ?? []).slice(1).map(unitsOf);
  assert.deepEqual(amountsOf(creditNotes[0] ?? "", "Total"), [1_001]);
  assert.deepEqual(amountsOf(invoice, "Total"), [amount]);
  for (const label of ["Total", "19%", "7%"]) {
    const parts = creditNotes.map((creditNote) => amountsOf(creditNote, label));
    const sums = amountsOf(invoice, label).map((_, index) => parts.reduce((sum, part) => sum + (part[index] ?? 0), 0));
    assert.deepEqual(sums, amountsOf(invoice, label), label);
  }
});

test("the QR code of an invoice is a SEPA transfer of the amount due", async () => {
  const client = shop.client();
  const [path = ""] = await invoicePaths(client, await placeOrder(client));
  const { text } = await client.get(path);
  const number = path.split("/").at(-1);
  assert.match(text, /<html lang="de" dir="ltr">/);
  assert.match(text, /DE89 3704 0044 0532 0130 00/);
  const expected = ["BCD", "002", "1", "SCT", "COBADEFFXXX", "Häfen & Söhne", "DE89370400440532013000", "EUR19.99"];
  assert.equal(scanCode(text), [...expected, "", "", number].join("\n"));
});

test("an order that a gift card paid has an invoice without a due date and QR code", async () => {
  const client = shop.client();
  await add(client, variant.unlimited, 1);
  await client.post("/cart/update.js", { gift_cards: "CARD-AAAA-1111" });
  const [path = ""] = await invoicePaths(client, await placeOrder(client));
  const { text } = await client.get(path);
  assert.match(
    text,
    /Geschenkgutschein oder Guthaben<\/bdi><\/th><td>-39,98\s€[\s\S]*Zu zahlen<\/bdi><\/th><td>0,00\s€/,
  );
  assert.doesNotMatch(text, /<svg|IBAN|Fällig am/);
});

test("invoices open only with the link of their order or in the console", async () => {
  const [first, second] = [shop.client(), shop.client()];
  const path = await placeOrder(first);
  const [invoicePath = ""] = await invoicePaths(first, path);
  const { number } = await newestOrder();
  const [otherPath = ""] = await invoicePaths(second, await placeOrder(second));
  const invoiceNumber = invoicePath.split("/").at(-1) ?? "";
  assert.equal((await second.get(invoicePath)).status, 200, "the link grants access");
  assert.equal((await first.get(otherPath.replace(/[^/]+$/, invoiceNumber))).status, 404, "another order");
  assert.equal((await first.get(`/orders/forged/invoices/${invoiceNumber}`)).status, 404);
  const consolePath = `/admin/orders/${number}/invoices/${invoiceNumber}`;
  assert.equal((await first.get(consolePath)).status, 303, "the console requires a login");
  const { client: merchant } = await logIn(shop, token);
  assert.ok((await merchant.get(`/admin/orders/${number}`)).text.includes(`href="${consolePath}"`));
  assert.equal((await merchant.get(consolePath)).text, (await first.get(invoicePath)).text);
  assert.equal((await merchant.get(`/admin/orders/${number}/invoices/R1`)).status, 404);
});

test("the emails of an order, its refunds, and its cancellation link to the invoice and the credit notes", async () => {
  const mail = await startMailReceiver();
  const smtp = `smtp://127.0.0.1:${mail.port}`;
  const sender = { origin: "https://shop.example", mail: { smtp, from: "shop@shop.example", newOrders: false } };
  const mailShop = await startInvoiceShop({}, sender);
  const path = await placeOrder(mailShop.client(), "linked@example.com");
  const [invoicePath = ""] = await invoicePaths(mailShop.client(), path);
  const links = [`https://shop.example${invoicePath}`];
  const linksOf = (text = ""): readonly string[] => text.match(/https:[^"\s]+\/invoices\/[\w-]+/g) ?? [];
  const [orderMail] = await mail.mailsTo("linked@example.com");
  assert.deepEqual([...new Set(linksOf(orderMail?.text))], links);
  const mailToken = await createApiToken(mailShop, "orders:read", "orders:write");
  await change(1001, "pay", { reference: "transfer" }, mailShop, mailToken);
  for (const amount of [100, 200]) await change(1001, "refund", { amount, reason: "scratched" }, mailShop, mailToken);
  await change(1001, "cancel", {}, mailShop, mailToken);
  const creditNotes = [1, 2, 3].map((number) => String(links[0]).replace("2026-0001", `C2026-000${number}`));
  const [, first, second, cancellation] = await mail.mailsTo("linked@example.com", 4);
  for (const [index, refund] of [first, second].entries()) {
    assert.deepEqual([...new Set(linksOf(refund?.text))], [creditNotes[index]]);
    assert.deepEqual(refund?.attachments, [`C2026-000${index + 1}.pdf`]);
  }
  assert.deepEqual([...new Set(linksOf(cancellation?.text))], [...links, ...creditNotes]);
});
