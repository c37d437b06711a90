import { addDays, createDayConverter } from "../../catalog/rows/zoned-dates.ts";
import type { SalesReport } from "../../console/console.ts";
import { estimateLostSales, MIN_ORDERS, MIN_SEARCHES } from "../../console/lost-sales.ts";
import type { SearchReport, SearchTotals } from "../../signals/search-report.ts";
import { awaitWithDeadline } from "../deadline.ts";
import type { ConsolePage, ConsoleServices, ConsoleVisit } from "./console-page.ts";
import type { ConsoleTexts } from "./console-texts.ts";
import { type Markup, markup, renderFacts } from "./markup.ts";

const periods = [1, 7, 30] as const;

type ReportDayCount = (typeof periods)[number];

/** Renders `GET /admin/reports`: orders, conversion of carts to orders, and lost sales of a period. */
export async function showReports(shop: ConsoleServices, visit: ConsoleVisit): Promise<ConsolePage> {
  const { request, texts } = visit;
  const days = periods.find((count) => String(count) === request.query.get("days")) ?? 1;
  const [sales, searches] = await readReports(shop, days, request.now);
  return {
    title: texts.get("nav.reports"),
    body: markup`${renderPeriodLinks(texts, periods, days, "/admin/reports?")}
<section class="panel"><h2>${texts.get("nav.orders")}</h2>${renderOrders(shop, texts, sales)}</section>
<section class="panel"><h2>${texts.get("reports.funnel")}</h2>${renderFunnel(texts, sales, days)}</section>
<section class="panel"><h2>${texts.get("reports.lostSales")}</h2>${renderLostSales(shop, texts, sales, searches)}</section>`,
  };
}

/** Renders the orders of a period. */
export async function renderSales(
  shop: ConsoleServices,
  { request, texts }: ConsoleVisit,
  days: ReportDayCount,
): Promise<Markup> {
  const startTime = getStartTime(shop, days, request.now);
  return renderOrders(shop, texts, await awaitWithDeadline(shop.console.reports.reportSales(startTime)));
}

/**
 * Renders links to the reports of each period.
 * @param periodDays numbers of days; 1 is today
 * @param path path to which the period is added, such as "/admin/reports?"
 */
export function renderPeriodLinks(
  texts: ConsoleTexts,
  periodDays: readonly number[],
  selectedDays: number,
  path: string,
): Markup {
  const links = periodDays.map((count) => {
    const name = count === 1 ? texts.get("labels.today") : texts.get("labels.lastDays", { count });
    return markup`<li><a href="${path}days=${count}"${count === selectedDays && markup` aria-current="true"`}>${name}</a></li>`;
  });
  return markup`<nav aria-label="${texts.get("labels.period")}"><ul class="choice">${links}</ul></nav>`;
}

/** Returns the sum of a count over all days of a report. */
export function sumDays(days: SearchReport["days"], name: keyof SearchTotals): number {
  return days.reduce((sum, day) => sum + day[name], 0);
}

/** Number of searches without results that are listed. */
const MAX_SEARCHES = 8;

function readReports(
  { console, config }: ConsoleServices,
  days: ReportDayCount,
  now: number,
): Promise<[SalesReport, SearchReport]> {
  const { reports } = console;
  return awaitWithDeadline(
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

function renderOrders({ config: { currency } }: ConsoleServices, texts: ConsoleTexts, report: SalesReport): Markup {
  const { orderCount, canceledCount, unpaidCount, revenue } = report;
  return renderFacts([
    [texts.get("nav.orders"), texts.formatNumber(orderCount)],
    [texts.get("reports.revenue"), texts.formatMoney(revenue, currency)],
    [
      texts.get("reports.average"),
      orderCount === 0 ? "–" : texts.formatMoney(Math.round(revenue / orderCount), currency),
    ],
    [texts.get("labels.unpaid"), texts.formatNumber(unpaidCount)],
    [texts.get("labels.canceled"), texts.formatNumber(canceledCount)],
  ]);
}

function renderFunnel(
  texts: ConsoleTexts,
  { cartCount, checkoutCount, orderCount, canceledCount }: SalesReport,
  days: ReportDayCount,
): Markup {
  const placedOrderCount = orderCount + canceledCount;
  const formatShare = (part: number): string =>
    cartCount === 0 ? "" : ` (${texts.formatShare(Math.min(part, cartCount) / cartCount)})`;
  return markup`${renderFacts([
    [texts.get("reports.carts"), texts.formatNumber(cartCount)],
    // Checkouts without an order are deleted after seven days.
    ...(days > 7
      ? []
      : [
          [
            texts.get("reports.checkouts"),
            `${texts.formatNumber(checkoutCount)}${formatShare(checkoutCount)}`,
          ] as const,
        ]),
    [texts.get("reports.ordersPlaced"), `${texts.formatNumber(placedOrderCount)}${formatShare(placedOrderCount)}`],
  ])}<p class="muted">${texts.get("reports.funnelHint")}</p>`;
}

function renderLostSales(
  { config: { currency } }: ConsoleServices,
  texts: ConsoleTexts,
  sales: SalesReport,
  { rows, days }: SearchReport,
): Markup {
  const totals = {
    searchCount: sumDays(days, "searchCount"),
    notFoundCount: sumDays(days, "notFoundCount"),
    addedCount: sumDays(days, "addedCount"),
  };
  const estimate = estimateLostSales(totals, sales);
  const list =
    rows.length === 0
      ? ""
      : markup`<table><caption>${texts.get("searches.notFound")}</caption><thead><tr><th scope="col">${texts.get("labels.search")}</th><th scope="col" class="number">${texts.get("reports.noResults")}</th></tr></thead><tbody>${rows.map(({ term, locale, notFoundCount }) => markup`<tr><th scope="row"><a href="/admin/try?q=${encodeURIComponent(term)}&amp;locale=${locale}" lang="${locale}">${term}</a></th><td class="number">${texts.formatNumber(notFoundCount)}</td></tr>`)}</tbody></table>`;
  return markup`${renderFacts([
    [texts.get("searches.notFound"), texts.formatNumber(totals.notFoundCount)],
    [
      texts.get("reports.estimate"),
      estimate === undefined
        ? texts.get("reports.notEnough")
        : texts.get("reports.about", { amount: texts.formatMoney(estimate, currency) }),
    ],
  ])}${list}<p class="muted">${texts.get("reports.estimateHint", { searches: MIN_SEARCHES, orders: MIN_ORDERS })}</p>`;
}
