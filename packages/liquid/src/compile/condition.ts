import type { Context } from "../context.ts";
import { LiquidError } from "../errors.ts";
import type { Condition, Expression } from "../parse/expression.ts";
import { compare, contains, isBlank, isEmpty, isEqual } from "../values/compare.ts";
import { isTruthy } from "../values/drop.ts";
import { compileExpression } from "./expression.ts";

export type Test = (context: Context) => boolean;

/** Compiles a condition. Conditions are evaluated from the right, as in Ruby: `a and b or c` is `a and (b or c)`. */
export function compileCondition({ relation, rest, ...comparison }: Condition): Test {
  const test = compileComparison(comparison);
  if (relation === undefined || rest === undefined) return test;
  const other = compileCondition(rest);
  return relation === "and"
    ? (context) => test(context) && other(context)
    : (context) => test(context) || other(context);
}

function compileComparison({ left, operator, right }: Condition): Test {
  const value = compileExpression(left);
  if (operator === undefined || right === undefined) return (context) => isTruthy(value(context));
  const other = compileExpression(right);
  const isWord = wordTest(left) !== undefined || wordTest(right) !== undefined;
  switch (operator) {
    case "==":
      return compileEqual(left, right);
    case "!=":
    case "<>": {
      const equal = compileEqual(left, right);
      return (context) => !equal(context);
    }
    case "contains":
      return (context) => contains(value(context), other(context));
    default: {
      const test = orders.get(operator);
      // The words `blank` and `empty` have no order.
      if (test !== undefined && isWord) return () => false;
      if (test !== undefined) return (context) => compare(value(context), other(context), test);
      return () => {
        throw new LiquidError("render", `Unknown operator ${operator}`);
      };
    }
  }
}

/** Compiles `==`. If one operand is `blank` or `empty`, tests whether the other operand is blank or empty. */
export function compileEqual(left: Expression, right: Expression): Test {
  const test = wordTest(left) ?? wordTest(right);
  const other = wordTest(left) === undefined ? left : right;
  if (test !== undefined) {
    const value = compileExpression(other);
    // The words `blank` and `empty` are not equal to each other.
    if (wordTest(other) !== undefined) return () => false;
    return (context) => test(value(context));
  }
  const one = compileExpression(left);
  const two = compileExpression(right);
  return (context) => isEqual(one(context), two(context));
}

function wordTest(expression: Expression): ((value: unknown) => boolean) | undefined {
  if (expression.kind !== "literal" || expression.word === undefined) return undefined;
  return expression.word === "blank" ? isBlank : isEmpty;
}

const orders: ReadonlyMap<string, (order: number) => boolean> = new Map([
  ["<", (order: number) => order < 0],
  [">", (order: number) => order > 0],
  ["<=", (order: number) => order <= 0],
  [">=", (order: number) => order >= 0],
]);
