import { DAY_MS } from "../../runtime/durations.ts";
import type { SearchReport, SearchReportOptions, SearchReportRow, SearchTotals } from "../../signals/search-report.ts";
import { renderColumns } from "./charts.ts";
import { type ConsolePage, type ConsoleServices, type ConsoleVisit, formatCount } from "./console-page.ts";
import { type Markup, markup } from "./markup.ts";

type ReportSortKey = SearchReportOptions["sortBy"];

/** Renders `GET /admin/searches`: statistics of searches, clicks, and cart additions. */
export async function showSearches(shop: ConsoleServices, visit: ConsoleVisit): Promise<ConsolePage> {
  const { request } = visit;
  if (request.query.has("by")) return showSearchList(shop, visit);
  const days = parseDays(request.query.get("days"));
  const reports = await Promise.all(
    lists.map(({ order }) => shop.console.reports.reportSearches({ days, sortBy: order, limit: SHORT_LIST_LENGTH })),
  );
  const sections = lists.map(({ order: reportOrder, title }, at) => {
    const viewAllLink = markup`<a href="/admin/searches?by=${reportOrder}&amp;days=${days}">View all ${title.toLowerCase()}</a>`;
    return markup`<section class="panel"><h2>${title}</h2>${renderTable(reports[at] as SearchReport, reportOrder)}${viewAllLink}</section>`;
  });
  return {
    title: "Search overview",
    body: markup`${renderPeriodLinks("/admin/searches", days, "")}${renderSummary(shop, reports[0] as SearchReport)}<div class="grid">${sections}</div>${note}`,
  };
}

/** Renders `GET /admin/searches?by=…`: one list of searches in full length, such as the most frequent searches. */
async function showSearchList(shop: ConsoleServices, { request }: ConsoleVisit): Promise<ConsolePage> {
  const days = parseDays(request.query.get("days"));
  const list = lists.find(({ order: reportOrder }) => reportOrder === request.query.get("by")) ?? lists[0];
  const report = await shop.console.reports.reportSearches({ days, sortBy: list.order, limit: FULL_LIST_LENGTH });
  return {
    title: list.title,
    body: markup`${renderPeriodLinks("/admin/searches", days, `&by=${list.order}`)}<p>${list.description}</p>${renderTable(report, list.order)}${note}`,
  };
}

const SHORT_LIST_LENGTH = 8;
const FULL_LIST_LENGTH = 200;

const lists: readonly [ReportList, ...ReportList[]] = [
  { order: "searched", title: "Top searches", description: "The most frequent searches." },
  {
    order: "not_found",
    title: "Searches without results",
    description: "Nothing in the store matches all of these words. Consider a synonym, a redirect or a new product.",
  },
  {
    order: "not_chosen",
    title: "Searches without clicks",
    description: "These searches have results, but shoppers opened none of them.",
  },
  {
    order: "added",
    title: "Searches that led to the cart",
    description: "Shoppers added a result of these searches to the cart.",
  },
];

interface ReportList {
  readonly order: ReportSortKey;
  readonly title: string;
  readonly description: string;
}

const note = markup`<p class="muted">A search counts when the shopper finishes typing, once per network and day. Searches from fewer than five networks
are hidden and are deleted after five weeks.</p>`;

function parseDays(text: string | null): number {
  return [1, 7, 28].find((days) => String(days) === text) ?? 7;
}

function renderPeriodLinks(path: string, selectedPeriod: number, querySuffix: string): Markup {
  const links = [1, 7, 28].map((days) => {
    const name = days === 1 ? "Today" : `Last ${days} days`;
    return markup`<li><a href="${path}?days=${days}${querySuffix}"${days === selectedPeriod ? markup` aria-current="true"` : ""}>${name}</a></li>`;
  });
  return markup`<nav aria-label="Period"><ul class="choice">${links}</ul></nav>`;
}

function renderSummary({ process: { searchTimes } }: ConsoleServices, { days }: SearchReport): Markup {
  const sumOf = (name: keyof SearchTotals): number => days.reduce((sum, day) => sum + day[name], 0);
  const searchTotal = sumOf("searchCount");
  const formatShare = (part: number): string =>
    searchTotal === 0 ? "" : `${Math.round((part / searchTotal) * 100)}% of searches`;
  const [median, p95, p99] = searchTimes.quantiles([0.5, 0.95, 0.99]);
  const formatMs = (value: number | undefined): string => (value === undefined ? "no data" : `${value.toFixed(2)} ms`);
  const renderFact = (name: string, value: string, moreLink: string): Markup =>
    markup`<div><dt>${name}</dt><dd>${value} <small>${moreLink}</small></dd></div>`;
  const bars = days.map(({ day, searchCount, notFoundCount }) => {
    return { label: new Date(day * DAY_MS).toISOString().slice(0, 10), total: searchCount, part: notFoundCount };
  });
  return markup`<dl class="facts">${renderFact("Searches", formatCount(searchTotal), "")}${renderFact("Without results", formatCount(sumOf("notFoundCount")), formatShare(sumOf("notFoundCount")))}${renderFact("With clicks", formatCount(sumOf("clickedCount")), formatShare(sumOf("clickedCount")))}${renderFact("Added to cart", formatCount(sumOf("addedCount")), formatShare(sumOf("addedCount")))}${renderFact("Time per suggestion", formatMs(median), `p95 ${formatMs(p95)}, p99 ${formatMs(p99)}`)}</dl>${bars.length > 1 && renderColumns(bars)}`;
}

function renderTable({ rows }: SearchReport, sortOrder: ReportSortKey): Markup {
  if (rows.length === 0) return markup`<p class="muted">No data yet.</p>`;
  const body = rows.map(
    (row) =>
      markup`<tr><th scope="row"><a href="/admin/try?q=${encodeURIComponent(row.term)}&amp;locale=${row.locale}" lang="${row.locale}">${row.term}</a></th>${toTableCells(row, sortOrder).map((cell) => markup`<td class="number">${cell}</td>`)}</tr>`,
  );
  return markup`<table><thead><tr><th scope="col">Search</th>${columnHeadings[sortOrder].map((heading) => markup`<th scope="col" class="number">${heading}</th>`)}</tr></thead><tbody>${body}</tbody></table>`;
}

const columnHeadings: Readonly<Record<ReportSortKey, readonly string[]>> = {
  searched: ["Shoppers", "With clicks"],
  not_found: ["No results", "Shoppers"],
  not_chosen: ["No clicks", "Shoppers"],
  added: ["Added to cart", "With clicks", "Shoppers"],
};

function toTableCells(
  { searchCount, notFoundCount, clickedCount, addedCount }: SearchReportRow,
  sortOrder: ReportSortKey,
): readonly string[] {
  const numbers = {
    searched: [searchCount, clickedCount],
    not_found: [notFoundCount, searchCount],
    not_chosen: [Math.max(0, searchCount - notFoundCount - clickedCount), searchCount],
    added: [addedCount, clickedCount, searchCount],
  } as const;
  return numbers[sortOrder].map(formatCount);
}
