import { isUnitPriceMeasure, type Measure, measureUnits, type UnitPriceMeasure } from "../unit-price.ts";
import * as read from "./fields.ts";
import { type Fields, openFields, report } from "./fields.ts";

/** Reads `unit_price_measure` of a variant. */
export function parseUnitPriceMeasure(fields: Fields): UnitPriceMeasure | undefined {
  const value = fields.values.unit_price_measure;
  if (value === undefined || value === null) return undefined;
  const path = `${fields.path}unit_price_measure.`;
  const opened = openFields(value, path, measures, "a measure of unit prices", fields.fault);
  if (opened === undefined) return undefined;
  const [quantity, reference] = [parseMeasure(opened, "quantity"), parseMeasure(opened, "reference")];
  if (quantity === undefined || reference === undefined) return undefined;
  if (isUnitPriceMeasure({ quantity, reference })) return { quantity, reference };
  report(opened, "reference", "must measure what the quantity does, and both be more than 0");
  return undefined;
}

const measures: ReadonlySet<string> = new Set(["quantity", "reference"]);
const parts: ReadonlySet<string> = new Set(["value", "unit"]);

function parseMeasure(fields: Fields, name: string): Measure | undefined {
  const opened = openFields(fields.values[name], `${fields.path}${name}.`, parts, "a measure", fields.fault);
  if (opened === undefined) return undefined;
  const value = read.optionalNumber(opened, "value", 0, 1_000_000_000);
  const unit = read.optionalWord(opened, "unit", measureUnits);
  if (value === undefined) report(opened, "value", "is required");
  if (unit === undefined && read.isAbsent(opened, "unit")) report(opened, "unit", "is required");
  return value === undefined || unit === undefined ? undefined : { value, unit };
}
