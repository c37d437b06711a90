import assert from "node:assert/strict";
import { test } from "node:test";
import { add, readCart } from "../support/assertions.ts";
import { variant } from "../support/catalog.ts";
import { startShop } from "../support/shop.ts";

const shop = await startShop({
  hasTheme: false,
  config: { hooks: "hooks.ts" },
  storeFiles: {
    "hooks.ts": `import { defineHooks } from "vitrine";
      const products = ["canvas-tote", "brass-button"];
      export default defineHooks({
        discounts: {
          applying: () => [{ title: "Two off each", amount: 200, products }, { title: "One off the cart", amount: 100 }],
        },
      });`,
  },
});

test("a hook's discount applies to each of its lines, at most their price, or once to the cart", async () => {
  const client = shop.client();
  await add(client, variant.unlimited, 3);
  await client.post("/cart/add.js", { id: variant.unlimited, quantity: 1, properties: { Engraving: "Ann" } });
  await add(client, variant.scarce, 1);
  await add(client, variant.notShipped, 1);
  const cart = await readCart(client);
  const byLine = new Map(cart.items.map((line) => [`${line.variant_id} x ${line.quantity}`, line]));
  const discountOf = (name: string): number | undefined => byLine.get(name)?.total_discount;
  assert.deepEqual(
    [
      discountOf(`${variant.unlimited} x 3`),
      discountOf(`${variant.unlimited} x 1`),
      discountOf(`${variant.scarce} x 1`),
      discountOf(`${variant.notShipped} x 1`),
    ],
    [200, 200, 101, 0],
  );
  assert.equal(cart.items_subtotal_price, 4 * 1_999 + 101 + 5_000 - 501);
  assert.equal(cart.total_price, cart.items_subtotal_price - 100);
});
