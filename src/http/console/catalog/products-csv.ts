import { formatOfferTitle } from "../../../catalog/catalog.ts";
import type { ConsoleMessageKey } from "../../../console/console-messages.ts";
import { Problem } from "../../../problem.ts";
import { isObject } from "../../bodies/body.ts";
import { awaitWithDeadline } from "../../deadline.ts";
import { createCsvReply, type Reply } from "../../wire/reply.ts";
import {
  type ConsolePage,
  type ConsoleServices,
  type ConsoleVisit,
  type FormVisit,
  renderForm,
  renderRejection,
} from "../console-page.ts";
import { explainScope, markEnglish, renderAlert, renderNotice, resultFocus } from "../console-texts.ts";
import { type Markup, type MarkupValue, markup } from "../markup.ts";
import { type CsvChanges, compareCsv, findChangedLines } from "./csv-changes.ts";
import { findProducts } from "./products.ts";
import {
  baselineColumn,
  csvHeader,
  type EditableField,
  editableColumns,
  formatVariantLines,
  parseVariantLines,
} from "./variant-csv.ts";
import {
  applyEdits,
  type EditableProduct,
  type ProductEdit,
  toEditableProducts,
  type VariantEdit,
} from "./variant-edits.ts";

/** Renders `GET /admin/csv`: forms to download and upload stock and prices as a file. */
export function showCsvPage(_: ConsoleServices, visit: ConsoleVisit): Promise<ConsolePage> {
  const isSaved = visit.request.query.get("done") === "save";
  return renderPage(visit, renderNotice(visit.texts, isSaved ? "notices.saved" : undefined));
}

/** Handles `GET /admin/csv/products.csv`: the stock and prices of all products, published or not. */
export async function downloadCsv({ management, process, config }: ConsoleServices): Promise<Reply> {
  const parts = [csvHeader];
  for (let pageCursor = 0; ; ) {
    await process.scheduler.yield("background");
    const rows = await awaitWithDeadline(
      management.records.list("product", { after: pageCursor, limit: ROWS_PER_READ }),
    );
    const products = await toEditableProducts({ management }, rows);
    parts.push(...products.map((product) => formatVariantLines(product, config.currency)));
    if (rows.length < ROWS_PER_READ) break;
    pageCursor = rows.at(-1)?.position ?? 0;
  }
  return createCsvReply("products.csv", parts);
}

/** Handles `POST /admin/csv`: shows the changes of an uploaded file, or applies the changes that were shown. */
export async function uploadCsv(shop: ConsoleServices, visit: FormVisit): Promise<ConsolePage | string> {
  const { form, texts } = visit;
  const showError = async (message: MarkupValue, status: number): Promise<ConsolePage> => ({
    ...(await renderPage(visit, renderAlert(message))),
    status,
  });
  try {
    if (form.operation === "save") {
      const { stockProblem } = await applyEdits(shop, visit, await parseChanges(shop, form.changes));
      if (stockProblem === undefined) return "/admin/csv?done=save";
      return await showError(`${texts.get("csv.stockNotSaved")} ${texts.get("product.outdated")}`, 412);
    }
    const yieldToRequests = () => shop.process.scheduler.yield("background");
    const lines = await parseVariantLines(String(form.file ?? ""), yieldToRequests);
    if (typeof lines === "string") return await showError(texts.translate(lines) ?? markEnglish(lines), 400);
    if (lines.length > MAX_LINES) return await showError(texts.get("csv.tooManyLines", { count: MAX_LINES }), 400);
    const changedLines = await findChangedLines(shop, lines);
    if (changedLines.length > MAX_CHANGED_LINES)
      return await showError(texts.get("csv.tooManyChanges", { count: MAX_CHANGED_LINES }), 400);
    return renderPreview(visit, await compareCsv(shop, changedLines));
  } catch (error) {
    const message = texts.get("product.outdated");
    return renderRejection(texts, error, (alert) => renderPage(visit, alert), {
      catalog_changed: message,
      stock_changed: message,
    });
  }
}

const ROWS_PER_READ = 200;
const MAX_LINES = 50_000;
const MAX_CHANGED_LINES = 10_000;
/** Maximum number of listed changes, and of listed errors. */
const MAX_LISTED_ROWS = 200;

async function renderPage({ session, texts }: ConsoleVisit, notice?: Markup): Promise<ConsolePage> {
  const { scopes } = session.token;
  const uploadForm =
    scopes.includes("catalog:write") || scopes.includes("stock:write")
      ? renderForm(
          session,
          "/admin/csv",
          markup`<div><label for="file">${texts.get("csv.file")}</label><input id="file" name="file" type="file" accept=".csv,text/csv" required></div><button>${texts.get("rules.preview")}</button>`,
          "stack",
          "multipart/form-data",
        )
      : markup`<p class="muted">${explainScope(texts, "catalog:write")}</p>`;
  const editHint = texts.render("csv.editHint", {
    columns: renderColumns(Object.values(editableColumns)),
    published: renderColumns([editableColumns.published]),
    ...{ yes: markup`<code>yes</code>`, no: markup`<code>no</code>` },
    baseline: renderColumns([baselineColumn]),
  });
  const size = texts.formatNumber(8, { style: "unit", unit: "megabyte" });
  return {
    title: texts.get("csv.title"),
    body: markup`${notice}<section class="panel"><h2>${texts.get("csv.download")}</h2><p><a href="/admin/csv/products.csv">${texts.get("csv.downloadFile", { file: "products.csv" })}</a></p></section>
<section class="panel"><h2>${texts.get("csv.edit")}</h2><p>${editHint}</p></section>
<section class="panel"><h2>${texts.get("csv.upload")}</h2>${uploadForm}<p class="muted">${texts.get("csv.uploadHint", { lines: MAX_LINES, size })}</p></section>
<p><a href="/admin/products?view=edit">${texts.get("labels.stockAndPrices")}</a></p>`,
  };
}

/** Renders names of columns, which are the same in each language. */
function renderColumns(names: readonly string[]): MarkupValue {
  return names.map((name, index) => [index > 0 && ", ", markup`<code>${name}</code>`]);
}

const fieldNames: Readonly<Record<EditableField, ConsoleMessageKey>> = {
  published: "labels.published",
  price: "facets.price",
  compare: "labels.comparePrice",
  quantity: "labels.stock",
};

function renderPreview(
  { session, texts }: ConsoleVisit,
  { edits, values, conflicts, errors }: CsvChanges,
): ConsolePage {
  const renderValues = (list: CsvChanges["values"], caption: ConsoleMessageKey): Markup => {
    const rows = list
      .slice(0, MAX_LISTED_ROWS)
      .map(
        ({ product, variant, field, from, to }) =>
          markup`<tr><th scope="row">${formatOfferTitle({ product, variant })}</th><td>${texts.get(fieldNames[field])}</td><td class="number">${from}</td><td class="number">${to}</td></tr>`,
      );
    const truncationNote =
      list.length > MAX_LISTED_ROWS &&
      markup`<p class="muted">${texts.get("labels.more", { count: list.length - MAX_LISTED_ROWS })}</p>`;
    return markup`<table${resultFocus}><caption>${texts.get(caption)}</caption><thead><tr><th scope="col">${texts.get("labels.product")}</th><th scope="col">${texts.get("csv.field")}</th><th scope="col" class="number">${texts.get("csv.now")}</th><th scope="col" class="number">${texts.get("csv.inFile")}</th></tr></thead><tbody>${rows}</tbody></table>${truncationNote}`;
  };
  const errorList =
    errors.length > 0 &&
    markup`<div class="fault" role="alert"${resultFocus}><p>${texts.get("csv.rejected")}</p><ul>${errors.slice(0, MAX_LISTED_ROWS).map((error) => markup`<li>${texts.translate(error) ?? markEnglish(error)}</li>`)}</ul></div>`;
  const form =
    errors.length === 0 &&
    edits.length > 0 &&
    renderForm(
      session,
      "/admin/csv",
      markup`<input type="hidden" name="changes" value="${JSON.stringify(edits.map(formatEdit))}"><button name="operation" value="save">${texts.get("csv.save", { count: values.length })}</button>`,
      "",
      "multipart/form-data",
    );
  return {
    title: texts.get("rules.preview"),
    status: errors.length > 0 ? 400 : 200,
    body: markup`${errorList}${values.length === 0 ? markup`<p role="status"${resultFocus}>${texts.get("csv.nothing")}</p>` : renderValues(values, "labels.changes")}
${conflicts.length > 0 && renderValues(conflicts, "csv.conflicts")}
${form}<p><a href="/admin/csv">${texts.get("actions.cancel")}</a></p>`,
  };
}

/** Converts a product edit to the JSON object that the form of the preview contains. */
function formatEdit({ target, published, variants }: ProductEdit): object {
  return {
    id: target.product.id,
    revision: target.revision,
    ...(published === undefined ? {} : { published }),
    variants: variants.map(({ variant, price, compareAtPrice, stock }) => ({
      ...{ id: variant.id, price, compare: compareAtPrice, quantity: stock?.quantity, seen: stock?.seen },
    })),
  };
}

/**
 * Parses the changes in the form of the preview.
 * @throws Problem `bad_request` if the text is not a list of changes
 */
async function parseChanges(shop: ConsoleServices, text: unknown): Promise<readonly ProductEdit[]> {
  const changes = parseList(text);
  const products = await findProducts(
    shop,
    "id",
    changes.map(({ id }) => String(id)),
  );
  const entriesById = new Map(products.map((entry) => [entry.product.id, entry] as const));
  return changes.map(({ id, revision, published, variants }): ProductEdit => {
    const entry = entriesById.get(String(id));
    // The product was deleted after the preview was shown, so the preview is outdated.
    if (entry === undefined) throw new Problem("catalog_changed", "The product was changed.");
    return {
      target: { product: entry.product, revision: toInteger(revision) },
      ...(typeof published === "boolean" ? { published } : {}),
      variants: (Array.isArray(variants) ? variants : [])
        .filter(isObject)
        .map((fields) => toVariantEdit(entry, fields)),
    };
  });
}

function toVariantEdit(
  { product }: EditableProduct,
  { id, price, compare, quantity, seen }: Readonly<Record<string, unknown>>,
): VariantEdit {
  const variant = product.variants.find((item) => item.id === id);
  if (variant === undefined) throw new Problem("catalog_changed", "The product was changed.");
  return {
    variant,
    ...(price === undefined ? {} : { price: toInteger(price) }),
    ...(compare === undefined ? {} : { compareAtPrice: compare === null ? null : toInteger(compare) }),
    ...(quantity === undefined ? {} : { stock: { quantity: toInteger(quantity), seen: toInteger(seen) } }),
  };
}

function parseList(text: unknown): readonly Readonly<Record<string, unknown>>[] {
  try {
    const list = JSON.parse(String(text)) as unknown;
    if (Array.isArray(list)) return list.filter(isObject);
  } catch {}
  throw new Problem("bad_request", "The changes cannot be read. Upload the file again.");
}

function toInteger(value: unknown): number {
  if (!Number.isSafeInteger(value))
    throw new Problem("bad_request", "The changes cannot be read. Upload the file again.");
  return Number(value);
}
