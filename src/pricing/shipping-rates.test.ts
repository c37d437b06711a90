import assert from "node:assert/strict";
import { test } from "node:test";
import { findFreeShippingTotal, type ShippingRate } from "./shipping-rates.ts";

const rate = (price: number, freeFrom?: number, countries?: readonly string[]): ShippingRate => ({
  name: "Post",
  translations: {},
  price,
  freeFrom,
  countries,
});

test("shipping is free from the threshold that makes it free in every country", () => {
  const findThreshold = (countries: readonly string[], ...rates: readonly ShippingRate[]) =>
    findFreeShippingTotal({ countries, rates });
  assert.equal(findThreshold([], rate(500, 2_000), rate(900)), 2_000, "one of the rates is enough");
  assert.equal(findThreshold(["DE", "FR"], rate(500, 2_000, ["DE"]), rate(900, 5_000, ["FR"])), 5_000);
  assert.equal(findThreshold(["DE", "FR"], rate(500, 2_000, ["DE"]), rate(900, undefined, ["FR"])), undefined);
  assert.equal(
    findThreshold(["DE"], rate(500, 2_000, ["DE"]), rate(900, undefined, ["FR"])),
    2_000,
    "FR is not a shipping country",
  );
  assert.equal(findThreshold([], rate(500, 2_000, ["DE"]), rate(900)), undefined, "the rest of the world pays");
  assert.equal(findThreshold([], rate(0)), undefined, "shipping is always free");
  assert.equal(findThreshold(["DE"]), undefined);
});
