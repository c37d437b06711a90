import { addDays, createDayConverter } from "../../catalog/rows/zoned-dates.ts";
import type { SalesReport } from "../../console/console.ts";
import { estimateLostSales, MIN_ORDERS, MIN_SEARCHES } from "../../console/lost-sales.ts";
import { formatMoney } from "../../pricing/money.ts";
import type { SearchReport, SearchTotals } from "../../signals/search-report.ts";
import { raceDeadline } from "../deadline.ts";
import { type ConsolePage, type ConsoleServices, type ConsoleVisit, formatCount } from "./console-page.ts";
import { type Markup, markup } from "./markup.ts";

const periods = [
  [1, "Today"],
  [7, "Last 7 days"],
  [30, "Last 30 days"],
] as const;

type ReportDayCount = (typeof periods)[number][0];

/** Renders `GET /admin/reports`: orders, conversion of carts to orders, and lost sales of a period. */
export async function showReports(shop: ConsoleServices, { request }: ConsoleVisit): Promise<ConsolePage> {
  const days = periods.find(([count]) => String(count) === request.query.get("days"))?.[0] ?? 1;
  const links = periods.map(
    ([count, name]) =>
      markup`<li><a href="/admin/reports?days=${count}"${count === days && markup` aria-current="true"`}>${name}</a></li>`,
  );
  const [sales, searches] = await readReports(shop, days, request.now);
  return {
    title: "Reports",
    body: markup`<nav aria-label="Period"><ul class="choice">${links}</ul></nav>
<section class="panel"><h2>Orders</h2>${renderOrders(shop, sales)}</section>
<section class="panel"><h2>From carts to orders</h2>${renderFunnel(sales, days)}</section>
<section class="panel"><h2>Lost sales</h2>${renderLostSales(shop, sales, searches)}</section>`,
  };
}

/** Renders the orders of a period. */
export async function renderSales(shop: ConsoleServices, days: ReportDayCount, now: number): Promise<Markup> {
  return renderOrders(shop, await raceDeadline(shop.console.reports.reportSales(getStartTime(shop, days, now))));
}

/** Number of searches without results that are listed. */
const MAX_SEARCHES = 8;

function readReports(
  { console, config }: ConsoleServices,
  days: ReportDayCount,
  now: number,
): Promise<[SalesReport, SearchReport]> {
  const { reports } = console;
  return raceDeadline(
    Promise.all([
      reports.reportSales(getStartTime({ config }, days, now)),
      reports.reportSearches({ days, sortBy: "not_found", limit: MAX_SEARCHES }),
    ]),
  );
}

/** Returns the start of a period of `days` days that ends today, in the shop's time zone. */
function getStartTime(
  { config: { timezone } }: Pick<ConsoleServices, "config">,
  days: ReportDayCount,
  now: number,
): number {
  const today = new Date(now).toLocaleDateString("en-CA", { timeZone: timezone });
  return Date.parse(createDayConverter(timezone)(addDays(today, 1 - days)));
}

function renderFacts(facts: readonly (readonly [name: string, value: string])[]): Markup {
  return markup`<dl class="facts">${facts.map(([name, value]) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

function renderOrders({ config: { currency } }: ConsoleServices, report: SalesReport): Markup {
  const { orderCount, canceledCount, unpaidCount, revenue } = report;
  return renderFacts([
    ["Orders", formatCount(orderCount)],
    ["Revenue after refunds", formatMoney(revenue, currency, "en")],
    ["Average order", orderCount === 0 ? "–" : formatMoney(Math.round(revenue / orderCount), currency, "en")],
    ["Unpaid", formatCount(unpaidCount)],
    ["Canceled", formatCount(canceledCount)],
  ]);
}

function renderFunnel(
  { cartCount, checkoutCount, orderCount, canceledCount }: SalesReport,
  days: ReportDayCount,
): Markup {
  const placedOrderCount = orderCount + canceledCount;
  const formatShare = (part: number): string =>
    cartCount === 0 ? "" : ` (${Math.round((Math.min(part, cartCount) / cartCount) * 100)}%)`;
  return markup`${renderFacts([
    ["Carts", formatCount(cartCount)],
    // Checkouts without an order are deleted after seven days.
    ...(days > 7 ? [] : [["Checkouts", `${formatCount(checkoutCount)}${formatShare(checkoutCount)}`] as const]),
    ["Orders placed", `${formatCount(placedOrderCount)}${formatShare(placedOrderCount)}`],
  ])}<p class="muted">A cart counts if it was changed or ordered in the period. Vitrine records no visits, so visitors without a cart are not counted.</p>`;
}

function renderLostSales(
  { config: { currency } }: ConsoleServices,
  sales: SalesReport,
  { rows, days }: SearchReport,
): Markup {
  const sumOf = (name: keyof SearchTotals): number => days.reduce((sum, day) => sum + day[name], 0);
  const totals = {
    searchCount: sumOf("searchCount"),
    notFoundCount: sumOf("notFoundCount"),
    addedCount: sumOf("addedCount"),
  };
  const estimate = estimateLostSales(totals, sales);
  const list =
    rows.length === 0
      ? ""
      : markup`<table><caption>Searches without results</caption><thead><tr><th scope="col">Search</th><th scope="col" class="number">No results</th></tr></thead><tbody>${rows.map(({ term, locale, notFoundCount }) => markup`<tr><th scope="row"><a href="/admin/try?q=${encodeURIComponent(term)}&amp;locale=${locale}" lang="${locale}">${term}</a></th><td class="number">${formatCount(notFoundCount)}</td></tr>`)}</tbody></table>`;
  return markup`${renderFacts([
    ["Searches without results", formatCount(totals.notFoundCount)],
    [
      "Estimated lost sales",
      estimate === undefined ? "Not enough data" : `about ${formatMoney(estimate, currency, "en")}`,
    ],
  ])}${list}<p class="muted">The estimate assumes that searches without results would have led to carts and orders as often as the others, with an average order. It needs ${formatCount(MIN_SEARCHES)} searches with results and ${MIN_ORDERS} orders in the period.</p>`;
}
