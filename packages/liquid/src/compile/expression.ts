import type { Context } from "../context.ts";
import { LiquidError } from "../errors.ts";
import type { Expression, Key, Variable } from "../parse/expression.ts";
import { toPlainValue } from "../values/drop.ts";
import { readEntry, readField } from "../values/field.ts";
import { isFloat, isInteger } from "../values/float.ts";
import { parseLeadingInteger, toInteger, truncateToInteger } from "../values/number.ts";
import { Range } from "../values/range.ts";
import { textOf } from "../values/text.ts";

/** Evaluates an expression. The Liquid value nil is undefined or null. */
export type Evaluator = (context: Context) => unknown;

export function compileExpression(expression: Expression): Evaluator {
  switch (expression.kind) {
    case "literal": {
      const { value } = expression;
      return () => value;
    }
    case "variable":
      return compileVariable(expression);
    case "range":
      return compileRange(expression.firstExpression, expression.lastExpression);
  }
}

function compileVariable({ name, keys }: Variable): Evaluator {
  if (typeof name !== "string") {
    const evaluateName = compileExpression(name);
    return compileKeys((context) => context.readVariable(textOf(evaluateName(context))), keys);
  }
  const [firstKey, secondKey] = keys.map((key) => key.name);
  if (keys.length === 0) return (context) => context.readVariable(name);
  if (keys.length === 1 && typeof firstKey === "string")
    return (context) => readField(context.readVariable(name), firstKey);
  if (keys.length === 2 && typeof firstKey === "string" && typeof secondKey === "string")
    return (context) => readField(readField(context.readVariable(name), firstKey), secondKey);
  return compileKeys((context) => context.readVariable(name), keys);
}

function compileKeys(subject: Evaluator, keys: readonly Key[]): Evaluator {
  const compiledKeys = keys.map(({ name }) => (typeof name === "string" ? name : compileExpression(name)));
  return (context) => {
    let value = subject(context);
    for (const key of compiledKeys)
      value = typeof key === "string" ? readField(value, key) : readEntry(value, key(context));
    return value;
  };
}

/**
 * Compiles a range such as `(1..n)`. In a range of two literals, fractions are truncated. In any other range, a
 * fraction is an error.
 */
function compileRange(firstExpression: Expression, lastExpression: Expression): Evaluator {
  if (firstExpression.kind === "literal" && lastExpression.kind === "literal") {
    const range = new Range(truncateToInteger(firstExpression.value), truncateToInteger(lastExpression.value));
    return () => range;
  }
  const evaluateStart = compileExpression(firstExpression);
  const evaluateEnd = compileExpression(lastExpression);
  return (context) => new Range(toRangeBound(evaluateStart(context)), toRangeBound(evaluateEnd(context)));
}

function toRangeBound(value: unknown): number {
  const rangeBound = toPlainValue(value);
  if (rangeBound === undefined || rangeBound === null) return 0;
  if (typeof rangeBound === "string") return Number(parseLeadingInteger(rangeBound));
  if (isInteger(rangeBound) || isFloat(rangeBound)) return toInteger(rangeBound);
  throw new LiquidError("render", "invalid integer");
}
