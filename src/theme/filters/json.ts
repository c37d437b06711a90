import { LimitError, maxText } from "../liquid/budget.ts";
import { SafeHtml } from "../liquid/safe-html.ts";
import { WholeFloat } from "../liquid/whole-float.ts";
import { LookUp, TemplateObject, TextObject, writtenFields } from "../objects/template-object.ts";
import { type FilterFamily, plain } from "./filter.ts";

/** Objects in one another that `json` follows. */
const maxNesting = 12;

export const jsonFilters: FilterFamily = {
  json(value) {
    return new Writer().write(value);
  },
};

/** JSON that may stand in a script element: no sign in it can end the element or a comment. */
export function scriptJson(value: unknown): string {
  return new Writer().write(value);
}

class Writer {
  #length = 0;

  write(value: unknown, depth = 0): string {
    const shown = plain(value);
    if (depth > maxNesting) return "null";
    if (shown instanceof SafeHtml) return this.#count(quoted(shown.text));
    if (shown instanceof WholeFloat || shown instanceof TextObject) return this.#count(textJson(shown));
    if (typeof shown === "string") return this.#count(quoted(shown));
    if (typeof shown === "number") return this.#count(Number.isFinite(shown) ? String(shown) : "null");
    if (typeof shown === "boolean") return this.#count(String(shown));
    if (typeof shown !== "object" || shown === null || shown instanceof LookUp) return this.#count("null");
    if (Array.isArray(shown)) return `[${shown.map((item) => this.write(item, depth + 1)).join(",")}]`;
    const fields = entries(shown).map(([name, field]) => {
      const key = this.#count(quoted(name));
      return `${key}:${this.write(field, depth + 1)}`;
    });
    return `{${fields.join(",")}}`;
  }

  #count(text: string): string {
    this.#length += text.length + 1;
    if (this.#length > maxText) throw new LimitError(`json of more than ${maxText} characters`);
    return text;
  }
}

function textJson(value: WholeFloat | TextObject<unknown>): string {
  if (value instanceof WholeFloat) return `${value}`;
  const held = plain(value.liquidMethodMissing("value"));
  return typeof held === "number" || typeof held === "boolean" ? String(held) : quoted(`${value}`);
}

function entries(value: object): (readonly [string, unknown])[] {
  if (!(value instanceof TemplateObject)) return Object.entries(value);
  const fields = value[writtenFields].map((name) => [name, value.liquidMethodMissing(name)] as const);
  return fields.filter(([, field]) => field !== undefined);
}

function quoted(text: string): string {
  return JSON.stringify(text).replace(
    /[<>&\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
