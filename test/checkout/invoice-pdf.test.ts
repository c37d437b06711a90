import assert from "node:assert/strict";
import { test } from "node:test";
import { extractText } from "unpdf";
import { formatMoney } from "../../src/pricing/money.ts";
import { computeTaxes } from "../../src/pricing/taxes.ts";
import { add } from "../support/assertions.ts";
import { rows, variant } from "../support/catalog.ts";
import { address, checkoutOf, submit } from "../support/checkout-page.ts";
import type { Client } from "../support/client.ts";
import { createApiToken, runCommand } from "../support/command.ts";
import { logIn } from "../support/console.ts";
import { startMailReceiver } from "../support/mail-receiver.ts";
import { startShop, type TestShop } from "../support/shop.ts";

const tax = { rates: { DE: 19 }, reduced: [{ types: ["Coats"], rates: { DE: 7 } }], pricesIncludeTax: false };
const SHIPPING = 495;
const mail = await startMailReceiver();

function startInvoiceShop(currency: string, config: Readonly<Record<string, unknown>> = {}): Promise<TestShop> {
  return startShop({
    rows,
    hasTheme: false,
    now: () => Date.UTC(2026, 0, 15, 12),
    config: {
      currency,
      tax,
      console: true,
      locales: { default: "en", others: ["de", "fr", "ja", "pl"] },
      contact: { address: { address1: "Kai 3", zip: "20457", city: "Hamburg", country: "DE" } },
      invoices: { issue: true, name: "Häfen & Söhne", vatId: "DE123456789", iban: "DE89370400440532013000" },
      shipping: { countries: ["DE"], rates: [{ name: "Standard", price: SHIPPING }] },
      mail: { smtp: `smtp://127.0.0.1:${mail.port}`, from: "shop@shop.example", newOrders: false },
      ...config,
    },
  });
}

async function order(client: Client, prefix: string, email: string, units = 3): Promise<string> {
  await add(client, variant.tracked, 1);
  await add(client, variant.unlimited, units);
  const checkout = await checkoutOf(client, prefix);
  const [, shipping = ""] = /name="shipping" value="([^"]+)"/.exec(checkout.page) ?? [];
  const reply = await submit(client, checkout, { ...address, email, shipping, order: "" });
  assert.equal(reply.status, 303, reply.text);
  return String(reply.headers.location);
}

async function findPdfPath(client: Client, orderPath: string): Promise<string | undefined> {
  return /href="([^"]+\/invoices\/[^"]+\.pdf)"/.exec((await client.get(orderPath)).text)?.[1];
}

async function readPdf(
  { origin }: TestShop,
  path: string,
  client?: Client,
): Promise<{ readonly text: string; readonly pages: number }> {
  const cookie = [...(client?.cookies ?? [])].map(([name, value]) => `${name}=${value}`).join("; ");
  const response = await fetch(origin + path, { headers: { cookie } });
  assert.equal(response.headers.get("content-type"), "application/pdf");
  const { text, totalPages } = await extractText(new Uint8Array(await response.arrayBuffer()), { mergePages: true });
  return { text: text.replaceAll(/\s+/g, " "), pages: totalPages };
}

const normalize = (text: string): string => text.replaceAll(/\s+/g, " ");

for (const currency of ["JPY", "EUR", "KWD"])
  test(`the PDF of an invoice in ${currency} has the sums of the order and of its taxes`, async () => {
    const shop = await startInvoiceShop(currency);
    const client = shop.client();
    const path = await findPdfPath(client, await order(client, "", "ada@example.com"));
    assert.match(String(path), /\/invoices\/2026-0001\.pdf$/);
    const reply = await client.get(String(path));
    assert.match(String(reply.headers["content-disposition"]), /filename="2026-0001\.pdf"/);
    const { text, pages } = await readPdf(shop, String(path));
    assert.equal(pages, 1);
    const lines = [
      { amount: 12_000, productType: "Coats", isTaxable: true },
      { amount: 3 * 1_999, productType: "", isTaxable: true },
    ];
    const taxes = computeTaxes(tax, "DE", lines, SHIPPING);
    assert.ok(taxes);
    const money = (amount: number): string => normalize(formatMoney(amount, currency, "en"));
    const total = 12_000 + 3 * 1_999 + SHIPPING + taxes.total;
    for (const expected of [
      "Häfen & Söhne",
      "20457 Hamburg",
      "Invoice 2026-0001",
      `Canvas Tote 3 ${money(1_999)} ${money(3 * 1_999)}`,
      `Subtotal ${money(12_000 + 3 * 1_999)}`,
      `Shipping (Standard) ${money(SHIPPING)}`,
      `Total ${money(total)}`,
      `Amount due ${money(total)}`,
      "IBAN: DE89 3704 0044 0532 0130 00",
    ])
      assert.ok(text.includes(expected), `${expected} in ${text}`);
    for (const { percent, amount } of taxes.rates)
      assert.ok(text.includes(`plus ${percent}% tax ${money(amount)}`), `${percent} ${amount} in ${text}`);
  });

const shop = await startInvoiceShop("EUR", { checkout: { vatId: true } });

test("emails have the PDF of the invoice, and after a cancellation that of the credit note", async () => {
  await order(shop.client(), "/de", "pdf@example.com");
  const [confirmation] = await mail.mailsTo("pdf@example.com");
  assert.match(String(confirmation?.text), /\n.*Die Bankverbindung finden Sie auf der Rechnung\.\n/);
  assert.deepEqual(confirmation?.attachments, ["2026-0001.pdf"]);
  const [number = ""] = (await runCommand(shop, "orders", "list")).out.match(/(?<=#)\d+/) ?? [];
  assert.equal((await runCommand(shop, "orders", "cancel", number)).code, 0);
  const [, cancellation] = await mail.mailsTo("pdf@example.com", 2);
  assert.deepEqual(cancellation?.attachments, ["C2026-0001.pdf"]);
});

test("the console has the PDF, in French with its own spaces", async () => {
  const client = shop.client();
  const path = await findPdfPath(client, await order(client, "/fr", "fr@example.com"));
  const { client: office } = await logIn(shop, await createApiToken(shop, "console,orders:read"));
  const name = String(path).split("/").at(-1) ?? "";
  const [, consolePath = ""] =
    new RegExp(`href="(/admin/orders/\\d+/invoices/${name})"`).exec(
      (await office.get(`/admin/orders/${await newestNumber()}`)).text,
    ) ?? [];
  const { text } = await readPdf(shop, consolePath, office);
  assert.match(text, /Facture 2026-\d+/);
  assert.ok(text.includes(normalize(formatMoney(12_000, "EUR", "fr")).replaceAll("\u202f", " ")), text);
});

test("the VAT ID of a business is checked, and is on the invoice and in the order", async () => {
  const client = shop.client();
  await add(client, variant.unlimited, 1);
  const checkout = await checkoutOf(client);
  const [, shipping = ""] = /name="shipping" value="([^"]+)"/.exec(checkout.page) ?? [];
  const fields = { ...address, email: "vat@example.com", shipping, order: "" };
  const rejected = await submit(client, checkout, { ...fields, vat_id: "DE 12" });
  assert.equal(rejected.status, 400);
  assert.match(rejected.text, /id="order-vat_id"[^>]*value="DE 12"[\s\S]*Enter a valid VAT ID/);
  const reply = await submit(client, checkout, { ...fields, vat_id: "de 987 654 321" });
  assert.equal(reply.status, 303, reply.text);
  const { text } = await readPdf(shop, String(await findPdfPath(client, String(reply.headers.location))));
  assert.match(text, /vat@example\.com VAT ID: DE987654321/);
  const { out } = await runCommand(shop, "orders", "list", "--json");
  assert.equal((JSON.parse(out.trim().split("\n").at(-1) ?? "") as { vat_id: string }).vat_id, "DE987654321");
});

test("a long invoice has several pages", async () => {
  const client = shop.client();
  for (let n = 0; n < 60; n += 1)
    await client.post("/cart/add.js", { id: variant.unlimited, quantity: 1, properties: { Engraving: `Text ${n}` } });
  const path = await findPdfPath(client, await order(client, "", "long@example.com", 1));
  const { text, pages } = await readPdf(shop, String(path));
  assert.ok(pages >= 2);
  for (const n of [0, 30, 59]) assert.ok(text.includes(`Engraving: Text ${n}`));
});

test("an invoice with letters that the fonts lack has only a page", async () => {
  for (const prefix of ["/ja", "/pl"]) {
    const client = shop.client();
    const orderPath = await order(client, prefix, `${prefix.slice(1)}@example.com`);
    assert.equal(await findPdfPath(client, orderPath), undefined);
    const [, path = ""] = /href="([^"]+\/invoices\/[^"]+)"/.exec((await client.get(orderPath)).text) ?? [];
    assert.equal((await client.get(path)).status, 200);
    const missing = await client.get(`${path}.pdf`);
    assert.equal(missing.status, 404);
  }
});

async function newestNumber(): Promise<string> {
  return String(/#(\d+) [^\n]*\n$/.exec((await runCommand(shop, "orders", "list")).out)?.[1]);
}
