import assert from "node:assert/strict";
import { test } from "node:test";
import { add, assertInvalid, assertMutated, readCart } from "../support/assertions.ts";
import { rows as usualRows, variant } from "../support/catalog.ts";
import type { Client } from "../support/client.ts";
import { startShop } from "../support/shop.ts";

const MINUTE = 60_000;
let now = Date.now();
const rows = [
  ...usualRows,
  { kind: "discount", code: "LATER", title: "Later", value_type: "percentage", value: 10, starts_at: "2999-01-01" },
  { kind: "discount", code: "BIGONLY", title: "Big", value_type: "percentage", value: 10, minimum_subtotal: 9_000_000 },
];
const themeFiles = { "templates/checkout.liquid": "<p>due {{ checkout.amount_due_cents }}</p>" };
const shop = await startShop({ rows, themeFiles, now: () => now, config: { trustProxy: ["127.0.0.1"] } });

/** Returns a client with an IP address, by default with a cart. */
async function shopper(address: string, hasCart = true): Promise<Client> {
  const client = shop.client();
  const from: Client = {
    ...client,
    get: (path, headers) => client.get(path, { "x-forwarded-for": address, ...headers }),
    post: (path, body, headers) => client.post(path, body, { "x-forwarded-for": address, ...headers }),
  };
  if (hasCart) await add(from, variant.tracked);
  return from;
}

/** Returns the total amount that the shop shows for gift cards. */
async function paidBy(client: Client, gift_cards: string): Promise<number> {
  const cart = assertMutated(await client.post("/cart/update.js", { gift_cards }));
  return (cart.gift_cards as readonly { readonly amount: number }[]).reduce((sum, { amount }) => sum + amount, 0);
}

async function guess(client: Client, from: number, times: number): Promise<void> {
  for (let n = from; n < from + times; n += 5) {
    const gift_cards = Array.from({ length: 5 }, (_, index) => `GIFT-${n + index}`).join();
    assertMutated(await client.post("/cart/update.js", { gift_cards }));
  }
}

test("4.5 codes: unknown, future, expired, unmet, inapplicable and empty codes get equal responses", async () => {
  const client = await shopper("192.0.2.1");
  for (const [field, codes, issueCode] of [
    ["discount", ["NOSUCH", "OVER", "LATER", "BIGONLY", "FLAGS"], "discount_not_applicable"],
    ["gift_cards", ["NOSUCH-0000", "GIFT-BBBB-0000"], "gift_card_not_applicable"],
  ] as const) {
    const messages = [];
    for (const code of codes) {
      const cart = assertMutated(await client.post("/cart/update.js", { discount: "", [field]: code }));
      const { issues } = cart;
      assert.deepEqual([issues.map((issue) => issue.code), cart.total_price_cents], [[issueCode], 12_000]);
      messages.push(String(issues[0]?.message).replace(code, "…"));
    }
    assert.equal(new Set(messages).size, 1, messages.join("\n"));
  }
});

test("4.5 codes: a request gives at most five of a kind", async () => {
  const client = await shopper("192.0.2.2");
  for (const field of ["discount", "gift_cards"]) {
    assertMutated(await client.post("/cart/update.js", { [field]: "a,b,c,d,e" }));
    assertInvalid(await client.post("/cart/update.js", { [field]: "a,b,c,d,e,f" }), field, "max");
  }
});

test("4.5 codes: guesses from one IP address are rate limited over all carts", async () => {
  await Promise.all(
    Array.from({ length: 60 }, async (_, n) => guess(await shopper("192.0.2.3", n % 2 === 0), n * 50, 50)),
  );
  const laterClient = await shopper("192.0.2.3");
  const { issues } = assertMutated(
    await laterClient.post("/cart/update.js", { gift_cards: "GIFT-AAAA-1234", note: "ring" }),
  );
  const cart = await readCart(laterClient);
  assert.deepEqual([cart.gift_cards, cart.note, cart.amount_due_cents], [[], "ring", 12_000], "the rest is written");
  assert.equal(issues[0]?.code, "gift_card_not_applicable");
  assert.match(String(issues[0]?.message), /try again in a minute/i);
  assert.equal(await paidBy(await shopper("192.0.2.4"), "GIFT-AAAA-1234"), 1_000, "others are not slowed");
  // Up to 300 codes are verified at the same time (60 clients with five each), and each consumes a token: the bucket
  // regains 300 tokens in ten minutes.
  now += 11 * MINUTE;
  assert.equal(await paidBy(laterClient, "GIFT-AAAA-1234"), 1_000, "after a while it is looked at");
});

test("4.5 codes: guesses at one cart are slowed wherever they come from, and an IPv6 network is one address", async () => {
  const client = await shopper("192.0.2.5");
  for (let n = 0; n < 60; n += 5) {
    const gift_cards = Array.from({ length: 5 }, (_, index) => `CARD-${n + index}`).join();
    assertMutated(await client.post("/cart/update.js", { gift_cards }, { "x-forwarded-for": `198.51.100.${n}` }));
  }
  assert.equal(await paidBy(client, "GIFT-AAAA-1234"), 0);
  for (let n = 0; n < 400; n += 10) await guess(await shopper(`2001:db8:1:2::${n + 1}`, false), n, 10);
  assert.equal(await paidBy(await shopper("2001:db8:1:2:ffff::1"), "GIFT-AAAA-1234"), 0);
  assert.equal(await paidBy(await shopper("2001:db8:1:3::1"), "GIFT-AAAA-1234"), 1_000);
});

test("4.5 codes: 65,536 IPv6 networks of one site guess no faster than sixteen", async () => {
  // A cart may try ten wrong codes.
  for (let n = 0; n < 600; n += 1) await guess(await shopper(`2001:db8:7:${n.toString(16)}::1`, false), n * 10, 10);
  assert.equal(await paidBy(await shopper("2001:db8:7:ffff::1"), "GIFT-AAAA-1234"), 0);
  assert.equal(await paidBy(await shopper("2001:db8:8:ffff::1"), "GIFT-AAAA-1234"), 1_000, "another site");
  now += MINUTE;
  assert.equal(await paidBy(await shopper("2001:db8:7:ffff::1"), "GIFT-AAAA-1234"), 1_000, "after a while");
});

test("4.5 codes: three typos are allowed, and valid codes are never limited", async () => {
  const client = await shopper("192.0.2.6");
  for (const code of ["TENOF", "TEN0FF", "TENNOFF"])
    assertMutated(await client.post("/cart/update.js", { discount: code }));
  assert.equal(assertMutated(await client.post("/cart/update.js", { discount: "tenoff" })).total_discount_cents, 1_200);
  for (let n = 0; n < 40; n += 1) {
    const another = n % 10 === 0 ? await shopper("192.0.2.6") : client;
    assertMutated(await another.post("/cart/update.js", { discount: "" }));
    const cart = assertMutated(
      await another.post("/cart/update.js", { discount: "TENOFF", gift_cards: "GIFT-AAAA-1234" }),
    );
    assert.deepEqual([cart.total_discount_cents, cart.issues], [1_200, []]);
  }
});

test("4.5 codes: codes of the cart do not count as guesses and stay", async () => {
  const client = await shopper("192.0.2.7");
  assertMutated(await client.post("/cart/update.js", { discount: "TENOFF, NOSUCH" }));
  for (let n = 0; n < 30; n += 1) assertMutated(await client.post("/cart/update.js", { discount: "tenoff, nosuch" }));
  assertMutated(await client.post("/cart/update.js", { discount: "tenoff, five" }));
  assert.equal((await readCart(client)).total_discount_cents, 1_700);
  await guess(client, 0, 50);
  const cart = assertMutated(await client.post("/cart/update.js", { discount: "TENOFF, ALLFREE" }));
  assert.deepEqual(cart.discount_codes, [{ code: "TENOFF", applicable: true }]);
});

test("4.7 codes: express checkouts share the rate limit and continue without the code", async () => {
  const client = await shopper("192.0.2.8", false);
  const due = async (discountCode: string): Promise<string> => {
    const body = { item: { product: { variantId: variant.tracked } }, discountCode };
    const { checkout_url } = (await client.post("/api/cart/buyNowCheckout", body)).json<{ checkout_url: string }>();
    return (await client.get(checkout_url)).text;
  };
  assert.match(await due("NOSUCH"), /due 12000/);
  for (let n = 0; n < 40; n += 1) assert.match(await due("TENOFF"), /due 10800/);
  for (let n = 0; n < 40; n += 1) await due(`GUESS${n}`);
  assert.match(await due("TENOFF"), /due 12000/);
});
