import { gramsPerUnit } from "../../../catalog/unit-price.ts";
import type { ReadContext } from "../dialect.ts";
import { readCell, type TableRow } from "../tables/columns.ts";
import {
  type CellReporter,
  readBarcode,
  readCode,
  readFlag,
  readInteger,
  readMoney,
  readNumber,
} from "../tables/read-cells.ts";

/** Converts a row of a Shopify export to a variant of the catalog format. */
export function parseShopifyVariant(
  row: TableRow,
  options: readonly string[],
  { currency }: ReadContext,
  report: CellReporter,
): object {
  const isMarketPrice = readCell(row, "Market Price") !== "";
  const price = readMoney(row, isMarketPrice ? "Market Price" : "Variant Price", currency, report);
  if (readCell(row, "Variant Price") === "" && !isMarketPrice)
    report.error(row, "Variant Price", "is required; 0 for a free item");
  const policy = readPolicy(row, report);
  const compareAtColumn = isMarketPrice ? "Market Compare At Price" : "Variant Compare At Price";
  return {
    options,
    sku: readCode(row, "Variant SKU"),
    barcode: readBarcode(row, "Variant Barcode", report),
    price: price ?? 0,
    // Exports contain 0 if there is no compare-at price.
    compare_at_price: readMoney(row, compareAtColumn, currency, report) || undefined,
    cost: readMoney(row, "Cost per item", currency, report),
    inventory_quantity: readQuantity(row, policy, report),
    inventory_policy: policy,
    requires_shipping: readFlag(row, "Variant Requires Shipping", true, report),
    taxable: readFlag(row, "Variant Taxable", true, report),
    ...readWeight(row, report),
    unit_price_measure: readUnitMeasures(row, report),
    image: readCell(row, "Variant Image"),
  };
}

/**
 * Returns the quantity, or undefined if stock is not tracked or the file has no quantities. A tracked variant without a
 * number has 0.
 */
function readQuantity(row: TableRow, policy: string | undefined, report: CellReporter): number | undefined {
  const field = "Variant Inventory Qty";
  const text = readCell(row, field);
  const hasTracker = row.columns.has("Variant Inventory Tracker");
  if (hasTracker && readCell(row, "Variant Inventory Tracker") === "") {
    if (!/^0*$/.test(text)) report.note(row, field, "is set, but stock is not tracked: ignored");
    return undefined;
  }
  if (text !== "") return readInteger(row, field, report);
  if (!hasTracker || !row.columns.has(field)) return undefined;
  if (policy !== "continue") report.note(row, field, "is empty, but stock is tracked: imported as 0 (sold out)");
  return 0;
}

/** Parses the inventory policy: "deny" or "continue". Some exports contain TRUE for "continue" and FALSE for "deny". */
function readPolicy(row: TableRow, report: CellReporter): "deny" | "continue" | undefined {
  const text = readCell(row, "Variant Inventory Policy").toLowerCase();
  if (text === "") return undefined;
  if (text === "deny" || text === "continue") return text;
  return readFlag(row, "Variant Inventory Policy", false, report, "deny or continue") ? "continue" : "deny";
}

/**
 * Returns the data for a unit price: the amount that the variant contains (750 ml), and the reference amount of the
 * unit price (1 l). A reference without a number means one unit.
 */
function readUnitMeasures(row: TableRow, report: CellReporter): object | undefined {
  const [quantity, reference] = ["Total", "Base"].map((name) => {
    const unit = readCell(row, `Unit Price ${name} Measure Unit`).toLowerCase();
    return { value: readNumber(row, `Unit Price ${name} Measure`, unit, "an amount", report), unit };
  });
  if (quantity?.value === undefined || quantity.value === 0 || quantity.unit === "") {
    for (const key of row.columns.keys.filter((column) => column.startsWith("Unit Price")))
      if (!["", "0", "0.0"].includes(readCell(row, key)))
        report.note(row, key, "is part of an incomplete unit price measure: ignored");
    return undefined;
  }
  const referenceValue = reference?.value || 1;
  // The price of one item is the price of the variant.
  if (quantity.unit === "item" && quantity.value === referenceValue) return undefined;
  return { quantity, reference: { value: referenceValue, unit: reference?.unit || quantity.unit } };
}

function readWeight(row: TableRow, report: CellReporter): object {
  const unit = readCell(row, "Variant Weight Unit").toLowerCase().replace(/^lbs$/, "lb");
  const isUnit = (text: string): text is keyof typeof gramsPerUnit => Object.hasOwn(gramsPerUnit, text);
  if (unit !== "" && !isUnit(unit))
    report.error(row, "Variant Weight Unit", `"${unit.slice(0, 30)}" must be g, kg, lb or oz`);
  const validUnit = isUnit(unit) ? unit : undefined;
  const grams = readNumber(row, "Variant Grams", "g", "a weight in grams", report);
  const weight =
    grams === undefined ? readNumber(row, "Variant Weight", validUnit ?? "g", "a weight", report) : undefined;
  return {
    grams: grams ?? (weight === undefined ? undefined : weight * gramsPerUnit[validUnit ?? "g"]),
    weight_unit: validUnit,
  };
}
