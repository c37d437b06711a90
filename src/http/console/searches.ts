import type { SearchReport, SearchReportOptions, SearchReportRow, SearchTotals } from "../../signals/search-report.ts";
import { columns } from "./charts.ts";
import { type ConsolePage, type ConsoleShop, type ConsoleVisit, count } from "./console-page.ts";
import { type Markup, markup } from "./markup.ts";

type By = SearchReportOptions["by"];

/** Renders `GET /admin`: statistics of searches, clicks, and cart additions. */
export async function overview(shop: ConsoleShop, { request }: ConsoleVisit): Promise<ConsolePage> {
  const days = daysOf(request.query.get("days"));
  const reports = await Promise.all(
    lists.map(({ by }) => shop.console.reports.reportSearches({ days, by, limit: SHORT })),
  );
  const sections = lists.map(({ by, title }, at) => {
    const more = markup`<a href="/admin/searches?by=${by}&amp;days=${days}">View all ${title.toLowerCase()}</a>`;
    return markup`<section class="panel"><h2>${title}</h2>${table(reports[at] as SearchReport, by)}${more}</section>`;
  });
  return {
    title: "Search overview",
    body: markup`${choice("/admin", days, "")}${summary(shop, reports[0] as SearchReport)}<div class="grid">${sections}</div>${note}`,
  };
}

/** Renders `GET /admin/searches`: one search list in full. */
export async function searchList(shop: ConsoleShop, { request }: ConsoleVisit): Promise<ConsolePage> {
  const days = daysOf(request.query.get("days"));
  const list = lists.find(({ by }) => by === request.query.get("by")) ?? lists[0];
  const report = await shop.console.reports.reportSearches({ days, by: list.by, limit: LONG });
  return {
    title: list.title,
    body: markup`${choice("/admin/searches", days, `&by=${list.by}`)}<p>${list.description}</p>${table(report, list.by)}${note}`,
  };
}

const SHORT = 8;
const LONG = 200;

const lists: readonly [List, ...List[]] = [
  { by: "searched", title: "Top searches", description: "The most frequent searches." },
  {
    by: "not_found",
    title: "Searches without results",
    description: "Nothing in the store matches all of these words. Consider a synonym, a redirect or a new product.",
  },
  {
    by: "not_chosen",
    title: "Searches without clicks",
    description: "These searches have results, but shoppers opened none of them.",
  },
  {
    by: "added",
    title: "Searches that led to the cart",
    description: "Shoppers added a result of these searches to the cart.",
  },
];

interface List {
  readonly by: By;
  readonly title: string;
  readonly description: string;
}

const note = markup`<p class="muted">A search counts when the shopper finishes typing, once per network and day. Searches from fewer than five networks
are hidden and are deleted after five weeks.</p>`;

function daysOf(text: string | null): number {
  return [1, 7, 28].find((days) => String(days) === text) ?? 7;
}

function choice(path: string, chosen: number, more: string): Markup {
  const links = [1, 7, 28].map((days) => {
    const name = days === 1 ? "Today" : `Last ${days} days`;
    return markup`<li><a href="${path}?days=${days}${more}"${days === chosen ? markup` aria-current="true"` : ""}>${name}</a></li>`;
  });
  return markup`<nav aria-label="Period"><ul class="choice">${links}</ul></nav>`;
}

function summary({ process: { searchTimes } }: ConsoleShop, { days }: SearchReport): Markup {
  const total = (name: keyof SearchTotals): number => days.reduce((sum, day) => sum + day[name], 0);
  const all = total("searched");
  const share = (part: number): string => (all === 0 ? "" : `${Math.round((part / all) * 100)}% of searches`);
  const [median, p95, p99] = searchTimes.quantiles([0.5, 0.95, 0.99]);
  const ms = (value: number | undefined): string => (value === undefined ? "no data" : `${value.toFixed(2)} ms`);
  const fact = (name: string, value: string, more: string): Markup =>
    markup`<div><dt>${name}</dt><dd>${value} <small>${more}</small></dd></div>`;
  const bars = days.map(({ day, searched, notFound }) => {
    return { label: new Date(day * DAY_MS).toISOString().slice(0, 10), all: searched, part: notFound };
  });
  return markup`<dl class="facts">${fact("Searches", count(all), "")}${fact("Without results", count(total("notFound")), share(total("notFound")))}${fact("With clicks", count(total("chosen")), share(total("chosen")))}${fact("Added to cart", count(total("added")), share(total("added")))}${fact("Time per suggestion", ms(median), `p95 ${ms(p95)}, p99 ${ms(p99)}`)}</dl>${bars.length > 1 && columns(bars)}`;
}

const DAY_MS = 86_400_000;

function table({ rows }: SearchReport, by: By): Markup {
  if (rows.length === 0) return markup`<p class="muted">No data yet.</p>`;
  const body = rows.map(
    (row) =>
      markup`<tr><th scope="row"><a href="/admin/try?q=${encodeURIComponent(row.term)}&amp;locale=${row.locale}" lang="${row.locale}">${row.term}</a></th>${cells(row, by).map((cell) => markup`<td class="number">${cell}</td>`)}</tr>`,
  );
  return markup`<table><thead><tr><th scope="col">Search</th>${heads[by].map((head) => markup`<th scope="col" class="number">${head}</th>`)}</tr></thead><tbody>${body}</tbody></table>`;
}

const heads: Readonly<Record<By, readonly string[]>> = {
  searched: ["Shoppers", "With clicks"],
  not_found: ["No results", "Shoppers"],
  not_chosen: ["No clicks", "Shoppers"],
  added: ["Added to cart", "With clicks", "Shoppers"],
};

function cells({ searched, notFound, chosen, added }: SearchReportRow, by: By): readonly string[] {
  const numbers = {
    searched: [searched, chosen],
    not_found: [notFound, searched],
    not_chosen: [Math.max(0, searched - notFound - chosen), searched],
    added: [added, chosen, searched],
  } as const;
  return numbers[by].map(count);
}
