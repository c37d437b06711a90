import { escapeIfUnsafe } from "../../liquid/safe-html.ts";
import { createObjectType, type FieldReaders } from "../template-object.ts";

type FilterFields = Readonly<Record<string, unknown>>;

/**
 * Creates functions that read the fields. A field's value can be a function, which is called on each read. Unsafe
 * texts are escaped, because themes print them without escaping, and some come from the URL of the page.
 */
function createFieldReaders(names: string): FieldReaders<FilterFields> {
  const createFieldReader = (name: string) => (fields: FilterFields) => {
    const field = fields[name];
    const value: unknown = typeof field === "function" ? field() : field;
    return typeof value === "string" ? escapeIfUnsafe(value) : value;
  };
  return Object.fromEntries(names.split(" ").map((name) => [name, createFieldReader(name)]));
}

export const filterType = createObjectType<FilterFields>(
  "filter",
  createFieldReaders(
    "type label param_name operator presentation values active_values inactive_values min_value max_value " +
      "range_max range_max_decimal url_to_remove",
  ),
  {},
  {
    emptyFields: "true_value false_value",
    fieldTypes: {
      values: "filter_value[]",
      active_values: "filter_value[]",
      inactive_values: "filter_value[]",
      min_value: "filter_value",
      max_value: "filter_value",
    },
  },
);

export const filterValueType = createObjectType<FilterFields>(
  "filter_value",
  createFieldReaders("label value param_name count active url_to_add url_to_remove decimal swatch"),
  {},
  { emptyFields: "image display", fieldTypes: { swatch: "swatch" } },
);

export const sortOptionType = createObjectType<FilterFields>("sort_option", createFieldReaders("value name"));
