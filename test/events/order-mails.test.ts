import assert from "node:assert/strict";
import { test } from "node:test";
import { sign } from "../../examples/signed-form/signed-form.ts";
import { add, assertMutated } from "../support/assertions.ts";
import { product } from "../support/catalog.ts";
import { address, checkoutOf, submit } from "../support/checkout-page.ts";
import type { Client } from "../support/client.ts";
import { createApiToken, runCommand } from "../support/command.ts";
import { startMailReceiver } from "../support/mail-receiver.ts";
import { startShop } from "../support/shop.ts";
import { until } from "../support/until.ts";

let now = Date.now();
let rejected = "";
const receiver = await startMailReceiver({
  onRcptTo: ({ address: to }, _, done) => done(to === rejected ? new Error("no such mailbox") : null),
});
const key = "shared-with-the-provider";
const example = new URL("../../examples/signed-form/signed-form.ts", import.meta.url).href;
const shop = await startShop({
  now: () => now,
  hasTheme: false,
  rows: [
    {
      ...product(1, "coat", "Coat", [
        { id: 11, price: 10_000, sku: "C-RED", options: ["Red", "S"] },
        { id: 12, price: 10_000, options: ["Blue", "S"] },
      ]),
      options: ["Color", "Size"],
      translations: {
        de: { title: "Mantel", option_values: { Red: "Rot" } },
        ar: { title: "معطف", option_values: { Red: "أحمر" } },
      },
    },
    product(2, "tote", "Tote", [{ id: 21, price: 2_000 }]),
    { kind: "discount", code: "COATS", title: "COATS", value_type: "percentage", value: 10, products: ["coat"] },
    { kind: "discount", code: "FIVE", title: "FIVE", value_type: "fixed_amount", value: 500 },
    { kind: "gift_card", code: "CARD-AAAA-1111", balance: 1_000 },
    { kind: "gift_card", code: "CARD-BBBB-2222", balance: 1_000 },
  ],
  config: {
    currency: "EUR",
    locales: { default: "en", others: ["de", "ar"] },
    origin: "https://shop.example",
    console: true,
    contact: { email: "owner@shop.example" },
    mail: { smtp: `smtp://127.0.0.1:${receiver.port}`, from: "mail@shop.example" },
    shipping: {
      countries: ["DE", "FR"],
      rates: [{ name: "Standard", price: 500, translations: { de: "Postversand", ar: "الشحن العادي" } }],
    },
    tax: { rates: { DE: 19 }, pricesIncludeTax: false },
    hooks: "hooks.ts",
  },
  storeFiles: {
    "hooks.ts": `import { defineHooks } from "vitrine";
      import { signedForm } from ${JSON.stringify(example)};
      export default defineHooks({ payment: signedForm({ address: "https://pay.example/start", merchant: "harbour", key: ${JSON.stringify(key)} }) });`,
  },
});

interface Options {
  readonly codes?: Readonly<Record<string, string>>;
  readonly prefix?: string;
  readonly fields?: Readonly<Record<string, string>>;
}

/**
 * Fills a cart with coats and a tote, and submits the checkout.
 * @param button "order" for an order without payment, "pay" for one with payment
 */
async function checkOut(email: string, { codes, prefix = "", fields = {} }: Options, button: string): Promise<string> {
  const client: Client = shop.client();
  const properties = { Engraving: "A\u202en\u001bn", Pattern: "see https://spam.example/p", _ref: "r-1" };
  assertMutated(await client.post("/cart/add.js", { id: 11, quantity: 2, properties }));
  await add(client, 21, 1);
  if (codes !== undefined) assertMutated(await client.post("/cart/update.js", codes));
  const checkout = await checkoutOf(client, prefix);
  const shipping = /name="shipping" value="([^"]+)"/.exec(checkout.page)?.[1] ?? "";
  const reply = await submit(client, checkout, { ...address, email, shipping, ...fields, [button]: "" });
  assert.ok(reply.status === 303 || reply.status === 200, reply.text);
  return reply.text;
}

const order = (email: string, options: Options = {}): Promise<string> => checkOut(email, options, "order");

/** Places an order that the provider reports as paid. */
async function paidOrder(email: string, options: Options = {}): Promise<void> {
  const page = await checkOut(email, options, "pay");
  const hidden = Object.fromEntries(
    [...page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)].map(([, name, value]) => [name, value]),
  );
  const { order: id = "", amount = "", currency = "" } = hidden;
  const fields = { merchant: "harbour", order: id, amount, currency, payment: `p-${id}`, status: "paid" };
  const reply = await shop.client().send("POST", "/api/payments/events", {
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ ...fields, signature: sign(fields, key) }).toString(),
  });
  assert.equal(reply.status, 200, reply.text);
}

async function numberOf(email: string): Promise<string> {
  const { out } = await runCommand(shop, "orders", "list");
  return new RegExp(`#(\\d+) [^\\n]*${email}`).exec(out)?.[1] ?? "";
}

interface OrderJson {
  readonly items_subtotal: number;
  readonly total_discount: number;
  readonly total: number;
  readonly amount: number;
  readonly taxes: { readonly total: number };
  readonly discounts: readonly { readonly amount: number; readonly target: string }[];
  readonly items: readonly { readonly final_line_price: number }[];
}

async function jsonOf(email: string): Promise<OrderJson> {
  const { out } = await runCommand(shop, "orders", "export");
  return JSON.parse(out.split("\n").find((line) => line.includes(`"${email}"`)) ?? "");
}

const codes = { discount: "COATS,FIVE", gift_cards: "CARD-AAAA-1111" };

/** Returns the text part with plain spaces and without direction marks. */
function textOf(mail: { readonly text: string } | undefined): string {
  return (mail?.text.split("<!doctype html>")[0] ?? "")
    .replaceAll(/[\u200e\u200f\u061c]/g, "")
    .replaceAll("\u00a0", " ");
}

test("amounts of a mail agree with the order in JSON and on the command line: each discount counts once, added tax is a line", async () => {
  const email = "sums@example.com";
  await order(email, { codes, prefix: "/de" });
  const [mail] = await receiver.mailsTo(email);
  assert.match(
    textOf(mail),
    new RegExp(
      [
        "2 x Mantel \\(Rot / S\\): 180,00 € \\(Rabatt COATS: -20,00 €\\)\n(?:- .*\n){2}1 x Tote: 20,00 €\n",
        "Zwischensumme: 200,00 €\nRabatt FIVE: -5,00 €\nVersand \\(Postversand\\): 5,00 €\n",
        "zzgl. 19 % MwSt.: 38,01 €\nGesamtbetrag: 238,01 €\n",
        "Geschenkgutschein oder Guthaben: -10,00 €\nZu zahlen: 228,01 €\n",
        "\nLieferadresse:\nAda Quay\nPier 1\n20457 Hamburg\nDeutschland\n",
      ].join(""),
    ),
  );
  assert.match(
    textOf(mail),
    /\n- Engraving: Ann\n- Pattern: see https:\u200b\/\/\u200bspam\.\u200bexample\/\u200bp\n1 x/,
  );
  const { items_subtotal, total_discount, total, amount, taxes, discounts, items } = await jsonOf(email);
  assert.deepEqual(
    [items_subtotal, total_discount, taxes.total, total, amount, items.map((item) => item.final_line_price)],
    [20_000, 2_500, 3_801, 23_801, 22_801, [18_000, 2_000]],
  );
  assert.deepEqual(
    discounts.map((discount) => [discount.target, discount.amount]),
    [
      ["lines", 2_000],
      ["cart", 500],
    ],
  );
  const { out } = await runCommand(shop, "orders", "show", await numberOf(email));
  assert.match(
    out,
    / {2}2 x Coat \(Red \/ S, C-RED\) {2}€180\.00\n(?: {6}.*\n){3} {6}includes discount COATS {2}-€20\.00\n.*\n {2}discount FIVE {2}-€5\.00\n[\s\S]* {2}to pay {2}€228\.01/,
  );
});

test("a mail about an order in Arabic is in Arabic: texts, product, options, delivery and country", async () => {
  const email = "arabic@example.com";
  await order(email, { prefix: "/ar" });
  const [mail] = await receiver.mailsTo(email);
  assert.equal(mail?.header("subject"), "الطلب رقم 1002 من Test Harbour");
  assert.match(mail?.html ?? "", /<html lang="ar" dir="rtl">/);
  const text = textOf(mail);
  assert.match(text, /2 x معطف \(أحمر \/ S\)/);
  assert.match(text, /الشحن \(الشحن العادي\)/);
  assert.match(text, /ألمانيا/);
  assert.match(text, /\nالإجمالي: 267\.75 €\nالمبلغ المستحق: 267\.75 €\n/);
  const latin = text.replace(/https:\/\/shop\S+/, "").match(/\p{Script=Latin}+/gu);
  assert.deepEqual(
    [...new Set(latin)],
    "x S Engraving Ann Pattern see https spam example p Tote Ada Quay Pier Hamburg Test Harbour".split(" "),
  );
});

test("a mail says that an order is paid; a canceled one announces the refund, or that nothing is due, and a refund is reported once", async () => {
  await paidOrder("card@example.com");
  const [confirmed] = await receiver.mailsTo("card@example.com");
  assert.match(textOf(confirmed), /\nTotal: €267\.75\nPaid: €267\.75\n/);
  assert.doesNotMatch(confirmed?.text ?? "", /Amount due|pending/);
  assert.equal((await runCommand(shop, "orders", "cancel", await numberOf("card@example.com"))).code, 0);
  const [, canceled] = await receiver.mailsTo("card@example.com", 2);
  assert.match(textOf(canceled), /was canceled\.\nWe’ll refund your payment of €267\.75\.\n/);
  const refunded = await numberOf("card@example.com");
  for (const text of ["", "again"])
    await runCommand(shop, "orders", "refund-note", refunded, "--note", `Scratched ${text}`);
  const [, , refund] = await receiver.mailsTo("card@example.com", 3);
  assert.equal(refund?.header("Subject"), `Refund for your order #${refunded} at Test Harbour`);
  assert.match(textOf(refund), /^\nWe’ve refunded €267\.75 for your order #\d+\.\n/);
  assert.match(refund?.html ?? "", /We’ve refunded €267\.75/);
  assert.doesNotMatch(refund?.text ?? "", /Scratched/);

  await paidOrder("part@example.com");
  const part = await numberOf("part@example.com");
  const authorization = `Bearer ${await createApiToken(shop, "orders:write")}`;
  const headers = { authorization, "content-type": "application/json", "if-match": '"1"' };
  const body = JSON.stringify({ amount: 1_000, reason: "Scratched" });
  assert.equal((await shop.client().send("POST", `/api/orders/${part}/refund`, { headers, body })).status, 200);
  assert.equal((await runCommand(shop, "orders", "cancel", part)).code, 0);
  const [, , rest] = await receiver.mailsTo("part@example.com", 3);
  assert.match(textOf(rest), /payment of €257\.75\.\n[\s\S]*\nPaid: €267\.75\nRefunded: -€10\.00\n/);
  assert.match(rest?.html ?? "", />Refunded<\/td>/);

  await order("unpaid@example.com", { codes: { gift_cards: "CARD-BBBB-2222" } });
  assert.equal((await runCommand(shop, "orders", "cancel", await numberOf("unpaid@example.com"))).code, 0);
  const [, unpaid] = await receiver.mailsTo("unpaid@example.com", 2);
  assert.match(
    textOf(unpaid),
    /\n€10\.00 was returned to your gift card or store credit\. You don’t have to pay anything\.\n/,
  );
  assert.doesNotMatch(unpaid?.text ?? "", /Amount due|refund/);
});

test("the merchant gets a mail about each order in the shop's language, also if the shopper's address is rejected", async () => {
  rejected = "typo@example.com";
  await order(rejected, { prefix: "/de", fields: { phone: "+49 40 1234" } });
  const number = await numberOf(rejected);
  const isAbout = (mail: { readonly text: string }): boolean => mail.text.includes(rejected);
  await until(() => receiver.mails.some(isAbout), "the merchant's mail");
  const mail = receiver.mails.find(isAbout);
  assert.deepEqual(
    [mail?.to, mail?.header("subject"), mail?.header("reply-to")],
    [["owner@shop.example"], `New order #${number}: €267.75`, rejected],
  );
  assert.match(
    textOf(mail),
    /\nPayment pending\n\n2 x Coat \(Red \/ S\) C-RED: €200\.00\n- Engraving: Ann\n- Pattern: see https:\/\/spam\.example\/p\n- _ref: r-1\n1 x Tote: €20\.00\n[\s\S]*Shipping \(Standard\): €5\.00\n[\s\S]*Germany\n\+49 40 1234\n/,
  );
  assert.match(mail?.text ?? "", new RegExp(`https://shop\\.example/admin/orders/${number}\n`));
  rejected = "";
});

test("with mail.newOrders and mail.refunds off, shoppers get mails about orders only", async () => {
  const quiet = await startShop({
    hasTheme: false,
    rows: [product(2, "tote", "Tote", [{ id: 21, price: 2_000 }])],
    config: {
      contact: { email: "quiet@shop.example" },
      mail: { smtp: `smtp://127.0.0.1:${receiver.port}`, from: "mail@shop.example", newOrders: false, refunds: false },
    },
  });
  const client = quiet.client();
  await add(client, 21, 1);
  const reply = await submit(client, await checkoutOf(client), { ...address, email: "calm@example.com", order: "" });
  assert.equal(reply.status, 303, reply.text);
  await receiver.mailsTo("calm@example.com");
  await runCommand(quiet, "orders", "paid", "1001", "--reference", "transfer");
  assert.equal((await runCommand(quiet, "orders", "refund-note", "1001", "--note", "x")).code, 0);
  // The mail arrives before the store records its delivery.
  await until(async () => {
    const { err } = await runCommand(quiet, "events", "list", "--waiting");
    assert.match(err, /No undelivered events/);
    return true;
  });
  assert.deepEqual(
    receiver.mails.filter(({ to }) => to.includes("quiet@shop.example")),
    [],
  );
  assert.equal((await receiver.mailsTo("calm@example.com")).length, 1);
});

test("an order form with a link in a field is rejected, and the mail repeats no text that becomes a link", async () => {
  for (const name of ["Win at https://spam.example/x", "WWW.spam.example"]) {
    const page = await checkOut("victim@example.com", { fields: { name } }, "order").catch(String);
    assert.match(page, /id="order-name-error">Remove the link</);
  }
  await order("victim@example.com", {
    fields: { name: `spam.example ${"x".repeat(240)}`, address1: "eve@spam.example" },
  });
  const [mail] = await receiver.mailsTo("victim@example.com");
  assert.doesNotMatch(mail?.text ?? "", /spam\.example|x{100}/);
  assert.match(mail?.text ?? "", /spam\.\u200bexample x{80,90}…/);
});

test("one recipient gets ten confirmations of unpaid orders at once, and more of them later", async () => {
  for (let orders = 0; orders < 12; orders += 1) await order(`flood+${orders % 2}@example.com`);
  const flood = (): number => receiver.mails.filter(({ to }) => to[0]?.startsWith("flood+")).length;
  await until(async () => {
    const { out } = await runCommand(shop, "events", "list", "--waiting");
    return out.match(/the limit of 10 confirmations of unpaid orders for this recipient is reached/g)?.length === 2;
  }, "two mails are postponed");
  await until(() => flood() === 10, "ten mails");
  await paidOrder("flood@example.com");
  await receiver.mailsTo("flood@example.com");
  now += 1_200_000;
  await until(() => flood() === 12, "the postponed mails");
});
