import type { Context } from "../context.ts";
import { LiquidError } from "../errors.ts";
import type { Expression, Key, Variable } from "../parse/expression.ts";
import { plainValue } from "../values/drop.ts";
import { readKey, readName } from "../values/field.ts";
import { isFloat, isInteger } from "../values/float.ts";
import { leadingInteger, toInteger, truncated } from "../values/number.ts";
import { Range } from "../values/range.ts";
import { textOf } from "../values/text.ts";

/** Evaluates an expression. The value nil is undefined or null. */
export type Evaluate = (context: Context) => unknown;

export function compileExpression(expression: Expression): Evaluate {
  switch (expression.kind) {
    case "literal": {
      const { value } = expression;
      return () => value;
    }
    case "variable":
      return compileVariable(expression);
    case "range":
      return compileRange(expression.first, expression.last);
  }
}

function compileVariable({ name, keys }: Variable): Evaluate {
  if (typeof name !== "string") {
    const nameOf = compileExpression(name);
    return withKeys((context) => context.variable(textOf(nameOf(context))), keys);
  }
  const [first, second] = keys.map((key) => key.name);
  if (keys.length === 0) return (context) => context.variable(name);
  if (keys.length === 1 && typeof first === "string") return (context) => readName(context.variable(name), first);
  if (keys.length === 2 && typeof first === "string" && typeof second === "string")
    return (context) => readName(readName(context.variable(name), first), second);
  return withKeys((context) => context.variable(name), keys);
}

function withKeys(subject: Evaluate, keys: readonly Key[]): Evaluate {
  const readers = keys.map(({ name }) => (typeof name === "string" ? name : compileExpression(name)));
  return (context) => {
    let value = subject(context);
    for (const key of readers) value = typeof key === "string" ? readName(value, key) : readKey(value, key(context));
    return value;
  };
}

/** Compiles a range. Literal bounds are truncated to integers. A fraction in another bound is an error. */
function compileRange(first: Expression, last: Expression): Evaluate {
  if (first.kind === "literal" && last.kind === "literal") {
    const range = new Range(truncated(first.value), truncated(last.value));
    return () => range;
  }
  const begin = compileExpression(first);
  const end = compileExpression(last);
  return (context) => new Range(endOf(begin(context)), endOf(end(context)));
}

function endOf(value: unknown): number {
  const shown = plainValue(value);
  if (shown === undefined || shown === null) return 0;
  if (typeof shown === "string") return Number(leadingInteger(shown));
  if (isInteger(shown) || isFloat(shown)) return toInteger(shown);
  throw new LiquidError("render", "invalid integer");
}
