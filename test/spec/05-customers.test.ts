import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { after, test } from "node:test";
import { createLogin } from "../../examples/customer-login/login-server.ts";
import { add, assertCartError, assertMutated, readCart } from "../support/assertions.ts";
import { variant } from "../support/catalog.ts";
import { type Client, send } from "../support/client.ts";
import { startShop, testSecret } from "../support/shop.ts";

test("5 the code of the guide signs a customer in", async () => {
  const guide = await readFile(new URL("../../docs/how-to/discounts-and-customers.md", import.meta.url), "utf8");
  const [, snippet = ""] = /## Members.*?```js\n *import [^\n]*\n(.*?)```/s.exec(guide) ?? [];
  const headers = new Map<string, string>();
  const response = { setHeader: (name: string, value: string) => headers.set(name, value) };
  new Function("createHmac", "key", "response", snippet)(createHmac, testSecret, response);
  const [pair = "", ...attributes] = String(headers.get("set-cookie")).split("; ");
  assert.deepEqual(attributes, ["Max-Age=1209600", "Path=/", "HttpOnly", "SameSite=Lax", "Secure"]);
  const client = (await startShop()).client();
  client.cookies.set("customer", pair.slice("customer=".length));
  assert.equal((await add(client, variant.unlimited)).amount_due_cents, 1_999 - 700);
});

test("5 only the first few of many customer cookies are checked", async () => {
  const shop = await startShop();
  const payload = { sub: "7", exp: Math.floor(Date.now() / 1_000) + 60 };
  const [head, body] = [{ alg: "HS256" }, payload].map((part) =>
    Buffer.from(JSON.stringify(part)).toString("base64url"),
  );
  const signature = createHmac("sha256", testSecret).update(`${head}.${body}`).digest("base64url");
  const good = `customer=${head}.${body}.${signature}`;
  const client = shop.client();
  await add(client, variant.unlimited);
  const own = [...client.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  for (const [before, credit] of [
    [3, 700],
    [4, 0],
  ] as const) {
    const cookie = [own, ...Array.from({ length: before }, () => "customer=x.y.z"), good].join("; ");
    const cart = (await send(shop.origin, "GET", "/cart.js", { headers: { cookie } })).json();
    assert.equal(cart.store_credit ?? 0, credit, `after ${before} others`);
  }
});

const shop = await startShop({ config: { customers: { accounts: true } } });
const login = createLogin({
  key: testSecret,
  origin: shop.origin,
  now: Date.now,
  findCustomer: async (email, password) =>
    email === "mate@example.test" && password === "anchors aweigh" ? "7" : undefined,
});
await new Promise<void>((resolve) => login.listen(0, "127.0.0.1", resolve));
after(() => login.close());
const loginOrigin = `http://127.0.0.1:${(login.address() as AddressInfo).port}`;

/** Submits a form of the store's page, as a proxy in front of the store and the application does. */
const submit = async (client: Client, path: string, form: string, origin = shop.origin): Promise<number> => {
  const headers = { "content-type": "application/x-www-form-urlencoded", origin };
  const reply = await send(loginOrigin, "POST", path, { headers, body: form });
  const line = String(reply.headers["set-cookie"]?.[0] ?? "");
  const value = /^customer=([^;]*)/.exec(line)?.[1];
  if (value) client.cookies.set("customer", value);
  else if (value === "") client.cookies.delete("customer");
  return reply.status;
};
const signIn = (client: Client): Promise<number> =>
  submit(client, "/account/login", "customer[email]=mate@example.test&customer[password]=anchors+aweigh");

test("5 the cart is preserved when a visitor signs in and out", async () => {
  const client = shop.client();
  await add(client, variant.unlimited, 2);
  assertMutated(await client.post("/cart/update.js", { note: "By the door", discount: "TENOFF" }));
  const before = await readCart(client);
  assert.equal(before.amount_due_cents, 3_598);
  assert.equal(await signIn(client), 303);
  const credit = { amount_due: 2_898, amount_due_cents: 2_898, store_credit: 700 };
  assert.deepEqual(await readCart(client), { ...before, ...credit });
  await submit(client, "/account/logout", "");
  assert.deepEqual(await readCart(client), before);
});

test("5 store credit applies after gift cards, in reads, writes and pages, and never below zero", async () => {
  const client = shop.client();
  await signIn(client);
  const one = await add(client, variant.unlimited);
  assert.equal(one.amount_due_cents, 1_999 - 700);
  const paid = assertMutated(await client.post("/cart/update.js", { gift_cards: "GIFT-AAAA-1234" }));
  assert.deepEqual([paid.total_price_cents, paid.amount_due_cents], [1_999, 1_999 - 1_000 - 700]);
  assertMutated(await client.post("/cart/update.js", { updates: [0], gift_cards: "" }));
  const small = await add(client, variant.scarce);
  assert.deepEqual([small.total_price_cents, small.amount_due_cents], [101, 0]);
});

test("5 a signed-in customer can buy a product for members, also by express checkout", async () => {
  const client = shop.client();
  const body = { item: { product: { variantId: variant.membersOnly } } };
  assertCartError(await client.post("/cart/add.js", { id: variant.membersOnly }), 401, "customer_required");
  assertCartError(await client.post("/api/cart/buyNowCheckout", body), 401, "customer_required");
  await signIn(client);
  assert.equal((await add(client, variant.membersOnly)).amount_due_cents, 3_000 - 700);
  assert.equal((await client.post("/api/cart/buyNowCheckout", body)).status, 200);
});

test("5 a login leads back to the page that required it, also after a wrong password, but not to another site", async () => {
  const headers = { "content-type": "application/x-www-form-urlencoded", origin: shop.origin };
  const login = async (fields: Readonly<Record<string, string>>, prefix = ""): Promise<string> => {
    const body = new URLSearchParams({ email: "mate@example.test", password: "anchors aweigh", ...fields });
    const reply = await send(loginOrigin, "POST", `${prefix}/account/login`, { headers, body: body.toString() });
    return String(reply.headers.location);
  };
  const required = String((await shop.client().get("/account/orders/x?a=1")).headers.location);
  const page = await shop.client().get(required);
  const [, path = ""] = /name="return_url" value="([^"]+)"/.exec(page.text) ?? [];
  assert.equal(await login({ return_url: path, return_to: "/account" }), `${shop.origin}/account/orders/x`);
  assert.equal(
    await login({ return_url: path, password: "guess" }),
    required.replace("?", "?customer_login_failed=true&"),
  );
  const elsewhere = await shop.client().get("/account/login?return_url=//elsewhere.example");
  assert.doesNotMatch(elsewhere.text, /name="return_url"/);
  for (const other of ["https://elsewhere.example/account", "//elsewhere.example", "javascript:alert(1)"])
    assert.equal(await login({ return_to: other }), `${shop.origin}/cart`);
  assert.equal(await login({}), `${shop.origin}/cart`);
  assert.equal(await login({}, "/fr"), `${shop.origin}/fr/cart`);
  assert.match(await login({ password: "guess" }, "/fr"), /^\/fr\/account\/login\?customer_login_failed=true&/);
  assert.equal(await login({ return_to: "/..//elsewhere.example" }), `${shop.origin}//elsewhere.example`);
});

test("5 a wrong password or a form of another site does not sign in", async () => {
  const client = shop.client();
  assert.equal(await submit(client, "/account/login", "email=mate@example.test&password=guess"), 303);
  const right = "email=mate@example.test&password=anchors+aweigh";
  assert.equal(await submit(client, "/account/login", right, "https://elsewhere.example"), 403);
  assert.ok(!client.cookies.has("customer"));
});
