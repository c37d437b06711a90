import type { CatalogLogEntry, ChangeActor, FieldChange, RowChange } from "../../../catalog/catalog-log.ts";
import { formatMoney } from "../../../pricing/money.ts";
import { raceDeadline } from "../../deadline.ts";
import { formatLogPosition, parseLogPosition } from "../../routes/management/catalog-records.ts";
import { type ConsolePage, type ConsoleServices, type ConsoleVisit, formatCount, renderTime } from "../console-page.ts";
import { type Markup, markup } from "../markup.ts";

/** Number of log entries on a page. */
const ENTRIES_PER_PAGE = 50;
/** Maximum number of changed rows that are listed for a log entry. */
const MAX_ROWS = 20;

/** Renders `GET /admin/changes`: changes of the catalog and of stock, newest first. */
export async function showChanges(shop: ConsoleServices, { request }: ConsoleVisit): Promise<ConsolePage> {
  const cursor = parseLogPosition(request.query.get("after"));
  const results = await raceDeadline(
    shop.management.records.readLog({
      limit: ENTRIES_PER_PAGE + 1,
      ...(cursor === undefined ? {} : { before: cursor }),
    }),
  );
  const entries = results.slice(0, ENTRIES_PER_PAGE);
  const items = entries.map(
    (entry) =>
      markup`<li><span class="muted">${renderTime(entry.at, shop.config.timezone)}, ${describeChangeActor(entry.by)}</span>${renderEntry(shop, entry)}</li>`,
  );
  const last = entries.at(-1);
  const olderLink =
    results.length > ENTRIES_PER_PAGE &&
    last !== undefined &&
    markup`<p><a href="/admin/changes?after=${formatLogPosition(last)}">Older changes</a></p>`;
  return {
    title: "Changes",
    body: markup`<p>Changes of products, other content, and stock. Orders have their own timeline. Entries are deleted after 90 days.</p>${
      items.length === 0
        ? markup`<p class="muted" role="status">No changes yet.</p>`
        : markup`<ol class="plain-list timeline">${items}</ol>`
    }${olderLink}`,
  };
}

function describeChangeActor({ source, token }: ChangeActor): string {
  if (source === "command_line") return "command line";
  if (source === "files") return "files in catalog/";
  const name = token === undefined || token.name === "" ? `token ${token?.id ?? ""}` : token.name;
  return source === "api" ? `${name} (API)` : name;
}

function renderEntry(shop: ConsoleServices, entry: CatalogLogEntry): Markup {
  if (entry.operation === "stock") {
    const { changed, lines } = entry.details;
    const { catalog } = shop.snapshot();
    const list = lines.slice(0, MAX_ROWS).map((line) => {
      const offer = catalog.findAnyVariant(line.variant_id);
      const name =
        offer === undefined ? `Variant ${line.variant_id}` : `${offer.product.title}, ${offer.variant.title}`;
      const text = "quantity" in line ? `stock set to ${line.quantity}` : `stock changed by ${line.adjust}`;
      return markup`<li>${name}: ${text}</li>`;
    });
    return renderChangeList(list, changed);
  }
  const { changed, removed, rows } = entry.details;
  return renderChangeList(
    rows.slice(0, MAX_ROWS).map((row) => markup`<li>${describeRow(row, shop.config.currency)}</li>`),
    changed + removed,
  );
}

function renderChangeList(items: readonly Markup[], total: number): Markup {
  const moreItem =
    total > items.length && markup`<li class="muted">And ${formatCount(total - items.length)} more.</li>`;
  return markup`<ul>${items}${moreItem}</ul>`;
}

function describeRow({ kind, id, title, change, fields = [] }: RowChange, currency: string): string {
  const name = `${kind.replace("_", " ")} ${title === undefined ? id : `"${title}"`}`;
  if (change !== "changed") return `${name} ${change}`;
  return `${name}: ${fields.map((field) => describeField(field, currency)).join("; ")}`;
}

function describeField({ field, from, to }: FieldChange, currency: string): string {
  const name = field.replace(/^variants\./, "variant ").replaceAll(/[._]/g, " ");
  const formatValue = (value: unknown): string => {
    if (value === undefined) return "none";
    if (typeof value === "number" && /(?:price|cost|minimum_subtotal)$/.test(field))
      return formatMoney(value, currency, "en");
    return typeof value === "string" ? value : JSON.stringify(value);
  };
  return from === undefined && to === undefined
    ? `${name} changed`
    : `${name} ${formatValue(from)} → ${formatValue(to)}`;
}
