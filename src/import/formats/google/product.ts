import { classifyMedia } from "../../../catalog/media.ts";
import { isHandle } from "../../../catalog/rows/identity.ts";
import { isCurrency } from "../../../pricing/money.ts";
import { decodeUriPart } from "../../../runtime/decode-uri.ts";
import type { DialectFieldValue, ReadContext } from "../dialect.ts";
import type { ValueSource } from "../read-value.ts";
import { readAmount } from "../tables/amount.ts";
import { readLocalizedNumber } from "../tables/local-number.ts";
import { CellReporter, isSaleCurrent, parseBarcode } from "../tables/read-cells.ts";
import { parseLocalTime } from "../tables/sale-period.ts";
import { formatHtml, handleOf } from "../text.ts";
import { type FeedItem, metafields, optionNames, textOf } from "./item.ts";
import { readUnitPriceMeasure, readWeight } from "./measures.ts";

export type FeedContext = Pick<ReadContext, "currency" | "now" | "formatLocalTime">;

/**
 * Converts the items of one product to an object of the catalog format.
 * @param handles handles of earlier products of the file; the product's handle is added
 */
export function parseFeedProduct(
  items: readonly FeedItem[],
  handles: Set<string>,
  context: FeedContext,
): DialectFieldValue {
  const [firstItem] = items;
  const report = new CellReporter();
  const title =
    items.length === 1 ? textOf(firstItem, "title") : findCommonTitle(items.map((item) => textOf(item, "title")));
  const options = optionsOf(items, report);
  const images = [
    ...new Set(
      items.flatMap((item) => [textOf(item, "image_link"), ...(item.values.get("additional_image_link") ?? [])]),
    ),
  ];
  const value = {
    kind: "product",
    ...idOf(textOf(firstItem, "item_group_id") || textOf(firstItem, "id")),
    handle: chooseHandle(firstItem, title, handles),
    title,
    vendor: textOf(firstItem, "brand"),
    product_type: textOf(firstItem, "product_type").split(">").at(-1)?.trim() ?? "",
    category: removeCategoryId(textOf(firstItem, "google_product_category")),
    description: formatHtml(textOf(firstItem, "description")),
    options: options.map((attribute) => optionNames.get(attribute) ?? "Version"),
    variants: items.map((item) => ({
      ...variantOf(item, options, context, report),
      options: getOptionValues(item, options, items, title),
    })),
    images: images.filter((src) => src !== "").map((src) => ({ src })),
    media: listMedia(items, report).map((src) => ({ src })),
    metafields: metafieldsOf(firstItem, options),
  };
  for (const item of items.slice(1))
    for (const name of ["description", "brand", "product_type", "google_product_category", ...metafields])
      if (!options.includes(name) && textOf(item, name) !== "" && textOf(item, name) !== textOf(firstItem, name))
        report.note(item, name, "differs from the product's first item: ignored");
  for (const item of items) {
    if (textOf(item, "id") === "") report.error(item, "id", "is required");
    const differingAttributes =
      removeCategoryId(textOf(item, "google_product_category")) === "" &&
      textOf(item, "google_product_category") !== "";
    if (differingAttributes)
      report.note(item, "google_product_category", "is a number without a name in the file: ignored");
  }
  return {
    line: firstItem?.line ?? 0,
    value,
    itemId: firstItem?.values.get("id")?.[0],
    cellErrors: report.errors,
    cellNotes: report.notes,
    source: createFeedSource(items),
  };
}

/** Returns the URLs of videos and 3D models. Unknown formats are reported and left out. */
function listMedia(items: readonly FeedItem[], report: CellReporter): readonly string[] {
  const urls = items.flatMap((item) =>
    (["video_link", "virtual_model_link"] as const).flatMap((name) =>
      (item.values.get(name) ?? []).filter((url) => {
        if (url === "" || classifyMedia(url) !== undefined) return url !== "";
        report.note(item, name, "is neither a video nor a 3D model of a known format: ignored");
        return false;
      }),
    ),
  );
  return [...new Set(urls)];
}

function createFeedSource(items: readonly FeedItem[]): () => ValueSource {
  return () => {
    const sources = items.flatMap(({ source }) => source?.() ?? []).filter((source) => "rows" in source);
    const columns = [...new Set(sources.flatMap((source) => source.columns))];
    const rows = sources.flatMap((source) =>
      source.rows.map((cells) => columns.map((name) => cells[source.columns.indexOf(name)] ?? "")),
    );
    return { columns, rows };
  };
}

/** Returns the feed's id if it is valid. With it, the next import finds the product even if its title changed. */
function idOf(id: string): { readonly id?: string } {
  return /^[\p{L}\p{N}][^\s\p{C}]{0,99}$/u.test(id) ? { id } : {};
}

/** Returns the attributes in which the items of a group differ. */
function optionsOf(items: readonly FeedItem[], report: CellReporter): readonly string[] {
  const [firstItem] = items;
  if (items.length === 1 || firstItem === undefined) return [];
  const options = [...optionNames.keys()].filter((name) => new Set(items.map((item) => textOf(item, name))).size > 1);
  const areAllDistinct = (names: readonly string[]): boolean =>
    new Set(items.map((item) => names.map((name) => textOf(item, name)).join("\n"))).size === items.length;
  // Attributes such as color may not distinguish all variants. The titles then show differences such as memory size.
  if (areAllDistinct(options)) return options;
  const version = areAllDistinct([...options, "title"]) ? "title" : "id";
  report.note(
    firstItem,
    version,
    `distinguishes variants: imported as the option "Version"${version === "id" ? " with numbers" : ""}`,
  );
  return [...options, version];
}

/** Returns an item's value for each option of its product. */
function getOptionValues(
  item: FeedItem,
  options: readonly string[],
  items: readonly FeedItem[],
  title: string,
): readonly string[] {
  return options.map((name) => {
    if (name === "title") return removeTitlePrefix(textOf(item, name), title);
    if (name !== "id") return textOf(item, name);
    const isEqual = (otherItem: FeedItem): boolean =>
      options.every((option) => option === name || textOf(otherItem, option) === textOf(item, option));
    return String(items.slice(0, items.indexOf(item) + 1).filter(isEqual).length);
  });
}

function variantOf(item: FeedItem, options: readonly string[], context: FeedContext, report: CellReporter): object {
  const { currency } = context;
  const price = findAmount(item, "price", currency, report);
  const salePrice = isOnSale(item, context, report) ? findAmount(item, "sale_price", currency, report) : undefined;
  if (textOf(item, "price") === "") report.error(item, "price", "is required; 0 for a free item");
  for (const name of options)
    if (textOf(item, name) === "") report.error(item, name, "is empty, but other variants of the product have one");
  const isSalePriceLower = salePrice !== undefined && price !== undefined && salePrice < price;
  return {
    ...idOf(textOf(item, "id")),
    sku: textOf(item, "id"),
    barcode: parseBarcode(textOf(item, "gtin"), item, "gtin", report),
    price: (isSalePriceLower ? salePrice : price) ?? 0,
    compare_at_price: isSalePriceLower ? price : undefined,
    cost: findAmount(item, "cost_of_goods_sold", currency, report),
    ...parseStock(item, report),
    ...readWeight(item, report),
    unit_price_measure: readUnitPriceMeasure(item, report),
    image: textOf(item, "image_link"),
  };
}

/** Parses an amount such as "15.00 USD". An amount without a currency is in the store's currency. */
function findAmount(item: FeedItem, name: string, currency: string, report: CellReporter): number | undefined {
  const text = textOf(item, name);
  if (text === "") return undefined;
  const amount = readAmount(text, currency);
  if ("error" in amount) {
    report.error(item, name, amount.error, amount.cause);
    return undefined;
  }
  if (!(text.toUpperCase().match(/[A-Z]{3}/g) ?? []).some(isCurrency))
    report.note(item, name, `has no currency: imported as ${currency}`);
  return amount.amount;
}

/**
 * Returns whether a sale price applies now. The date range has the format
 * "2026-05-01T00:00+0200/2026-05-31T23:59+0200".
 */
function isOnSale(item: FeedItem, context: FeedContext, report: CellReporter): boolean {
  const text = textOf(item, "sale_price_effective_date");
  if (text === "" || textOf(item, "sale_price") === "") return true;
  const [from, to] = text.split("/").map((part) => parseLocalTime(part, context.formatLocalTime));
  if (from === undefined || to === undefined) {
    report.error(item, "sale_price_effective_date", "must be two dates with / between them");
    return false;
  }
  return isSaleCurrent(item, "sale_price_effective_date", { from, to }, context, report);
}

function parseStock(item: FeedItem, report: CellReporter): object {
  const availability = textOf(item, "availability").toLowerCase().replaceAll(" ", "_");
  const text = textOf(item, "quantity");
  const amount = readLocalizedNumber(text, undefined, "thousands");
  const isWholeAmount = amount !== undefined && Number.isInteger(amount.value) && amount.value >= 0;
  if (text !== "" && !isWholeAmount) report.error(item, "quantity", `"${text.slice(0, 30)}" is not a whole number`);
  if (isWholeAmount && amount.ambiguityNote !== undefined) report.note(item, "quantity", amount.ambiguityNote);
  const quantity = isWholeAmount ? amount.value : undefined;
  switch (availability) {
    case "":
    case "in_stock":
    case "available_for_order":
      return { inventory_quantity: quantity };
    case "out_of_stock":
    case "discontinued": // in catalogs of Meta
      return { inventory_quantity: 0 };
    case "preorder":
    case "backorder":
      return { inventory_quantity: quantity ?? 0, inventory_policy: "continue" };
    default: {
      const message = `"${availability.slice(0, 30)}" must be in_stock, out_of_stock, preorder or backorder`;
      report.error(item, "availability", message);
      return {};
    }
  }
}

function metafieldsOf(item: FeedItem | undefined, options: readonly string[]): object {
  const fields = metafields.flatMap((name) => {
    const text = textOf(item, name);
    return text === "" || options.includes(name) ? [] : [[name, text] as const];
  });
  return fields.length === 0 ? {} : { "mm-google-shopping": Object.fromEntries(fields) };
}

/** Returns the common prefix of the variants' titles, which ends at a word boundary. */
function findCommonTitle(titles: readonly string[]): string {
  const [firstTitle = "", ...otherTitles] = titles;
  let length = firstTitle.length;
  for (const title of otherTitles) while (!title.startsWith(firstTitle.slice(0, length))) length -= 1;
  const isAtWordEnd = titles.every((title) => title.length === length || !/[\p{L}\p{N}]/u.test(title.charAt(length)));
  const words = isAtWordEnd ? firstTitle.slice(0, length) : firstTitle.slice(0, length).replace(/[\p{L}\p{N}]+$/u, "");
  const title = words.replace(/[\s\-–—|,/(:]+$/u, "").replace(optionLabelPattern, "");
  return title.length < 3 ? firstTitle : title;
}

/** Option label at the end of a title whose option value was removed, as in "Jersey - Color". */
const optionLabelPattern =
  /\s*[-–—|,/(:]\s*(?:colou?r|size|farbe|größe|couleur|taille|talla|talle|tamaño|colore|taglia|cor|tamanho|kleur|maat|kolor|rozmiar|цвет|размер)$/iu;

/** Returns the part of a variant's title after the product's title, or the full title if it has another prefix. */
function removeTitlePrefix(title: string, commonPrefix: string): string {
  const suffix = title.startsWith(commonPrefix)
    ? title.slice(commonPrefix.length).replace(/^[\s\-–—|,/(:]+|[\s)]+$/gu, "")
    : "";
  return suffix === "" ? title : suffix;
}

/** Derives a handle from the URL of the product page, so that links stay valid, or from the title. */
function chooseHandle(item: FeedItem | undefined, title: string, handles: Set<string>): string {
  const titleHandle = handleOf(title);
  const candidates = [
    extractHandle(textOf(item, "link")),
    titleHandle,
    `${titleHandle}-${handleOf(textOf(item, "id"))}`,
  ];
  const handle = candidates.find((candidate) => candidate !== "" && !handles.has(candidate)) ?? titleHandle;
  handles.add(handle);
  return handle;
}

function extractHandle(link: string): string {
  const path = URL.canParse(link) ? new URL(link).pathname : "";
  const fileName =
    path
      .split("/")
      .findLast((part) => part !== "")
      ?.replace(/\.(?:html?|php|aspx?)$/i, "") ?? "";
  const handle = decodeUriPart(fileName);
  // A generic file name or a number is not specific to the product.
  return isHandle(handle) && /\p{L}/u.test(handle) && !/^(?:index|product|item|p|dp)$/i.test(handle) ? handle : "";
}

function removeCategoryId(text: string): string {
  return /^\d+$/.test(text) ? "" : text.replace(/^\d+ - /, "");
}
