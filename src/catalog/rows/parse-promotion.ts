import type { Discount } from "../../pricing/discount.ts";
import type { Fields } from "./fields.ts";
import * as read from "./fields.ts";

/** Values of `value_type` of a discount. */
export const discountTypes = ["percentage", "fixed_amount", "free_shipping", "buy_x_get_y"] as const;

/** Maximum number of quantity breaks of a discount. */
const MAX_QUANTITY_BREAKS = 100;

/** Parses the fields of a discount that depend on its type. */
export function parsePromotion(
  fields: Fields,
  type: Discount["valueType"],
): Pick<Discount, "value" | "quantityBreaks" | "buy" | "get"> {
  const hasValue = type === "percentage" || type === "fixed_amount";
  const quantityBreakValues = read.parseList(fields, "quantity_breaks");
  const needsValue = hasValue && quantityBreakValues.length === 0;
  if (needsValue && read.isMissing(fields, "value")) read.report(fields, "value", "is required");
  if (quantityBreakValues.length > MAX_QUANTITY_BREAKS)
    read.report(fields, "quantity_breaks", `has at most ${MAX_QUANTITY_BREAKS} entries`);
  if (!hasValue && quantityBreakValues.length > 0)
    read.report(fields, "quantity_breaks", `is not for the type "${type}"`);
  const value = parseValue(fields, type) ?? 0;
  if (!needsValue && value !== 0)
    read.report(fields, "value", hasValue ? "is not used with quantity_breaks" : `is not for the type "${type}"`);
  const hasTargets = [...read.parseList(fields, "products"), ...read.parseList(fields, "collections")].length > 0;
  if (type === "free_shipping" && hasTargets) read.report(fields, "value_type", "applies to the entire cart");
  if (type !== "buy_x_get_y") {
    for (const name of ["buy", "get"])
      if (!read.isMissing(fields, name)) read.report(fields, name, 'is only for the type "buy_x_get_y"');
    return {
      value,
      ...(quantityBreakValues.length === 0
        ? {}
        : { quantityBreaks: parseQuantityBreaks(fields, type, quantityBreakValues) }),
    };
  }
  if (!hasTargets) read.report(fields, "products", "is required: the products or collections that the customer gets");
  return { value, ...parseRewards(fields) };
}

function parseValue(fields: Fields, type: Discount["valueType"]): number | undefined {
  return type === "percentage" ? read.parseNumber(fields, "value", 100) : read.parseMoney(fields, "value");
}

function parseQuantityBreaks(
  fields: Fields,
  type: Discount["valueType"],
  quantityBreakValues: readonly unknown[],
): NonNullable<Discount["quantityBreaks"]> {
  const parsedQuantityBreaks = quantityBreakValues.flatMap((entry, index) => {
    const entryFields = parseSubfields(fields, entry, `quantity_breaks[${index}]`, "quantity value");
    if (entryFields === undefined) return [];
    return [
      { quantity: parseQuantity(entryFields), value: parseValue(entryFields, type) ?? reportMissingValue(entryFields) },
    ];
  });
  const isSorted = parsedQuantityBreaks.every(
    ({ quantity }, index) => quantity > (parsedQuantityBreaks[index - 1]?.quantity ?? 0),
  );
  if (!isSorted) read.report(fields, "quantity_breaks", "must be sorted by quantity, lowest first");
  return parsedQuantityBreaks;
}

function parseRewards(fields: Fields): Pick<Discount, "buy" | "get"> {
  const buyFields = parseSubfields(fields, fields.values.buy, "buy", "quantity products collections");
  const reward = parseSubfields(fields, fields.values.get, "get", "quantity percentage");
  return {
    ...(buyFields === undefined
      ? {}
      : {
          buy: {
            quantity: parseQuantity(buyFields),
            products: read.parseNames(buyFields, "products"),
            collections: read.parseNames(buyFields, "collections"),
          },
        }),
    ...(reward === undefined
      ? {}
      : {
          get: { quantity: parseQuantity(reward), percentage: read.parseNumber(reward, "percentage", 100) ?? 100 },
        }),
  };
}

/** Parses an object within a discount.  @param fieldNames known fields, separated by spaces */
function parseSubfields(fields: Fields, value: unknown, name: string, fieldNames: string): Fields | undefined {
  if (value === undefined || value === null) {
    read.report(fields, name, "is required");
    return undefined;
  }
  const path = `${fields.path}${name}.`;
  return read.parseObject(value, path, new Set(fieldNames.split(" ")), name, fields.addError);
}

function parseQuantity(fields: Fields): number {
  if (read.isMissing(fields, "quantity")) read.report(fields, "quantity", "is required");
  return read.parseInteger(fields, "quantity", 1) ?? 1;
}

function reportMissingValue(fields: Fields): number {
  read.report(fields, "value", "is required");
  return 0;
}
