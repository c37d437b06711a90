import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { catalogOf, randomShops } from "../../../test/property/random-shop.ts";
import type { Cart, Line } from "../../cart/cart.ts";
import { priceCart } from "../../cart/price-cart.ts";
import { createCartSerializer, formatCartMembers } from "./cart-text.ts";

test("the cached JSON of a cart equals an uncached one after any changes of carts, prices, stock and languages", () => {
  const cachedSerializer = createCartSerializer();
  const editStep = fc.record({
    line: fc.nat(5),
    quantity: fc.integer({ min: 1, max: 9 }),
    locale: fc.constantFrom("en", "fr"),
    codes: fc.boolean(),
  });
  fc.assert(
    fc.property(
      fc.array(randomShops, { minLength: 1, maxLength: 3 }),
      fc.array(editStep, { maxLength: 8 }),
      (shops, steps) => {
        for (const { rows, cart: firstCart } of shops) {
          const catalog = catalogOf(rows);
          let cart: Cart = firstCart;
          for (const { line, quantity, locale, codes } of steps) {
            const lineIndex = line % Math.max(1, cart.lines.length);
            const lines = cart.lines.map(
              (cartLine, index): Line => (index === lineIndex ? { ...cartLine, quantity } : cartLine),
            );
            cart = { ...cart, lines, discountCodes: codes ? firstCart.discountCodes : [] };
            const pricedCart = priceCart(cart, { catalog, currency: "USD", maxQuantity: 20, now: 0 });
            const view = { locale, prefix: locale === "en" ? "" : "/fr" };
            assert.equal(
              formatCartMembers(cachedSerializer.serialize(pricedCart, view)),
              formatCartMembers(createCartSerializer().serialize(pricedCart, view)),
            );
          }
        }
      },
    ),
    { numRuns: 100 },
  );
});
