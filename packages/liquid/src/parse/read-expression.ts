import { LiquidError } from "../errors.ts";
import { Float } from "../values/float.ts";
import { parseLeadingInteger } from "../values/number.ts";
import type { Condition, Expression, FilterCall, FilteredValue, Key, NamedArgument } from "./expression.ts";
import type { Lexer } from "./lexer.ts";

/** Maximum nesting depth of brackets, which prevents a stack overflow. */
export const maxBracketDepth = 100;

/** Parses an expression.  @throws LiquidError if it is malformed */
export function readExpression(lexer: Lexer, depth = 0): Expression {
  const { kind, value, at } = lexer;
  if (depth > maxBracketDepth) throw new LiquidError("syntax", "Nesting too deep", at);
  if (kind === "text") {
    lexer.advance();
    return { kind: "literal", at, value };
  }
  if (kind === "number") {
    lexer.advance();
    return { kind: "literal", at, value: parseNumber(value) };
  }
  if (kind === "word") {
    lexer.advance();
    const keys = readKeys(lexer, depth);
    return (keys.length === 0 ? parseKeyword(value, at) : undefined) ?? { kind: "variable", at, name: value, keys };
  }
  if (lexer.skipSign("[")) {
    const name = readExpression(lexer, depth + 1);
    lexer.expectSign("]");
    return { kind: "variable", at, name, keys: readKeys(lexer, depth) };
  }
  if (lexer.skipSign("(")) {
    const firstExpression = readExpression(lexer, depth + 1);
    lexer.expectSign("..");
    const lastExpression = readExpression(lexer, depth + 1);
    lexer.expectSign(")");
    return { kind: "range", at, firstExpression, lastExpression };
  }
  throw lexer.createSyntaxError("a value");
}

function readKeys(lexer: Lexer, depth: number): Key[] {
  const keys: Key[] = [];
  for (;;) {
    if (lexer.skipSign(".")) keys.push({ at: lexer.at, name: lexer.readWord() });
    else if (lexer.skipSign("[")) {
      keys.push({ at: lexer.at, name: readExpression(lexer, depth + 1) });
      lexer.expectSign("]");
    } else return keys;
  }
}

/** Parses `value | filter: 1, name: 2` up to the end of the markup.  @throws LiquidError */
export function readFilteredValue(lexer: Lexer): FilteredValue {
  const { at } = lexer;
  if (lexer.kind === "end") return { at, value: undefined, filters: [] };
  const value = readExpression(lexer);
  const filters: FilterCall[] = [];
  while (lexer.skipSign("|")) filters.push(readFilter(lexer));
  lexer.expectEnd();
  return { at, value, filters };
}

function readFilter(lexer: Lexer): FilterCall {
  const { at } = lexer;
  const name = lexer.readWord();
  const args: Expression[] = [];
  const namedArgs: NamedArgument[] = [];
  if (lexer.skipSign(":")) {
    // A comma after the last argument is allowed.
    while (lexer.kind !== "end" && !lexer.isSign("|")) {
      if (lexer.kind === "word" && lexer.isFollowedByColon()) namedArgs.push(readNamedArgument(lexer));
      else args.push(readExpression(lexer));
      if (!lexer.skipSign(",")) break;
    }
  }
  return { at, name, args, namedArgs };
}

/** Parses a named argument, `name: value`.  @param isPath whether the name may contain dots */
export function readNamedArgument(lexer: Lexer, isPath = false): NamedArgument {
  const { at } = lexer;
  let name = lexer.readWord();
  while (isPath && lexer.skipSign(".")) name += `.${lexer.readWord()}`;
  lexer.expectSign(":");
  return { at, name, value: readExpression(lexer) };
}

/** Parses named arguments, `, a: 1, b: 2`, up to the end of the markup.  @throws LiquidError */
export function readArguments(lexer: Lexer, isPath = false): NamedArgument[] {
  const namedArgs: NamedArgument[] = [];
  lexer.skipSign(",");
  while (lexer.kind !== "end") {
    namedArgs.push(readNamedArgument(lexer, isPath));
    lexer.skipSign(",");
  }
  return namedArgs;
}

/** Parses a condition, `a == b and c`, up to the end of the markup.  @throws LiquidError */
export function readCondition(lexer: Lexer): Condition {
  const parts: { readonly test: Condition; readonly connective?: "and" | "or" }[] = [];
  for (;;) {
    const test = readComparison(lexer);
    const connective = lexer.isWord("and") ? "and" : lexer.isWord("or") ? "or" : undefined;
    if (connective === undefined) {
      parts.push({ test });
      lexer.expectEnd();
      return joinConditions(parts);
    }
    lexer.advance();
    parts.push({ test, connective });
  }
}

function readComparison(lexer: Lexer): Condition {
  const left = readExpression(lexer);
  if (lexer.kind !== "comparison") return { left };
  const operator = lexer.value;
  lexer.advance();
  return { left, operator, right: readExpression(lexer) };
}

/**
 * Combines comparisons into one condition, starting from the right.
 * @param parts comparisons, each with the operator that follows it
 */
export function joinConditions(
  parts: readonly { readonly test: Condition; readonly connective?: "and" | "or" }[],
): Condition {
  return parts.reduceRight<Condition | undefined>(
    (next, { test, connective }) =>
      next === undefined || connective === undefined ? test : { ...test, logicalOperator: connective, next },
    undefined,
  ) as Condition;
}

export function parseKeyword(word: string, at: number): Expression | undefined {
  if (!literals.has(word)) return undefined;
  const value = literals.get(word);
  return word === "blank" || word === "empty"
    ? { kind: "literal", at, value, keyword: word }
    : { kind: "literal", at, value };
}

const literals: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["nil", null],
  ["null", null],
  ["true", true],
  ["false", false],
  ["blank", ""],
  ["empty", ""],
]);

export function parseNumber(text: string): unknown {
  if (!text.includes(".")) return parseLeadingInteger(text);
  const number = Number(text);
  return Number.isInteger(number) ? new Float(number) : number;
}
