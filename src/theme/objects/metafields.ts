import { Float, toText } from "@vitrine/liquid";
import { createObjectType, Lookup, TextObject } from "./template-object.ts";

interface Metafield {
  readonly value: unknown;
  readonly type: string | undefined;
}

/** Returns the catalog entry for a reference, such as a "product_reference". Returns other values unchanged. */
type ReferenceResolver = (type: string | undefined, value: unknown) => unknown;

/**
 * Creates a `metafields` object: `product.metafields.care.wash` prints the value, and `.value` returns it.
 * @param fields values by namespace and key; a value can be `{ type, value }`
 */
export function createMetafieldsObject(fields: Readonly<Record<string, unknown>>, resolve?: ReferenceResolver): Lookup {
  return new Lookup((namespace) => {
    const group = Object.hasOwn(fields, namespace) ? fields[namespace] : undefined;
    if (typeof group !== "object" || group === null) return undefined;
    const valuesByKey = new Map<string, unknown>(Object.entries(group));
    return new Lookup((key) =>
      valuesByKey.has(key) ? createMetafieldObject(valuesByKey.get(key), resolve) : undefined,
    );
  });
}

/** Metafields of objects that never have any. */
export const emptyMetafields = createMetafieldsObject({});

/** Creates the object of one metafield. Its value can be `{ type, value }`. */
export function createMetafieldObject(
  input: unknown,
  resolve: ReferenceResolver = (_, value) => value,
): TextObject<Metafield> | undefined {
  if (input === undefined || input === null) return undefined;
  const isTypedField = typeof input === "object" && "type" in input && "value" in input;
  const type = isTypedField ? String(input.type) : undefined;
  const rawValue: unknown = isTypedField ? input.value : input;
  const value = parseRating(rawValue) ?? resolve(type, rawValue);
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

/** A rating on a scale, such as 4.5 on a scale from 1.0 to 5.0. */
interface Rating {
  readonly rating: number | Float;
  readonly scale_min: number | Float;
  readonly scale_max: number | Float;
}

/** Parses the value of a rating, whose numbers can be texts: `{ value: "4.5", scale_min: "1.0", scale_max: "5.0" }`. */
function parseRating(value: unknown): TextObject<Rating> | undefined {
  if (typeof value !== "object" || value === null || !("scale_max" in value) || !("value" in value)) return undefined;
  const minRating = "scale_min" in value ? value.scale_min : 0;
  const [rating, scale_min, scale_max] = [value.value, minRating, value.scale_max].map(Number) as [
    number,
    number,
    number,
  ];
  if (![rating, scale_min, scale_max].every(Number.isFinite)) return undefined;
  const numbers = { rating: Float.of(rating), scale_min: Float.of(scale_min), scale_max: Float.of(scale_max) };
  return new TextObject(ratingType, numbers, toText(numbers.rating));
}

const ratingType = createObjectType<Rating>("rating", {
  rating: ({ rating }) => rating,
  scale_min: ({ scale_min }) => scale_min,
  scale_max: ({ scale_max }) => scale_max,
});
