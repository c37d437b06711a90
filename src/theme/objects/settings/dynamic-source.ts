import { Drop, toText } from "@vitrine/liquid";
import { escapeHtml } from "../../../runtime/escape-html.ts";
import { getGlobals } from "../../render-state.ts";
import type { View } from "../../view.ts";

/** Returns the value of `closest.<name>` for a block. Undefined means that the object of the page is used. */
export type ClosestObjectFinder = (name: string) => unknown;

/** Returns whether a setting's value contains expressions: "{{ product.vendor }}". */
export function isDynamicSource(value: unknown): value is string {
  return typeof value === "string" && value.includes("{{");
}

/**
 * Evaluates a setting that contains expressions. If the setting is a single expression, returns its object. Otherwise
 * returns a string in which each expression is replaced.
 * @param isHtml whether the string is printed as HTML; inserted plain text is then escaped
 */
export function resolveDynamicValue(
  view: View,
  value: string,
  findClosestObject: ClosestObjectFinder | undefined,
  isHtml: boolean,
): unknown {
  const [, path] = singleOutputPattern.exec(value) ?? [];
  const referencedObject = path === undefined ? undefined : readPath(view, path, findClosestObject);
  if (path !== undefined && referencedObject instanceof Drop) return referencedObject;
  return value.replace(allOutputsPattern, (_, path: string) => {
    const text = toText(readPath(view, path, findClosestObject));
    return isHtml && !htmlFieldPattern.test(path) ? escapeHtml(text) : text;
  });
}

/**
 * Matches an expression with a path such as `product.vendor` or `metaobjects.experts["ann"].name`. Other expressions
 * print nothing.
 */
const outputPattern = /\{\{-?\s*([^{}|]*?)\s*(?:\|[^{}]*)?-?\}\}/;
const singleOutputPattern = new RegExp(`^\\s*${outputPattern.source}\\s*$`);
const allOutputsPattern = new RegExp(outputPattern, "g");
const pathPattern = /^[\w?-]+(?:\.[\w?-]+|\[(?:"[^"]*"|'[^']*'|\d+)\])*$/;

/** Matches paths that end in a field with HTML from the merchant, such as `product.description`. */
const htmlFieldPattern = /\.(?:description|content|excerpt|excerpt_or_content|body)$/;

function readPath(view: View, path: string, findClosestObject: ClosestObjectFinder | undefined): unknown {
  if (!pathPattern.test(path)) return undefined;
  const [rootName = "", ...fields] = (path.match(/"[^"]*"|'[^']*'|[\w?-]+/g) ?? []).map((part) =>
    part.replace(/["']/g, ""),
  );
  const globals = getGlobals(view);
  if (rootName === "closest") {
    const [name = "", ...remainingFields] = fields;
    return readFields(findClosestObject?.(name) ?? globals?.field(name), remainingFields);
  }
  return readFields(globals?.field(rootName), fields);
}

function readFields(value: unknown, fields: readonly string[]): unknown {
  let currentValue = value;
  for (const field of fields) {
    if (currentValue instanceof Drop) currentValue = currentValue.field(field);
    else if (typeof currentValue === "object" && currentValue !== null && Object.hasOwn(currentValue, field))
      currentValue = Reflect.get(currentValue, field);
    else return undefined;
  }
  return currentValue;
}
