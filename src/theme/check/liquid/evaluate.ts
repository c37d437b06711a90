import type { Expression, FilteredValue, Key, Variable } from "@vitrine/liquid/tree";
import { isEmptyField, knownTypes } from "../../objects/template-object.ts";
import { didYouMean } from "../nearest.ts";
import { shopperTexts } from "../shopper-text.ts";
import { join, unknown, type Value, valueOfType } from "./value.ts";

/** Variables that an expression can read, and methods that report errors in it. */
export interface EvaluationScope {
  /** Looks up a variable.  @param offset offset of the name  @returns undefined if the name is unknown */
  variable(name: string, offset: number): Value | undefined;
  filter(call: CheckedFilterCall): void;
  unknownField(offset: number, message: string): void;
  /** Reports the use of a field that is empty in every shop. */
  emptyField(offset: number, message: string): void;
}

/** A filter with its input and arguments. */
export interface CheckedFilterCall {
  readonly name: string;
  readonly offset: number;
  readonly value: Value;
  readonly args: readonly Value[];
  readonly namedArgs: ReadonlyMap<string, Value>;
}

/** Returns the known type, fields or text of an expression, without rendering it. */
export function evaluate(expression: Expression | undefined, scope: EvaluationScope): Value {
  if (expression === undefined) return unknown;
  if (expression.kind === "variable") return evaluatePath(expression, scope);
  if (expression.kind === "literal") return typeof expression.value === "string" ? { text: expression.value } : unknown;
  evaluate(expression.first, scope);
  evaluate(expression.last, scope);
  return unknown;
}

export function evaluateFilteredValue({ value: initialValue, filters }: FilteredValue, scope: EvaluationScope): Value {
  let value = evaluate(initialValue, scope);
  for (const { name, args, namedArgs, at: offset } of filters) {
    const positional = args.map((arg) => evaluate(arg, scope));
    const byName = new Map(namedArgs.map((arg) => [arg.name, evaluate(arg.value, scope)]));
    scope.filter({ name, offset, value, args: positional, namedArgs: byName });
    value = evaluateFilter(name, value, positional, scope, offset);
  }
  return value;
}

function evaluatePath({ at: offset, name, keys }: Variable, scope: EvaluationScope): Value {
  const rootName = typeof name === "string" ? name : evaluate(name, scope).text;
  let value = (rootName === undefined || rootName === "" ? undefined : scope.variable(rootName, offset)) ?? unknown;
  let path = rootName ?? "";
  for (const key of keys) {
    const fieldName = evaluateKey(key, scope);
    value = evaluateField(value, fieldName, key.at, scope, path);
    path += fieldName === undefined ? "[…]" : `.${fieldName}`;
  }
  return value;
}

/** Returns the name of a field, or undefined if the name is only known at render time. */
function evaluateKey({ name }: Key, scope: EvaluationScope): string | undefined {
  if (typeof name === "string") return name;
  if (name.kind === "literal" && typeof name.value === "number") return String(name.value);
  return evaluate(name, scope).text;
}

/** Returns the known type, fields or text of a field.  @param path source text of the value, for messages */
export function evaluateField(
  value: Value,
  key: string | undefined,
  offset: number,
  scope: EvaluationScope,
  path: string,
): Value {
  if (key === "size") return unknown;
  if (value.shopperText !== undefined) return { shopperText: value.shopperText };
  const isIndex = key === undefined || /^-?\d+$/.test(key) || key === "first" || key === "last";
  if (isIndex && value.item !== undefined) return value.item;
  if (key === undefined) return unknown;
  const fieldValue = value.fields?.get(key);
  if (fieldValue !== undefined) return fieldValue;
  if (value.type !== undefined) {
    const knownFields = knownTypes.get(value.type);
    const shopperText = shopperTexts.get(value.type)?.get(key);
    if (shopperText !== undefined) return { shopperText };
    const fieldType = knownFields?.get(key);
    if (isEmptyField(value.type, key))
      scope.emptyField(offset, `${value.type}.${key} is always empty here: remove markup that depends on it`);
    if (knownFields === undefined || fieldType !== undefined || key === "object_type")
      return valueOfType(fieldType ?? "");
    scope.unknownField(
      offset,
      `unknown property "${key}" of ${value.type}, which is always empty${didYouMean(key, knownFields.keys())}`,
    );
    return unknown;
  }
  if (value.fields !== undefined) {
    scope.unknownField(
      offset,
      `${value.missingFieldMessage ?? `${path} has no`} "${key}"${didYouMean(key, value.fields.keys())}`,
    );
    return unknown;
  }
  return value.item ?? unknown;
}

/**
 * Returns the known result of a filter. Filters that are not listed here return numbers or strings that need no
 * escaping.
 */
function evaluateFilter(
  name: string,
  value: Value,
  args: readonly Value[],
  scope: EvaluationScope,
  offset: number,
): Value {
  const [firstArg] = args;
  if (itemPreservingFilters.has(name)) return value;
  if (name === "first" || name === "last" || name === "find") return value.item ?? keepShopperText(value, undefined);
  if (name === "map") {
    if (value.item === undefined || firstArg?.text === undefined) return keepShopperText(value, undefined);
    return {
      item: firstArg.text
        .split(".")
        .reduce((item, key) => evaluateField(item, key, offset, scope, "each item"), value.item),
    };
  }
  if (name === "default") return join(value, firstArg);
  if (name === "concat") return join(value, firstArg);
  if (name === "append" || name === "prepend") {
    const [left, right] = name === "append" ? [value, firstArg] : [firstArg, value];
    const text = left?.text === undefined || right?.text === undefined ? undefined : left.text + right.text;
    return { ...keepShopperText(value, firstArg), ...(text === undefined ? {} : { text }) };
  }
  return textPreservingFilters.has(name)
    ? keepShopperText(value, name.startsWith("replace") ? args[1] : undefined)
    : unknown;
}

/** Marks the result of a filter as shopper text if one of its operands is shopper text. */
function keepShopperText(value: Value, fallback: Value | undefined): Value {
  const shopperText = value.shopperText ?? fallback?.shopperText;
  return shopperText === undefined ? unknown : { shopperText };
}

const itemPreservingFilters = new Set("where reject sort sort_natural reverse uniq compact".split(" "));

/** Filters that do not escape their input, so that their result can still contain HTML from a shopper. */
const textPreservingFilters = new Set(
  [
    "capitalize downcase upcase lstrip rstrip strip strip_newlines squish camelize raw newline_to_br",
    "remove remove_first remove_last replace replace_first replace_last slice split join truncate truncatewords",
  ]
    .join(" ")
    .split(" "),
);
