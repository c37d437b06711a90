import type { DialectValue, ReadContext } from "../dialect.ts";
import { sourceOf } from "../dialect.ts";
import { cell, type TableRow } from "../tables/columns.ts";
import { CellReport, readFlag } from "../tables/read-cells.ts";
import { htmlOf } from "../text.ts";
import { type Attribute, attributesOf, categoriesOf, expanded, splitList, typesOf } from "./cells.ts";
import { hasPrice, wooVariant } from "./variant.ts";

/** Converts a product's row and the rows of its variations to an object of the catalog format. */
export function wooProduct(
  row: TableRow,
  variations: readonly TableRow[],
  handle: string,
  context: ReadContext,
): DialectValue {
  const report = new CellReport();
  const categories = categoriesOf(row);
  const attributes = attributesOf(row);
  const isVariable = typesOf(row).has("variable");
  if (isVariable && variations.length === 0)
    report.error(row, "Type", "is variable, but the file holds no variation of it");
  const offered = offeredOf(variations, report);
  const options = attributes.filter(({ name }) =>
    offered.some((one) => attributesOf(one).some((attributeFields) => attributeFields.name === name)),
  );
  const short = textOf(row, "Short description");
  const description = textOf(row, "Description");
  const images = splitList(cell(row, "Images"));
  const variants = isVariable
    ? distinct(offered, options, report).map(([one, values, isAlone]) => ({
        ...(isAlone ? idOf(one) : {}),
        ...wooVariant(one, row, values, context, report),
      }))
    : [wooVariant(row, undefined, [], context, report)];
  if (isVariable) reportUnread(row, offered, report);
  const value = {
    kind: "product",
    ...idOf(row),
    handle,
    title: cell(row, "Name"),
    vendor: cell(row, "Brands"),
    product_type: splitList(cell(row, "Categories"))[0]?.split(">").at(-1)?.trim() ?? "",
    tags: [...new Set([...splitList(cell(row, "Tags")), ...categories])],
    description: htmlOf(description === "" ? short : description),
    published: readPublished(row, report) && (isVariable ? offered.some(isOffered) : isPriced(row, report)),
    options: options.map(({ name }) => name),
    // The missing price was already reported.
    variants: variants.length === 0 ? [{ price: 0 }] : variants,
    images: [...new Set([...images, ...offered.flatMap((one) => splitList(cell(one, "Images")).slice(0, 1))])].map(
      (src) => ({ src }),
    ),
    seo: { title: seoText(row, "SEO title", report), description: seoText(row, "SEO description", report) },
    metafields: metafieldsOf(
      row,
      attributes.filter((one) => !options.includes(one)),
      description === "" ? "" : short,
    ),
  };
  return {
    line: row.line,
    value,
    cellErrors: report.errors,
    cellNotes: report.notes,
    source: sourceOf([row, ...variations]),
  };
}

/** Reports fields that both the product and its variants have, and variant fields that the catalog does not support. */
function reportUnread(row: TableRow, variations: readonly TableRow[], report: CellReport): void {
  const isShared = variations.some((one) => cell(one, "Stock").toLowerCase() === "parent");
  for (const key of ["Regular price", "Sale price", "GTIN", ...(isShared ? [] : ["Stock"])])
    if (cell(row, key) !== "") report.note(row, key, "is the product's, and its variations have their own: not taken");
  for (const one of variations) {
    for (const key of ["Short description", "Description", "Categories", "Tags", "Brands"])
      if (cell(one, key) !== "") report.note(one, key, "is a variation's: the product's is taken");
    if (splitList(cell(one, "Images")).length > 1)
      report.note(one, "Images", "has several pictures of a variation: the first is taken");
  }
}

/**
 * Pairs variations with their option values. Of two variations with the same values, the first counts, as in
 * WooCommerce.
 */
function distinct(
  rows: readonly TableRow[],
  options: readonly Attribute[],
  report: CellReport,
): readonly (readonly [row: TableRow, values: readonly string[], isAlone: boolean])[] {
  const seen = new Set<string>();
  return rows.flatMap((row) => {
    const lists = expanded(row, options, report);
    const fresh = lists.filter((values) => !seen.has(values.join("\n")));
    for (const values of fresh) seen.add(values.join("\n"));
    if (fresh.length < lists.length) report.note(row, "", "is a variation that another one is too: the first is taken");
    return fresh.map((values) => [row, values, lists.length === 1] as const);
  });
}

/** Keeps WooCommerce's id, so that the next import finds the product even if its name changed. */
function idOf(row: TableRow): { readonly id?: number } {
  const id = Number(cell(row, "ID"));
  return Number.isSafeInteger(id) && id > 0 ? { id } : {};
}

/**
 * Returns the published variations with a price. If there are none, returns all, so that they exist when the product is
 * sold again.
 */
function offeredOf(variations: readonly TableRow[], report: CellReport): readonly TableRow[] {
  const offered = variations.filter(isOffered);
  const isNone = offered.length === 0;
  for (const row of variations.filter(isOff)) {
    const message = isNone
      ? "switches all variations off: the product is not published"
      : "disables the variation: it is ignored";
    report.note(row, "Published", message);
  }
  for (const row of variations.filter((one) => !isOff(one) && !hasPrice(one))) {
    const message = isNone ? "is empty: the product is not published" : "is empty: the variation is not imported";
    report.note(row, "Regular price", message);
  }
  return isNone ? variations : offered;
}

function isOffered(row: TableRow): boolean {
  return !isOff(row) && hasPrice(row);
}

function isPriced(row: TableRow, report: CellReport): boolean {
  if (!hasPrice(row)) report.note(row, "Regular price", "is empty: the product is not published");
  return hasPrice(row);
}

/** Returns whether a variation is disabled. A variation of a draft has -1, like the draft. */
function isOff(row: TableRow): boolean {
  return !["", "1", "-1"].includes(cell(row, "Published"));
}

/** Returns whether a product is published: 1 is public, 0 private, -1 a draft, and 2 pending review. */
function readPublished(row: TableRow, report: CellReport): boolean {
  const isHidden = cell(row, "Visibility in catalog").toLowerCase() === "hidden";
  if (isHidden) report.note(row, "Visibility in catalog", '"hidden" is taken for not published');
  const text = cell(row, "Published");
  return ["-1", "0", "2"].includes(text) ? false : readFlag(row, "Published", true, report) && !isHidden;
}

/** Returns the text of a cell. Exports write a line break as \n. */
function textOf(row: TableRow, key: string): string {
  return cell(row, key).replaceAll("\\n", "\n").trim();
}

/** Returns an SEO text, or "" for a template such as "%%title%% %%sep%%". */
function seoText(row: TableRow, key: string, report: CellReport): string {
  const text = cell(row, key);
  if (!/%\w+%/.test(text)) return text;
  report.note(row, key, "is a template of another program: not taken");
  return "";
}

function metafieldsOf(row: TableRow, attributes: readonly Attribute[], short: string): object {
  const attributeFields = attributes.map(
    ({ name, values }) => [keyOf(name), values.length === 1 ? values[0] : values] as const,
  );
  const meta = row.columns.keys.flatMap((column) => {
    const [, key] = /^metafield meta (.+)$/.exec(column) ?? [];
    const text = cell(row, column);
    return key === undefined || text === "" ? [] : [[key, text] as const];
  });
  const store = [
    ...(short === "" ? [] : [["short_description", htmlOf(short)] as const]),
    ...(cell(row, "Is featured?") === "1" ? [["featured", true] as const] : []),
    // Each variant has its own SKU.
    ...(typesOf(row).has("variable") && cell(row, "SKU") !== "" ? [["sku", cell(row, "SKU")] as const] : []),
  ];
  const groups = { attributes: attributeFields, meta, woocommerce: store };
  return Object.fromEntries(
    Object.entries(groups).flatMap(([name, entries]) =>
      entries.length === 0 ? [] : [[name, Object.fromEntries(entries)]],
    ),
  );
}

/** Returns the key of a metafield: "Country of origin" becomes "country_of_origin". */
function keyOf(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "_");
}
