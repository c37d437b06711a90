import { withDeadline } from "../deadline.ts";
import { type ConsolePage, type ConsoleShop, type ConsoleVisit, time } from "./console-page.ts";
import { markup } from "./markup.ts";

/** Maximum number of shown events. */
const MAX_EVENTS = 200;

/** `GET /admin/events`: events that are not delivered yet. */
export async function eventList(shop: ConsoleShop, _visit: ConsoleVisit): Promise<ConsolePage> {
  const events = await withDeadline(shop.console.reports.undelivered(MAX_EVENTS));
  const rows = events.map(
    ({ id, type, createdAt, destination, isDead, attempts, failure }) =>
      markup`<tr><th scope="row">${type}<br><small class="muted">${id}</small></th><td>${time(createdAt, shop.config.timezone)}</td><td>${destination}</td><td><span class="badge">${isDead ? "Failed" : "Pending"}</span></td><td class="number">${attempts}</td><td>${failure ?? ""}</td></tr>`,
  );
  const list =
    rows.length === 0
      ? markup`<p role="status">All events were delivered.</p>`
      : markup`<table><thead><tr><th scope="col">Event</th><th scope="col">Created</th><th scope="col">Destination</th><th scope="col">Status</th><th scope="col" class="number">Attempts</th><th scope="col">Last error</th></tr></thead><tbody>${rows}</tbody></table><p class="muted">To send these events again, run <code>vitrine events retry</code>. To discard them, run <code>vitrine events drop</code>.</p>`;
  return { title: "Events", body: list };
}
