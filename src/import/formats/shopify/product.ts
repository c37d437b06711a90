import { DEFAULT_VARIANT_TITLE } from "../../../catalog/catalog.ts";
import { isHandle } from "../../../catalog/rows/identity.ts";
import { createValue, type DialectFieldValue, type ReadContext } from "../dialect.ts";
import { readCell, readRawCell, type TableRow } from "../tables/columns.ts";
import { CellReporter, readFlag } from "../tables/read-cells.ts";
import { handleOf } from "../text.ts";
import { parseMetafield } from "./product-columns.ts";
import { parseShopifyVariant } from "./variant.ts";

/** Converts the rows of one product to an object of the catalog format. */
export function parseShopifyProduct(rows: readonly TableRow[], context: ReadContext): DialectFieldValue {
  const [firstRow] = rows;
  const report = new CellReporter();
  for (const row of rows.slice(1))
    if (readCell(row, "Handle") !== readCell(firstRow, "Handle"))
      report.note(row, "Handle", "is empty: the row is added to the product above");
  // A product without any value of a variant lacks the price of its only variant.
  const variantRows = rows.some(isVariantRow) ? rows.filter(isVariantRow) : rows.slice(0, 1);
  for (const row of rows.slice(1)) reportIgnoredCells(row, firstRow, report);
  const { options, values } = optionsOf(firstRow, variantRows, report);
  const isGiftCard = readFlag(firstRow, "Gift Card", false, report);
  const isPublished = readPublishedFlag(firstRow, report);
  if (isGiftCard && isPublished)
    report.note(
      firstRow,
      "Gift Card",
      "is TRUE, but Vitrine does not issue gift card codes: the product is not published",
    );
  const value = {
    kind: "product",
    handle: readHandle(firstRow, report),
    title: readCell(firstRow, "Title"),
    vendor: readCell(firstRow, "Vendor"),
    product_type: readCell(firstRow, "Type"),
    category: readCategory(firstRow),
    tags: splitNames(readCell(firstRow, "Tags")),
    description: readRawCell(firstRow, "Body (HTML)"),
    published: isPublished && !isGiftCard,
    ...readDates(firstRow, report),
    gift_card: isGiftCard,
    seo: { title: readCell(firstRow, "SEO Title"), description: readCell(firstRow, "SEO Description") },
    template_suffix: readCell(firstRow, "Template Suffix"),
    combined_listing: splitNames(readCell(firstRow, "Combined Listing")),
    options,
    variants: variantRows.map((row, index) => parseShopifyVariant(row, values[index] ?? [], context, report)),
    images: readImages(rows),
    metafields: readMetafields(firstRow),
  };
  return createValue(value, rows, report);
}

function isVariantRow(row: TableRow): boolean {
  return ["Variant Price", "Option1 Value", "Variant SKU", "Market Price"].some((name) => readCell(row, name) !== "");
}

/**
 * Reports product fields that are ignored because they differ from the product's first row, and rows that are ignored
 * because they have neither a variant nor an image.
 */
function reportIgnoredCells(row: TableRow, firstRow: TableRow | undefined, report: CellReporter): void {
  for (const key of row.columns.keys) {
    const isProductColumn = productKeys.has(key) || key.startsWith("metafield ");
    const text = isProductColumn ? readCell(row, key) : "";
    if (text !== "" && text !== readCell(firstRow, key))
      report.note(row, key, "differs from the product's first row: ignored");
  }
  if (!isVariantRow(row) && readCell(row, "Image Src") === "" && readCell(row, "Variant Image") === "")
    report.note(row, "", "has neither a variant nor an image: ignored");
}

/** Shopify's exports have three options, Squarespace's have six. */
const OPTION_NUMBERS: readonly number[] = [1, 2, 3, 4, 5, 6];

const productKeys: ReadonlySet<string> = new Set([
  "Body (HTML)",
  "Vendor",
  "Product Category",
  "Type",
  "Tags",
  "Published",
  "Status",
  "Gift Card",
  "SEO Title",
  "Template Suffix",
  "SEO Description",
  ...OPTION_NUMBERS.map((n) => `Option${n} Name`),
  "Combined Listing",
]);

/**
 * Returns the handle in the file. An invalid handle is converted to a valid one, and an empty handle is derived from
 * the title.
 */
function readHandle(row: TableRow | undefined, report: CellReporter): string {
  const writtenHandle = readCell(row, "Handle");
  if (isHandle(writtenHandle)) return writtenHandle;
  const handle = handleOf(writtenHandle === "" ? readCell(row, "Title") : writtenHandle);
  if (handle === "") return writtenHandle;
  const note =
    writtenHandle === "" ? "is empty: derived from the title" : "is not valid in a URL: invalid characters are removed";
  report.note(row, "Handle", note);
  return handle;
}

/**
 * Returns Shopify's product category. If it is empty, returns Google's if that is a path such as "Clothing > Shirts".
 */
function readCategory(row: TableRow | undefined): string {
  // Older exports write a number before the category: "212 - Apparel & Accessories > Clothing".
  const cellValues = readCell(row, "Product Category").replace(/^(?:gid:\/\/\S+|\d+) - /, "");
  const googleCategory = readCell(row, "metafield mm-google-shopping google_product_category");
  return cellValues !== "" ? cellValues : googleCategory.includes(">") ? googleCategory : "";
}

function readPublishedFlag(row: TableRow | undefined, report: CellReporter): boolean {
  const isPublished = readFlag(row, "Published", true, report);
  const isIncluded = readFlag(row, "Market Included", true, report);
  const status = readCell(row, "Status").toLowerCase();
  if (status === "unlisted")
    report.note(row, "Status", '"unlisted" is imported as not published: it has no public URL');
  else if (!["", "active", "draft", "archived"].includes(status))
    report.error(row, "Status", `"${status.slice(0, 30)}" must be active, draft or archived`);
  return isPublished && isIncluded && (status === "" || status === "active");
}

/** Parses dates such as "2024-05-01 10:00:00 +0200" and "2024-05-01T10:00:00Z". Other formats are ignored. */
function readDates(row: TableRow | undefined, report: CellReporter): object {
  const dates = ["Created At", "Published At", "Updated At"].flatMap((name) => {
    const text = readCell(row, name);
    if (text === "") return [];
    const [, day, time, offsetSign, hours, minutes] =
      /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d) ?(?:Z|UTC|([+-])(\d\d):?(\d\d))$/.exec(text) ?? [];
    if (day === undefined || Number.isNaN(Date.parse(`${day}T${time}Z`))) {
      report.note(row, name, "is not a date with a time and a time zone: ignored");
      return [];
    }
    const timeZone = offsetSign === undefined ? "Z" : `${offsetSign}${hours}:${minutes}`;
    return [[name.toLowerCase().replace(" ", "_"), `${day}T${time}${timeZone}`]];
  });
  return Object.fromEntries(dates);
}

/** Returns the images in order of their position, followed by the images of variants. */
function readImages(rows: readonly TableRow[]): readonly object[] {
  const images = rows
    .filter((row) => readCell(row, "Image Src") !== "")
    .flatMap((row) => {
      const position = Number(readCell(row, "Image Position")) || Number.MAX_SAFE_INTEGER;
      const alt = readCell(row, "Image Alt Text");
      // Shopify writes one URL in each row, but tables of merchants may have several. With the lookbehind, a long run of
      // separators takes linear time.
      const urls = readCell(row, "Image Src").split(/(?<![\s,;|])[\s,;|]+(?=https?:\/\/)/i);
      return urls.map((src) => ({ position, src, alt }));
    })
    .sort((a, b) => a.position - b.position)
    .map(({ src, alt }) => ({ src, alt }));
  const variantImages = rows.map((row) => ({ src: readCell(row, "Variant Image") })).filter(({ src }) => src !== "");
  // Some exports repeat the product's image on the row of each variant, so each URL counts once.
  const imagesByUrl = Map.groupBy([...images, ...variantImages], ({ src }) => src);
  return [...imagesByUrl.values()].flatMap(([firstImage]) => firstImage ?? []);
}

/** Returns metafield values by namespace and key. JSON, lists of products, and lists of Shopify's taxonomy are parsed. */
function readMetafields(row: TableRow | undefined): object {
  const groups = new Map<string, Record<string, unknown>>();
  for (const column of row?.columns.keys ?? []) {
    const [namespace, key, type] = parseMetafield(column) ?? [];
    const text = readCell(row, column);
    if (namespace === undefined || key === undefined || text === "") continue;
    const value = parseMetafieldValue(namespace, type, text);
    const group = groups.get(namespace) ?? {};
    groups.set(namespace, { ...group, [key]: type === undefined ? value : { type, value } });
  }
  return Object.fromEntries(groups);
}

function parseMetafieldValue(namespace: string, type: string | undefined, text: string): unknown {
  if (type === "list.product_reference" && !text.startsWith("[")) return text.split(/[;,]/).map((part) => part.trim());
  if (namespace === "shopify" && text.includes(";")) return text.split(";").map((part) => part.trim());
  if (!/^[[{]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function splitNames(text: string): readonly string[] {
  return [...new Set(text.split(",").map((tag) => tag.trim()))].filter((tag) => tag !== "");
}

/** Returns the option names of a product, and the values of each variant in the same order. */
export function optionsOf(
  firstRow: TableRow | undefined,
  variants: readonly TableRow[],
  report: CellReporter,
): { readonly options: readonly string[]; readonly values: readonly (readonly string[])[] } {
  const optionNumbers = OPTION_NUMBERS.filter((n) => {
    const hasName = readCell(firstRow, `Option${n} Name`) !== "";
    return hasName || variants.some((row) => readCell(row, `Option${n} Value`) !== "");
  });
  const options = optionNumbers.map((n) => {
    const name = readCell(firstRow, `Option${n} Name`);
    if (name !== "" || isWithoutOptions([name], [[readCell(variants[0], `Option${n} Value`)]])) return name;
    report.note(firstRow, `Option${n} Name`, `is empty: the option is called "Option ${n}"`);
    return `Option ${n}`;
  });
  const values = variants.map((row) => optionNumbers.map((n) => readCell(row, `Option${n} Value`)));
  if (values.length > 1 && optionNumbers.length === 0)
    report.error(variants[1], "Option1 Value", "is empty: no option distinguishes this variant from the first");
  if (values.length === 1 && isWithoutOptions(options, values)) return { options: [], values: [[]] };
  // An option without values is dropped.
  const usedOptions = options.flatMap((_, index) => (values.every((row) => row[index] === "") ? [] : [index]));
  const valueKeys = usedOptions.map((index) => `Option${optionNumbers[index]} Value`);
  return {
    options: usedOptions.map((index) => options[index] ?? ""),
    values: valueKeys.length === 0 ? values.map(() => []) : readOptionValues(variants, valueKeys, report),
  };
}

/** Returns the values of each variant, and reports empty values and repeated variants at their rows. */
function readOptionValues(
  variants: readonly TableRow[],
  keys: readonly string[],
  report: CellReporter,
): readonly (readonly string[])[] {
  const linesByValues = new Map<string, number>();
  return variants.map((row) => {
    const values = keys.map((key) => readCell(row, key));
    const errorCount = report.errors.length;
    for (const [index, key] of keys.entries())
      if (values[index] === "") report.error(row, key, "is empty: each variant needs a value of the option");
    const valuesKey = values.join("\n");
    const line = linesByValues.get(valuesKey);
    if (line === undefined) linesByValues.set(valuesKey, row.line);
    else report.error(row, keys[0] ?? "", `"${values.join(" / ")}" is also the variant on line ${line}`);
    // The line number is a unique value, so that the check of the product does not repeat the error without the row.
    return report.errors.length === errorCount ? values : keys.map(() => `line ${row.line}`);
  });
}

/** Returns whether the only option is Shopify's placeholder for a product without options. */
function isWithoutOptions(names: readonly string[], [values]: readonly (readonly string[])[]): boolean {
  return ["Title", ""].includes(names[0] ?? "") && names.length === 1 && values?.[0] === DEFAULT_VARIANT_TITLE;
}
