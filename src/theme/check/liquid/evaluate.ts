import type { Expression, FilteredValue, Key, Variable } from "@vitrine/liquid/tree";
import { isEmptyField, knownTypes } from "../../objects/template-object.ts";
import { didYouMean } from "../nearest.ts";
import { shopperTexts } from "../shopper-text.ts";
import { join, ofType, unknown, type Value } from "./value.ts";

/** Scope in which an expression is evaluated, and receiver of the errors. */
export interface Surroundings {
  /** Looks up a variable.  @param at offset of the name  @returns undefined if the name is unknown */
  variable(name: string, at: number): Value | undefined;
  filter(call: FilterUse): void;
  unknownField(at: number, message: string): void;
  /** Reports a known field that has no value in any shop of this server. */
  emptyField(at: number, message: string): void;
}

/** A filter with its arguments. */
export interface FilterUse {
  readonly name: string;
  readonly at: number;
  readonly value: Value;
  readonly args: readonly Value[];
  readonly named: ReadonlyMap<string, Value>;
}

/** Returns what is statically known about the value of an expression. */
export function evaluate(expression: Expression | undefined, around: Surroundings): Value {
  if (expression === undefined) return unknown;
  if (expression.kind === "variable") return evaluatePath(expression, around);
  if (expression.kind === "literal") return typeof expression.value === "string" ? { text: expression.value } : unknown;
  evaluate(expression.first, around);
  evaluate(expression.last, around);
  return unknown;
}

export function evaluateFiltered({ value: initial, filters }: FilteredValue, around: Surroundings): Value {
  let value = evaluate(initial, around);
  for (const { name, args, namedArgs, at } of filters) {
    const positional = args.map((arg) => evaluate(arg, around));
    const byName = new Map(namedArgs.map((one) => [one.name, evaluate(one.value, around)]));
    around.filter({ name, at, value, args: positional, named: byName });
    value = filtered(name, value, positional, around, at);
  }
  return value;
}

function evaluatePath({ at, name, keys }: Variable, around: Surroundings): Value {
  const first = typeof name === "string" ? name : evaluate(name, around).text;
  let value = (first === undefined || first === "" ? undefined : around.variable(first, at)) ?? unknown;
  let path = first ?? "";
  for (const key of keys) {
    const known = keyOf(key, around);
    value = field(value, known, key.at, around, path);
    path += known === undefined ? "[…]" : `.${known}`;
  }
  return value;
}

/** Returns the name of a field, or undefined if the name is only known at render time. */
function keyOf({ name }: Key, around: Surroundings): string | undefined {
  if (typeof name === "string") return name;
  if (name.kind === "literal" && typeof name.value === "number") return String(name.value);
  return evaluate(name, around).text;
}

/** Returns what is known about a field of a value.  @param path source text of the value, for messages */
export function field(value: Value, key: string | undefined, at: number, around: Surroundings, path: string): Value {
  if (key === "size") return unknown;
  if (value.shopperText !== undefined) return { shopperText: value.shopperText };
  const isPlace = key === undefined || /^-?\d+$/.test(key) || key === "first" || key === "last";
  if (isPlace && value.item !== undefined) return value.item;
  if (key === undefined) return unknown;
  const fieldValue = value.fields?.get(key);
  if (fieldValue !== undefined) return fieldValue;
  if (value.type !== undefined) {
    const known = knownTypes.get(value.type);
    const shopperText = shopperTexts.get(value.type)?.get(key);
    if (shopperText !== undefined) return { shopperText };
    const leads = known?.get(key);
    if (isEmptyField(value.type, key))
      around.emptyField(at, `${value.type}.${key} is always empty here: leave out what is shown by it alone`);
    if (known === undefined || leads !== undefined || key === "object_type") return ofType(leads ?? "");
    around.unknownField(
      at,
      `unknown property "${key}" of ${value.type}, which is always empty${didYouMean(key, known.keys())}`,
    );
    return unknown;
  }
  if (value.fields !== undefined) {
    around.unknownField(at, `${value.fieldsOf ?? `${path} has no`} "${key}"${didYouMean(key, value.fields.keys())}`);
    return unknown;
  }
  return value.item ?? unknown;
}

/**
 * Returns the known result of a filter. A filter that is not listed returns a number or a string that is safe to print.
 */
function filtered(name: string, value: Value, args: readonly Value[], around: Surroundings, at: number): Value {
  const [first] = args;
  if (sameItems.has(name)) return value;
  if (name === "first" || name === "last" || name === "find") return value.item ?? written(value, undefined);
  if (name === "map") {
    if (value.item === undefined || first?.text === undefined) return written(value, undefined);
    return { item: first.text.split(".").reduce((one, key) => field(one, key, at, around, "each item"), value.item) };
  }
  if (name === "default") return join(value, first);
  if (name === "concat") return join(value, first);
  if (name === "append" || name === "prepend") {
    const [left, right] = name === "append" ? [value, first] : [first, value];
    const text = left?.text === undefined || right?.text === undefined ? undefined : left.text + right.text;
    return { ...written(value, first), ...(text === undefined ? {} : { text }) };
  }
  return keepsText.has(name) ? written(value, name.startsWith("replace") ? args[1] : undefined) : unknown;
}

/** Returns a value with the shopper's text of the first operand, or of the second if the first has none. */
function written(value: Value, other: Value | undefined): Value {
  const shopperText = value.shopperText ?? other?.shopperText;
  return shopperText === undefined ? unknown : { shopperText };
}

const sameItems = new Set("where reject sort sort_natural reverse uniq compact".split(" "));

/** Filters whose result still contains the unescaped text. */
const keepsText = new Set(
  [
    "capitalize downcase upcase lstrip rstrip strip strip_newlines squish camelize raw newline_to_br",
    "remove remove_first remove_last replace replace_first replace_last slice split join truncate truncatewords",
  ]
    .join(" ")
    .split(" "),
);
