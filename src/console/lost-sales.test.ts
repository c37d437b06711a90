import assert from "node:assert/strict";
import { test } from "node:test";
import { estimateLostSales } from "./lost-sales.ts";

test("lost sales are the searches without results times the success of the others and the average order", () => {
  const searches = { searchCount: 250, notFoundCount: 50, addedCount: 40 };
  // A fifth of the searches with results lead to a cart, half of the carts to an order of 80.00.
  const sales = { orderCount: 10, cartCount: 20, revenue: 80_000 };
  assert.equal(estimateLostSales(searches, sales), 50 * 0.2 * 0.5 * 8_000);
  assert.equal(estimateLostSales(searches, { ...sales, cartCount: 5 }), 50 * 0.2 * 8_000, "at most every cart");
  assert.equal(estimateLostSales({ ...searches, notFoundCount: 0 }, sales), 0);
});

test("there is no estimate with too few searches, orders, or carts", () => {
  const sales = { orderCount: 10, cartCount: 20, revenue: 80_000 };
  const searches = { searchCount: 150, notFoundCount: 50, addedCount: 40 };
  assert.notEqual(estimateLostSales(searches, sales), undefined);
  assert.equal(estimateLostSales({ ...searches, searchCount: 149 }, sales), undefined);
  assert.equal(estimateLostSales(searches, { ...sales, orderCount: 4 }), undefined);
  assert.equal(estimateLostSales(searches, { ...sales, cartCount: 0 }), undefined);
});
