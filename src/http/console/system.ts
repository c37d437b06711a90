import { readFileSync } from "node:fs";
import { entryKinds } from "../../catalog/catalog.ts";
import { awaitWithDeadline } from "../deadline.ts";
import type { Handler } from "../route.ts";
import type { ConsolePage, ConsoleServices, ConsoleVisit } from "./console-page.ts";
import { type ConsoleTexts, entryKindNames, markEnglish } from "./console-texts.ts";
import { markup, renderFacts } from "./markup.ts";

/** Renders `GET /admin/system`: server version, resource usage, and errors of the latest import. */
export async function showSystem(shop: ConsoleServices, { texts }: ConsoleVisit): Promise<ConsolePage> {
  const { catalog } = shop.snapshot();
  const serverFacts = await awaitWithDeadline(shop.console.readSystemFacts());
  const entryCounts = entryKinds.map(
    (kind) => [texts.get(entryKindNames[kind]), texts.formatNumber(catalog.numbers(kind).length)] as const,
  );
  const errors = shop.console.readImportErrors().map((error) => markup`<li>${markEnglish(error)}</li>`);
  const importStatus =
    errors.length === 0
      ? markup`<p>${texts.render("system.noErrors", { folder: markup`<code>catalog/</code>` })}</p>`
      : markup`<ul class="notes">${errors}</ul><p class="muted">${texts.render("system.errorsHint", { command: markup`<code>vitrine check</code>` })}</p>`;
  const database = `${serverFacts.database}, ${formatBytes(texts, serverFacts.databaseBytes)}`;
  const facts = renderFacts([
    ["Vitrine", serverFacts.version],
    ["Node", serverFacts.node],
    [texts.get("system.uptime"), formatDuration(texts, serverFacts.uptimeMs)],
    [texts.get("system.threads"), texts.formatNumber(serverFacts.threads)],
    [texts.get("system.memory"), formatBytes(texts, serverFacts.memoryBytes)],
    [texts.get("system.database"), database],
    [texts.get("system.freeDisk"), formatBytes(texts, serverFacts.freeDiskBytes)],
    [texts.get("system.suggestions"), texts.formatNumber(shop.process.searchTimes.count())],
  ]);
  const catalogFacts = [[texts.get("system.revision"), texts.formatNumber(catalog.revision)] as const, ...entryCounts];
  return {
    title: texts.get("nav.system"),
    body: markup`<h2>${texts.get("system.server")}</h2>${facts}
<h2>${texts.get("system.catalog")}</h2>${renderFacts(catalogFacts)}
<h2>${texts.get("system.importErrors")}</h2>${importStatus}`,
  };
}

const byteUnits = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;

function formatBytes(texts: ConsoleTexts, size: number): string {
  const exponent = size < 1 ? 0 : Math.min(byteUnits.length - 1, Math.floor(Math.log10(size) / 3));
  const unit = byteUnits[exponent] ?? "byte";
  const digits = exponent === 0 ? 0 : 1;
  return texts.formatNumber(size / 1_000 ** exponent, {
    ...{ style: "unit", unit, minimumFractionDigits: digits, maximumFractionDigits: digits },
  });
}

/** Formats a duration with its two largest units, such as "3 hrs 5 min". */
function formatDuration(texts: ConsoleTexts, ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  const [days, hours] = [Math.floor(minutes / 1_440), Math.floor(minutes / 60) % 24];
  const format = (count: number, unit: string): string => texts.formatNumber(count, { style: "unit", unit });
  if (days > 0) return `${format(days, "day")} ${format(hours, "hour")}`;
  const minuteText = format(minutes % 60, "minute");
  return hours > 0 ? `${format(hours, "hour")} ${minuteText}` : minuteText;
}

/** Maximum number of listed events. */
const MAX_EVENTS = 200;

/** Renders `GET /admin/events`: events that have not been delivered yet. */
export async function renderEvents(shop: ConsoleServices, { texts }: ConsoleVisit): Promise<ConsolePage> {
  const events = await awaitWithDeadline(shop.console.reports.listPendingEvents(MAX_EVENTS));
  const rows = events.map(
    ({ id, type, createdAt, destination, isDead, attempts, failure }) =>
      markup`<tr><th scope="row"><bdi>${type}</bdi><br><small class="muted"><bdi>${id}</bdi></small></th><td>${texts.renderTime(createdAt, shop.config.timezone)}</td><td class="minor"><bdi>${destination}</bdi></td><td><span class="badge">${texts.get(isDead ? "events.failed" : "events.pending")}</span></td><td class="number minor">${texts.formatNumber(attempts)}</td><td>${failure !== undefined && markEnglish(failure)}</td></tr>`,
  );
  const hint = texts.render("events.hint", {
    retry: markup`<code>vitrine events retry</code>`,
    drop: markup`<code>vitrine events drop</code>`,
  });
  const list =
    rows.length === 0
      ? markup`<p role="status">${texts.get("events.empty")}</p>`
      : markup`<table><thead><tr><th scope="col">${texts.get("events.event")}</th><th scope="col">${texts.get("events.created")}</th><th scope="col" class="minor">${texts.get("events.destination")}</th><th scope="col">${texts.get("labels.status")}</th><th scope="col" class="number minor">${texts.get("events.attempts")}</th><th scope="col">${texts.get("events.lastError")}</th></tr></thead><tbody>${rows}</tbody></table><p class="muted">${hint}</p>`;
  return { title: texts.get("nav.events"), body: list };
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
