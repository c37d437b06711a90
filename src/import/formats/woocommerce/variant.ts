import { gramsPerUnit } from "../../../catalog/unit-price.ts";
import { getMinorUnit } from "../../../pricing/money.ts";
import type { ReadContext } from "../dialect.ts";
import { readCell, type TableRow } from "../tables/columns.ts";
import { decimalSignOf } from "../tables/local-number.ts";
import {
  type CellReporter,
  isSaleCurrent,
  readBarcode,
  readInteger,
  readMoney,
  readNumber,
} from "../tables/read-cells.ts";
import { parseLocalTime } from "../tables/sale-period.ts";
import { splitList, typesOf } from "./cells.ts";

/**
 * Converts a row of a WooCommerce export to a variant of the catalog format.
 * @param parent row of the product to which a variation belongs; it provides fields that the variation lacks
 */
export function parseWooVariant(
  row: TableRow,
  parent: TableRow | undefined,
  options: readonly string[],
  context: ReadContext,
  report: CellReporter,
): object {
  const taxStatus = readCell(row, "Tax status") || readCell(parent, "Tax status");
  const soldIndividuallyCell = readCell(row, "Sold individually?") || readCell(parent, "Sold individually?");
  const images = splitList(readCell(row, "Images"));
  return {
    options,
    sku: readCell(row, "SKU"),
    barcode: readBarcode(row, "GTIN", report),
    ...parsePrices(row, context, report),
    cost: readMoney(row, "Cost of goods", context.currency, report),
    ...parseStock(row, parent, report),
    requires_shipping: ![...typesOf(row), ...(parent === undefined ? [] : typesOf(parent))].includes("virtual"),
    taxable: !["none", "shipping"].includes(taxStatus.toLowerCase()),
    ...weightOf(findWeightCell(row) === undefined && parent !== undefined ? parent : row, report),
    image: images[0] ?? "",
    ...(soldIndividuallyCell === "1" ? { quantity_rule: { min: 1, max: 1 } } : {}),
  };
}

/** Returns whether a row has a price. WooCommerce does not sell products without one, but 0 is a price. */
export function hasPrice(row: TableRow): boolean {
  return readCell(row, "Regular price") !== "" || readCell(row, "Sale price") !== "";
}

/** Returns the prices. The sale price applies if it is lower than the regular price and today is within its dates. */
function parsePrices(row: TableRow, context: ReadContext, report: CellReporter): object {
  const regularPrice = readPrice(row, "Regular price", context.currency, report);
  const salePrice = readPrice(row, "Sale price", context.currency, report);
  const price = regularPrice ?? salePrice;
  if (price === undefined) return { price: 0 };
  if (salePrice === undefined || salePrice >= price || !isOnSale(row, context, report)) return { price };
  return { price: salePrice, compare_at_price: price };
}

/**
 * Parses a price. Prices without tax may have more decimals than the currency, such as 20.6612. WooCommerce also rounds
 * them before it shows them. In a number such as 1.999, the other prices of the column show what the point means.
 */
function readPrice(row: TableRow, key: string, currency: string, report: CellReporter): number | undefined {
  const text = readCell(row, key);
  const decimalSign = decimalSignOf(text) ?? row.columns.decimalSign(key);
  const [integerPart = "", fraction = ""] = decimalSign === undefined ? [] : text.split(decimalSign);
  const digits = getMinorUnit(currency);
  if (!/^\d{1,12}$/.test(integerPart) || !/^\d{3,30}$/.test(fraction) || !/[1-9]/.test(fraction.slice(digits)))
    return readMoney(row, key, currency, report);
  report.note(row, key, `has more decimals than amounts of ${currency}: rounded`);
  return Number(integerPart + fraction.slice(0, digits)) + (Number(fraction[digits]) >= 5 ? 1 : 0);
}

function isOnSale(row: TableRow, context: ReadContext, report: CellReporter): boolean {
  const [from, to] = (["Date sale price starts", "Date sale price ends"] as const).map((key) => {
    const text = readCell(row, key);
    const time = parseLocalTime(text, context.formatLocalTime);
    if (text !== "" && time === undefined)
      report.error(row, key, `"${text.slice(0, 30)}" must be a date like 2026-07-01`);
    return time;
  });
  if (from === undefined && to === undefined) return true;
  const key = from === undefined ? "Date sale price ends" : "Date sale price starts";
  return isSaleCurrent(row, key, { from, to }, context, report);
}

/** Returns the quantity if stock is tracked. Otherwise, the availability comes from "In stock?". */
function parseStock(row: TableRow, parent: TableRow | undefined, report: CellReporter): object {
  const backorderCell = (readCell(row, "Backorders allowed?") || readCell(parent, "Backorders allowed?")).toLowerCase();
  const state = readCell(row, "In stock?").toLowerCase();
  const allowsBackorder =
    ["1", "yes", "notify"].includes(backorderCell) || state === "backorder" || state === "onbackorder";
  const policy = allowsBackorder ? { inventory_policy: "continue" } : {};
  const stockCell = readCell(row, "Stock").toLowerCase();
  if (stockCell === "parent" && parent !== undefined) {
    report.note(row, "Stock", "is the stock of the entire product: each variant gets the full quantity");
    return { inventory_quantity: readInteger(parent, "Stock", report), ...policy };
  }
  if (stockCell !== "") return { inventory_quantity: readInteger(row, "Stock", report), ...policy };
  return ["0", "outofstock", "backorder", "onbackorder"].includes(state)
    ? { inventory_quantity: 0, ...policy }
    : policy;
}

function findWeightCell(row: TableRow): string | undefined {
  return row.columns.keys.find((key) => key.startsWith("Weight ") && readCell(row, key) !== "");
}

function weightOf(row: TableRow, report: CellReporter): object {
  const key = findWeightCell(row);
  const unit = key?.slice("Weight ".length) as keyof typeof gramsPerUnit | undefined;
  if (key === undefined || unit === undefined) return {};
  const weight = readNumber(row, key, unit, "a weight", report);
  if (weight === undefined) return {};
  return { grams: Math.round(weight * gramsPerUnit[unit] * 1_000) / 1_000, weight_unit: unit };
}
