import type { SearchTotals } from "../signals/search-report.ts";
import type { SalesReport } from "./console.ts";

/** Minimum number of searches with results, and minimum number of orders, for an estimate. */
export const MIN_SEARCHES = 100;
export const MIN_ORDERS = 5;

/**
 * Estimates the value of the orders that searches without results would have led to: their number, times the share of
 * other searches after which a product was added to a cart, times the share of carts that were ordered, times the
 * average order.
 * @returns minor units; undefined without enough data
 */
export function estimateLostSales(
  { searchCount, notFoundCount, addedCount }: Omit<SearchTotals, "clickedCount">,
  { orderCount, cartCount, revenue }: Pick<SalesReport, "orderCount" | "cartCount" | "revenue">,
): number | undefined {
  const foundCount = searchCount - notFoundCount;
  if (foundCount < MIN_SEARCHES || orderCount < MIN_ORDERS || cartCount === 0) return undefined;
  const orderRatio = Math.min(1, orderCount / cartCount);
  return Math.round(notFoundCount * (addedCount / foundCount) * orderRatio * (revenue / orderCount));
}
