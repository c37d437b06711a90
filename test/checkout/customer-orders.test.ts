import assert from "node:assert/strict";
import { test } from "node:test";
import { add } from "../support/assertions.ts";
import { rows, variant } from "../support/catalog.ts";
import { address, checkoutOf, submit } from "../support/checkout-page.ts";
import type { Client } from "../support/client.ts";
import { runCommand } from "../support/command.ts";
import { customerToken } from "../support/customer-token.ts";
import { startShop, type TestShop } from "../support/shop.ts";

const customer = (id: number) => ({ kind: "customer", id, email: `c${id}@example.test`, first_name: "Ada" });
const options = {
  rows: [
    ...rows,
    ...[9, 10, 11, 12].map(customer),
    { ...customer(13), store_credit: 5_000 },
    { kind: "discount", code: "ONEEACH", value_type: "fixed_amount", value: 1, customer_limit: 1 },
  ],
  config: {
    customers: { accounts: true },
    shipping: { countries: ["DE"], rates: [{ name: "Standard", price: 500, countries: ["DE"] }] },
  },
};
const reason =
  "[{{ order.cancel_reason }}|{{ order.cancel_reason_label }}|{{ order.customer.first_name }}|{{ order.customer.store_credit_account.balance }}]";
const shop = await startShop({
  ...options,
  hasTheme: false,
  themeFiles: {
    "templates/customers/account.liquid":
      "{% layout none %}{{ customer.orders_count }} {{ customer.total_spent }} {{ customer.last_order.name }} {% paginate customer.orders by 1 %}{% for order in customer.orders %}{{ order.name }} {{ order.customer_url }}{% endfor %} of {{ paginate.items }}{% endpaginate %}",
    "templates/customers/order.liquid": `{% layout none %}{{ order.name }} {{ order.order_number }} {{ order.created_at | date: '%Y' }} {{ order.financial_status }} {{ order.financial_status_label }} {{ order.fulfillment_status_label }} {{ order.cancelled }} {{ order.cancelled_at | date: '%Y' }} {% for line in order.line_items %}{{ line.title }} x {{ line.quantity }} {{ line.final_line_price }}{% if line.fulfillment %} sent {{ line.successfully_fulfilled_quantity }} of {{ line.fulfillment.item_count }} {{ line.fulfillment.created_at | time_tag: format: 'date' }} {{ line.fulfillment.tracking_company }} {{ line.fulfillment.tracking_number }} {{ line.fulfillment.tracking_urls.first }} {{ line.fulfillment.fulfillment_line_items.first.line_item.title }}{% endif %}{% endfor %} {{ order.subtotal_price }} + {{ order.shipping_methods.first.title }} {{ order.shipping_price }} = {{ order.total_price }} {{ order.shipping_address | format_address }} {{ order.shipping_address.first_name }} {{ order.email }} {{ order.item_count }} {{ order.order_status_url | split: '/' | size }} ${reason}`,
    "templates/customers/addresses.liquid":
      "{% layout none %}{{ customer.store_credit }} {{ customer.store_credit_account.balance }}",
    "templates/gift_card.liquid": "{% layout none %}{{ gift_card.balance }}",
    "templates/order.liquid": `{% layout none %}${reason}`,
    "templates/index.liquid": "{% layout none %}{{ customer.orders_count }} orders",
  },
});

function signedIn(at: TestShop, id = "9"): Client {
  const client = at.client();
  client.cookies.set("customer", customerToken(id));
  return client;
}

/** Places an order.  @returns path of the confirmation page */
async function order(client: Client): Promise<string> {
  await add(client, variant.unlimited, 1);
  const url = String((await client.get("/checkout")).headers.location);
  const page = (await client.get(url)).text;
  const [, checkout = ""] = /name="checkout" value="([^"]+)"/.exec(page) ?? [];
  const [, shipping = ""] = /name="shipping" value="([^"]+)"/.exec(page) ?? [];
  const fields = { email: "ada@example.com", name: "Ada Mary Quay", address1: "Pier 1", zip: "20457", city: "Hamburg" };
  const delivery = { country: "DE", quoted_country: "DE", shipping, order: "" };
  const reply = await client.send("POST", url, {
    headers: { "content-type": "application/x-www-form-urlencoded", accept: "text/html", "sec-fetch-mode": "navigate" },
    body: new URLSearchParams({ csrf_token: await client.token(), checkout, ...fields, ...delivery }).toString(),
  });
  assert.equal(reply.status, 303, reply.text);
  return String(reply.headers.location);
}

async function token(at: TestShop, scopes: string): Promise<{ readonly authorization: string }> {
  return { authorization: `Bearer ${(await runCommand(at, "token", "create", "--scopes", scopes)).out.trim()}` };
}

interface Shown {
  readonly id: string;
  readonly number: number;
  readonly state: string;
  readonly updated_at: string;
  readonly cancelled_at: string | null;
}
interface Page {
  readonly orders: readonly Shown[];
  readonly next: string | null;
}

await order(signedIn(shop));
await order(signedIn(shop));
await order(shop.client());

test("templates list a customer's orders by page, newest first", async () => {
  const { text } = await signedIn(shop).get("/account");
  assert.match(text, /^2 0 #1002 #1002 \/account\/orders\/[\w-]{20,} of 2$/);
  assert.match((await signedIn(shop).get("/account?page=2")).text, /#1001 \/account\/orders/);
  assert.match((await signedIn(shop, "10").get("/account")).text, /^0 0 {2} of 0$/);
  assert.equal((await signedIn(shop).get("/")).text, "2 orders");
  assert.equal((await shop.client().get("/")).text, " orders");
});

test("only the customer of an order sees it, in the language of the page", async () => {
  const [, path = ""] = /(\/account\/orders\/\S+)/.exec((await signedIn(shop).get("/account")).text) ?? [];
  const { status, text, headers } = await signedIn(shop).get(path);
  assert.equal(status, 200);
  assert.match(String(headers["cache-control"]), /no-store/);
  assert.match(
    text,
    /^#1002 1002 \d{4} pending Payment pending Unfulfilled false {2}Canvas Tote.* x 1 1999 1999 \+ Standard 500 = 2499 <p>Ada Mary Quay<br>Pier 1<br>20457 Hamburg<br>Germany<\/p> Ada Mary ada@example\.com 1 3 \[\|\|Ada\|0\]$/,
  );
  assert.match((await signedIn(shop).get(`/fr${path}`)).text, /Paiement en attente Non expédiée/);
  assert.equal((await signedIn(shop, "10").get(path)).status, 404);
  assert.equal((await signedIn(shop).get("/account/orders/none")).status, 404);
  const stranger = await shop.client().get(path);
  assert.equal(stranger.headers.location, `/account/login?return_url=${encodeURIComponent(path)}`);
});

test("each line of a shipped order has its tracking information", async () => {
  const at = signedIn(shop);
  const [, path = ""] = /(\/account\/orders\/\S+)/.exec((await at.get("/account")).text) ?? [];
  const url = "https://track.example/A1?a=1&b=2";
  await runCommand(shop, "orders", "ship", "1002", "--carrier", "Post", "--tracking", "A1", "--tracking-url", url);
  const { text } = await at.get(path);
  assert.match(
    text,
    /Shipped false {2}Canvas Tote.* x 1 1999 sent 1 of 1 <time datetime="[^"]+">[^<]+<\/time> Post A1 https:\/\/track\.example\/A1\?a=1&b=2 Canvas Tote/,
  );
});

test("the default theme shows orders in the account, each on a page like that of its signed link", async () => {
  const plainShop = await startShop({ ...options, hasTheme: false });
  const thanks = (await order(signedIn(plainShop))).split("?")[0] ?? "";
  const { text } = await signedIn(plainShop).get("/account");
  const [, path = ""] =
    /Order history[\s\S]*href="(\/account\/orders\/[^"]+)">Order #1001<[\s\S]*\$24\.99/.exec(text) ?? [];
  const main = (page: string) => /<main[\s\S]*<\/main>/.exec(page)?.[0].replaceAll(/id="[^"]*"/g, "");
  assert.equal(main((await signedIn(plainShop).get(path)).text), main((await plainShop.client().get(thanks)).text));
  assert.match((await signedIn(plainShop, "10").get("/account")).text, /No orders yet/);
  await runCommand(plainShop, "orders", "paid", "1001", "--reference", "Transfer 1");
  const { authorization } = await token(plainShop, "orders:read,orders:write");
  for (const [amount, status] of [
    [100, "Partially refunded"],
    [undefined, "Refunded"],
  ] as const) {
    const { headers: current } = await plainShop.client().get("/api/orders/1001", { authorization });
    const headers = { authorization, "content-type": "application/json", "if-match": String(current.etag) };
    const body = JSON.stringify({ amount, reason: "Scratch" });
    const reply = await plainShop.client().send("POST", "/api/orders/1001/refund", { headers, body });
    assert.equal(reply.status, 200, reply.text);
    for (const page of ["/account", path])
      assert.ok((await signedIn(plainShop).get(page)).text.includes(`>${status}<`));
  }
});

test("other systems list orders by cursor and filter, and read each by id or number", async () => {
  const headers = await token(shop, "orders:read");
  const list = async (query = ""): Promise<Page> =>
    (await shop.client().get(`/api/orders${query}`, headers)).json() as Page;
  const first = await list("?limit=2");
  assert.deepEqual(
    first.orders.map(({ number }) => number),
    [1001, 1002],
  );
  const remainingOrders = await list(`?limit=2&after=${first.next}`);
  assert.deepEqual([remainingOrders.orders.map(({ number }) => number), remainingOrders.next], [[1003], null]);
  for (const id of [first.orders[0]?.id, 1001]) {
    const { status, ...reply } = await shop.client().get(`/api/orders/${id}`, headers);
    assert.equal(status, 200);
    assert.deepEqual(reply.json(), { order: first.orders[0] });
  }
  const { out } = await runCommand(shop, "orders", "export");
  assert.deepEqual(
    (await list()).orders,
    out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
    "as the command has it",
  );
  assert.equal((await shop.client().get("/api/orders/9", headers)).status, 404);
  assert.deepEqual((await list("?payment_state=paid")).orders, []);
  const invalidReply = await shop
    .client()
    .get("/api/orders?state=lost&limit=0&updated_since=yesterday&after=x", headers);
  assert.equal(invalidReply.status, 400);
  assert.deepEqual((invalidReply.json() as { fields: { field: string }[] }).fields.map(({ field }) => field).sort(), [
    "after",
    "limit",
    "state",
    "updated_since",
  ]);
  assert.equal((await shop.client().get("/api/orders")).status, 401);
});

test("an order is canceled once over HTTP, and the list of changes contains it", async () => {
  const write = await token(shop, "orders:read,orders:write");
  const readToken = await token(shop, "orders:read");
  const cancel = (headers: object, body = '{"note":"lost"}') =>
    shop
      .client()
      .send("POST", "/api/orders/1003/cancel", { headers: { ...headers, "content-type": "application/json" }, body });
  assert.equal((await cancel(readToken)).status, 403);
  assert.equal((await cancel(write, '{"note":7}')).status, 400);
  assert.equal((await cancel(write, '{"reason":"weather"}')).status, 400);
  const before = (await shop.client().get("/api/orders/1003", readToken)).json() as { order: Shown };
  const replies = await Promise.all([cancel(write), cancel(write), cancel(write)]);
  const texts = new Set(replies.map(({ text }) => text));
  assert.deepEqual([replies.map(({ status }) => status), texts.size], [[200, 200, 200], 1]);
  const { order: after } = JSON.parse([...texts][0] ?? "") as { order: Shown };
  assert.equal(after.state, "cancelled");
  assert.equal(after.cancelled_at, after.updated_at);
  assert.ok(after.updated_at > before.order.updated_at);
  assert.match((await runCommand(shop, "orders", "show", "1003")).out, /cancelled: lost/);
  const list = async (query: string): Promise<readonly number[]> =>
    ((await shop.client().get(`/api/orders?${query}`, readToken)).json() as Page).orders.map(({ number }) => number);
  assert.deepEqual(await list("state=cancelled"), [1003]);
  assert.deepEqual(await list(`updated_since=${after.updated_at}`), [1003]);
  assert.deepEqual(await list("state=open"), [1001, 1002]);
});

test("a discount with a limit for each customer needs a login, and applies to one order of each customer", async () => {
  const applies = async (client: Client): Promise<boolean | undefined> => {
    const reply = await client.post("/cart/add.js", { id: variant.tracked, discount: "ONEEACH" });
    return reply.json<{ discount_codes: readonly { applicable: boolean }[] }>().discount_codes[0]?.applicable;
  };
  const buy = async (client: Client): Promise<number> => {
    const { url, page } = await checkoutOf(client);
    const [, shipping = ""] = /name="shipping" value="([^"]+)"/.exec(page) ?? [];
    return (await submit(client, { url, page }, { ...address, shipping, order: "" })).status;
  };
  const guest = shop.client();
  assert.equal(await applies(guest), false);
  // Two carts of a customer reach the checkout before one is ordered.
  const [first, second] = [signedIn(shop, "11"), signedIn(shop, "11")];
  assert.deepEqual([await applies(first), await applies(second)], [true, true]);
  const opened = await checkoutOf(second);
  assert.equal(await buy(first), 303);
  const [, shipping = ""] = /name="shipping" value="([^"]+)"/.exec(opened.page) ?? [];
  const late = await submit(second, opened, { ...address, shipping, order: "" });
  assert.notEqual(late.status, 303, "the second order would use the discount again");
  assert.equal(await applies(second), false);
  assert.equal(await applies(signedIn(shop, "12")), true);
  const [number] = (await runCommand(shop, "orders", "list")).out.match(/(?<=#)\d+(?=[^\n]*\n$)/) ?? [];
  assert.equal((await runCommand(shop, "orders", "cancel", String(number))).code, 0);
  assert.equal(await applies(second), true, "a canceled order returns the use");
});

test("templates show the reason of a canceled order, and its customer only to that customer", async () => {
  const client = signedIn(shop, "12");
  const statusPath = await order(client);
  const [, accountPath = "", id = ""] =
    /(\/account\/orders\/([\w-]{20,}))/.exec((await client.get("/account")).text) ?? [];
  const read = async (reader: Client, path: string): Promise<string | undefined> =>
    /\[([^\]]*\|[^\]]*)\]/.exec((await reader.get(path)).text)?.[1];
  assert.equal(await read(client, accountPath), "||Ada|0");
  const headers = { ...(await token(shop, "orders:read,orders:write")), "content-type": "application/json" };
  const reply = await shop
    .client()
    .send("POST", `/api/orders/${id}/cancel`, { headers, body: '{"reason":"inventory","note":"Lost"}' });
  const { order: canceled } = reply.json<{ order: { readonly cancel_reason: string } }>();
  assert.equal(canceled.cancel_reason, "inventory");
  assert.equal(await read(client, accountPath), "inventory|Items unavailable|Ada|0");
  assert.equal(await read(client, statusPath), "inventory|Items unavailable|Ada|0");
  for (const reader of [shop.client(), signedIn(shop, "9")])
    assert.equal(await read(reader, statusPath), "inventory|Items unavailable||");
});

test("the account and the page of a gift card show the balance that orders have left", async () => {
  const client = signedIn(shop, "13");
  const readBalances = async (): Promise<readonly string[]> =>
    Promise.all(
      ["/account/addresses", "/gift_cards/GIFT-AAAA-1234"].map(async (path) => (await client.get(path)).text),
    );
  assert.deepEqual(await readBalances(), ["5000 5000", "1000"]);
  await add(client, variant.unlimited, 1);
  await client.post("/cart/update.js", { gift_cards: "GIFT-AAAA-1234" });
  await order(client);
  assert.deepEqual(await readBalances(), ["1502 1502", "0"]);
});
