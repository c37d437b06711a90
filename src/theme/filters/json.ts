import { Drop, Float, LiquidError } from "@vitrine/liquid";
import { maxSectionLength } from "../liquid/limits.ts";
import { SafeHtml } from "../liquid/safe-html.ts";
import { Lookup, TemplateObject, TextObject, writtenFields } from "../objects/template-object.ts";
import { type FilterFamily, textOf } from "./filter.ts";

/** Maximum nesting depth of objects in the output of `json`. */
const maxNesting = 12;

export const jsonFilters: FilterFamily = {
  json(value) {
    return new Writer().write(value);
  },
};

/** Returns JSON for a script element. The JSON cannot end the element or start a comment. */
export function scriptJson(value: unknown): string {
  return new Writer().write(value);
}

class Writer {
  #length = 0;

  write(value: unknown, depth = 0): string {
    if (depth > maxNesting) return "null";
    if (value instanceof SafeHtml) return this.#count(quoted(value.text));
    // Image URLs and some other objects have a string value.
    if (value instanceof Drop && !(value instanceof TemplateObject) && typeof value.toValue() === "string")
      return this.#count(quoted(value.toText()));
    if (value instanceof Float || value instanceof TextObject) return this.#count(textJson(value));
    if (typeof value === "string") return this.#count(quoted(value));
    if (typeof value === "number") return this.#count(Number.isFinite(value) ? String(value) : "null");
    if (typeof value === "boolean") return this.#count(String(value));
    if (typeof value !== "object" || value === null || value instanceof Lookup) return this.#count("null");
    if (Array.isArray(value)) return `[${value.map((item) => this.write(item, depth + 1)).join(",")}]`;
    const fields = entries(value).map(([name, field]) => {
      const key = this.#count(quoted(name));
      return `${key}:${this.write(field, depth + 1)}`;
    });
    return `{${fields.join(",")}}`;
  }

  #count(text: string): string {
    this.#length += text.length + 1;
    if (this.#length > maxSectionLength)
      throw new LiquidError("limit", `json of more than ${maxSectionLength} characters`);
    return text;
  }
}

function textJson(value: Float | TextObject<unknown>): string {
  if (value instanceof Float) return textOf(value);
  const inner = value.field("value");
  return typeof inner === "number" || typeof inner === "boolean" ? String(inner) : quoted(value.toText());
}

function entries(value: object): (readonly [string, unknown])[] {
  if (!(value instanceof TemplateObject)) return Object.entries(value);
  const fields = value[writtenFields].map((name) => [name, value.field(name)] as const);
  // The JSON of a cart without a note omits the field.
  return value.object_type === "cart" ? fields.filter(([, field]) => field !== undefined) : fields;
}

function quoted(text: string): string {
  return JSON.stringify(text).replace(
    /[<>&\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
