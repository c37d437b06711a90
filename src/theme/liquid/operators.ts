import { isTruthy, type Operators, Tokenizer, toValue } from "liquidjs";
import { BareDrop, LookUp, TemplateObject } from "../objects/template-object.ts";
import { WholeFloat } from "./whole-float.ts";

/** Comparisons as Liquid has them: texts and numbers are never equal and have no order between them, nil is in no
 *  order, `empty` and `blank` may stand on either side. */
export const liquidOperators: Operators = {
  "==": isEqual,
  "!=": (left: unknown, right: unknown) => !isEqual(left, right),
  "<>": (left: unknown, right: unknown) => !isEqual(left, right),
  ">": (left: unknown, right: unknown) => inOrder(left, right, (one, other) => one > other),
  "<": (left: unknown, right: unknown) => inOrder(left, right, (one, other) => one < other),
  ">=": (left: unknown, right: unknown) => inOrder(left, right, (one, other) => one >= other),
  "<=": (left: unknown, right: unknown) => inOrder(left, right, (one, other) => one <= other),
  contains,
  and: (left: unknown, right: unknown, context) => isTruthy(left, context) && isTruthy(right, context),
  or: (left: unknown, right: unknown, context) => isTruthy(left, context) || isTruthy(right, context),
};

/** What `==` says, and `case`. */
export function isEqual(left: unknown, right: unknown): boolean {
  const test = literals.get(left);
  const otherTest = literals.get(right);
  if (test !== undefined || otherTest !== undefined) return test?.(right) === true || otherTest?.(left) === true;
  const one = comparable(left);
  const other = comparable(right);
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, index) => isEqual(item, other[index]));
  if (one instanceof BareDrop && other instanceof BareDrop) return isSameObject(one, other);
  return one === other;
}

/** Nothing in it: a text without letters, a list without items, an object that says so by a field `empty?`. */
export function isEmpty(value: unknown): boolean {
  const shown = comparable(value);
  if (shown instanceof BareDrop) return saysEmpty(shown);
  if (typeof shown === "string" || Array.isArray(shown)) return shown.length === 0;
  return typeof shown === "object" && shown !== null && Object.keys(shown).length === 0;
}

/** Empty, or nil, false or a text of blanks alone. */
export function isBlank(value: unknown): boolean {
  const shown = comparable(value);
  if (shown === undefined || shown === null || shown === false) return true;
  return typeof shown === "string" ? shown.trim() === "" : isEmpty(shown);
}

function saysEmpty(drop: BareDrop): boolean {
  if (drop instanceof LookUp && drop.liquidMethodMissing("size") === 0) return true;
  return drop instanceof TemplateObject && drop.liquidMethodMissing("empty?") === true;
}

/** `empty`, `blank` and `nil` as LiquidJS hands them over -> the test that each stands for. */
const literals: ReadonlyMap<unknown, (value: unknown) => boolean> = new Map([
  [literal("empty"), isEmpty],
  [literal("blank"), isBlank],
  [literal("nil"), (value: unknown) => comparable(value) === null],
]);

function literal(word: string): unknown {
  return (new Tokenizer(word).readValue() as { readonly content?: unknown } | undefined)?.content;
}

/** Texts, numbers and lists as JavaScript has them; objects stay. */
function comparable(value: unknown): unknown {
  if (value instanceof WholeFloat) return value.number;
  const shown: unknown = toValue(value);
  return shown === undefined ? null : shown;
}

function isSameObject(one: BareDrop, other: BareDrop): boolean {
  if (one === other) return true;
  const equals: unknown = Reflect.get(one, "equals");
  return typeof equals === "function" && equals.call(one, other) === true;
}

function inOrder(
  left: unknown,
  right: unknown,
  test: (one: number | string, other: number | string) => boolean,
): boolean {
  const one = comparable(left);
  const other = comparable(right);
  if (typeof one === "number" && typeof other === "number") return test(one, other);
  return typeof one === "string" && typeof other === "string" && test(one, other);
}

function contains(left: unknown, right: unknown): boolean {
  const part = comparable(right);
  if (part === null || part === false) return false;
  const whole = comparable(left);
  if (typeof whole === "string") return whole.includes(String(part));
  if (Array.isArray(whole)) return whole.some((item) => isEqual(item, right));
  if (left instanceof LookUp) return [...left].some((item) => isEqual(item, right));
  return (
    typeof whole === "object" && whole !== null && !(whole instanceof BareDrop) && Object.hasOwn(whole, String(part))
  );
}
