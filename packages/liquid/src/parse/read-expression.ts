import { LiquidError } from "../errors.ts";
import { Float } from "../values/float.ts";
import { leadingInteger } from "../values/number.ts";
import type { Condition, Expression, Filtered, FilterUse, Key, NamedArgument } from "./expression.ts";
import type { Lexer } from "./lexer.ts";

/** Maximum nesting depth of brackets, which prevents a stack overflow. */
export const maxBrackets = 100;

/** Parses an expression.  @throws LiquidError if it is malformed */
export function readExpression(lexer: Lexer, depth = 0): Expression {
  const { kind, value, at } = lexer;
  if (depth > maxBrackets) throw new LiquidError("syntax", "Nesting too deep", at);
  if (kind === "text") {
    lexer.advance();
    return { kind: "literal", at, value };
  }
  if (kind === "number") {
    lexer.advance();
    return { kind: "literal", at, value: numberOf(value) };
  }
  if (kind === "word") {
    lexer.advance();
    const keys = readKeys(lexer, depth);
    return (keys.length === 0 ? literalWord(value, at) : undefined) ?? { kind: "variable", at, name: value, keys };
  }
  if (lexer.takeSign("[")) {
    const name = readExpression(lexer, depth + 1);
    lexer.sign("]");
    return { kind: "variable", at, name, keys: readKeys(lexer, depth) };
  }
  if (lexer.takeSign("(")) {
    const first = readExpression(lexer, depth + 1);
    lexer.sign("..");
    const last = readExpression(lexer, depth + 1);
    lexer.sign(")");
    return { kind: "range", at, first, last };
  }
  throw lexer.fault("a value");
}

function readKeys(lexer: Lexer, depth: number): Key[] {
  const keys: Key[] = [];
  for (;;) {
    if (lexer.takeSign(".")) keys.push({ at: lexer.at, name: lexer.word() });
    else if (lexer.takeSign("[")) {
      keys.push({ at: lexer.at, name: readExpression(lexer, depth + 1) });
      lexer.sign("]");
    } else return keys;
  }
}

/** Parses `value | filter: 1, name: 2` up to the end of the markup.  @throws LiquidError */
export function readFiltered(lexer: Lexer): Filtered {
  const { at } = lexer;
  if (lexer.kind === "end") return { at, value: undefined, filters: [] };
  const value = readExpression(lexer);
  const filters: FilterUse[] = [];
  while (lexer.takeSign("|")) filters.push(readFilter(lexer));
  lexer.finish();
  return { at, value, filters };
}

function readFilter(lexer: Lexer): FilterUse {
  const { at } = lexer;
  const name = lexer.word();
  const args: Expression[] = [];
  const named: NamedArgument[] = [];
  if (lexer.takeSign(":")) {
    // A trailing comma is allowed.
    while (lexer.kind !== "end" && !lexer.isSign("|")) {
      if (lexer.kind === "word" && lexer.isFollowedBy(":")) named.push(readNamed(lexer));
      else args.push(readExpression(lexer));
      if (!lexer.takeSign(",")) break;
    }
  }
  return { at, name, args, named };
}

/** Parses a named argument, `name: value`.  @param isPath whether the name may contain dots */
export function readNamed(lexer: Lexer, isPath = false): NamedArgument {
  const { at } = lexer;
  let name = lexer.word();
  while (isPath && lexer.takeSign(".")) name += `.${lexer.word()}`;
  lexer.sign(":");
  return { at, name, value: readExpression(lexer) };
}

/** Parses named arguments, `, a: 1, b: 2`, up to the end of the markup.  @throws LiquidError */
export function readArguments(lexer: Lexer, isPath = false): NamedArgument[] {
  const named: NamedArgument[] = [];
  lexer.takeSign(",");
  while (lexer.kind !== "end") {
    named.push(readNamed(lexer, isPath));
    lexer.takeSign(",");
  }
  return named;
}

/** Parses a condition, `a == b and c`, up to the end of the markup.  @throws LiquidError */
export function readCondition(lexer: Lexer): Condition {
  const parts: { readonly test: Condition; readonly relation?: "and" | "or" }[] = [];
  for (;;) {
    const test = readComparison(lexer);
    const relation = lexer.isWord("and") ? "and" : lexer.isWord("or") ? "or" : undefined;
    if (relation === undefined) {
      parts.push({ test });
      lexer.finish();
      return joinConditions(parts);
    }
    lexer.advance();
    parts.push({ test, relation });
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
 * Joins comparisons to one condition, from the right.
 * @param parts comparisons, each with the operator that follows it
 */
export function joinConditions(
  parts: readonly { readonly test: Condition; readonly relation?: "and" | "or" }[],
): Condition {
  return parts.reduceRight<Condition | undefined>(
    (rest, { test, relation }) => (rest === undefined || relation === undefined ? test : { ...test, relation, rest }),
    undefined,
  ) as Condition;
}

export function literalWord(word: string, at: number): Expression | undefined {
  if (!literals.has(word)) return undefined;
  const value = literals.get(word);
  return word === "blank" || word === "empty" ? { kind: "literal", at, value, word } : { kind: "literal", at, value };
}

const literals: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["nil", null],
  ["null", null],
  ["true", true],
  ["false", false],
  ["blank", ""],
  ["empty", ""],
]);

export function numberOf(text: string): unknown {
  if (!text.includes(".")) return leadingInteger(text);
  const number = Number(text);
  return Number.isInteger(number) ? new Float(number) : number;
}
