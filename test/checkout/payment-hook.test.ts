import assert from "node:assert/strict";
import { test } from "node:test";
import { sign } from "../../examples/signed-form/signed-form.ts";
import { add, assertCartError, readCart } from "../support/assertions.ts";
import { variant } from "../support/catalog.ts";
import { address, type CheckoutPage, checkoutOf, submit } from "../support/checkout-page.ts";
import type { Client, Reply } from "../support/client.ts";
import { startShop } from "../support/shop.ts";

const example = new URL("../../examples/signed-form/signed-form.ts", import.meta.url).href;
const key = "shared-with-the-provider";
let now = Date.now();
const shop = await startShop({
  now: () => now,
  hasTheme: false,
  config: { hooks: "hooks.ts" },
  storeFiles: {
    "hooks.ts": `import { defineHooks } from "vitrine";
      import { signedForm } from ${JSON.stringify(example)};
      export default defineHooks({ payment: signedForm({ address: "https://pay.example/start", merchant: "harbour", key: ${JSON.stringify(key)} }) });`,
  },
});

type Fields = Readonly<Record<string, string>>;

/** Continues to the payment of a cart.  @returns the form for the provider */
async function pay(client: Client, given?: CheckoutPage): Promise<Fields> {
  const reply = await submit(client, given ?? (await checkoutOf(client)), { ...address, pay: "" });
  assert.equal(reply.status, 200, reply.text);
  assert.match(reply.text, /<form [^>]*method="post" action="https:\/\/pay\.example\/start">/);
  assert.match(String(reply.headers["content-security-policy"]), /form-action 'self' https:\/\/pay\.example;/);
  const hidden = [...reply.text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)];
  return Object.fromEntries(hidden.map(([, name = "", value = ""]) => [name, value.replaceAll("&amp;", "&")]));
}

/** Returns the provider's signed notification about the form. */
function notificationOf(form: Fields, more: Fields = {}): string {
  const { order = "", amount = "", currency = "" } = form;
  const fields = { merchant: "harbour", order, amount, currency, payment: `p-${order}`, status: "paid", ...more };
  return new URLSearchParams({ ...fields, signature: sign(fields, key) }).toString();
}

const asForm = { "content-type": "application/x-www-form-urlencoded" };

const notify = (body: string): Promise<Reply> =>
  shop.client().send("POST", "/api/payments/events", { headers: asForm, body });

const pathOf = (address: string | undefined): string => String(address).replace(shop.origin, "");

test("a signed form opens the provider, whose notification creates one order, and the return page redirects to it", async () => {
  const client = shop.client();
  await add(client, variant.unlimited, 1);
  const form = await pay(client);
  assert.deepEqual([form.amount, form.currency, form.email], ["1999", "USD", "ada@example.com"]);
  const { signature = "", ...fields } = form;
  assert.equal(signature, sign(fields, key));
  const waitingPage = await client.get(pathOf(form.return_url));
  assert.match(waitingPage.text, /We’re confirming your payment/);
  assert.match(String(waitingPage.headers.refresh), /^5; url=\/checkout\/return\/.*polls=1$/);
  assert.doesNotMatch(waitingPage.text, /name="pay"/, "nobody is asked to pay again");

  const replies = await Promise.all(Array.from({ length: 10 }, () => notify(notificationOf(form))));
  assert.deepEqual([...new Set(replies.map(({ status, text }) => `${status} ${text}`))].length, 1);
  assert.equal(replies[0]?.json<{ outcome: string }>().outcome, "ordered");
  const number = replies[0]?.json<{ order_number: number }>().order_number;

  const back = await client.get(pathOf(form.return_url));
  assert.equal(back.status, 303);
  const thanks = await client.get(String(back.headers.location));
  assert.match(thanks.text, new RegExp(`Thank you for your order[\\s\\S]*#${number}[\\s\\S]*Paid`));
  assert.equal((await readCart(client)).item_count, 0);
  const elsewhere = await shop.client().get(`${pathOf(form.return_url)}?${notificationOf(form)}`);
  assert.match(String(elsewhere.headers.location), /^\/orders\//, "who comes back in another browser finds the order");
});

test("a return signed by the provider creates the order before the notification, by GET and by POST", async () => {
  for (const method of ["GET", "POST"]) {
    const client = shop.client();
    await add(client, variant.unlimited, 2);
    const form = await pay(client);
    const url = pathOf(form.return_url);
    const back =
      method === "GET"
        ? await client.get(`${url}?${notificationOf(form)}`)
        : await client.send("POST", url, {
            headers: { ...asForm, origin: "https://pay.example" },
            body: notificationOf(form),
          });
    assert.deepEqual([back.status, back.headers.location], [303, url], "what was signed leaves the address");
    assert.match(String((await client.get(url)).headers.location), /^\/orders\/.*thank_you/);
    assert.equal((await notify(notificationOf(form))).json<{ outcome: string }>().outcome, "ordered");
    assert.equal((await readCart(client)).item_count, 0);
  }
});

test("an unsigned notification or one with another amount orders nothing", async () => {
  const client = shop.client();
  await add(client, variant.unlimited, 1);
  const form = await pay(client);
  assertCartError(await notify(notificationOf(form).replace("paid", "free")), 400, "bad_request");
  assertCartError(await notify(""), 400, "bad_request");
  assertCartError(await notify(notificationOf(form, { amount: "1" })), 422, "amount_differs");
  assertCartError(await notify(notificationOf(form, { order: "x".repeat(24) })), 404, "not_found");
  const url = pathOf(form.return_url);
  await client.get(`${url}?${notificationOf(form).replace("amount=1999", "amount=0")}`);
  assert.match((await client.get(url)).text, /We’re confirming your payment/);
  assert.equal((await client.get(`${url.slice(0, -3)}xxx`)).status, 404);
  const pending = await notify(notificationOf(form, { status: "pending" }));
  assert.deepEqual(pending.json(), { outcome: "ignored" });
  assert.equal((await readCart(client)).item_count, 1);
});

test("a declined payment returns to the filled checkout, and its notification is idempotent", async () => {
  const client = shop.client();
  await add(client, variant.unlimited, 1);
  const form = await pay(client);
  const url = pathOf(form.return_url);
  const back = await client.get(`${url}?${notificationOf(form, { status: "declined" })}`);
  const page = await client.get(String(back.headers.location));
  assert.match(page.text, /Your payment failed/);
  assert.match(page.text, /value="Ada Quay"/);
  const stranger = await shop.client().get(String(back.headers.location));
  assert.doesNotMatch(stranger.text, /Ada Quay/);
  const again = await pay(client, { url: String(back.headers.location).split("?")[0] ?? "", page: page.text });
  assert.equal(again.order, form.order);
  assert.equal(again.return_url, form.return_url);
  assert.equal((await readCart(client)).item_count, 1);
});

test("a payment whose stock is sold out is stored, and the page announces the refund", async () => {
  const [lateClient, quick] = [shop.client(), shop.client()];
  await add(lateClient, variant.scarce, 3);
  const form = await pay(lateClient);
  now += 11 * 60_000;
  await shop.app.shop.checkouts.expire(now);
  await add(quick, variant.scarce, 3);
  await notify(notificationOf(await pay(quick)));
  const reply = await notify(notificationOf(form));
  assert.deepEqual([reply.status, reply.json()], [200, { outcome: "refund_due", reason: "out_of_stock" }]);
  const page = await lateClient.get(pathOf(form.return_url));
  assert.match(page.text, /You will be refunded/);
  assert.equal(page.headers.refresh, undefined);
});

test("a late payment of a superseded checkout is recorded while another checkout of the cart is open", async () => {
  const [lateClient, quick] = [shop.client(), shop.client()];
  await add(lateClient, variant.tracked, 10);
  const superseded = await pay(lateClient);
  now += 11 * 60_000;
  await shop.app.shop.checkouts.expire(now);
  await add(quick, variant.tracked, 9);
  assert.equal((await notify(notificationOf(await pay(quick)))).status, 200);
  assert.equal((await lateClient.post("/cart/change.js", { line: 1, quantity: 1 })).status, 200);
  const openPayment = await pay(lateClient);
  for (const _ of ["the first time", "again"]) {
    const reply = await notify(notificationOf(superseded));
    assert.deepEqual([reply.status, reply.json()], [200, { outcome: "refund_due", reason: "out_of_stock" }]);
  }
  assert.equal((await notify(notificationOf(openPayment))).json<{ outcome: string }>().outcome, "ordered");
});

test("the page has a button for payment and one for invoice, and the return page is in the shopper's language", async () => {
  const client = shop.client();
  await add(client, variant.unlimited, 1);
  const checkout = await checkoutOf(client, "/fr");
  assert.match(checkout.page, /name="pay">Payer maintenant</);
  const form = await pay(client, checkout);
  assert.match(form.return_url ?? "", /\/fr\/checkout\/return\//);
  assert.match((await client.get(pathOf(form.return_url))).text, /en cours de confirmation/);
  const orderReply = await submit(client, checkout, { ...address, order: "" });
  assert.match(String(orderReply.headers.location), /^\/fr\/orders\//);
  assert.equal(
    (await notify(notificationOf(form))).json<{ outcome: string }>().outcome,
    "ordered",
    "paid for what was ordered",
  );
});
