import assert from "node:assert/strict";
import { test } from "node:test";
import { sign } from "../../examples/signed-form/signed-form.ts";
import { formatMoney } from "../../src/pricing/money.ts";
import { add } from "../support/assertions.ts";
import { rows, variant } from "../support/catalog.ts";
import { address, type CheckoutPage, checkoutOf, submit } from "../support/checkout-page.ts";
import type { Client, Reply } from "../support/client.ts";
import { createApiToken } from "../support/command.ts";
import { logIn, postForm } from "../support/console.ts";
import { startMailReceiver } from "../support/mail-receiver.ts";
import { scanCode } from "../support/scan-code.ts";
import { startShop, type TestShop } from "../support/shop.ts";

const mail = await startMailReceiver();
const key = "shared-with-the-provider";
const example = new URL("../../examples/signed-form/signed-form.ts", import.meta.url).href;

function startTransferShop(currency: string, checkout: object = {}, iban?: string): Promise<TestShop> {
  return startShop({
    hasTheme: false,
    rows: [...rows, { kind: "gift_card", code: "CARD-AAAA-1111", balance: 20_000 }],
    config: {
      currency,
      console: true,
      origin: undefined,
      locales: { default: "en", others: ["de"] },
      checkout: { bankTransfer: true, ...checkout },
      contact: {
        email: `owner-${currency}@shop.example`,
        address: { address1: "Kai 3", city: "Hamburg", country: "DE" },
      },
      invoices: { issue: true, name: "Hafen GmbH", vatId: "DE123456789", bic: "COBADEFFXXX", ...(iban && { iban }) },
      mail: { smtp: `smtp://127.0.0.1:${mail.port}`, from: "shop@shop.example" },
      hooks: "hooks.ts",
    },
    storeFiles: {
      "hooks.ts": `import { defineHooks } from "vitrine";
        import { signedForm } from ${JSON.stringify(example)};
        const payment = signedForm({ address: "https://pay.example/start", merchant: "harbour", key: ${JSON.stringify(key)} });
        export default defineHooks({ payment: { ...payment, name: "Card & PayPal" } });`,
    },
  });
}

const iban = "DE89 3704 0044 0532 0130 00";

async function fill(client: Client, prefix = ""): Promise<CheckoutPage> {
  await add(client, variant.tracked, 1);
  return checkoutOf(client, prefix);
}

const order = (client: Client, page: CheckoutPage, email: string, method: string): Promise<Reply> =>
  submit(client, page, { ...address, email, payment_method: method, order: "" });

/** Reports the payment that a page starts at the provider. */
async function payAtProvider(shop: TestShop, { text }: Reply): Promise<Reply> {
  const hidden = Object.fromEntries(
    [...text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)].map(([, name, value]) => [name, value]),
  );
  const { order: id = "", amount = "", currency = "" } = hidden;
  const fields = { merchant: "harbour", order: id, amount, currency, payment: `p-${id}`, status: "paid" };
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const body = new URLSearchParams({ ...fields, signature: sign(fields, key) }).toString();
  return shop.client().send("POST", "/api/payments/events", { headers, body });
}

interface OrderJson {
  readonly number: number;
  readonly payment_state: string;
  readonly bank_transfer: unknown;
}

async function newestOrder(shop: TestShop): Promise<OrderJson> {
  const authorization = `Bearer ${await createApiToken(shop, "orders:read")}`;
  const reply = await shop.client().get("/api/orders?sort=newest&limit=1", { authorization });
  const [newest] = reply.json<{ orders: OrderJson[] }>().orders;
  assert.ok(newest);
  return newest;
}

const stripTags = (html: string): string => html.replaceAll(/<[^>]+>/g, " ").replaceAll(/\s+/g, " ");

for (const currency of ["JPY", "EUR", "KWD"])
  test(`an order in ${currency} waits for its bank transfer, is recorded as paid in the console, and ships`, async () => {
    const shop = await startTransferShop(currency, {}, iban);
    const client = shop.client();
    const checkout = await fill(client);
    const methods = [...checkout.page.matchAll(/name="payment_method" value="(\w+)"[^>]*> <span>([^<]+)/g)];
    assert.deepEqual(
      methods.map(([, value, name]) => [value, name]),
      [
        ["provider", "Card &amp; PayPal"],
        ["invoice", "Invoice"],
        ["bank_transfer", "Bank transfer in advance"],
      ],
    );
    const email = `ada-${currency}@example.com`;
    const reply = await order(client, checkout, email, "bank_transfer");
    assert.equal(reply.status, 303, reply.text);
    const orderPath = String(reply.headers.location);
    const amount = formatMoney(12_000, currency, "en").replaceAll("\u00a0", " ");
    const facts = [`Account holder Hafen GmbH`, `IBAN ${iban}`, "BIC COBADEFFXXX", "Payment reference 1001"];
    const page = await client.get(orderPath);
    const text = stripTags(page.text);
    assert.match(text, /Payment pending/);
    for (const fact of [`Please transfer ${amount}. We’ll ship`, ...facts, `Amount due ${amount}`])
      assert.ok(text.replaceAll("\u00a0", " ").includes(fact), `${fact} in ${text}`);
    const code = ["BCD\n002\n1\nSCT\nCOBADEFFXXX\nHafen GmbH\nDE89370400440532013000\nEUR120.00\n\n\n1001"];
    const section = page.text.slice(page.text.indexOf("transfer-code"));
    assert.deepEqual(page.text.includes("transfer-code") ? [scanCode(section)] : [], currency === "EUR" ? code : []);

    const [confirmation] = await mail.mailsTo(email);
    const mailText = (confirmation?.text ?? "").replaceAll("\u00a0", " ");
    assert.match(
      mailText,
      new RegExp(`Please transfer .*\n\nAccount holder: Hafen GmbH\nIBAN: ${iban}\nBIC: COBADEFFXXX\n`),
    );
    assert.ok(mailText.includes(`\nPayment reference: 1001\nAmount due: ${amount}\n\n1 x `), mailText);
    assert.equal(confirmation?.html.includes("cid:bank-transfer"), currency === "EUR");
    const [merchantMail] = await mail.mailsTo(`owner-${currency}@shop.example`);
    assert.match(merchantMail?.text ?? "", /Bank transfer in advance: Payment pending/);

    const [, invoicePath = ""] = /href="([^"]+\/invoices\/[^".]+)"/.exec(page.text) ?? [];
    const invoice = stripTags((await client.get(invoicePath)).text).replaceAll("\u00a0", " ");
    assert.match(invoice, /Invoice \d{4}-0001/);
    assert.ok(invoice.includes("Payment reference: 1001") || invoice.includes("Payment reference 1001"), invoice);
    const { bank_transfer: account } = await newestOrder(shop);
    assert.deepEqual(account, {
      ...{ account_holder: "Hafen GmbH", iban: "DE89370400440532013000", bic: "COBADEFFXXX", reference: "1001" },
    });
    const { client: office, csrf } = await logIn(shop, await createApiToken(shop, "console", "orders:write"));
    const operate = async (operation: string, fields: Readonly<Record<string, string>> = {}): Promise<string> => {
      const shown = (await office.get("/admin/orders/1001")).text;
      const [, revision = ""] = /name="revision" value="(\d+)"/.exec(shown) ?? [];
      const [, quantity = ""] = /name="(quantity\[[^"]+\])"/.exec(shown) ?? [];
      const form = { csrf, operation, revision, ...(operation === "ship" ? { [quantity]: "1" } : {}), ...fields };
      assert.equal((await postForm(shop, office, "/admin/orders/1001", form)).status, 303);
      return shown;
    };
    const unpaid = await operate("pay", { reference: "Transfer of 28 November" });
    assert.match(unpaid, /Bank transfer in advance: Unpaid/);
    assert.match(unpaid, /Ship the order when the payment has arrived/);
    const paid = await operate("ship");
    assert.match(paid, /Bank transfer in advance: Paid/);
    assert.doesNotMatch(paid, /Ship the order when the payment has arrived/);
    const shipped = stripTags((await client.get(orderPath)).text);
    assert.match(shipped, /Paid.*Shipped on/);
    assert.doesNotMatch(shipped, /IBAN|Please transfer/);
    assert.equal((await mail.mailsTo(email, 2)).length, 2);
    await operate("email", { email: "order.created" });
    const [, , repeated] = await mail.mailsTo(email, 3);
    assert.doesNotMatch(repeated?.text ?? "", /IBAN|Please transfer/, "a paid order asks for no payment");
    await shop.close();
  });

const shop = await startTransferShop("EUR", {}, iban);

test("the other methods of the list order by invoice and start a payment at the provider", async () => {
  const byInvoice = shop.client();
  const invoiceReply = await order(byInvoice, await fill(byInvoice), "invoice@example.com", "invoice");
  assert.equal(invoiceReply.status, 303, invoiceReply.text);
  assert.equal((await newestOrder(shop)).bank_transfer, null);
  assert.doesNotMatch((await byInvoice.get(String(invoiceReply.headers.location))).text, /transfer-code/);
  const byCard = shop.client();
  const started = await order(byCard, await fill(byCard), "card@example.com", "provider");
  assert.match(started.text, /https:\/\/pay\.example\/start/);
  assert.equal((await payAtProvider(shop, started)).status, 200);
  const paid = await newestOrder(shop);
  assert.deepEqual([paid.payment_state, paid.bank_transfer], ["paid", null]);
  const other = shop.client();
  for (const method of ["cash", ""])
    assert.equal((await order(other, await fill(other), "x@example.com", method)).status, 400);
});

test("an order that gift cards pay asks for no payment method", async () => {
  const client = shop.client();
  await client.post("/cart/update.js", { gift_cards: "CARD-AAAA-1111" });
  const checkout = await fill(client);
  assert.doesNotMatch(checkout.page, /name="payment_method"|name="pay"|invoice after|bank details/);
  const reply = await submit(client, checkout, { ...address, order: "" });
  assert.equal(reply.status, 303, reply.text);
  assert.match(stripTags((await client.get(String(reply.headers.location))).text), /Paid .*Gift card -€120\.00/);
});

test("a payment at the provider that arrives after an order by bank transfer pays this order", async () => {
  const client = shop.client();
  const checkout = await fill(client, "/de");
  const started = await order(client, checkout, "switch@example.com", "provider");
  const again = await checkoutOf(client, "/de");
  const reply = await order(client, again, "switch@example.com", "bank_transfer");
  assert.match(String(reply.headers.location), /^\/de\/orders\//, reply.text);
  assert.match((await client.get(String(reply.headers.location))).text, /Bitte überweisen Sie 120,00/);
  const waiting = await newestOrder(shop);
  assert.equal(waiting.payment_state, "unpaid");
  assert.equal((await payAtProvider(shop, started)).json<{ outcome: string }>().outcome, "ordered");
  const paid = await newestOrder(shop);
  assert.deepEqual([paid.number, paid.payment_state], [waiting.number, "paid"]);
});

test("a rejected form keeps the selected method, and a form submitted twice places one order", async () => {
  const client = shop.client();
  const checkout = await fill(client);
  const rejected = await submit(client, checkout, {
    ...address,
    email: "x",
    payment_method: "bank_transfer",
    order: "",
  });
  assert.equal(rejected.status, 400);
  assert.match(rejected.text, /value="bank_transfer" checked/);
  const replies = await Promise.all([0, 1].map(() => order(client, checkout, "twice@example.com", "bank_transfer")));
  assert.equal(
    replies[0]?.headers.location?.toString().split("?")[0],
    replies[1]?.headers.location?.toString().split("?")[0],
  );
});

test("bank transfers are offered only with an account", async () => {
  const closed = await startTransferShop("EUR", { invoice: false });
  const client = closed.client();
  const checkout = await fill(client);
  assert.doesNotMatch(checkout.page, /bank_transfer|payment_method/);
  assert.match(checkout.page, /name="pay"/);
  assert.equal((await order(client, checkout, "x@example.com", "bank_transfer")).status, 400);
});
