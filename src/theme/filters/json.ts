import { Drop, Float, LiquidError } from "@vitrine/liquid";
import { maxSectionLength } from "../liquid/limits.ts";
import { SafeHtml } from "../liquid/safe-html.ts";
import { VariantImage } from "../objects/image.ts";
import { OptionsByName } from "../objects/products/product-option.ts";
import { EmptyObject, jsonFieldNames, Lookup, TemplateObject, TextObject } from "../objects/template-object.ts";
import { type FilterFamily, textOf } from "./filter.ts";

/** Maximum nesting depth of objects in the output of `json`. */
const maxDepth = 12;

export const jsonFilters: FilterFamily = {
  json(value) {
    return new JsonWriter().write(value);
  },
};

/** Returns JSON for a script element. The JSON cannot end the element or start a comment. */
export function serializeForScript(value: unknown): string {
  return new JsonWriter().write(value);
}

class JsonWriter {
  #length = 0;

  write(value: unknown, depth = 0): string {
    if (depth > maxDepth) return "null";
    if (value instanceof SafeHtml) return this.#checkLength(addQuotes(value.content));
    // Image URLs and some other objects are written as strings.
    if (value instanceof Drop && !(value instanceof TemplateObject) && typeof value.toValue() === "string")
      return this.#checkLength(addQuotes(value.toText()));
    if (value instanceof Float || value instanceof TextObject) return this.#checkLength(serializeTextObject(value));
    if (typeof value === "string") return this.#checkLength(addQuotes(value));
    if (typeof value === "number") return this.#checkLength(Number.isFinite(value) ? String(value) : "null");
    if (typeof value === "boolean") return this.#checkLength(String(value));
    if (value instanceof Lookup || value instanceof EmptyObject) return this.#checkLength("null");
    if (typeof value !== "object" || value === null) return this.#checkLength("null");
    if (Array.isArray(value)) return `[${value.map((item) => this.write(item, depth + 1)).join(",")}]`;
    return this.#writeFields(value, depth);
  }

  #writeFields(object: object, depth: number): string {
    const fields = listJsonEntries(object).map(([name, field]) => {
      const key = this.#checkLength(addQuotes(name));
      const isObject = field instanceof VariantImage;
      return `${key}:${isObject ? this.#writeFields(field, depth + 1) : this.write(field, depth + 1)}`;
    });
    return `{${fields.join(",")}}`;
  }

  #checkLength(text: string): string {
    this.#length += text.length + 1;
    if (this.#length > maxSectionLength)
      throw new LiquidError("limit", `json of more than ${maxSectionLength} characters`);
    return text;
  }
}

function serializeTextObject(value: Float | TextObject<unknown>): string {
  if (value instanceof Float) return textOf(value);
  const fieldValue = value.field("value");
  return typeof fieldValue === "number" || typeof fieldValue === "boolean"
    ? String(fieldValue)
    : addQuotes(value.toText());
}

function listJsonEntries(value: object): (readonly [string, unknown])[] {
  // Scripts of themes read this shape: {"Size":{"option":{"name":"Size", …}}}.
  if (value instanceof OptionsByName) return value.items().map(([name, option]) => [name, { option }]);
  if (!(value instanceof TemplateObject)) return Object.entries(value);
  const fields = value[jsonFieldNames].map((name) => [name, value.field(name)] as const);
  return fields.filter(([name, field]) => field !== undefined || !optionalFields.has(name));
}

/** Fields that JSON omits if they have no value, as on Shopify: scripts of themes test whether they exist. */
const optionalFields: ReadonlySet<string> = new Set(["note", "unit_price", "unit_price_measurement"]);

function addQuotes(text: string): string {
  return JSON.stringify(text).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
