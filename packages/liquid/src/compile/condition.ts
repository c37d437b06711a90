import type { Context } from "../context.ts";
import { LiquidError } from "../errors.ts";
import type { Condition, Expression } from "../parse/expression.ts";
import { containsValue, isBlank, isEmpty, isEqual, testInequality } from "../values/compare.ts";
import { isTruthy } from "../values/drop.ts";
import { compileExpression } from "./expression.ts";

export type CompiledCondition = (context: Context) => boolean;

/** Compiles a condition. Conditions are evaluated from the right, as in Ruby: `a and b or c` is `a and (b or c)`. */
export function compileCondition({ logicalOperator, next, ...comparison }: Condition): CompiledCondition {
  const test = compileComparison(comparison);
  if (logicalOperator === undefined || next === undefined) return test;
  const nextTest = compileCondition(next);
  return logicalOperator === "and"
    ? (context) => test(context) && nextTest(context)
    : (context) => test(context) || nextTest(context);
}

function compileComparison({ left, operator, right }: Condition): CompiledCondition {
  const leftValue = compileExpression(left);
  if (operator === undefined || right === undefined) return (context) => isTruthy(leftValue(context));
  const rightValue = compileExpression(right);
  const hasKeyword = getKeywordTest(left) !== undefined || getKeywordTest(right) !== undefined;
  switch (operator) {
    case "==":
      return compileEquality(left, right);
    case "!=":
    case "<>": {
      const testEquality = compileEquality(left, right);
      return (context) => !testEquality(context);
    }
    case "contains":
      return (context) => containsValue(leftValue(context), rightValue(context));
    default: {
      const test = operatorTests.get(operator);
      // `blank` and `empty` cannot be compared with `<` or `>`, so the result is false.
      if (test !== undefined && hasKeyword) return () => false;
      if (test !== undefined) return (context) => testInequality(leftValue(context), rightValue(context), test);
      return () => {
        throw new LiquidError("render", `Unknown operator ${operator}`);
      };
    }
  }
}

/** Compiles `==`. If one operand is `blank` or `empty`, tests whether the other operand is blank or empty. */
export function compileEquality(left: Expression, right: Expression): CompiledCondition {
  const test = getKeywordTest(left) ?? getKeywordTest(right);
  const operand = getKeywordTest(left) === undefined ? left : right;
  if (test !== undefined) {
    const value = compileExpression(operand);
    // `blank == empty` is false.
    if (getKeywordTest(operand) !== undefined) return () => false;
    return (context) => test(value(context));
  }
  const leftValue = compileExpression(left);
  const rightValue = compileExpression(right);
  return (context) => isEqual(leftValue(context), rightValue(context));
}

function getKeywordTest(expression: Expression): ((value: unknown) => boolean) | undefined {
  if (expression.kind !== "literal" || expression.keyword === undefined) return undefined;
  return expression.keyword === "blank" ? isBlank : isEmpty;
}

const operatorTests: ReadonlyMap<string, (order: number) => boolean> = new Map([
  ["<", (order: number) => order < 0],
  [">", (order: number) => order > 0],
  ["<=", (order: number) => order <= 0],
  [">=", (order: number) => order >= 0],
]);
