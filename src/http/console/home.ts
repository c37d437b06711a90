import type { ConsolePage, ConsoleServices, ConsoleVisit } from "./console-page.ts";
import { markup } from "./markup.ts";
import { renderSales } from "./reports.ts";
import { checkSetup, renderChecklist } from "./setup-checklist.ts";

/** Renders `GET /admin`: the setup checklist until it is complete, and the sales of today. */
export async function showHome(shop: ConsoleServices, visit: ConsoleVisit): Promise<ConsolePage> {
  const [items, sales] = await Promise.all([checkSetup(shop, visit), renderSales(shop, visit, 1)]);
  const { texts } = visit;
  const doneCount = items.filter(({ isDone }) => isDone).length;
  const checklist = renderChecklist(texts, items);
  const setupPanel =
    doneCount === items.length
      ? markup`<details><summary>${texts.get("setup.complete")}</summary>${checklist}</details>`
      : markup`<section class="panel"><h2>${texts.get("setup.title")}</h2><p role="status">${texts.get("setup.progress", { done: doneCount, total: items.length })}</p>${checklist}</section>`;
  const todayPanel = markup`<section class="panel"><h2>${texts.get("labels.today")}</h2>${sales}<p><a href="/admin/reports">${texts.get("nav.reports")}</a></p></section>`;
  return {
    title: texts.get("nav.home"),
    body: doneCount === items.length ? markup`${todayPanel}${setupPanel}` : markup`${setupPanel}${todayPanel}`,
  };
}
