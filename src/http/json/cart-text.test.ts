import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { catalogOf, randomShops } from "../../../test/property/random-shop.ts";
import type { Cart, Line } from "../../cart/cart.ts";
import { priceCart } from "../../cart/price-cart.ts";
import { cartMembers, createCartTexts } from "./cart-text.ts";

test("the cached JSON of a cart equals an uncached one after any changes of carts, prices, stock and languages", () => {
  const remembered = createCartTexts();
  const step = fc.record({
    line: fc.nat(5),
    quantity: fc.integer({ min: 1, max: 9 }),
    locale: fc.constantFrom("en", "fr"),
    codes: fc.boolean(),
  });
  fc.assert(
    fc.property(
      fc.array(randomShops, { minLength: 1, maxLength: 3 }),
      fc.array(step, { maxLength: 8 }),
      (shops, steps) => {
        for (const { rows, cart: first } of shops) {
          const catalog = catalogOf(rows);
          let cart: Cart = first;
          for (const { line, quantity, locale, codes } of steps) {
            const place = line % Math.max(1, cart.lines.length);
            const lines = cart.lines.map((one, index): Line => (index === place ? { ...one, quantity } : one));
            cart = { ...cart, lines, discountCodes: codes ? first.discountCodes : [] };
            const priced = priceCart(cart, { catalog, currency: "USD", maxQuantity: 20, now: 0 });
            const view = { locale, prefix: locale === "en" ? "" : "/fr" };
            assert.equal(cartMembers(remembered.of(priced, view)), cartMembers(createCartTexts().of(priced, view)));
          }
        }
      },
    ),
    { numRuns: 100 },
  );
});
