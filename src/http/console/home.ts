import type { ConsolePage, ConsoleServices, ConsoleVisit } from "./console-page.ts";
import { markup } from "./markup.ts";
import { renderSales } from "./reports.ts";
import { checkSetup, renderChecklist } from "./setup-checklist.ts";

/** Renders `GET /admin`: the setup checklist until it is complete, and the sales of today. */
export async function showHome(shop: ConsoleServices, visit: ConsoleVisit): Promise<ConsolePage> {
  const [items, sales] = await Promise.all([checkSetup(shop, visit), renderSales(shop, 1, visit.request.now)]);
  const doneCount = items.filter(({ isDone }) => isDone).length;
  const checklist = renderChecklist(items);
  const setupPanel =
    doneCount === items.length
      ? markup`<details><summary>Setup is complete</summary>${checklist}</details>`
      : markup`<section class="panel"><h2>Set up your shop</h2><p role="status">${doneCount} of ${items.length} done</p>${checklist}</section>`;
  const todayPanel = markup`<section class="panel"><h2>Today</h2>${sales}<p><a href="/admin/reports">Reports</a></p></section>`;
  return {
    title: "Home",
    body: doneCount === items.length ? markup`${todayPanel}${setupPanel}` : markup`${setupPanel}${todayPanel}`,
  };
}
