import { type PropertyAccessToken, type Token, TypeGuards } from "liquidjs";
import { knownTypes } from "../../objects/template-object.ts";
import { didYouMean } from "../nearest.ts";
import { shopperTexts } from "../shopper-text.ts";
import type { Expression } from "./statements.ts";
import { join, ofType, unknown, type Value } from "./value.ts";

/** What an expression is looked up in, and who is told of what it names wrongly. */
export interface Surroundings {
  /** @param at offset of the name  @returns undefined where nothing of that name is known */
  variable(name: string, at: number): Value | undefined;
  filter(call: FilterUse): void;
  unknownField(at: number, message: string): void;
}

/** A filter with what it was given. */
export interface FilterUse {
  readonly name: string;
  readonly at: number;
  readonly value: Value;
  readonly args: readonly Value[];
  readonly named: ReadonlyMap<string, Value>;
}

/** Says what is known of an expression's value. */
export function evaluate(token: Token | undefined, around: Surroundings): Value {
  if (token === undefined) return unknown;
  if (TypeGuards.isQuotedToken(token)) return { text: token.content };
  if (TypeGuards.isRangeToken(token)) {
    evaluate(token.lhs, around);
    evaluate(token.rhs, around);
    return unknown;
  }
  if (TypeGuards.isPropertyAccessToken(token)) return evaluatePath(token, around);
  if (TypeGuards.isFilteredValueToken(token)) return evaluateFiltered(token, around);
  return unknown;
}

function evaluateFiltered({ initial, filters }: Expression, around: Surroundings): Value {
  const values = initial.postfix.map((token) => evaluate(token, around));
  let value = values.length === 1 ? (values[0] as Value) : unknown;
  for (const { name, args, begin } of filters) {
    const named = new Map<string, Value>();
    const positional: Value[] = [];
    for (const arg of args) {
      if (!Array.isArray(arg)) positional.push(evaluate(arg as Token, around));
      else {
        named.set(String(arg[0]), evaluate(arg[1] as Token | undefined, around));
      }
    }
    around.filter({ name, at: begin, value, args: positional, named });
    value = filtered(name, value, positional, around, begin);
  }
  return value;
}

function evaluatePath(token: PropertyAccessToken, around: Surroundings): Value {
  const names = token.props.map((prop) => ({ at: prop.begin, key: keyOf(prop, around) }));
  let value: Value;
  let path: string;
  if (token.variable === undefined) {
    const first = names.shift();
    path = first?.key ?? "";
    value = (path === "" ? undefined : around.variable(path, first?.at ?? token.begin)) ?? unknown;
  } else {
    value = evaluate(token.variable, around);
    path = token.variable.getText();
  }
  for (const { at, key } of names) {
    value = field(value, key, at, around, path);
    path += key === undefined ? "[…]" : `.${key}`;
  }
  return value;
}

/** The name of a field; undefined where it is known when rendering alone. */
function keyOf(prop: Token, around: Surroundings): string | undefined {
  if (TypeGuards.isWordToken(prop)) return prop.content;
  const value = evaluate(prop, around);
  return TypeGuards.isNumberToken(prop) ? prop.getText() : value.text;
}

/** @param path how the author names the value */
export function field(value: Value, key: string | undefined, at: number, around: Surroundings, path: string): Value {
  if (key === "size") return unknown;
  if (value.shopperText !== undefined) return { shopperText: value.shopperText };
  const isPlace = key === undefined || /^-?\d+$/.test(key) || key === "first" || key === "last";
  if (isPlace && value.item !== undefined) return value.item;
  if (key === undefined) return unknown;
  const own = value.fields?.get(key);
  if (own !== undefined) return own;
  if (value.type !== undefined) {
    const known = knownTypes.get(value.type);
    const shopperText = shopperTexts.get(value.type)?.get(key);
    if (shopperText !== undefined) return { shopperText };
    const leads = known?.get(key);
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

/** What a filter makes of its value; what is not named here makes a text that is safe to print, or a number. */
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

/** The shopper's words, of either. */
function written(value: Value, other: Value | undefined): Value {
  const shopperText = value.shopperText ?? other?.shopperText;
  return shopperText === undefined ? unknown : { shopperText };
}

const sameItems = new Set("where reject sort sort_natural reverse uniq compact".split(" "));

/** Filters whose result still holds the text as it was written. */
const keepsText = new Set(
  [
    "capitalize downcase upcase lstrip rstrip strip strip_newlines squish camelize raw newline_to_br",
    "remove remove_first remove_last replace replace_first replace_last slice split join truncate truncatewords",
  ]
    .join(" ")
    .split(" "),
);
