import { type ConsolePage, type ConsoleShop, type ConsoleVisit, time } from "../../console/console-page.ts";
import { markup } from "../../console/markup.ts";
import { withDeadline } from "../../deadline.ts";

/** Events that are shown. */
const MOST = 200;

/** `GET /admin/events`: what other systems were not told yet. */
export async function eventList(shop: ConsoleShop, _visit: ConsoleVisit): Promise<ConsolePage> {
  const events = await withDeadline(shop.console.reports.undelivered(MOST));
  const rows = events.map(
    ({ id, type, createdAt, destination, isDead, attempts, failure }) =>
      markup`<tr><th scope="row">${type}<br><small class="muted">${id}</small></th><td>${time(createdAt, shop.config.timezone)}</td><td>${destination}</td><td><span class="badge">${isDead ? "given up" : "waiting"}</span></td><td class="number">${attempts}</td><td>${failure ?? ""}</td></tr>`,
  );
  const list =
    rows.length === 0
      ? markup`<p role="status">Every receiver was told of everything.</p>`
      : markup`<table><thead><tr><th scope="col">Event</th><th scope="col">Since</th><th scope="col">Receiver</th><th scope="col">State</th><th scope="col" class="number">Attempts</th><th scope="col">What went wrong</th></tr></thead><tbody>${rows}</tbody></table><p class="muted"><code>vitrine events retry</code> tries them now, <code>vitrine events drop</code> gives them up for good.</p>`;
  return { title: "Events", body: list };
}
