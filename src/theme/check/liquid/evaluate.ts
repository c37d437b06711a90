import type { Expression, FilteredValue, Key, Variable } from "@vitrine/liquid/tree";
import { isEmptyField, knownTypes } from "../../objects/template-object.ts";
import { suggestName } from "../nearest.ts";
import { shopperTexts } from "../shopper-text.ts";
import { joinValues, parseType, unknownValue, type Value } from "./value.ts";

/** Variables that an expression can read, and methods that report errors in it. */
export interface EvaluationScope {
  /** Looks up a variable.  @param offset offset of the name  @returns undefined if the name is unknown */
  variable(name: string, offset: number): Value | undefined;
  filter(call: CheckedFilterCall): void;
  onUnknownField(offset: number, message: string): void;
  /** Reports the use of a field that is empty in every shop. */
  onEmptyField(offset: number, message: string): void;
}

/** Types that templates find by handle, as in `collections[handle]`. If there is none, the result has the field `empty?`. */
const typesByHandle = new Set(["article", "blog", "collection", "linklist", "page", "product"]);

/** A filter with its input and arguments. */
export interface CheckedFilterCall {
  readonly name: string;
  readonly offset: number;
  readonly value: Value;
  readonly args: readonly Value[];
  readonly namedArgs: ReadonlyMap<string, Value>;
}

/** Returns what is known about an expression's value without rendering it: its type, fields, or text. */
export function evaluate(expression: Expression | undefined, scope: EvaluationScope): Value {
  if (expression === undefined) return unknownValue;
  if (expression.kind === "variable") return evaluatePath(expression, scope);
  if (expression.kind === "literal")
    return typeof expression.value === "string" ? { text: expression.value } : unknownValue;
  evaluate(expression.firstExpression, scope);
  evaluate(expression.lastExpression, scope);
  return unknownValue;
}

export function evaluateFilteredValue({ value: initialValue, filters }: FilteredValue, scope: EvaluationScope): Value {
  let value = evaluate(initialValue, scope);
  for (const { name, args, namedArgs, at: offset } of filters) {
    const positionalArgs = args.map((argument) => evaluate(argument, scope));
    const valuesByName = new Map(namedArgs.map((argument) => [argument.name, evaluate(argument.value, scope)]));
    scope.filter({ name, offset, value, args: positionalArgs, namedArgs: valuesByName });
    value = evaluateFilter(name, value, positionalArgs, scope, offset);
  }
  return value;
}

function evaluatePath({ at: offset, name, keys }: Variable, scope: EvaluationScope): Value {
  const rootName = typeof name === "string" ? name : evaluate(name, scope).text;
  let value =
    (rootName === undefined || rootName === "" ? undefined : scope.variable(rootName, offset)) ?? unknownValue;
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

/**
 * Returns what is known about a field's value without rendering: its type, fields, or text.
 * @param path source text of the value that has the field, for messages
 */
export function evaluateField(
  value: Value,
  key: string | undefined,
  offset: number,
  scope: EvaluationScope,
  path: string,
): Value {
  if (key === "size") return unknownValue;
  if (value.shopperText !== undefined) return { shopperText: value.shopperText };
  const isIndexKey = key === undefined || /^-?\d+$/.test(key) || key === "first" || key === "last";
  if (isIndexKey && value.item !== undefined) return value.item;
  if (key === undefined) return unknownValue;
  const fieldValue = value.fields?.get(key);
  if (fieldValue !== undefined) return fieldValue;
  if (value.type !== undefined) {
    const knownFields = knownTypes.get(value.type);
    const shopperText = shopperTexts.get(value.type)?.get(key);
    if (shopperText !== undefined) return { shopperText };
    const fieldType = knownFields?.get(key);
    if (isEmptyField(value.type, key))
      scope.onEmptyField(offset, `${value.type}.${key} is always empty here: remove markup that depends on it`);
    const isEmptinessTest = key === "empty?" && typesByHandle.has(value.type);
    if (knownFields === undefined || fieldType !== undefined || key === "object_type" || isEmptinessTest)
      return parseType(fieldType ?? "");
    scope.onUnknownField(
      offset,
      `unknown property "${key}" of ${value.type}, which is always empty${suggestName(key, knownFields.keys())}`,
    );
    return unknownValue;
  }
  if (value.fields !== undefined) {
    scope.onUnknownField(
      offset,
      `${value.missingFieldMessage ?? `${path} has no`} "${key}"${suggestName(key, value.fields.keys())}`,
    );
    return unknownValue;
  }
  return value.item ?? unknownValue;
}

/**
 * Returns what is known about the result of a filter. Filters that are not listed here return numbers or strings that
 * need no escaping.
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
  if (name === "first" || name === "last" || name === "find") return value.item ?? inheritShopperText(value, undefined);
  if (name === "map") {
    if (value.item === undefined || firstArg?.text === undefined) return inheritShopperText(value, undefined);
    return {
      item: firstArg.text
        .split(".")
        .reduce((item, key) => evaluateField(item, key, offset, scope, "each item"), value.item),
    };
  }
  if (name === "default") return joinValues(value, firstArg);
  if (name === "concat") return joinValues(value, firstArg);
  if (name === "append" || name === "prepend") {
    const [left, right] = name === "append" ? [value, firstArg] : [firstArg, value];
    const text = left?.text === undefined || right?.text === undefined ? undefined : left.text + right.text;
    return { ...inheritShopperText(value, firstArg), ...(text === undefined ? {} : { text }) };
  }
  return textPreservingFilters.has(name)
    ? inheritShopperText(value, name.startsWith("replace") ? args[1] : undefined)
    : unknownValue;
}

/** Marks the result of a filter as text written by shoppers if the input or the argument is such text. */
function inheritShopperText(value: Value, fallback: Value | undefined): Value {
  const shopperText = value.shopperText ?? fallback?.shopperText;
  return shopperText === undefined ? unknownValue : { shopperText };
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
