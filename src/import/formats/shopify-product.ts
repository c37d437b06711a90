import { DEFAULT_VARIANT_TITLE } from "../../catalog/offer-title.ts";
import { decimalMoney, parseMoney } from "../../pricing/money.ts";
import type { ReadValue } from "./jsonl.ts";

/** A value of a CSV file: one product of the catalogue's own format, which may carry faults of single cells, and what is to be known of them. */
export interface ReadProduct extends ReadValue {
  readonly cellFaults?: readonly CellNote[];
  readonly cellNotes?: readonly CellNote[];
}

interface CellNote {
  readonly line: number;
  readonly field: string;
  readonly message: string;
}

/** One row of a Shopify product export. */
export interface CsvRow {
  readonly line: number;
  /** Column -> cell. */
  readonly cells: ReadonlyMap<string, string>;
}

/** What is said of cells: what is wrong, or what they were taken for. */
type CellNotes = { line: number; field: string; message: string }[];

/** True where `row` belongs to the product that `rows` began. */
export function isVariantOfNext(rows: readonly CsvRow[], row: CsvRow): boolean {
  return (
    cell(rows[0], "Handle") === cell(row, "Handle") &&
    (cell(row, "Title") === "" || cell(row, "Title") === cell(rows[0], "Title"))
  );
}

/** The rows of one product -> an object as the catalogue's own files have it. */
export function csvProduct(rows: readonly CsvRow[], currency: string): Omit<ReadProduct, "bytes"> {
  const [first] = rows;
  const faults: CellNotes = [];
  const notes: CellNotes = [];
  const optionNames = [1, 2, 3].map((n) => cell(first, `Option${n} Name`));
  const variantRows = rows.filter(isVariantRow);
  const values = variantRows.map((row) => optionNames.map((_, index) => cell(row, `Option${index + 1} Value`)));
  // Shopify's mark of a product without options.
  const hasNoOptions = values.length === 1 && optionNames[0] === "Title" && values[0]?.[0] === DEFAULT_VARIANT_TITLE;
  const options = hasNoOptions ? [] : optionNames.filter((name) => name !== "");
  const status = cell(first, "Status").toLowerCase();
  const published = readFlag(first, "Published", true, faults) && (status === "" || status === "active");
  const value = {
    kind: "product",
    handle: cell(first, "Handle"),
    title: cell(first, "Title"),
    vendor: cell(first, "Vendor"),
    product_type: cell(first, "Type"),
    tags: splitTags(cell(first, "Tags")),
    description: first?.cells.get("Body (HTML)") ?? "",
    published,
    ...csvDates(first),
    options,
    variants: variantRows.map((row, index) =>
      csvVariant(row, (values[index] ?? []).slice(0, options.length), currency, { faults, notes }),
    ),
    images: csvImages(rows),
  };
  return { line: first?.line ?? 0, value, cellFaults: faults, cellNotes: notes };
}

/** Some programs export dates too, as "2024-05-01 10:00:00 +0200"; what is written otherwise is left out. */
function csvDates(row: CsvRow | undefined): object {
  const dates = ["Created At", "Published At", "Updated At"].flatMap((name) => {
    const [, day, time, sign, hours, minutes] =
      /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d) ?(?:Z|UTC|([+-])(\d\d):?(\d\d))$/.exec(cell(row, name)) ?? [];
    if (day === undefined || Number.isNaN(Date.parse(`${day}T${time}Z`))) return [];
    const zone = sign === undefined ? "Z" : `${sign}${hours}:${minutes}`;
    return [[name.toLowerCase().replace(" ", "_"), `${day}T${time}${zone}`]];
  });
  return Object.fromEntries(dates);
}

function isVariantRow(row: CsvRow): boolean {
  return ["Variant Price", "Option1 Value", "Variant SKU"].some((name) => cell(row, name) !== "");
}

function csvVariant(
  row: CsvRow,
  options: readonly string[],
  currency: string,
  { faults, notes }: { readonly faults: CellNotes; readonly notes: CellNotes },
): object {
  const policy = cell(row, "Variant Inventory Policy").toLowerCase();
  if (cell(row, "Variant Price") === "")
    faults.push({ line: row.line, field: "Variant Price", message: "is required" });
  return {
    options,
    sku: cell(row, "Variant SKU"),
    // A spreadsheet's way to keep a number a text.
    barcode: cell(row, "Variant Barcode").replace(/^'/, ""),
    price: readMoney(row, "Variant Price", currency, faults) ?? 0,
    // An export writes 0 where there is none.
    compare_at_price: readMoney(row, "Variant Compare At Price", currency, faults) || undefined,
    inventory_quantity: readQuantity(row, faults, notes),
    inventory_policy: policy === "" ? undefined : policy,
    requires_shipping: readFlag(row, "Variant Requires Shipping", true, faults),
    taxable: readFlag(row, "Variant Taxable", true, faults),
    grams: readGrams(row, faults),
    image: cell(row, "Variant Image"),
  };
}

/** undefined where nobody counts. Where somebody does, nothing is there of what has no number: an export of a shop with several locations has none. */
function readQuantity(row: CsvRow, faults: CellNotes, notes: CellNotes): number | undefined {
  if (cell(row, "Variant Inventory Tracker") === "") return undefined;
  const field = "Variant Inventory Qty";
  if (cell(row, field) !== "") return readInteger(row, field, faults);
  if (cell(row, "Variant Inventory Policy").toLowerCase() !== "continue")
    notes.push({ line: row.line, field, message: "is empty where stock is tracked: taken as 0, which is sold out" });
  return 0;
}

/** In the order of their positions, which the export's rows need not have; variants' own pictures after them. */
function csvImages(rows: readonly CsvRow[]): readonly object[] {
  const images = rows
    .filter((row) => cell(row, "Image Src") !== "")
    .map((row) => ({
      position: Number(cell(row, "Image Position")) || Number.MAX_SAFE_INTEGER,
      src: cell(row, "Image Src"),
      alt: cell(row, "Image Alt Text"),
    }))
    .sort((a, b) => a.position - b.position)
    .map(({ src, alt }) => ({ src, alt }));
  const known = new Set(images.map((image) => image.src));
  const own = new Set(rows.map((row) => cell(row, "Variant Image")).filter((src) => src !== "" && !known.has(src)));
  return [...images, ...[...own].map((src) => ({ src }))];
}

function readMoney(row: CsvRow, name: string, currency: string, faults: CellNotes): number | undefined {
  const text = cell(row, name);
  if (text === "") return undefined;
  const amount = parseMoney(text, currency);
  if (amount === undefined) {
    const example = decimalMoney(1_999, currency);
    const message = `"${text.slice(0, 30)}" is not an amount of ${currency}: write it like ${example}, without signs or a thousands separator`;
    faults.push({ line: row.line, field: name, message });
  }
  return amount;
}

function readInteger(row: CsvRow, name: string, faults: CellNotes): number | undefined {
  const text = cell(row, name);
  if (text === "") return undefined;
  if (/^-?\d{1,9}$/.test(text)) return Number(text);
  faults.push({ line: row.line, field: name, message: `"${text.slice(0, 30)}" is not a whole number` });
  return undefined;
}

function readGrams(row: CsvRow, faults: CellNotes): number | undefined {
  const text = cell(row, "Variant Grams");
  if (text === "") return undefined;
  if (/^\d{1,9}(\.\d+)?$/.test(text)) return Number(text);
  faults.push({ line: row.line, field: "Variant Grams", message: `"${text.slice(0, 30)}" is not a weight in grams` });
  return undefined;
}

function readFlag(row: CsvRow | undefined, name: string, fallback: boolean, faults: CellNotes): boolean {
  const text = cell(row, name).toLowerCase();
  if (text === "") return fallback;
  if (text === "true" || text === "false") return text === "true";
  faults.push({ line: row?.line ?? 0, field: name, message: `"${text.slice(0, 30)}" must be TRUE or FALSE` });
  return fallback;
}

function splitTags(text: string): readonly string[] {
  return [...new Set(text.split(",").map((tag) => tag.trim()))].filter((tag) => tag !== "");
}

function cell(row: CsvRow | undefined, name: string): string {
  return row?.cells.get(name)?.trim() ?? "";
}
