import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { catalogOf, randomShops } from "../../test/property/random-shop.ts";
import type { Discount } from "../pricing/discount.ts";
import { priceCart } from "./price-cart.ts";

const futureDiscount: Discount = {
  kind: "discount",
  id: "later",
  title: "Later",
  valueType: "percentage",
  value: 10,
  startsAt: "2100-01-01T00:00:00Z",
  minimumSubtotal: 0,
  products: [],
  collections: [],
};

test("a discount that has not started does not change the price of a cart", () => {
  fc.assert(
    fc.property(randomShops, ({ rows, cart }) => {
      const catalog = catalogOf(rows);
      const cartWithoutCodes = { ...cart, discountCodes: [], giftCards: [] };
      const priceWith = (discounts: readonly Discount[]) =>
        priceCart(cartWithoutCodes, {
          catalog: { ...catalog, automaticDiscounts: () => discounts },
          currency: "USD",
          maxQuantity: 20,
          now: 0,
        });
      assert.deepEqual(priceWith([]), priceWith([futureDiscount]));
    }),
    { numRuns: 200 },
  );
});
