import { createObjectType, Lookup, TextObject } from "./template-object.ts";

interface Metafield {
  readonly value: unknown;
  readonly type: string | undefined;
}

/**
 * Creates a `metafields` object: `product.metafields.care.wash` prints the value, and `.value` returns it.
 * @param fields values by namespace and key; a value can be `{ type, value }`
 */
export function metafieldsObject(fields: Readonly<Record<string, unknown>>): Lookup {
  return new Lookup((namespace) => {
    const group = Object.hasOwn(fields, namespace) ? fields[namespace] : undefined;
    if (typeof group !== "object" || group === null) return undefined;
    const valuesByKey = new Map<string, unknown>(Object.entries(group));
    return new Lookup((key) => (valuesByKey.has(key) ? createMetafield(valuesByKey.get(key)) : undefined));
  });
}

/** Metafields of objects that never have any. */
export const emptyMetafields = metafieldsObject({});

/**
 * Creates the object of one metafield. Its value can be `{ type, value }`.
 * @param resolve returns the catalog entry that a value refers to
 */
export function createMetafield(
  input: unknown,
  resolve: (type: string | undefined, value: unknown) => unknown = (_, value) => value,
): TextObject<Metafield> | undefined {
  if (input === undefined || input === null) return undefined;
  const isTypedField = typeof input === "object" && "type" in input && "value" in input;
  const type = isTypedField ? String(input.type) : undefined;
  const rawValue: unknown = isTypedField ? input.value : input;
  const value = resolve(type, rawValue);
  const text = typeof rawValue === "object" ? JSON.stringify(rawValue) : String(rawValue);
  return new TextObject(metafieldType, { value, type }, text);
}

const metafieldType = createObjectType<Metafield>("metafield", {
  value: ({ value }) => value,
  type: ({ type, value }) => type ?? guessType(value),
  "list?": ({ type, value }) => type?.startsWith("list.") ?? Array.isArray(value),
});

function guessType(value: unknown): string {
  if (typeof value === "number") return Number.isInteger(value) ? "number_integer" : "number_decimal";
  if (typeof value === "boolean") return "boolean";
  return typeof value === "object" ? "json" : "single_line_text_field";
}
