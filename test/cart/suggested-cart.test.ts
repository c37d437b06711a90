import assert from "node:assert/strict";
import { test } from "node:test";
import { add } from "../support/assertions.ts";
import { variant } from "../support/catalog.ts";
import type { Client } from "../support/client.ts";
import { startShop } from "../support/shop.ts";

interface Hint {
  readonly id: number;
  readonly in_cart: number;
  readonly reaches_free_delivery: boolean;
}

const shop = await startShop({
  config: {
    shipping: {
      countries: ["DE", "FR"],
      rates: [
        { name: "Near", price: 500, countries: ["DE"], freeFrom: 2_000 },
        { name: "Far", price: 900, countries: ["FR"], freeFrom: 3_998 },
      ],
    },
  },
});

const { products } = (await shop.client().get("/products.json")).json() as {
  products: readonly { readonly id: number; readonly variants: readonly { readonly id: number }[] }[];
};
const tote = products.find(({ variants }) => variants.some(({ id }) => id === Number(variant.unlimited)))?.id ?? 0;

async function hints(client: Client, ids: string): Promise<readonly Hint[]> {
  const { status, text, headers } = await client.get(`/search/suggest/cart.json?products=${ids}`);
  assert.equal(status, 200, text);
  assert.equal(headers["cache-control"], "no-store");
  return (JSON.parse(text) as { products: Hint[] }).products;
}

test("the response has the quantity of a product in the cart, and whether one more makes shipping free everywhere", async () => {
  const client = shop.client();
  const of = async () => (await hints(client, `${tote},none`))[0];
  assert.deepEqual(await of(), { id: tote, in_cart: 0, reaches_free_delivery: false });
  await add(client, variant.unlimited, 1);
  assert.deepEqual(await of(), { id: tote, in_cart: 1, reaches_free_delivery: true });
  await add(client, variant.unlimited, 1);
  assert.deepEqual(await of(), { id: tote, in_cart: 2, reaches_free_delivery: false }, "it is free already");
});

test("a read writes nothing and creates no cart", async () => {
  const client = shop.client();
  assert.equal((await hints(client, String(tote))).length, 1);
  assert.equal(client.cookies.has("cart"), false);
  await add(client, variant.unlimited, 1);
  const before = (await client.get("/cart.js")).text;
  await hints(
    client,
    products
      .slice(0, 20)
      .map(({ id }) => id)
      .join(),
  );
  assert.equal((await client.get("/cart.js")).text, before);
});

test("a request with no product or too many is rejected with a message", async () => {
  for (const query of ["", "?products=", `?products=${Array.from({ length: 21 }, (_, at) => at).join()}`]) {
    const { status, text } = await shop.client().get(`/search/suggest/cart.json${query}`);
    assert.equal(status, 400);
    assert.match(text, /Name from 1 to 20 products/);
  }
});
