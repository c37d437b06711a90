import { Lookup, objectType, TextObject } from "./template-object.ts";

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
    const named = new Map<string, unknown>(Object.entries(group));
    return new Lookup((key) => (named.has(key) ? metafield(named.get(key)) : undefined));
  });
}

/** Metafields of objects that have none. */
export const noMetafields = metafieldsObject({});

/**
 * Creates the template object of a metafield from a value or `{ type, value }`.
 * @param resolve returns the object to which a value of a type refers
 */
export function metafield(
  given: unknown,
  resolve: (type: string | undefined, value: unknown) => unknown = (_, value) => value,
): TextObject<Metafield> | undefined {
  if (given === undefined || given === null) return undefined;
  const isTyped = typeof given === "object" && "type" in given && "value" in given;
  const type = isTyped ? String(given.type) : undefined;
  const written: unknown = isTyped ? given.value : given;
  const value = resolve(type, written);
  const text = typeof written === "object" ? JSON.stringify(written) : String(written);
  return new TextObject(metafieldType, { value, type }, text);
}

const metafieldType = objectType<Metafield>("metafield", {
  value: ({ value }) => value,
  type: ({ type, value }) => type ?? guessed(value),
  "list?": ({ type, value }) => type?.startsWith("list.") ?? Array.isArray(value),
});

function guessed(value: unknown): string {
  if (typeof value === "number") return Number.isInteger(value) ? "number_integer" : "number_decimal";
  if (typeof value === "boolean") return "boolean";
  return typeof value === "object" ? "json" : "single_line_text_field";
}
