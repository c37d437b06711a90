import assert from "node:assert/strict";
import { test } from "node:test";
import { add, assertCartError } from "../support/assertions.ts";
import { variant } from "../support/catalog.ts";
import { address, checkoutOf, submit } from "../support/checkout-page.ts";
import type { Reply } from "../support/client.ts";
import { startShop } from "../support/shop.ts";

const hookCalls = { quotes: 0, customers: 0 };
Object.assign(globalThis, { askedOfHooks: hookCalls });
let now = Date.now();
const shop = await startShop({
  now: () => now,
  hasTheme: false,
  config: { hooks: "hooks.ts", trustProxy: ["127.0.0.1"] },
  storeFiles: {
    "hooks.ts": `export default {
      shipping: { rates() {
        globalThis.askedOfHooks.quotes += 1;
        return [{ code: "post", name: "Post", price: 500 }];
      } },
      customer: { cookies: ["session"], find(request) {
        globalThis.askedOfHooks.customers += 1;
        if (request.headers.get("cookie") === "session=broken") throw new Error("the login is not available");
        return request.headers.get("cookie").startsWith("session=ada") ? { id: "ada", email: "ada@example.com", firstName: "Ada" } : undefined;
      } },
    };`,
  },
});
const client = shop.client();
await add(client, variant.unlimited);

test("carrier requests are limited per cart, in calculator and checkout; other shoppers at the same IP address get rates", async () => {
  const rates = (from: string, zip: number): Promise<Reply> =>
    client.get(`/cart/shipping_rates.json?shipping_address[country]=DE&shipping_address[zip]=${zip}`, {
      "x-forwarded-for": from,
    });
  const checkout = await checkoutOf(client);
  const replies: Reply[] = [];
  for (let zip = 0; zip < 80; zip += 1) replies.push(await rates("192.0.2.1", 10_000 + zip));
  assert.equal(replies[0]?.status, 200);
  assertCartError(replies.at(-1) as Reply, 429, "rate_limited");
  assert.ok(hookCalls.quotes > 50 && hookCalls.quotes <= 60, `asked ${hookCalls.quotes} times`);
  const before = hookCalls.quotes;
  const form = { ...address, zip: "20458", update: "" };
  assert.equal((await submit(client, checkout, form)).status, 429);
  const other = shop.client();
  await add(other, variant.unlimited);
  assert.equal((await submit(other, await checkoutOf(other), form)).status, 200);
  assert.ok(hookCalls.quotes > before);
  now += 60_000;
  assert.equal((await rates("192.0.2.1", 20_459)).status, 200, "after a while");
});

test("forged sessions from one IP address call the merchant's login a bounded number of times, and other customers stay signed in", async () => {
  const page = (from: string, session: string): Promise<Reply> =>
    shop.client().get("/cart", { "x-forwarded-for": from, cookie: `session=${session}` });
  for (let n = 0; n < 400; n += 1) assert.equal((await page("192.0.2.3", `guess-${n}`)).status, 200);
  assert.ok(hookCalls.customers > 100 && hookCalls.customers <= 300, `asked ${hookCalls.customers} times`);
  const before = hookCalls.customers;
  for (let n = 0; n < 400; n += 1) await page("192.0.2.4", `ada-${n}`);
  assert.equal(hookCalls.customers - before, 400, "who is a customer costs nothing");
});

test("while the merchant's login fails, a visitor is a guest, and it is not called for each request", async () => {
  const before = hookCalls.customers;
  for (let n = 0; n < 5; n += 1) assert.equal((await client.get("/cart", { cookie: "session=broken" })).status, 200);
  assert.equal(hookCalls.customers - before, 1);
});
