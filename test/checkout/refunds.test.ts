import assert from "node:assert/strict";
import { test } from "node:test";
import { add } from "../support/assertions.ts";
import { variant } from "../support/catalog.ts";
import type { Client } from "../support/client.ts";
import { createApiToken, runCommand } from "../support/command.ts";
import { placeOrder } from "../support/orders.ts";
import { startShop } from "../support/shop.ts";

const shop = await startShop({ hasTheme: false, config: { console: true } });
const orders = (...args: readonly string[]) => runCommand(shop, "orders", ...args);
const token = await createApiToken(shop, "checkouts:complete");

interface RefundJson {
  readonly reference: string;
  readonly order_number: number | null;
  readonly amount: number;
  readonly reason: string;
}

const refunds = async (): Promise<readonly RefundJson[]> =>
  (await orders("refunds")).out
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as RefundJson);

/** Places a paid order.  @returns its number */
async function paidOrder(reference: string): Promise<string> {
  await placeOrder(shop.client());
  const [, number = ""] = /#(\d+) [^\n]*\n$/.exec((await orders("list")).out) ?? [];
  assert.equal((await orders("paid", number, "--reference", reference)).code, 0);
  return number;
}

function pay(id: string, reference: string, amount: number): Promise<{ readonly status: number }> {
  return shop.client().send("POST", `/api/checkouts/${id}/complete`, {
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ amount, currency: "USD", reference }),
  });
}

async function consoleClient(): Promise<Client> {
  const client = shop.client();
  const reply = await client.send("POST", "/admin/login", {
    headers: { "content-type": "application/x-www-form-urlencoded", origin: shop.origin },
    body: new URLSearchParams({ token: await createApiToken(shop, "console", "orders:write") }).toString(),
  });
  assert.equal(reply.status, 303);
  return client;
}

test("the payment of a canceled order is listed as a refund until the refund is recorded, in the terminal and the console", async () => {
  const number = await paidOrder("bank-1");
  const admin = await consoleClient();
  const page = async (): Promise<string> => (await admin.get(`/admin/orders/${number}`)).text;
  assert.match(await page(), /name="operation" value="cancel"/);
  assert.deepEqual(await refunds(), []);
  assert.equal((await orders("cancel", number)).code, 0);
  assert.deepEqual(
    (await refunds()).map(({ reference, order_number, amount, reason }) => [reference, order_number, amount, reason]),
    [["bank-1", Number(number), 1_999, "order_cancelled"]],
  );
  assert.match((await orders("show", number)).out, /to refund {2}\$19\.99, paid as bank-1/);
  const due = await page();
  assert.match(
    due,
    /<dt>Payment<\/dt><dd>Paid, refund due<\/dd>[\s\S]*<dt>Refund due<\/dt><dd>\$19\.99 · bank-1<\/dd>/,
  );
  assert.doesNotMatch(due, /name="operation" value="cancel"/);
  assert.match(due, /name="reference" value="bank-1">[\s\S]*name="amount" inputmode="decimal" required value="19\.99"/);

  assert.equal(
    (await orders("refund-note", number, "--note", "by bank")).out,
    `Recorded: #${number}. $19.99 refunded.\n`,
  );
  assert.equal((await orders("refunds")).err, "No refunds are due.\n");
  assert.doesNotMatch((await orders("show", number)).out, /to refund/);
  const refunded = await page();
  assert.match(refunded, /<dt>Payment<\/dt><dd>Refunded<\/dd>/);
  assert.doesNotMatch(refunded, /Refund due|name="amount"/);
});

test("a second payment and one without an order are recorded as refunded by their references", async () => {
  const client = shop.client();
  await add(client, variant.scarce, 3);
  const [, id = ""] = /checkout\/([\w-]+)/.exec(String((await client.get("/checkout")).headers.location)) ?? [];
  assert.equal((await client.get(`/checkout/${id}`)).status, 200);
  const otherClient = shop.client();
  await add(otherClient, variant.scarce, 3);
  const [, otherId = ""] =
    /checkout\/([\w-]+)/.exec(String((await otherClient.get("/checkout")).headers.location)) ?? [];
  assert.equal((await otherClient.get(`/checkout/${otherId}`)).status, 200);
  assert.equal((await pay(id, "first", 303)).status, 200);
  assert.equal((await pay(id, "second", 303)).status, 409);
  assert.equal((await pay(otherId, "late", 303)).status, 409);
  const knownRefunds = async () => (await refunds()).map(({ reference, reason }) => `${reference} ${reason}`);
  assert.deepEqual(await knownRefunds(), ["second paid_twice", "late out_of_stock"]);

  await assert.rejects(orders("refund-note", "--reference", "late", "--note", "x"), /has no order for a note/);
  assert.equal((await orders("refund-note", "--reference", "late")).out, "Recorded: $3.03 refunded.\n");
  assert.deepEqual(await knownRefunds(), ["second paid_twice"]);
  assert.equal((await pay(otherId, "late", 303)).status, 409, "the same payment is answered the same");
  assert.match((await orders("refund-note", "--reference", "second")).out, /^Recorded: #\d+\. \$3\.03 refunded\.\n$/);
  assert.deepEqual(await knownRefunds(), []);
  await assert.rejects(orders("refund-note", "--reference", "second"), /"vitrine orders refunds"/);

  const orderPath = String((await client.get(`/checkout/${id}`)).headers.location);
  assert.match((await client.get(orderPath)).text, /<strong>Paid<\/strong>/, "not refunded");
  assert.match((await (await consoleClient()).get("/admin/reports")).text, /Revenue after refunds<\/dt><dd>\$3\.03</);
});

test("the page of an order shows refunds, and announces one only until a refund of the canceled order is recorded", async () => {
  const client = shop.client();
  const path = await placeOrder(client);
  const page = async (): Promise<string> => (await client.get(path)).text;
  const [, number = ""] = /#(\d+) [^\n]*\n$/.exec((await orders("list")).out) ?? [];
  await orders("paid", number, "--reference", "bank-2");
  const authorization = `Bearer ${await createApiToken(shop, "orders:read", "orders:write")}`;
  const refund = async (amount: number): Promise<void> => {
    const { headers } = await client.get(`/api/orders/${number}`, { authorization });
    const body = { amount, reason: "scratched" };
    const reply = await client.post(`/api/orders/${number}/refund`, body, { authorization, "if-match": headers.etag });
    assert.equal(reply.status, 200, reply.text);
  };
  await refund(500);
  assert.match(await page(), /Partially refunded<\/dt><dd>-\$5\.00</);
  await orders("cancel", number);
  assert.match(await page(), /We’ll refund your payment of \$14\.99\./);
  await refund(1_000);
  assert.doesNotMatch(await page(), /We’ll refund/, "a refund less a fee completes it");
  assert.match(await page(), /Partially refunded<\/dt><dd>-\$15\.00</);
});
