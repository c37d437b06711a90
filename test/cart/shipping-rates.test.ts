import assert from "node:assert/strict";
import { test } from "node:test";
import { variant } from "../support/catalog.ts";
import type { Client } from "../support/client.ts";
import { startShop } from "../support/shop.ts";

const shop = await startShop({
  config: {
    shipping: {
      countries: ["US", "CA", "DE"],
      rates: [
        { name: "Standard", price: 500, freeFrom: 10_000, translations: { fr: "Normal" } },
        { name: "Express", price: 1_550, countries: ["US", "CA"] },
      ],
    },
  },
});

interface Rate {
  readonly name: string;
  readonly code: string;
  readonly price: string;
}

async function rates(client: Client, path: string): Promise<readonly (readonly [string, string])[]> {
  const reply = await client.get(path);
  assert.equal(reply.status, 200, reply.text);
  return reply.json<{ shipping_rates: readonly Rate[] }>().shipping_rates.map(({ name, price }) => [name, price]);
}

function to(country: string): string {
  return `?${new URLSearchParams({ "shipping_address[zip]": "K1N 5T2", "shipping_address[country]": country, "shipping_address[province]": "Ontario" })}`;
}

test("shipping rates come from the settings of the address's country, given by name or code", async () => {
  const client = shop.client();
  await client.post("/cart/add.js", { id: variant.unlimited, quantity: 2 });
  const rateNames = [
    ["Standard", "5.00"],
    ["Express", "15.50"],
  ];
  for (const country of ["Canada", "ca", "CANADA", "United States", "USA"])
    assert.deepEqual(await rates(client, `/cart/shipping_rates.json${to(country)}`), rateNames, country);
  assert.deepEqual(await rates(client, `/fr/cart/shipping_rates.json${to("Allemagne")}`), [["Normal", "5.00"]]);
  const { shipping_rates: allRates } = (await client.get(`/cart/shipping_rates.json${to("Germany")}`)).json<{
    shipping_rates: readonly Rate[];
  }>();
  assert.partialDeepStrictEqual(allRates[0], { code: "Standard", currency: "USD", delivery_days: [], markups: null });
});

test("a rate is free if the discounted total of the items reaches its threshold", async () => {
  const client = shop.client();
  await client.post("/cart/add.js", { id: variant.tracked });
  assert.deepEqual(await rates(client, `/cart/shipping_rates.json${to("Germany")}`), [["Standard", "0.00"]]);
});

test("a cart that is empty or needs no shipping has no rates", async () => {
  const client = shop.client();
  assert.deepEqual(await rates(client, `/cart/shipping_rates.json${to("Canada")}`), []);
  await client.post("/cart/add.js", { id: variant.notShipped });
  assert.deepEqual(await rates(client, `/cart/shipping_rates.json${to("Canada")}`), []);
});

test("errors about the country have the format that shipping calculators of themes print", async () => {
  const client = shop.client();
  for (const [query, message] of [
    ["", "can't be blank"],
    [to("Atlantis"), "is not supported"],
    [to("France"), "is not supported"],
    [to("x".repeat(5_000)), "is not supported"],
  ] as const)
    for (const path of ["/cart/shipping_rates.json", "/cart/async_shipping_rates.json"]) {
      const reply = await client.get(path + query);
      assert.equal(reply.status, 422);
      assert.deepEqual(reply.json(), { country: [message] });
    }
});

test("a prepared calculation is read later without an address", async () => {
  const client = shop.client();
  await client.post("/cart/add.js", { id: variant.unlimited });
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const body = to("Germany").slice(1);
  const rejectedReply = await client.send("POST", "/cart/prepare_shipping_rates.json", {
    headers,
    body: to("Atlantis").slice(1),
  });
  assert.equal(rejectedReply.status, 422);
  const prepared = await client.send("POST", "/cart/prepare_shipping_rates", { headers, body });
  assert.equal(prepared.status, 202);
  assert.equal(prepared.text, "null");
  assert.deepEqual(await rates(client, "/cart/async_shipping_rates"), [["Standard", "5.00"]]);
  const byQuery = await client.send("POST", `/cart/prepare_shipping_rates.json${to("Canada")}`);
  assert.equal(byQuery.status, 202);
  assert.equal((await rates(client, "/cart/async_shipping_rates.json")).length, 2);
});

test("a store without shipping settings has no rates and rejects no country", async () => {
  const plainShop = await startShop();
  const client = plainShop.client();
  await client.post("/cart/add.js", { id: variant.unlimited });
  assert.deepEqual(await rates(client, `/cart/shipping_rates.json${to("Japan")}`), []);
});
