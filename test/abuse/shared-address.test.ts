import assert from "node:assert/strict";
import { test } from "node:test";
import { add, assertMutated } from "../support/assertions.ts";
import { variant } from "../support/catalog.ts";
import { address, checkoutOf, submit } from "../support/checkout-page.ts";
import type { Client } from "../support/client.ts";
import { createApiToken } from "../support/command.ts";
import { startShop } from "../support/shop.ts";

/** Without `trustProxy`, all shoppers of a shop behind a proxy have one address. */
const shop = await startShop({
  hasTheme: false,
  config: { hooks: "hooks.ts", console: true },
  storeFiles: {
    "hooks.ts": `export default {
      payment: {
        origins: ["https://pay.example"],
        start: () => ({ redirect: "https://pay.example/start" }),
        event: () => ({ outcome: "ignored" }),
      },
    };`,
  },
});

async function shopper(): Promise<Client> {
  const client = shop.client();
  await add(client, variant.unlimited);
  return client;
}

test("wrong codes of one shopper do not block codes of others at the same IP address", async () => {
  const guesser = await shopper();
  for (let n = 0; n < 20; n += 1) {
    const gift_cards = Array.from({ length: 5 }, (_, index) => `WRONG-${n}-${index}`).join();
    assertMutated(await guesser.post("/cart/update.js", { gift_cards }));
  }
  const other = await shopper();
  const cart = assertMutated(await other.post("/cart/update.js", { discount: "TENOFF", gift_cards: "GIFT-AAAA-1234" }));
  assert.deepEqual(cart.issues, []);
  assert.equal((await other.get("/gift_cards/GIFT-AAAA-1234")).status, 200);
});

test("valid codes of many concurrent shoppers at one IP address all apply", async () => {
  const shoppers = await Promise.all(Array.from({ length: 50 }, shopper));
  const replies = await Promise.all(shoppers.map((one) => one.post("/cart/update.js", { discount: "TENOFF" })));
  for (const reply of replies) assert.deepEqual(assertMutated(reply).issues, []);
});

test("repeated payment attempts are rate limited per shopper, not per IP address", async () => {
  const impatient = await shopper();
  const checkout = await checkoutOf(impatient);
  const statuses: number[] = [];
  for (let n = 0; n < 160; n += 1) statuses.push((await submit(impatient, checkout, { ...address, pay: "" })).status);
  assert.deepEqual([statuses[0], statuses.at(-1)], [303, 429]);
  const other = await shopper();
  const reply = await submit(other, await checkoutOf(other), { ...address, pay: "" });
  assert.equal(reply.headers.location, "https://pay.example/start");
});

test("a valid console token is accepted after many wrong ones from the same address", async () => {
  const token = await createApiToken(shop, "console");
  const login = (sent: string) =>
    shop.client().send("POST", "/admin/login", {
      headers: { "content-type": "application/x-www-form-urlencoded", origin: shop.origin },
      body: new URLSearchParams({ token: sent }).toString(),
    });
  const statuses: number[] = [];
  for (let n = 0; n < 30; n += 1) statuses.push((await login(`vitrine_wrong${n}`)).status);
  assert.deepEqual([statuses[0], statuses.at(-1)], [401, 429]);
  assert.equal((await login(token)).status, 303);
});

test("messages of one sender do not block others at the same IP address", async () => {
  const send = async (email: string): Promise<number> => {
    const client = shop.client();
    const body = { csrf_token: await client.token(), form_type: "contact", "contact[email]": email };
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    return (await client.send("POST", "/contact", { headers, body: new URLSearchParams(body).toString() })).status;
  };
  for (let n = 0; n < 5; n += 1) assert.equal(await send("often@example.com"), 303);
  assert.equal(await send("Often@example.com"), 429);
  assert.equal(await send("once@example.com"), 303);
});
