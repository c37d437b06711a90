import { measuredType, type UnitPriceMeasure } from "../../../catalog/unit-price.ts";
import { objectType, TemplateObject } from "../template-object.ts";

/** The quantity in a variant and the reference quantity of its unit price; undefined if not set. */
export function unitPriceMeasurementObject(
  measure: UnitPriceMeasure | undefined,
): TemplateObject<UnitPriceMeasure> | undefined {
  return measure && new TemplateObject(measurementType, measure);
}

const measurementType = objectType<UnitPriceMeasure>("unit_price_measurement", {
  measured_type: ({ quantity }) => measuredType(quantity.unit),
  quantity_unit: ({ quantity }) => quantity.unit,
  quantity_value: ({ quantity }) => quantity.value,
  reference_unit: ({ reference }) => reference.unit,
  reference_value: ({ reference }) => reference.value,
});
