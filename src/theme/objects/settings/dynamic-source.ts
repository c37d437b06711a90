import { Drop, toText } from "@vitrine/liquid";
import { escapeHtml } from "../../liquid/safe-html.ts";
import { globalsOf } from "../../render-state.ts";
import type { View } from "../../view.ts";

/** Returns the value of `closest.<name>` at a block, or undefined if the page's objects apply. */
export type Closest = (name: string) => unknown;

/** Returns whether a setting's value contains expressions: "{{ product.vendor }}". */
export function isDynamic(value: unknown): value is string {
  return typeof value === "string" && value.includes("{{");
}

/**
 * Evaluates a setting's value that contains expressions. A value that is a single expression returns the object itself.
 * Other values return a string with the printed objects.
 * @param isHtml whether the string is printed without escaping; plain texts in it are then escaped here
 */
export function dynamicValue(view: View, value: string, closest: Closest | undefined, isHtml: boolean): unknown {
  const [, whole] = onlySource.exec(value) ?? [];
  const found = whole === undefined ? undefined : read(view, whole, closest);
  if (whole !== undefined && found instanceof Drop) return found;
  return value.replace(anySource, (_, path: string) => {
    const text = toText(read(view, path, closest));
    return isHtml && !htmlFields.test(path) ? escapeHtml(text) : text;
  });
}

/**
 * An output with a path such as `product.vendor` or `metaobjects.experts["ann"].name`. Any other content prints
 * nothing.
 */
const source = /\{\{-?\s*([^{}|]*?)\s*(?:\|[^{}]*)?-?\}\}/;
const onlySource = new RegExp(`^\\s*${source.source}\\s*$`);
const anySource = new RegExp(source, "g");
const isPath = /^[\w?-]+(?:\.[\w?-]+|\[(?:"[^"]*"|'[^']*'|\d+)\])*$/;

/** Fields that contain the merchant's HTML. */
const htmlFields = /\.(?:description|content|excerpt|excerpt_or_content|body)$/;

function read(view: View, path: string, closest: Closest | undefined): unknown {
  if (!isPath.test(path)) return undefined;
  const [first = "", ...fields] = (path.match(/"[^"]*"|'[^']*'|[\w?-]+/g) ?? []).map((part) =>
    part.replace(/["']/g, ""),
  );
  const globals = globalsOf(view);
  if (first === "closest") {
    const [name = "", ...rest] = fields;
    return follow(closest?.(name) ?? globals?.field(name), rest);
  }
  return follow(globals?.field(first), fields);
}

function follow(value: unknown, fields: readonly string[]): unknown {
  let found = value;
  for (const field of fields) {
    if (found instanceof Drop) found = found.field(field);
    else if (typeof found === "object" && found !== null && Object.hasOwn(found, field))
      found = Reflect.get(found, field);
    else return undefined;
  }
  return found;
}
