import { readFileSync } from "node:fs";
import { raceDeadline } from "../deadline.ts";
import type { Handler } from "../route.ts";
import { type ConsolePage, type ConsoleServices, type ConsoleVisit, formatCount, renderTime } from "./console-page.ts";
import { type Markup, markup } from "./markup.ts";

/** Renders `GET /admin/system`: server version, resource usage, and errors of the latest import. */
export async function showSystem(shop: ConsoleServices, _visit: ConsoleVisit): Promise<ConsolePage> {
  const { catalog } = shop.snapshot();
  const serverFacts = await raceDeadline(shop.console.readFacts());
  const renderFact = (name: string, value: string): Markup => markup`<div><dt>${name}</dt><dd>${value}</dd></div>`;
  const entryCounts = (["product", "collection", "page", "article", "bundle"] as const).map((kind) =>
    renderFact(`${kind.charAt(0).toUpperCase()}${kind.slice(1)}s`, formatCount(catalog.numbers(kind).length)),
  );
  const errors = shop.console.readImportErrors().map((error) => markup`<li>${error}</li>`);
  const importStatus =
    errors.length === 0
      ? markup`<p>No errors. All files in <code>catalog/</code> are imported.</p>`
      : markup`<ul class="notes">${errors}</ul><p class="muted">The store keeps the previous catalog. To see all errors, run <code>vitrine check</code>.</p>`;
  return {
    title: "System",
    body: markup`<h2>Server</h2><dl class="facts">${renderFact("Vitrine", serverFacts.version)}${renderFact("Node", serverFacts.node)}${renderFact("Uptime", formatDuration(serverFacts.uptimeMs))}${renderFact("Threads", formatCount(serverFacts.threads))}${renderFact("Memory", formatBytes(serverFacts.memoryBytes))}${renderFact("Database", `${serverFacts.database}, ${formatBytes(serverFacts.databaseBytes)}`)}${renderFact("Free disk", formatBytes(serverFacts.freeDiskBytes))}${renderFact("Suggestions computed", formatCount(shop.process.searchTimes.count()))}</dl>
<h2>Catalog</h2><dl class="facts">${renderFact("Revision", formatCount(catalog.revision))}${entryCounts}</dl>
<h2>Errors of the last import</h2>${importStatus}`,
  };
}

function formatBytes(size: number): string {
  const units = ["bytes", "KB", "MB", "GB", "TB"];
  const unit = size < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(size) / 3));
  return `${(size / 1_000 ** unit).toFixed(unit === 0 ? 0 : 1)} ${units[unit]}`;
}

function formatDuration(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  const [days, hours] = [Math.floor(minutes / 1_440), Math.floor(minutes / 60) % 24];
  if (days > 0) return `${days} d ${hours} h`;
  return hours > 0 ? `${hours} h ${minutes % 60} min` : `${minutes} min`;
}

/** Maximum number of listed events. */
const MAX_EVENTS = 200;

/** Renders `GET /admin/events`: events that have not been delivered yet. */
export async function renderEvents(shop: ConsoleServices, _visit: ConsoleVisit): Promise<ConsolePage> {
  const events = await raceDeadline(shop.console.reports.listUndelivered(MAX_EVENTS));
  const rows = events.map(
    ({ id, type, createdAt, destination, isDead, attempts, failure }) =>
      markup`<tr><th scope="row">${type}<br><small class="muted">${id}</small></th><td>${renderTime(createdAt, shop.config.timezone)}</td><td>${destination}</td><td><span class="badge">${isDead ? "Failed" : "Pending"}</span></td><td class="number">${attempts}</td><td>${failure ?? ""}</td></tr>`,
  );
  const list =
    rows.length === 0
      ? markup`<p role="status">All events were delivered.</p>`
      : markup`<table><thead><tr><th scope="col">Event</th><th scope="col">Created</th><th scope="col">Destination</th><th scope="col">Status</th><th scope="col" class="number">Attempts</th><th scope="col">Last error</th></tr></thead><tbody>${rows}</tbody></table><p class="muted">To send these events again, run <code>vitrine events retry</code>. To discard them, run <code>vitrine events drop</code>.</p>`;
  return { title: "Events", body: list };
}

/** Serves `GET /admin/console.css` and `GET /admin/console.js`. Each file is read from the disk once. */
export function createConsoleFileHandler(name: keyof typeof contentTypes): Handler {
  let body: Uint8Array | undefined;
  return () => {
    body ??= readFileSync(new URL(name, clientFolder));
    const headers = { "content-type": `${contentTypes[name]}; charset=utf-8`, "cache-control": "private, max-age=60" };
    return { status: 200, headers, body, compress: "best" };
  };
}

const clientFolder = new URL("../../../client/", import.meta.url);
const contentTypes = { "console.css": "text/css", "console.js": "text/javascript" } as const;
