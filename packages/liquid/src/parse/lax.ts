import { LiquidError } from "../errors.ts";
import type { Condition, Expression, FilterCall, FilteredValue, Key, NamedArgument } from "./expression.ts";
import { joinConditions, maxBracketDepth, parseKeyword, parseNumber } from "./read-expression.ts";

/**
 * Parses malformed markup like Ruby's lax mode. It uses quoted strings, words, commas, and `|`, and skips all other
 * characters.
 */

/** A part of the markup, with its offset in the source. */
export interface MarkupPart {
  readonly text: string;
  readonly at: number;
}

/** Parses the markup of `{{ … }}`, `assign` and `echo`. */
export function parseLaxFilteredValue({ text, at }: MarkupPart): FilteredValue {
  const firstFragment = findFragment({ text, at });
  if (firstFragment === undefined) return { at, value: undefined, filters: [] };
  const fragmentEnd = firstFragment.at - at + firstFragment.text.length;
  const pipeIndex = text.indexOf("|", fragmentEnd);
  // A `|` or an unpaired quote separates two filters.
  const separator = /"[^"]*"|'[^']*'|["'|]/g;
  const filters =
    pipeIndex < 0
      ? []
      : splitAtSeparators({ text: text.slice(pipeIndex + 1), at: at + pipeIndex + 1 }, separator, ["|", "'", '"']);
  return { at, value: parseLaxExpression(firstFragment), filters: filters.flatMap(parseLaxFilters) };
}

function parseLaxFilters({ text, at }: MarkupPart): FilterCall[] {
  const name = /\w+/.exec(text);
  if (name === null) return [];
  const args: Expression[] = [];
  const namedArgs: NamedArgument[] = [];
  for (const match of text.matchAll(argumentPattern)) {
    const [matchText, key, value = ""] = match;
    const startOffset = at + match.index + matchText.length - value.length;
    const expression = parseLaxExpression({ text: value, at: startOffset });
    if (key === undefined) args.push(expression);
    else namedArgs.push({ at: startOffset, name: key, value: expression });
  }
  return [{ at: at + name.index, name: name[0], args, namedArgs }];
}

/**
 * Parses the markup of `if`, `elsif`, and `unless`. An unknown operator only fails when the condition is evaluated.
 * @throws LiquidError if the markup is empty
 */
export function parseLaxCondition(markupPart: MarkupPart): Condition {
  const conditionParts = splitAtSeparators(markupPart, /"[^"]*"|'[^']*'|(?<![\w-])(?:and|or)(?![\w-])/g, ["and", "or"]);
  const parts: { test: Condition; connective?: "and" | "or" }[] = [];
  for (let index = 0; index < conditionParts.length; index += 2) {
    const connective = conditionParts[index + 1]?.text as "and" | "or" | undefined;
    const test = parseLaxComparison(conditionParts[index] as MarkupPart);
    parts.push(connective === undefined ? { test } : { test, connective });
  }
  return joinConditions(parts);
}

function parseLaxComparison({ text, at }: MarkupPart): Condition {
  const match = comparisonPattern.exec(text);
  if (match === null) throw new LiquidError("syntax", "Syntax Error in tag 'if' - Valid syntax: if [expression]", at);
  const [matchText, left = "", operator, right] = match;
  const startOffset = at + match.index;
  const leftExpression = parseLaxExpression({ text: left, at: startOffset });
  if (operator === undefined) return { left: leftExpression };
  const rightExpression = parseLaxExpression({
    text: right ?? "",
    at: startOffset + matchText.length - (right?.length ?? 0),
  });
  return { left: leftExpression, operator, right: rightExpression };
}

/** Returns all named arguments (`a: 1 b: 2`), at any position in the markup. */
export function parseLaxArguments({ text, at }: MarkupPart): NamedArgument[] {
  return Array.from(text.matchAll(tagArgumentPattern), (match) => {
    const [matchText, name = "", value = ""] = match;
    return {
      at: at + match.index,
      name,
      value: parseLaxExpression({ text: value, at: at + match.index + matchText.length - value.length }),
    };
  });
}

/** Returns the first word or quoted string in the markup. */
export function findFragment({ text, at }: MarkupPart): MarkupPart | undefined {
  const match = fragmentPattern.exec(text);
  return match === null ? undefined : { text: match[0], at: at + match.index };
}

/**
 * Parses an expression. Characters that do not belong to a literal, name, or bracket are skipped: `%b%` is parsed as
 * `b`.
 */
export function parseLaxExpression({ text: rawText, at: begin }: MarkupPart, depth = 0): Expression {
  const text = rawText.trim();
  const start = begin + rawText.length - rawText.trimStart().length;
  const [quote] = text;
  if (text.length > 1 && (quote === '"' || quote === "'") && text.endsWith(quote))
    return { kind: "literal", at: start, value: text.slice(1, -1) };
  if (text === "" || depth > maxBracketDepth) return { kind: "literal", at: start, value: null };
  const word = parseKeyword(text, start);
  if (word !== undefined) return word;
  const range = text.endsWith(")") ? /^\(\s*(\S+?)\s*\.\.\.?\s*(\S+)\s*\)$/.exec(text) : null;
  if (range !== null) {
    const [firstName = "", lastText = ""] = range.slice(1);
    return {
      kind: "range",
      at: start,
      firstExpression: parseLaxExpression({ text: firstName, at: start }, depth + 1),
      lastExpression: parseLaxExpression({ text: lastText, at: start }, depth + 1),
    };
  }
  const [number] = /^-?\d+(?:\.\d*)?(?=[\d.]*$)/.exec(text) ?? [];
  if (number !== undefined) return { kind: "literal", at: start, value: parseNumber(number) };
  const [firstName, ...keys] = parseLaxNames({ text, at: start }, depth);
  return { kind: "variable", at: start, name: firstName?.name ?? "", keys };
}

function parseLaxNames({ text, at }: MarkupPart, depth: number): Key[] {
  const names: Key[] = [];
  const namePattern = /\[|[\w-]+\??/g;
  for (let match = namePattern.exec(text); match !== null; match = namePattern.exec(text)) {
    if (match[0] !== "[") {
      names.push({ at: at + match.index, name: match[0] });
      continue;
    }
    const end = findClosingBracket(text, match.index);
    if (end === undefined) continue;
    const innerMarkup = { text: text.slice(match.index + 1, end), at: at + match.index + 1 };
    names.push({ at: innerMarkup.at, name: parseLaxExpression(innerMarkup, depth + 1) });
    namePattern.lastIndex = end + 1;
  }
  return names;
}

/** Returns the offset of the closing bracket, or undefined if there is none. */
function findClosingBracket(text: string, from: number): number | undefined {
  const closingIndex = text.indexOf("]", from);
  if (closingIndex < 0) return undefined;
  let depth = 0;
  for (let offset = from; offset < text.length; offset += 1) {
    if (text[offset] === "[") depth += 1;
    if (text[offset] === "]") depth -= 1;
    if (depth === 0) return offset;
    if (depth > maxBracketDepth) return undefined;
  }
  return undefined;
}

/** Splits markup at separators. The result contains the separators too, at odd indices. */
function splitAtSeparators({ text, at }: MarkupPart, pattern: RegExp, separators: readonly string[]): MarkupPart[] {
  const parts: MarkupPart[] = [];
  let startOffset = 0;
  for (const { 0: separator, index } of text.matchAll(pattern)) {
    if (!separators.includes(separator)) continue;
    parts.push({ text: text.slice(startOffset, index), at: at + startOffset }, { text: separator, at: at + index });
    startOffset = index + separator.length;
  }
  return [...parts, { text: text.slice(startOffset), at: at + startOffset }];
}

export const fragmentSource = `(?:"[^"]*"|'[^']*'|(?:[^\\s,|'"]|"[^"]*"|'[^']*')+)`;
const fragmentPattern = new RegExp(fragmentSource);
const argumentPattern = new RegExp(`[:,]\\s*(?:(\\w+)\\s*:\\s*)?(${fragmentSource})`, "g");
const tagArgumentPattern = new RegExp(`(\\w[\\w-]*)\\s*:\\s*(${fragmentSource})`, "g");
const comparisonPattern = new RegExp(`(${fragmentSource})\\s*([=!<>a-z_]+)?\\s*(${fragmentSource})?`);
