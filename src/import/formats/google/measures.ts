import {
  gramsPerUnit,
  isUnitPriceMeasure,
  type Measure,
  type MeasureUnit,
  type UnitPriceMeasure,
  unitsOfMeasure,
} from "../../../catalog/unit-price.ts";
import { readLocalizedNumber } from "../tables/local-number.ts";
import { type CellReporter, chooseSeparatorMeaning } from "../tables/read-cells.ts";
import { type FeedItem, textOf } from "./item.ts";

/** Reads the shipping weight. Google shows products whose weight it cannot use, and ignores the weight. */
export function readWeight(item: FeedItem, report: CellReporter): object {
  const weight = readMeasure(item, "shipping_weight", "1.5 kg", weightUnits, report);
  if (weight === undefined) return {};
  return { grams: weight.value * gramsPerUnit[weight.unit], weight_unit: weight.unit };
}

/**
 * Reads the data for a unit price: the amount that the item contains, such as "750 ml", and the reference amount of the
 * unit price, such as "1 l". The default reference is one unit.
 */
export function readUnitPriceMeasure(item: FeedItem, report: CellReporter): UnitPriceMeasure | undefined {
  const quantity = readMeasure(item, "unit_pricing_measure", "750 ml", unitsOfMeasure, report);
  if (quantity === undefined) return undefined;
  const reference: Measure = readMeasure(item, "unit_pricing_base_measure", "1 l", unitsOfMeasure, report) ?? {
    value: 1,
    unit: quantity.unit,
  };
  if (!isUnitPriceMeasure({ quantity, reference })) {
    const message = "is not an amount in a unit of the same kind as unit_pricing_measure: ignored";
    report.note(item, "unit_pricing_base_measure", message);
    return undefined;
  }
  // The price of one item is the price of the variant.
  return quantity.unit === "item" && quantity.value === reference.value ? undefined : { quantity, reference };
}

/** Reads a number and a unit, such as "1.5 kg". Other texts are ignored with a note. */
function readMeasure<Unit extends MeasureUnit>(
  item: FeedItem,
  attribute: string,
  example: string,
  units: readonly Unit[],
  report: CellReporter,
): { readonly value: number; readonly unit: Unit } | undefined {
  const text = textOf(item, attribute);
  const [, number = "", unitName = ""] = /^([\d.,'’\s]*\d)\s*([a-z ]+)$/i.exec(text) ?? [];
  const name = unitName.toLowerCase().replaceAll(" ", "");
  const unit = units.find((candidate) => candidate === (unitAliases.get(name) ?? name));
  const amount = readLocalizedNumber(number, undefined, chooseSeparatorMeaning(name));
  if (amount !== undefined && unit !== undefined) {
    if (amount.ambiguityNote !== undefined) report.note(item, attribute, amount.ambiguityNote);
    return { value: amount.value, unit };
  }
  if (text !== "") report.note(item, attribute, `is not a number and a unit, such as "${example}": ignored`);
  return undefined;
}

const weightUnits = ["g", "kg", "lb", "oz"] as const;

/** Units by the names that Google uses for them. */
const unitAliases: ReadonlyMap<string, MeasureUnit> = new Map([
  ["lbs", "lb"],
  ["cbm", "m3"],
  ["sqm", "m2"],
  ["sqft", "ft2"],
  ["ct", "item"],
]);
