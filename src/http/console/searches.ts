import type { ConsoleMessageKey } from "../../console/console-messages.ts";
import { DAY_MS } from "../../runtime/durations.ts";
import type { SearchReport, SearchReportOptions, SearchReportRow, SearchTotals } from "../../signals/search-report.ts";
import { renderColumns } from "./charts.ts";
import type { ConsolePage, ConsoleServices, ConsoleVisit } from "./console-page.ts";
import type { ConsoleTexts } from "./console-texts.ts";
import { type Markup, markup, renderFacts } from "./markup.ts";
import { renderPeriodLinks, sumDays } from "./reports.ts";

type ReportSortKey = SearchReportOptions["sortBy"];

/** Renders `GET /admin/searches`: statistics of searches, clicks, and cart additions. */
export async function showSearches(shop: ConsoleServices, visit: ConsoleVisit): Promise<ConsolePage> {
  const { request, texts } = visit;
  if (request.query.has("by")) return showSearchList(shop, visit);
  const days = parseDays(request.query.get("days"));
  const reports = await Promise.all(
    lists.map(({ order }) => shop.console.reports.reportSearches({ days, sortBy: order, limit: SHORT_LIST_LENGTH })),
  );
  const sections = lists.map(({ order: listOrder, title }, sectionIndex) => {
    const titleText = texts.get(title);
    const viewAllText = texts.get("searches.viewAll");
    const viewAllLink = markup`<a href="/admin/searches?by=${listOrder}&amp;days=${days}" aria-label="${texts.get("actions.named", { action: viewAllText, name: titleText })}">${viewAllText}</a>`;
    return markup`<section class="panel"><h2>${titleText}</h2>${renderTable(texts, reports[sectionIndex] as SearchReport, listOrder)}${viewAllLink}</section>`;
  });
  return {
    title: texts.get("searches.title"),
    body: markup`${renderPeriodLinks(texts, periods, days, "/admin/searches?")}${renderSummary(shop, texts, reports[0] as SearchReport)}<div class="grid">${sections}</div>${renderNote(texts)}`,
  };
}

/** Renders `GET /admin/searches?by=…`: one list of searches in full length, such as the most frequent searches. */
async function showSearchList(shop: ConsoleServices, { request, texts }: ConsoleVisit): Promise<ConsolePage> {
  const days = parseDays(request.query.get("days"));
  const list = lists.find(({ order: listOrder }) => listOrder === request.query.get("by")) ?? lists[0];
  const report = await shop.console.reports.reportSearches({ days, sortBy: list.order, limit: FULL_LIST_LENGTH });
  return {
    title: texts.get(list.title),
    body: markup`${renderPeriodLinks(texts, periods, days, `/admin/searches?by=${list.order}&`)}<p>${texts.get(list.description)}</p>${renderTable(texts, report, list.order)}${renderNote(texts)}`,
  };
}

const SHORT_LIST_LENGTH = 8;
const FULL_LIST_LENGTH = 200;

const lists: readonly [ReportList, ...ReportList[]] = [
  { order: "searched", title: "searches.top", description: "searches.topHint" },
  { order: "not_found", title: "searches.notFound", description: "searches.notFoundHint" },
  { order: "not_chosen", title: "searches.notChosen", description: "searches.notChosenHint" },
  { order: "added", title: "searches.added", description: "searches.addedHint" },
];

interface ReportList {
  readonly order: ReportSortKey;
  readonly title: ConsoleMessageKey;
  readonly description: ConsoleMessageKey;
}

function renderNote(texts: ConsoleTexts): Markup {
  return markup`<p class="muted">${texts.get("searches.note")}</p>`;
}

const periods = [1, 7, 28];

function parseDays(text: string | null): number {
  return periods.find((days) => String(days) === text) ?? 7;
}

function renderSummary(
  { process: { searchTimes } }: ConsoleServices,
  texts: ConsoleTexts,
  { days }: SearchReport,
): Markup {
  const searchTotal = sumDays(days, "searchCount");
  const formatShare = (part: number): string =>
    searchTotal === 0 ? "" : texts.get("searches.share", { percent: texts.formatShare(part / searchTotal) });
  const [median, p95, p99] = searchTimes.quantiles([0.5, 0.95, 0.99]);
  const formatMs = (value: number | undefined): string =>
    value === undefined
      ? "–"
      : texts.formatNumber(value, {
          style: "unit",
          unit: "millisecond",
          minimumFractionDigits: 2,
          maximumFractionDigits: 2,
        });
  const renderSum = (name: keyof SearchTotals): Markup => {
    const sum = sumDays(days, name);
    return markup`${texts.formatNumber(sum)} <small>${formatShare(sum)}</small>`;
  };
  const bars = days.map(({ day, searchCount, notFoundCount }) => {
    const label = texts.get("searches.column", {
      day: texts.formatDay(day * DAY_MS, "UTC"),
      count: searchCount,
      part: notFoundCount,
    });
    return { label, total: searchCount, part: notFoundCount };
  });
  const facts = renderFacts([
    [texts.get("nav.searches"), texts.formatNumber(searchTotal)],
    [texts.get("reports.noResults"), renderSum("notFoundCount")],
    [texts.get("searches.withClicks"), renderSum("clickedCount")],
    [texts.get("searches.addedToCart"), renderSum("addedCount")],
    [texts.get("searches.time"), markup`${formatMs(median)} <small>p95 ${formatMs(p95)}, p99 ${formatMs(p99)}</small>`],
  ]);
  return markup`${facts}${bars.length > 1 && renderColumns(bars)}`;
}

function renderTable(texts: ConsoleTexts, { rows }: SearchReport, sortOrder: ReportSortKey): Markup {
  if (rows.length === 0) return markup`<p class="muted">${texts.get("notices.noData")}</p>`;
  const body = rows.map(
    (row) =>
      markup`<tr><th scope="row"><a href="/admin/try?q=${encodeURIComponent(row.term)}&amp;locale=${row.locale}" lang="${row.locale}">${row.term}</a></th>${toTableCells(row, sortOrder).map((count) => markup`<td class="number">${texts.formatNumber(count)}</td>`)}</tr>`,
  );
  return markup`<table><thead><tr><th scope="col">${texts.get("labels.search")}</th>${columnHeadings[sortOrder].map((heading) => markup`<th scope="col" class="number">${texts.get(heading)}</th>`)}</tr></thead><tbody>${body}</tbody></table>`;
}

const columnHeadings: Readonly<Record<ReportSortKey, readonly ConsoleMessageKey[]>> = {
  searched: ["searches.shoppers", "searches.withClicks"],
  not_found: ["reports.noResults", "searches.shoppers"],
  not_chosen: ["searches.noClicks", "searches.shoppers"],
  added: ["searches.addedToCart", "searches.withClicks", "searches.shoppers"],
};

function toTableCells(
  { searchCount, notFoundCount, clickedCount, addedCount }: SearchReportRow,
  sortOrder: ReportSortKey,
): readonly number[] {
  const numbers = {
    searched: [searchCount, clickedCount],
    not_found: [notFoundCount, searchCount],
    not_chosen: [Math.max(0, searchCount - notFoundCount - clickedCount), searchCount],
    added: [addedCount, clickedCount, searchCount],
  } as const;
  return numbers[sortOrder];
}
