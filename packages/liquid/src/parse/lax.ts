import { LiquidError } from "../errors.ts";
import type { Condition, Expression, Filtered, FilterUse, Key, NamedArgument } from "./expression.ts";
import { joinConditions, literalWord, maxBrackets, numberOf } from "./read-expression.ts";

/**
 * Parses malformed markup like Ruby's lax mode: finds fragments (quoted strings, words, commas, bars) and skips all
 * other text.
 */

/** A part of the markup, with its offset in the source. */
export interface Piece {
  readonly text: string;
  readonly at: number;
}

/** Parses the markup of `{{ … }}`, `assign` and `echo`. */
export function laxFiltered({ text, at }: Piece): Filtered {
  const first = fragmentIn({ text, at });
  if (first === undefined) return { at, value: undefined, filters: [] };
  const behind = first.at - at + first.text.length;
  const bar = text.indexOf("|", behind);
  // Filters are separated by a bar, or by an unpaired quote.
  const separator = /"[^"]*"|'[^']*'|["'|]/g;
  const filters = bar < 0 ? [] : splitAt({ text: text.slice(bar + 1), at: at + bar + 1 }, separator, ["|", "'", '"']);
  return { at, value: laxExpression(first), filters: filters.flatMap(filterIn) };
}

function filterIn({ text, at }: Piece): FilterUse[] {
  const name = /\w+/.exec(text);
  if (name === null) return [];
  const args: Expression[] = [];
  const named: NamedArgument[] = [];
  for (const match of text.matchAll(argument)) {
    const [whole, key, value = ""] = match;
    const begin = at + match.index + whole.length - value.length;
    const expression = laxExpression({ text: value, at: begin });
    if (key === undefined) args.push(expression);
    else named.push({ at: begin, name: key, value: expression });
  }
  return [{ at: at + name.index, name: name[0], args, named }];
}

/**
 * Parses the markup of `if`, `elsif`, and `unless`. An unknown operator is an error when the condition is evaluated.
 * @throws LiquidError if the markup is empty
 */
export function laxCondition(piece: Piece): Condition {
  const pieces = splitAt(piece, /"[^"]*"|'[^']*'|(?<![\w-])(?:and|or)(?![\w-])/g, ["and", "or"]);
  const parts: { test: Condition; relation?: "and" | "or" }[] = [];
  for (let index = 0; index < pieces.length; index += 2) {
    const relation = pieces[index + 1]?.text as "and" | "or" | undefined;
    const test = laxComparison(pieces[index] as Piece);
    parts.push(relation === undefined ? { test } : { test, relation });
  }
  return joinConditions(parts);
}

function laxComparison({ text, at }: Piece): Condition {
  const match = comparison.exec(text);
  if (match === null) throw new LiquidError("syntax", "Syntax Error in tag 'if' - Valid syntax: if [expression]", at);
  const [whole, left = "", operator, right] = match;
  const begin = at + match.index;
  const value = laxExpression({ text: left, at: begin });
  if (operator === undefined) return { left: value };
  const other = laxExpression({ text: right ?? "", at: begin + whole.length - (right?.length ?? 0) });
  return { left: value, operator, right: other };
}

/** Returns all named arguments (`a: 1 b: 2`), wherever they occur in the markup. */
export function laxArguments({ text, at }: Piece): NamedArgument[] {
  return Array.from(text.matchAll(tagArgument), (match) => {
    const [whole, name = "", value = ""] = match;
    return {
      at: at + match.index,
      name,
      value: laxExpression({ text: value, at: at + match.index + whole.length - value.length }),
    };
  });
}

/** Returns the first fragment of the markup. */
export function fragmentIn({ text, at }: Piece): Piece | undefined {
  const match = fragmentPattern.exec(text);
  return match === null ? undefined : { text: match[0], at: at + match.index };
}

/** Parses an expression. Markup that is not a literal is reduced to its names and brackets: `%b%` is parsed as `b`. */
export function laxExpression({ text: written, at: begin }: Piece, depth = 0): Expression {
  const text = written.trim();
  const at = begin + written.length - written.trimStart().length;
  const [quote] = text;
  if (text.length > 1 && (quote === '"' || quote === "'") && text.endsWith(quote))
    return { kind: "literal", at, value: text.slice(1, -1) };
  if (text === "" || depth > maxBrackets) return { kind: "literal", at, value: null };
  const word = literalWord(text, at);
  if (word !== undefined) return word;
  const range = text.endsWith(")") ? /^\(\s*(\S+?)\s*\.\.\.?\s*(\S+)\s*\)$/.exec(text) : null;
  if (range !== null) {
    const [first = "", last = ""] = range.slice(1);
    return {
      kind: "range",
      at,
      first: laxExpression({ text: first, at }, depth + 1),
      last: laxExpression({ text: last, at }, depth + 1),
    };
  }
  const [number] = /^-?\d+(?:\.\d*)?(?=[\d.]*$)/.exec(text) ?? [];
  if (number !== undefined) return { kind: "literal", at, value: numberOf(number) };
  const [first, ...keys] = laxNames({ text, at }, depth);
  return { kind: "variable", at, name: first?.name ?? "", keys };
}

function laxNames({ text, at }: Piece, depth: number): Key[] {
  const names: Key[] = [];
  const part = /\[|[\w-]+\??/g;
  for (let match = part.exec(text); match !== null; match = part.exec(text)) {
    if (match[0] !== "[") {
      names.push({ at: at + match.index, name: match[0] });
      continue;
    }
    const end = closingBracket(text, match.index);
    if (end === undefined) continue;
    const inner = { text: text.slice(match.index + 1, end), at: at + match.index + 1 };
    names.push({ at: inner.at, name: laxExpression(inner, depth + 1) });
    part.lastIndex = end + 1;
  }
  return names;
}

/** Returns the offset of the closing bracket, or undefined if there is none. */
function closingBracket(text: string, from: number): number | undefined {
  const close = text.indexOf("]", from);
  if (close < 0) return undefined;
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === "[") depth += 1;
    if (text[at] === "]") depth -= 1;
    if (depth === 0) return at;
    if (depth > maxBrackets) return undefined;
  }
  return undefined;
}

/** Splits markup at separators. The separators are at the odd indices of the result. */
function splitAt({ text, at }: Piece, pattern: RegExp, separators: readonly string[]): Piece[] {
  const parts: Piece[] = [];
  let begin = 0;
  for (const { 0: found, index } of text.matchAll(pattern)) {
    if (!separators.includes(found)) continue;
    parts.push({ text: text.slice(begin, index), at: at + begin }, { text: found, at: at + index });
    begin = index + found.length;
  }
  return [...parts, { text: text.slice(begin), at: at + begin }];
}

export const fragment = `(?:"[^"]*"|'[^']*'|(?:[^\\s,|'"]|"[^"]*"|'[^']*')+)`;
const fragmentPattern = new RegExp(fragment);
const argument = new RegExp(`[:,]\\s*(?:(\\w+)\\s*:\\s*)?(${fragment})`, "g");
const tagArgument = new RegExp(`(\\w[\\w-]*)\\s*:\\s*(${fragment})`, "g");
const comparison = new RegExp(`(${fragment})\\s*([=!<>a-z_]+)?\\s*(${fragment})?`);
