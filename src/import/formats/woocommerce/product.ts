import { listCategoryPaths } from "../categories.ts";
import type { DialectFieldValue, ReadContext } from "../dialect.ts";
import { createValue } from "../dialect.ts";
import { readCell, type TableRow } from "../tables/columns.ts";
import { CellReporter, readFlag } from "../tables/read-cells.ts";
import { formatHtml } from "../text.ts";
import { type Attribute, expandOptions, readAttributes, readCategories, splitList, typesOf } from "./cells.ts";
import { hasPrice, parseWooVariant } from "./variant.ts";

/** Converts a product's row and the rows of its variations to an object of the catalog format. */
export function parseWooProduct(
  row: TableRow,
  variations: readonly TableRow[],
  handle: string,
  context: ReadContext,
): DialectFieldValue {
  const report = new CellReporter();
  const categories = listCategoryPaths(readCategories(row));
  const attributes = readAttributes(row);
  const isVariable = typesOf(row).has("variable");
  if (isVariable && variations.length === 0)
    report.error(row, "Type", "is variable, but the file contains no variation of it");
  const offeredVariations = selectOfferedVariations(variations, report);
  const usedKeys = new Set(offeredVariations.flatMap(readAttributes).map(({ key }) => key));
  const options = attributes.filter(({ key }) => usedKeys.has(key));
  const shortDescription = textOf(row, "Short description");
  const description = textOf(row, "Description");
  const images = splitList(readCell(row, "Images"));
  const variants = isVariable
    ? listUniqueVariations(offeredVariations, options, report).map(([variation, values, isOnlyVariant]) => ({
        ...(isOnlyVariant ? idOf(variation) : {}),
        ...parseWooVariant(variation, row, values, context, report),
      }))
    : [parseWooVariant(row, undefined, [], context, report)];
  if (isVariable) reportIgnoredCells(row, offeredVariations, report);
  const value = {
    kind: "product",
    ...idOf(row),
    handle,
    title: readCell(row, "Name"),
    vendor: readCell(row, "Brands"),
    product_type: readCategories(row)[0]?.at(-1) ?? "",
    tags: [...new Set([...splitList(readCell(row, "Tags")), ...categories])],
    description: formatHtml(description === "" ? shortDescription : description),
    published:
      readPublishedFlag(row, report) && (isVariable ? offeredVariations.some(isForSale) : checkPrice(row, report)),
    options: options.map(({ name }) => name),
    // The catalog format requires a price. The missing price was already reported.
    variants: variants.length === 0 ? [{ price: 0 }] : variants,
    images: [
      ...new Set([
        ...images,
        ...offeredVariations.flatMap((variation) => splitList(readCell(variation, "Images")).slice(0, 1)),
      ]),
    ].map((src) => ({ src })),
    seo: { title: readSeoText(row, "SEO title", report), description: readSeoText(row, "SEO description", report) },
    metafields: metafieldsOf(
      row,
      attributes.filter((attribute) => !options.includes(attribute)),
      description === "" ? "" : shortDescription,
    ),
  };
  return createValue(value, [row, ...variations], report);
}

/** Reports product fields that the variations override, and variation fields that are not imported. */
function reportIgnoredCells(row: TableRow, variations: readonly TableRow[], report: CellReporter): void {
  const hasParentStock = variations.some((variation) => readCell(variation, "Stock").toLowerCase() === "parent");
  for (const key of ["Regular price", "Sale price", "GTIN", ...(hasParentStock ? [] : ["Stock"])])
    if (readCell(row, key) !== "")
      report.note(row, key, "is set for the product, but its variations have their own values: ignored");
  for (const variation of variations) {
    for (const key of ["Short description", "Description", "Categories", "Tags", "Brands"])
      if (readCell(variation, key) !== "")
        report.note(variation, key, "is set for a variation: the value of the product is used");
    if (splitList(readCell(variation, "Images")).length > 1)
      report.note(variation, "Images", "has several images of a variation: the first is used");
  }
}

/**
 * Pairs variations with their option values. If two variations have the same values, the first is used, as in
 * WooCommerce.
 */
function listUniqueVariations(
  rows: readonly TableRow[],
  options: readonly Attribute[],
  report: CellReporter,
): readonly (readonly [row: TableRow, values: readonly string[], isAlone: boolean])[] {
  const seenValues = new Set<string>();
  return rows.flatMap((row) => {
    const lists = expandOptions(row, options, report);
    const newLists = lists.filter((values) => !seenValues.has(values.join("\n")));
    for (const values of newLists) seenValues.add(values.join("\n"));
    if (newLists.length < lists.length) report.note(row, "", "is a duplicate of another variation: the first is used");
    return newLists.map((values) => [row, values, lists.length === 1] as const);
  });
}

/** Returns the product's id in WooCommerce, so that the next import finds the product even if its name changed. */
function idOf(row: TableRow): { readonly id?: number } {
  const id = Number(readCell(row, "ID"));
  return Number.isSafeInteger(id) && id > 0 ? { id } : {};
}

/**
 * Returns the published variations with a price. If there are none, returns all, so that they exist when the product is
 * sold again.
 */
function selectOfferedVariations(variations: readonly TableRow[], report: CellReporter): readonly TableRow[] {
  const offeredVariations = variations.filter(isForSale);
  const isEmpty = offeredVariations.length === 0;
  for (const row of variations.filter(isDisabled)) {
    const message = isEmpty
      ? "disables all variations: the product is not published"
      : "disables the variation: it is ignored";
    report.note(row, "Published", message);
  }
  for (const row of variations.filter((variation) => !isDisabled(variation) && !hasPrice(variation))) {
    const message = isEmpty ? "is empty: the product is not published" : "is empty: the variation is not imported";
    report.note(row, "Regular price", message);
  }
  return isEmpty ? variations : offeredVariations;
}

function isForSale(row: TableRow): boolean {
  return !isDisabled(row) && hasPrice(row);
}

function checkPrice(row: TableRow, report: CellReporter): boolean {
  if (!hasPrice(row)) report.note(row, "Regular price", "is empty: the product is not published");
  return hasPrice(row);
}

/**
 * Returns whether a variation is disabled. The value -1 does not disable it: all variations of a draft product have -1.
 */
function isDisabled(row: TableRow): boolean {
  return !["", "1", "-1"].includes(readCell(row, "Published"));
}

/** Returns whether a product is published: 1 is public, 0 private, -1 a draft, and 2 pending review. */
function readPublishedFlag(row: TableRow, report: CellReporter): boolean {
  const isHidden = readCell(row, "Visibility in catalog").toLowerCase() === "hidden";
  if (isHidden) report.note(row, "Visibility in catalog", '"hidden" is imported as not published');
  const text = readCell(row, "Published");
  return ["-1", "0", "2"].includes(text) ? false : readFlag(row, "Published", true, report) && !isHidden;
}

/** Returns the text of a cell. Exports write a line break as \n. */
function textOf(row: TableRow, key: string): string {
  return readCell(row, key).replaceAll("\\n", "\n").trim();
}

/** Returns an SEO text, or "" for a template such as "%%title%% %%sep%%". */
function readSeoText(row: TableRow, key: string, report: CellReporter): string {
  const text = readCell(row, key);
  if (!/%\w+%/.test(text)) return text;
  report.note(row, key, "is a template of another program: ignored");
  return "";
}

function metafieldsOf(row: TableRow, attributes: readonly Attribute[], shortDescription: string): object {
  const attributeFields = attributes.map(({ key, values }) => [key, values.length === 1 ? values[0] : values] as const);
  const metadataFields = row.columns.keys.flatMap((column) => {
    const [, key] = /^metafield meta (.+)$/.exec(column) ?? [];
    const text = readCell(row, column);
    return key === undefined || text === "" ? [] : [[key, text] as const];
  });
  const platformFields = [
    ...(shortDescription === "" ? [] : [["short_description", formatHtml(shortDescription)] as const]),
    ...(readCell(row, "Is featured?") === "1" ? [["featured", true] as const] : []),
    // The variants have their own SKUs, so the SKU of the product itself is stored as a metafield.
    ...(typesOf(row).has("variable") && readCell(row, "SKU") !== "" ? [["sku", readCell(row, "SKU")] as const] : []),
  ];
  const groups = { attributes: attributeFields, meta: metadataFields, woocommerce: platformFields };
  return Object.fromEntries(
    Object.entries(groups).flatMap(([name, entries]) =>
      entries.length === 0 ? [] : [[name, Object.fromEntries(entries)]],
    ),
  );
}
