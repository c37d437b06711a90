import { formatOfferTitle } from "../../../catalog/catalog.ts";
import type { CatalogLogEntry, FieldChange, RowChange } from "../../../catalog/catalog-log.ts";
import type { ConsoleMessageKey } from "../../../console/console-messages.ts";
import { readPage } from "../../read-page.ts";
import { formatLogPosition, parseLogPosition } from "../../routes/management/catalog-records.ts";
import type { ConsolePage, ConsoleServices, ConsoleVisit } from "../console-page.ts";
import { type ConsoleTexts, describeActor, renderPageLinks } from "../console-texts.ts";
import { type Markup, markup } from "../markup.ts";

/** Number of log entries on a page. */
const ENTRIES_PER_PAGE = 50;
/** Maximum number of changed rows that are listed for a log entry. */
const MAX_ROWS = 20;

/** Renders `GET /admin/changes`: changes of the catalog, of stock, and of settings, newest first. */
export async function showChanges(shop: ConsoleServices, { request, texts }: ConsoleVisit): Promise<ConsolePage> {
  const before = parseLogPosition(request.query.get("after"));
  const { items: entries, lastItem } = await readPage(ENTRIES_PER_PAGE, (limit) =>
    shop.management.records.readLog({ limit, before }),
  );
  const items = entries.map(
    (entry) =>
      markup`<li><span class="muted">${texts.renderTime(entry.at, shop.config.timezone)}, <bdi>${describeActor(texts, entry.by)}</bdi></span>${renderEntry(shop, texts, entry)}</li>`,
  );
  const pageLinks = renderPageLinks(texts, {
    next: lastItem && `/admin/changes?after=${formatLogPosition(lastItem)}`,
  });
  return {
    title: texts.get("labels.changes"),
    body: markup`<p>${texts.get("changes.intro")}</p>${
      items.length === 0
        ? markup`<p class="muted" role="status">${texts.get("changes.none")}</p>`
        : markup`<ol class="plain-list timeline">${items}</ol>`
    }${pageLinks}`,
  };
}

function renderEntry(shop: ConsoleServices, texts: ConsoleTexts, entry: CatalogLogEntry): Markup {
  if (entry.operation === "stock") {
    const { changed, lines } = entry.details;
    const { catalog } = shop.snapshot();
    const list = lines.slice(0, MAX_ROWS).map((line) => {
      const offer = catalog.findAnyVariant(line.variant_id);
      const name = offer === undefined ? `${texts.get("product.variant")} ${line.variant_id}` : formatOfferTitle(offer);
      const text =
        "quantity" in line
          ? texts.get("changes.stockSet", { quantity: line.quantity })
          : texts.get("changes.stockChanged", { quantity: line.adjust });
      return markup`<li><bdi>${name}</bdi>: ${text}</li>`;
    });
    return renderChangeList(texts, list, changed);
  }
  if (entry.operation === "test_email")
    return renderChangeList(
      texts,
      [markup`<li>${texts.get("changes.testMail", { address: entry.details.to })}</li>`],
      1,
    );
  if (entry.operation === "settings") {
    const { fields } = entry.details;
    const list = fields.map(
      (change) =>
        markup`<li><code>${change.field}</code> <bdi>${describeValues(texts, change, shop.config.currency)}</bdi></li>`,
    );
    return renderChangeList(texts, list, fields.length);
  }
  const { changed, removed, rows } = entry.details;
  return renderChangeList(
    texts,
    rows.slice(0, MAX_ROWS).map((row) => markup`<li>${renderRow(texts, row, shop.config.currency)}</li>`),
    changed + removed,
  );
}

function renderChangeList(texts: ConsoleTexts, items: readonly Markup[], total: number): Markup {
  const truncationItem =
    total > items.length && markup`<li class="muted">${texts.get("labels.more", { count: total - items.length })}</li>`;
  return markup`<ul>${items}${truncationItem}</ul>`;
}

function renderRow(texts: ConsoleTexts, { kind, id, title, change, fields = [] }: RowChange, currency: string): Markup {
  const kindName = kindNames.get(kind);
  const name = markup`${kindName === undefined ? markup`<code>${kind}</code>` : texts.get(kindName)} <bdi>${title === undefined ? id : `"${title}"`}</bdi>`;
  const description =
    change === "changed"
      ? fields.map((field) => describeField(texts, field, currency)).join("; ")
      : texts.get(`changes.${change}`);
  return markup`${name}: ${description}`;
}

function describeField(texts: ConsoleTexts, change: FieldChange, currency: string): string {
  const { field } = change;
  const [, variantId, variantField = field] = /^variants\.(.+)\.([^.]+)$/.exec(field) ?? [];
  const key = fieldNames.get(variantField);
  const fieldName = key === undefined ? variantField.replaceAll(/[._]/g, " ") : texts.get(key);
  const name = variantId === undefined ? fieldName : `${texts.get("product.variant")} ${variantId}: ${fieldName}`;
  return `${name} ${describeValues(texts, change, currency)}`;
}

function describeValues(texts: ConsoleTexts, { field, from, to }: FieldChange, currency: string): string {
  const formatValue = (value: unknown): string => {
    if (value === undefined || value === null) return "–";
    if (typeof value === "number" && /(?:price|cost|minimum_subtotal)$/.test(field))
      return texts.formatMoney(value, currency);
    return typeof value === "string" ? value : JSON.stringify(value);
  };
  return from === undefined && to === undefined
    ? `(${texts.get("changes.changed")})`
    : `${formatValue(from)} → ${formatValue(to)}`;
}

const kindNames: ReadonlyMap<string, ConsoleMessageKey> = new Map([
  ["product", "labels.product"],
  ["discount", "mails.discount"],
]);

/** Fields that the console edits. Other fields are shown by their names in files. */
const fieldNames: ReadonlyMap<string, ConsoleMessageKey> = new Map([
  ["published", "labels.published"],
  ["price", "facets.price"],
  ["compare_at_price", "labels.comparePrice"],
  ["ends_at", "discount.lastDay"],
]);
